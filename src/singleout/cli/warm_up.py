"""`singleout warm-up`: compile the loops once for this processor, so that no later run has to wait for it."""

from __future__ import annotations

import argparse
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from os import devnull
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from singleout.cli.parser import Parser

SUMMARY = "compile the loops once, for images, CI caches and whoever does not like to wait"
COLUMNS = "date,time,goods,price,number"
SHIFT = 'user = "customer"\n[[step]]\nstep = "shift_dates"\ncolumns = ["date"]\ndays = 30\n'
RENAME = 'user = "customer"\n[[step]]\nstep = "pseudonymise"\ncolumns = ["goods"]\n'
NOISE = (
    'user = "customer"\n[[step]]\nstep = "noise"\ncolumns = ["date"]\ndays = 3\n'
    '[[step]]\nstep = "microaggregate"\ncolumns = ["price"]\nk = 3\n'
)
RECIPES = {"shift": SHIFT, "rename": RENAME, "noise": NOISE}
PEOPLE = ("shop.csv", "--user", "customer")
REPORT = ("--html", "report.html")
PARTS = ("--item", "goods", "--amount", "price", "--time", "date")
KNOWN = ("--truth", "who.csv")
VISITS = ("--user", "user", "--item", "entraining_point")
# what reaches the loops, in the order in which one needs the files of another
RUNS: tuple[tuple[str, ...], ...] = (
    ("sample", "shop", "--out", "shop.csv"),
    ("sample", "shop", "--people", "60", "--out", "small.csv"),
    ("sample", "card", "--out", "card.csv"),
    ("assess", *PEOPLE, "--columns", COLUMNS, *REPORT),
    ("assess", "shop.csv", "--user", "none", "--columns", "price,number", "--sampled", "0.5"),
    # few values have shorter codes, and loops of their own
    ("assess", "small.csv", "--user", "customer", "--columns", "date,goods", "--sensitive", "price", *REPORT),
    ("assess", "small.csv", "--user", "none", "--columns", "price,number", "--population", "100000", *REPORT),
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
    ("hierarchy", "shop.csv", "--column", "date", "--date-parts", "month", "--out", "levels/date.csv"),
    ("hierarchy", "shop.csv", "--column", "price", "--out", "levels/price.csv"),
    ("deidentify", "generalise", *PEOPLE, "--hierarchies", "levels", "--k", "3"),
    ("deidentify", "generalise", *PEOPLE, "--hierarchies", "levels", "--k", "3", "--local"),
    ("deidentify", "suppress", "shop.csv", "--user", "none", "--columns", "price,number", "--k", "3"),
    *(
        ("deidentify", "dummies", *PEOPLE, "--item", "goods", "--clusters", "50", "--method", method)
        for method in ("1", "2", "search", "simple")
    ),
    ("deidentify", "dummies", "card.csv", *VISITS, *KNOWN, "--clusters", "10", "--out", "more.csv"),
    ("attack", "card.csv", "more.csv", *VISITS, *KNOWN),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a sentence")


def run(options: argparse.Namespace) -> int:
    from singleout.cli.options import print_json
    from singleout.engine.codes.loop_cache import own_loops
    from singleout.progress_bar import bar
    from singleout.temporary_files import temporary_folder

    with temporary_folder() as folder, bar() as progress, chdir(folder), own_loops():
        Path("levels").mkdir()
        for name, recipe in RECIPES.items():
            Path(f"{name}.toml").write_text(recipe, encoding="utf-8")
        for index, words in enumerate(RUNS):
            progress(f"running {words[0]}", index, len(RUNS))
            _run(words, options.parser)
    place = _cache_place()
    if options.json:
        print_json({"runs": len(RUNS), "kept": place})
    else:
        sys.stdout.write(f"what {len(RUNS)} runs of the commands reached is compiled, and kept {place}\n")
    return 0


def _cache_place() -> str:
    """Numba's own rule: the folder that is set, else beside the loops."""
    from numba import config

    return f"in {config.CACHE_DIR}" if config.CACHE_DIR else "beside the installed package"


def _run(words: tuple[str, ...], parser: Parser) -> None:
    from singleout.errors import SingleoutError

    command = parser.parse(words)

    with (
        Path(devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        code = command.run(command)
    if code:
        raise SingleoutError(f"singleout {' '.join(words)} ended with {code}; run it by itself to see why")
