"""`singleout warm-up`: compile the loops once, so that no later run has to wait for it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from os import devnull
from pathlib import Path
from typing import Any

SUMMARY = "compile the loops once, for images, CI caches and whoever does not like to wait"
ENDING = "_kernels"
COLUMNS = "date,time,goods,price,number"
SHIFT = 'user = "customer"\n[[step]]\nstep = "shift_dates"\ncolumns = ["date"]\ndays = 30\n'
RENAME = 'user = "customer"\n[[step]]\nstep = "pseudonymise"\ncolumns = ["goods"]\n'
NOISE = (
    'user = "customer"\n[[step]]\nstep = "noise"\ncolumns = ["date"]\ndays = 3\n'
    '[[step]]\nstep = "microaggregate"\ncolumns = ["price"]\nk = 3\n'
)
RECIPES = {"shift": SHIFT, "rename": RENAME, "noise": NOISE}
PEOPLE = ("shop.csv", "--user", "customer")
PARTS = ("--item", "goods", "--amount", "price", "--time", "date")
# what reaches the loops, in the order in which one needs the files of another
RUNS: tuple[tuple[str, ...], ...] = (
    ("sample", "shop", "--out", "shop.csv"),
    ("sample", "card", "--out", "card.csv"),
    ("assess", *PEOPLE, "--columns", COLUMNS, "--html", "report.html"),
    ("describe", *PEOPLE, "--item", "goods"),
    *(
        ("deidentify", "apply", "shop.csv", "--recipe", f"{name}.toml", "--out", f"{name}.csv")
        for name in RECIPES
    ),
    *(
        ("attack", "shop.csv", f"{name}.csv", "--user", "customer", *PARTS, "--recipe", f"{name}.toml")
        for name in RECIPES
    ),
    ("compare", "shop.csv", "noise.csv", "--user", "customer", *PARTS),
    ("combinations", *PEOPLE, "--columns", COLUMNS, "--allow", "3"),
    ("combinations", *PEOPLE, "--columns", COLUMNS, "--all", "--out", "sets.csv"),
    (
        "entropy",
        "card.csv",
        "--user",
        "user",
        "--domain",
        "stations=entraining_point",
        "--domain",
        "fares=fare",
    ),
    ("predict", *PEOPLE, "--columns", COLUMNS),
    ("hierarchy", "shop.csv", "--column", "date", "--dates", "month", "--out", "levels/date.csv"),
    ("hierarchy", "shop.csv", "--column", "price", "--out", "levels/price.csv"),
    ("deidentify", "generalise", *PEOPLE, "--hierarchies", "levels", "--k", "3"),
    ("deidentify", "generalise", *PEOPLE, "--hierarchies", "levels", "--k", "3", "--local"),
    ("deidentify", "suppress", "shop.csv", "--user", "none", "--columns", "price,number", "--k", "3"),
    *(
        ("deidentify", "dummies", *PEOPLE, "--item", "goods", "--clusters", "50", "--method", method)
        for method in ("1", "2", "search", "simple")
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a sentence")


def run(options: argparse.Namespace) -> int:
    from singleout.cli.options import print_json
    from singleout.progress_bar import bar
    from singleout.temporary_files import temporary_folder

    with temporary_folder() as folder, bar() as progress, chdir(folder):
        Path("levels").mkdir()
        for name, recipe in RECIPES.items():
            Path(f"{name}.toml").write_text(recipe, encoding="utf-8")
        for index, words in enumerate(RUNS):
            progress(f"running {words[0]}", index, len(RUNS))
            _run(words)
    loops = list(_loops())
    compiled = sum(bool(each.signatures) for each in loops)
    if options.json:
        print_json({"loops": len(loops), "compiled": compiled})
    else:
        rest = "" if compiled == len(loops) else "; the others are compiled when they are first needed"
        sys.stdout.write(f"{compiled} of {len(loops)} loops are compiled and kept{rest}\n")
    return 0


def _run(words: tuple[str, ...]) -> None:
    from singleout.cli.main import main
    from singleout.errors import SingleoutError

    with (
        Path(devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        code = main(list(words))
    if code:
        raise SingleoutError(f"singleout {' '.join(words)} ended with {code}; run it by itself to see why")


def _loops() -> Iterator[Any]:
    """Every compiled loop of the package that Python calls; what they call is compiled with them."""
    from importlib import import_module
    from pkgutil import walk_packages

    import singleout

    for module in walk_packages(singleout.__path__, "singleout."):
        if module.name.endswith(ENDING):
            inside = vars(import_module(module.name)).values()
            yield from (each for each in inside if _is_loop(each) and each.py_func.__module__ == module.name)


def _is_loop(thing: Any) -> bool:
    return hasattr(thing, "signatures") and not thing.targetoptions.get("no_cpython_wrapper")
