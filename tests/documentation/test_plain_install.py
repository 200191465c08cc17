"""A stranger's first hour: a fresh environment, a plain install of its source, the README's blocks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.docs_site import ROOT
from tests.support.shown_output import blocks_of, printed_by

PUBLISHED = (
    "pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in", "CHANGELOG.md", "CONTRIBUTING.md",
    "build_backend", "docs", "src",
)  # fmt: skip
SDIST = "import compiled_wheel, sys; print(compiled_wheel.build_sdist(sys.argv[1]))"
EXTRAS = (
    "pandas",
    "polars",
    "ipywidgets",
    "python_calamine",
    "xlsxwriter",
    "pyreadstat",
    "psycopg",
    "pyspark",
)
README = ROOT / "README.md"


def run(*words: str | Path, folder: Path, modules: str = "") -> subprocess.CompletedProcess[str]:
    """Nothing of the tree that is tested is known to it, unless `modules` says where."""
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [*map(str, words)], cwd=folder, capture_output=True, text=True,
        env=known | ({"PYTHONPATH": modules} if modules else {}),
    )  # fmt: skip


def succeed(*words: str | Path, folder: Path, modules: str = "") -> str:
    done = run(*words, folder=folder, modules=modules)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment that has the source package and no extra."""
    folder = tmp_path_factory.mktemp("plain")
    archive = source_package(folder)
    succeed(sys.executable, "-m", "venv", "plain", folder=folder)
    found = folder / "plain" / "bin"
    succeed(found / "pip", "install", "--no-compile", "-C", "loops=later", archive, folder=folder)
    (package,) = (folder / "plain").glob("lib/python*/site-packages/singleout")
    take_loops(package)
    return found


def source_package(folder: Path) -> Path:
    tree = folder / "tree"
    tree.mkdir()
    for name in PUBLISHED:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
            )
        else:
            shutil.copy(ROOT / name, tree)
    succeed(sys.executable, "-m", "pip", "install", "--target", "tools", "setuptools>=77", folder=folder)
    modules = os.pathsep.join((str(folder / "tools"), str(tree / "build_backend")))
    said = succeed(sys.executable, "-c", SDIST, folder, folder=tree, modules=modules)
    return folder / said.splitlines()[-1]


def take_loops(package: Path) -> None:
    """What is compiled in the tree already need not be compiled again: it goes by what its source says."""
    source = ROOT / "src" / "singleout"
    for path in source.rglob("__pycache__/*.nb[ic]"):
        (target := package / path.relative_to(source)).parent.mkdir(exist_ok=True)
        shutil.copy(path, target)


def test_a_plain_install_has_no_package_of_an_extra(programs: Path, tmp_path: Path) -> None:
    look = f"from importlib.util import find_spec; print([each for each in {EXTRAS!r} if find_spec(each)])"
    assert succeed(programs / "python", "-c", look, folder=tmp_path) == "[]\n"


def test_the_page_of_an_index_has_no_link_to_a_file_beside_it(programs: Path, tmp_path: Path) -> None:
    """What it names instead is in the source package."""
    ask = "from importlib.metadata import metadata; print(metadata('singleout')['Description'])"
    page = succeed(programs / "python", "-c", ask, folder=tmp_path)
    assert "# singleout" in page
    assert re.findall(r"\]\((?!https?:)[^)]*\)", page) == []
    tree = programs.parents[1] / "tree"
    named = re.findall(r"\(`([^`]+\.md)`\)", page)
    assert len(named) > 20
    assert [name for name in named if not (tree / name).exists()] == []


def test_every_block_of_the_readme_runs(programs: Path, tmp_path: Path) -> None:
    """In one empty folder, from the first to the last."""
    blocks = [each for each in blocks_of(README) if each.language in ("bash", "python")]
    assert {each.language for each in blocks} == {"bash", "python"}
    for number, block in enumerate(blocks):
        if block.language == "python":
            (script := tmp_path / f"block_{number}.py").write_text(block.body, encoding="utf-8")
            succeed(programs / "python", "-W", "error", script, folder=tmp_path)
        else:
            printed_by([block.body], tmp_path, programs)
    assert {"report.html", "release.csv", "evidence.json"} <= {each.name for each in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("assess people.xlsx", "excel"),
        ("assess people.sav", "stats"),
        ("assess people.dta", "stats"),
        ("assess people.sas7bdat", "stats"),
        ("assess postgresql://localhost/shop::people", "postgres"),
        ("assess sc://localhost:15002::people", "spark"),
        ("deidentify apply people.csv --recipe recipe.toml --out out.xlsx", "excel"),
        ("deidentify apply people.csv --recipe recipe.toml --out out.sav", "stats"),
        ("serve --folder here", "platform"),
    ],
)
def test_what_needs_an_extra_says_which(programs: Path, tmp_path: Path, words: str, extra: str) -> None:
    for ending in ("xlsx", "sav", "dta", "sas7bdat"):
        (tmp_path / f"people.{ending}").write_bytes(b"PK\3\4" + bytes(600))
    (tmp_path / "people.csv").write_text("who,age\nann,3\nbob,4\n")
    (tmp_path / "recipe.toml").write_text('user = "who"\n[[step]]\nstep = "pseudonymise"\n')
    done = run(programs / "singleout", *words.split(), folder=tmp_path)
    assert done.returncode == 2
    (line,) = [each for each in done.stderr.splitlines() if each.startswith("error: ")]
    assert re.search(rf"pip install '?singleout\[{extra}\]'?", line)
