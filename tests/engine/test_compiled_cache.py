"""Compiled loops are kept on disk; what is damaged there is compiled again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOOPS = """
from typing import NamedTuple
import numpy
from singleout.engine.codes.count_kernels import compile_loop

class {name}(NamedTuple):
    total: int

@compile_loop
def add(numbers):
    total = 0
    for number in numbers:
        total += number
    return {name}(total)

print(add(numpy.arange(5)).total)
"""


def run(folder: Path, name: str = "Sum") -> str:
    path = folder / "loops.py"
    before = path.stat() if path.exists() else None
    path.write_text(LOOPS.format(name=name))
    if before is not None:  # the cache goes by time and size
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    done = subprocess.run(
        [sys.executable, "-c", "import loops"],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("content", [b"", b"garbage", None])
def test_a_damaged_cache_is_built_again(tmp_path: Path, ending: str, content: bytes | None) -> None:
    assert run(tmp_path) == "10\n"
    (path,) = (tmp_path / "cache").rglob(f"*.{ending}")
    path.write_bytes(path.read_bytes()[:-40] if content is None else content)
    assert run(tmp_path) == "10\n"
    assert path.stat().st_size > 50 or len(list((tmp_path / "cache").rglob("*.nbc"))) > 0
    assert run(tmp_path) == "10\n"


def test_a_class_of_another_name_since_the_last_version(tmp_path: Path) -> None:
    assert run(tmp_path, "Sum") == "10\n"
    assert run(tmp_path, "Add") == "10\n"
