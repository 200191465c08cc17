"""Builds wheels as setuptools does, and compiles the loops into them: no first run has to wait for it.

The loops are for one version of Python and of numba, and for processors from about 2015 on; wherever these
do not fit, they are compiled on first use, as they are with `pip install . -C loops=later`.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, Any] | None
FOLDER = "singleout/compiled_loops"
# the kind of processor, and what it must be able to do; engine/codes/loop_cache.py looks whether it can
PROCESSORS = {
    "x86_64": (
        "x86-64-v3",
        "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
    ),
}
ANY_PROCESSOR = ("generic", "")
NEEDS_PATIENCE = "singleout: compiling its loops, a few minutes; -C loops=later leaves it for their first use"


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    needed = list(build_meta.get_requires_for_build_wheel(config_settings))
    if _is_later(config_settings):
        return needed
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*needed, "wheel>=0.42", *project["dependencies"]]


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    if _is_later(config_settings):
        return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
    with TemporaryDirectory() as folder:
        name = build_meta.build_wheel(folder, config_settings, metadata_directory)
        _wheel("unpack", str(Path(folder) / name), "--dest", folder)
        (root,) = (each for each in Path(folder).iterdir() if each.is_dir())
        compile_loops(root)
        _say_that_it_is_for_this_platform(root)
        _wheel("pack", str(root), "--dest-dir", wheel_directory)
    return next(each.name for each in Path(wheel_directory).glob(f"{root.name}-{_tag()}.whl"))


def _is_later(config_settings: Settings) -> bool:
    said = (config_settings or {}).get("loops", "now")
    if said not in ("now", "later"):
        raise ValueError(f"loops={said}: write loops=now, or loops=later to compile them on first use")
    return bool(said == "later")


def compile_loops(root: Path) -> None:
    """By running the commands that reach them, from the files that are to be installed."""
    from llvmlite import binding

    # pip shows it, and each run that follows, with --verbose
    sys.stdout.write(f"{NEEDS_PATIENCE}\n")
    sys.stdout.flush()
    processor, features = PROCESSORS.get(platform.machine(), ANY_PROCESSOR)
    path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
    subprocess.run(
        [sys.executable, "-m", "singleout", "warm-up", "--verbose"],
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(root / FOLDER),
            "NUMBA_CPU_NAME": processor,
            "NUMBA_CPU_FEATURES": features,
        },
    )
    target = {
        "triple": binding.get_default_triple(),
        "processor": processor,
        "features": features,
        "numba": version("numba"),
    }
    (root / FOLDER / "target.json").write_text(json.dumps(target), encoding="utf-8")


def _say_that_it_is_for_this_platform(root: Path) -> None:
    (path,) = root.glob("*.dist-info/WHEEL")
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [each for each in lines if not each.startswith(("Root-Is-Purelib:", "Tag:"))]
    told = [*filter(None, kept), "Root-Is-Purelib: false", f"Tag: {_tag()}", ""]
    path.write_text("\n".join(told), encoding="utf-8")


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _wheel(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "wheel", *words], check=True, stdout=subprocess.DEVNULL)
