"""How wheels are built: with their loops compiled, for this platform, unless that is left for later."""

from __future__ import annotations

import doctest
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from wheel.wheelfile import WheelFile

from singleout.engine.codes import loop_cache

ROOT = Path(__file__).parents[1]
LOOPS = "singleout/compiled_loops/loops.nbc"
PURE = "singleout-1.0-py3-none-any.whl"
FILES = {
    "singleout/__init__.py": "",
    "singleout-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: singleout\nVersion: 1.0\n",
    "singleout-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n\n",
}


def whole_backend() -> Any:
    spec = spec_from_file_location("compiled_wheel", ROOT / "build_backend" / "compiled_wheel.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The build, with a small wheel of setuptools and a compilation that takes no time."""
    module = whole_backend()

    def small_wheel(folder: str, *_: Any) -> str:
        with WheelFile(Path(folder) / PURE, "w") as wheel:
            for name, text in FILES.items():
                wheel.writestr(name, text)
        return PURE

    def compile_loops(root: Path) -> None:
        (root / module.FOLDER).mkdir()
        (root / module.FOLDER / "loops.nbc").write_bytes(b"compiled")

    monkeypatch.setattr(module.build_meta, "build_wheel", small_wheel)
    monkeypatch.setattr(module.build_meta, "get_requires_for_build_wheel", lambda _: [])
    monkeypatch.setattr(module, "compile_loops", compile_loops)
    monkeypatch.chdir(ROOT)
    return module


def test_a_wheel_has_the_compiled_loops_and_is_for_this_python(backend: Any, tmp_path: Path) -> None:
    name = backend.build_wheel(str(tmp_path))
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert name.startswith(f"singleout-1.0-{python}-{python}-")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    with ZipFile(tmp_path / name) as wheel:
        assert "singleout/compiled_loops/loops.nbc" in wheel.namelist()
        assert (
            "singleout/compiled_loops/loops.nbc,sha256="
            in wheel.read("singleout-1.0.dist-info/RECORD").decode()
        )
        about = wheel.read("singleout-1.0.dist-info/WHEEL").decode().splitlines()
    assert f"Tag: {name.removeprefix('singleout-1.0-').removesuffix('.whl')}" in about
    assert "Root-Is-Purelib: false" in about
    assert not any("none-any" in each for each in about)


def test_later_is_a_wheel_of_setuptools_that_needs_nothing_else(backend: Any, tmp_path: Path) -> None:
    assert backend.build_wheel(str(tmp_path), {"loops": "later"}) == PURE
    assert backend.get_requires_for_build_wheel({"loops": "later"}) == []
    with pytest.raises(ValueError, match="loops=never: write loops=now, or loops=later"):
        backend.build_wheel(str(tmp_path), {"loops": "never"})


def test_a_build_needs_what_the_package_needs(backend: Any) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["dependencies"]) < set(backend.get_requires_for_build_wheel())


def test_a_build_says_that_it_takes_long_and_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of the runs that compile only their words are looked at."""
    module, called = whole_backend(), []
    monkeypatch.setattr(module.subprocess, "run", lambda words, **_: called.append(words))
    (tmp_path / module.FOLDER).mkdir(parents=True)
    module.compile_loops(tmp_path)
    assert "a few minutes; -C loops=later" in capsys.readouterr().out
    assert [words[1:] for words in called] == [["-m", "singleout", "warm-up", "--verbose"]]
    assert (tmp_path / module.FOLDER / "target.json").exists()


def test_the_package_looks_where_the_build_puts_them(backend: Any) -> None:
    assert loop_cache.TARGET.parts[-3:] == (*backend.FOLDER.split("/"), "target.json")


@pytest.mark.parametrize("needed", ["+avx2", "+popcnt"])
def test_what_processors_must_be_able_to_do_is_told(backend: Any, needed: str) -> None:
    """The package's check goes by this list: what is missing in it would be used where it can't run."""
    processor, features = backend.PROCESSORS["x86_64"]
    assert processor == "x86-64-v3"
    assert needed in features.split(",")


def test_the_page_of_package_indexes() -> None:
    """By its example; `tests/documentation/test_plain_install.py` looks at the one that is installed."""
    spec = spec_from_file_location("setup_of_singleout", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(module := module_from_spec(spec))
    assert doctest.testmod(module) == (0, 1)
