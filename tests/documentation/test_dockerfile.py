"""The Dockerfile names what is there; it is built where a builder of images is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "ARG", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}
BUILDER = next((tool for tool in ("docker", "podman") if shutil.which(tool)), None)


def works(tool: str | None) -> bool:
    return tool is not None and subprocess.run([tool, "info"], capture_output=True).returncode == 0


def test_every_instruction_is_one_and_every_copied_file_is_there() -> None:
    steps = [line.split() for line in LINES if line.strip() and not line.startswith("#")]
    assert {words[0] for words in steps} <= INSTRUCTIONS
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for words in steps:
        if words[0] == "COPY" and not words[1].startswith("--from"):
            assert all((ROOT / name).exists() and name not in ignored for name in words[1:-1])


def test_it_does_not_run_as_root() -> None:
    users = [line.split()[1] for line in LINES if line.startswith("USER")]
    assert users == ["singleout"]
    assert re.search(r"useradd .*singleout", "\n".join(LINES))


@pytest.mark.skipif(not works(BUILDER), reason="no builder of images runs here")
def test_the_image_is_built_and_runs() -> None:
    assert BUILDER is not None
    subprocess.run([BUILDER, "build", "-t", "singleout-test", str(ROOT)], check=True)
    said = subprocess.run(
        [BUILDER, "run", "--rm", "singleout-test", "--version"], capture_output=True, text=True
    )
    assert said.stdout.startswith("singleout ")
