"""Compiled loops are kept on disk; what is damaged there is compiled again."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from singleout.engine.codes import loop_cache, loop_compiler

LOOPS = """
from typing import NamedTuple
import numpy
from singleout.engine.codes.loop_compiler import compile_loop

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


SHIPPED_LOOPS = """
import json
import sys
from pathlib import Path
import numba
from numba.core.registry import cpu_target
from singleout.engine.codes import loop_cache
loop_cache.SHIPPED = Path("shipped")
loop_cache.TARGET = loop_cache.SHIPPED / "target.json"
if loop_cache.SHIPPED.exists():
    names = ("triple", "processor", "features")
    here = dict(zip(names, cpu_target.target_context.codegen().magic_tuple()), numba=numba.__version__)
    loop_cache.TARGET.write_text(json.dumps(here | json.loads(sys.argv[1])))
from contextlib import nullcontext
with loop_cache.own_loops() if "own" in sys.argv else nullcontext():
    import loops
target = loop_cache.shipped_target()
print(len(list(Path("cache").rglob("*.nbc"))), target if isinstance(target, str) else "")
"""


def run_shipped(folder: Path, target: str = "{}", *words: str) -> str:
    (folder / "loops.py").write_text(LOOPS.format(name="Sum"))
    done = subprocess.run(
        [sys.executable, "-c", SHIPPED_LOOPS, target, *words],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.removeprefix("10\n").strip()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("{}", "0"),
        ('{"numba": "0.1"}', "1 those in the package are for numba 0.1, here is"),
        ('{"features": "+six-hands"}', "1 those in the package are for other processors"),
        ('{"triple": "abacus"}', "1 those in the package are for other processors (abacus, "),
    ],
)
def test_what_came_with_the_package_is_not_compiled_where_it_fits(
    tmp_path: Path, target: str, said: str
) -> None:
    assert run_shipped(tmp_path) == "1 the package came without"
    (tmp_path / "cache").rename(tmp_path / "shipped")
    assert run_shipped(tmp_path, target).startswith(said)


def test_loops_for_this_very_processor_are_compiled_if_asked(tmp_path: Path) -> None:
    run_shipped(tmp_path)
    (tmp_path / "cache").rename(tmp_path / "shipped")
    assert run_shipped(tmp_path, "{}", "own") == "1"


def test_a_changed_file_changes_those_that_take_loops_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, outer = tmp_path / "inner.py", tmp_path / "outer.py"
    outer.write_text("from singleout.inner import step\n")
    inner.write_text("STEP = 1\n")
    monkeypatch.setattr(loop_cache, "find_spec", lambda name: ModuleSpec(name, None, origin=str(inner)))
    before = loop_cache.source_digest.__wrapped__(outer)
    loop_cache.source_digest.cache_clear()
    assert loop_cache.source_digest.__wrapped__(outer) == before
    loop_cache.source_digest.cache_clear()
    inner.write_text("STEP = 2\n")
    assert loop_cache.source_digest.__wrapped__(outer) != before
    loop_cache.source_digest.cache_clear()


@pytest.fixture
def without_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_cache.LoopCacheImplementation, "_locator_classes", (loop_cache.Nowhere,))


@pytest.mark.usefixtures("without_place")
def test_loops_work_where_nothing_can_be_kept() -> None:
    assert loop_compiler.compile_loop(lambda number: number + 1)(1) == 2


@pytest.mark.usefixtures("without_place")
def test_constants_do_not_compile_a_loop_again() -> None:
    add = loop_compiler.compile_inner_loop(lambda number, more: number + more)
    add_all = loop_compiler.compile_loop(lambda number: add(number, 1) + add(number, 2) + add(number, number))
    assert add_all(5) == 23
    assert len(add.signatures) == 1
