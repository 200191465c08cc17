"""Measures what the first attack, report and check cost where nothing is compiled, and writes its section.

The package from its source, which compiles what it needs on first use, beside the wheel, which came compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import page

TITLE = "Cold start: the first attack, report and check"
RECIPE = """user = "customer"
columns = ["customer", "date", "goods"]
[[step]]
step = "generalise"
columns = ["date"]
level = 1
levels = [{ type = "raw" }, { type = "date", to = "month" }]
[[step]]
step = "pseudonymise"
"""
POLICY = '[[rule]]\nmeasure = "attack.best.rate"\nat_most = 0.05\n'
KNOWN = "--user customer --truth who.csv --recipe recipe.toml"
AIM = 6
COLUMNS = "date,time,goods,price,number"
COMMANDS = {
    "attack": f"attack shop.csv release.csv {KNOWN} --item goods",
    "assess --html": f"assess shop.csv --user customer --columns {COLUMNS} --html report.html",
    "check": f"check release.csv --original shop.csv {KNOWN} --policy policy.toml",
}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--run", nargs=2, metavar=("FOLDER", "COMMAND"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(one_run(Path(given.run[0]), given.run[1])))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder)
        building = build(folder)
        found = {command: measure(folder, command) for command in COMMANDS}
    page.write_section(TITLE, report(found, building))


def make(folder: Path) -> None:
    """What the second example of the README begins with."""
    from singleout.cli.main import main as command

    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
    apply = "deidentify apply shop.csv --recipe recipe.toml --out release.csv --truth who.csv"
    with chdir(folder), redirect_stdout(sys.stderr):
        command(["sample", "shop", "--out", "shop.csv"])
        command(apply.split())


def build(folder: Path) -> dict[str, float]:
    """The wheel, unpacked as it is installed, and what building it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, page.HERE.parent], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", folder / "installed", wheel], check=True)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"processor": used, "megabytes": wheel.stat().st_size / 1e6}


def measure(folder: Path, command: str) -> dict[str, Any]:
    def run(cache: str, **more: str) -> dict[str, Any]:
        place = folder / cache / command.replace(" ", "_")
        return page.run(__file__, [str(folder), command], {"NUMBA_CACHE_DIR": str(place), **more})

    installed = os.pathsep.join(filter(None, (str(folder / "installed"), os.environ.get("PYTHONPATH"))))
    found = {
        "cold": run("source"),
        "warm": run("source"),
        "wheel": run("wheel", PYTHONPATH=installed),
    }
    print(command, found, flush=True)
    return found


def one_run(folder: Path, command: str) -> dict[str, Any]:
    """The processor's seconds, of all threads from the start of the process, and how much was compiled."""
    from singleout.cli.main import main as run
    from singleout.engine.codes.loop_compiler import compilations

    with chdir(folder), redirect_stdout(sys.stderr), compilations() as compiled:
        run(COMMANDS[command].split())
    return {"processor": time.process_time(), "compiled": len(compiled)}


def report(found: dict[str, dict[str, Any]], building: dict[str, float]) -> list[str]:
    lines = [
        page.machine("singleout", "duckdb", "numba", "numpy", "scipy"),
        "",
        "The generated shop (400 people, 38,087 records) and its release of the README's second example. "
        "Each run is a process of its own that starts with an empty `NUMBA_CACHE_DIR`: from the source, "
        "which compiles on first use, as an editable install and `-C loops=later` do; again, with what the "
        "first run left; and from the wheel, which came compiled. The "
        "processor's seconds are of the whole process, imports included, all threads together; functions are "
        "the loops of singleout that were compiled. Building the wheel took "
        f"{building['processor']:.0f} s of the processor, what pip installs for it included; it has "
        f"{building['megabytes']:.0f} MB.",
        "",
        "| command | source, first | functions | again | functions | wheel, first | functions |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for command, each in found.items():
        cells = (f"{run['processor']:.1f} s | {run['compiled']}" for run in each.values())
        lines.append(f"| `{command}` | {' | '.join(cells)} |")
    aim = f"The aim is below {AIM} s for a first run: {judged(found, 'wheel')} from the wheel"
    return [*lines, "", f"{aim}, {judged(found, 'cold')} from the source."]


def judged(found: dict[str, dict[str, Any]], way: str) -> str:
    return "missed" if any(each[way]["processor"] >= AIM for each in found.values()) else "reached"


if __name__ == "__main__":
    main()
