"""The Dockerfile names what is there; it is built where a builder of images is."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
STEPS = [line.split() for line in LINES if line.strip() and not line.startswith("#")]
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "ARG", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}
BASES = {words[1] for words in STEPS if words[0] == "FROM"}
BUILDERS = ("docker", "podman")
TAG = "singleout-test"
A_WHILE = 120


def test_every_instruction_is_one_and_every_copied_file_is_there() -> None:
    assert {words[0] for words in STEPS} <= INSTRUCTIONS
    assert [words[0] for words in STEPS][-2:] == ["ENTRYPOINT", "CMD"]
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    copied = [words[1:-1] for words in STEPS if words[0] == "COPY" and not words[1].startswith("--from")]
    assert copied
    for names in copied:
        assert [name for name in names if not (ROOT / name).exists() or name in ignored] == []


def test_every_shell_line_can_be_read() -> None:
    lines = [line.partition(" ")[2] for line in LINES if line.startswith("RUN ")]
    assert len(lines) == 2
    for line in lines:
        assert subprocess.run(["sh", "-n", "-c", line]).returncode == 0
        assert shlex.split(line)


def test_it_does_not_run_as_root() -> None:
    users = [line.split()[1] for line in LINES if line.startswith("USER")]
    assert users == ["singleout"]
    assert re.search(r"useradd .*singleout", "\n".join(LINES))


def succeeds(*words: str) -> bool:
    try:
        return subprocess.run(words, capture_output=True, timeout=A_WHILE).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def can_build(tool: str) -> bool:
    """It runs here, and has or can fetch what the image starts from."""
    return (
        shutil.which(tool) is not None
        and succeeds(tool, "info")
        and all(succeeds(tool, "image", "inspect", base) or succeeds(tool, "pull", base) for base in BASES)
    )


@pytest.fixture(scope="module")
def image() -> Iterator[list[str]]:
    """The words before what the image is asked to run."""
    tool = next(filter(can_build, BUILDERS), None)
    if tool is None:
        pytest.skip("no builder of images runs here, or the image to start from can't be fetched")
    subprocess.run([tool, "build", "-t", TAG, str(ROOT)], check=True)
    yield [tool, "run", "--rm", "--network", "none"]
    subprocess.run([tool, "rmi", "--force", TAG], capture_output=True)


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_the_image_runs_as_nobody_in_particular(image: list[str]) -> None:
    assert said(*image, TAG, "--version").startswith("singleout ")
    assert said(*image, "--entrypoint", "id", TAG, "-u").strip() == "10001"


def test_the_image_is_warm(image: list[str], tmp_path: Path) -> None:
    """A first report compiles nothing, unless the processor here is one that the loops do not fit."""
    tmp_path.chmod(0o777)
    folder = ["--volume", f"{tmp_path}:/data"]
    said(*image, *folder, TAG, "sample", "shop", "--people", "9", "--out", "shop.csv")
    work = "singleout assess shop.csv --user customer --html report.html"
    kept = "find $NUMBA_CACHE_DIR -name '*.nb?' | wc -l"
    found = said(*image, *folder, "--entrypoint", "sh", TAG, "-c", f"{work} > page.txt && {kept}")
    assert (tmp_path / "report.html").stat().st_size > 100_000
    assert found.strip() == "0" or "came compiled" not in said(*image, TAG, "doctor")
