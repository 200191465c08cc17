"""What a first attack, report and check have to compile, in functions; seconds are for the benchmarks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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
MAKE = (
    "sample shop --out shop.csv",
    "deidentify apply shop.csv --recipe recipe.toml --out release.csv --truth who.csv",
)
KNOWN = "--user customer --truth who.csv --recipe recipe.toml"
ATTACK = f"attack shop.csv release.csv {KNOWN} --item goods"
REPORT = "assess shop.csv --user customer --columns date,time,goods,price,number --html report.html"
CHECK = f"check release.csv --original shop.csv {KNOWN} --policy policy.toml"
POPULATION = "assess shop.csv --user none --columns price,number --population 100000"
# what somebody tries who has less, or something else
OTHERS = (
    "sample shop --people 90 --seed 5 --out few.csv",
    "assess few.csv --user customer --columns date,goods --sensitive price --html few.html",
    "assess few.csv --user none --columns price,number --population 100000",
    "sample card --people 90 --seed 5 --out card.csv",
    "deidentify dummies card.csv --user user --item entraining_point --clusters 20 --out visits.csv "
    "--truth whose.csv",
    "attack card.csv visits.csv --user user --item entraining_point --truth whose.csv",
)

# Loops that a command calls, by name and types, and all that these call in turn. What is kept from earlier
# runs is loaded whole, without its inner loops: these are found by their names.
ASK = """
import json, sys
from contextlib import redirect_stdout
from singleout.cli.main import main
from singleout.engine.codes.loop_cache import LoopCache

asked = {}
load = LoopCache.load_overload

def spy(self, signature, context):
    asked[f"{self._py_func.__module__}.{self._py_func.__name__}{signature}"] = self._py_func
    return load(self, signature, context)

def reached(loop, known):
    for name in loop.__code__.co_names:
        inner = getattr(loop.__globals__.get(name), "py_func", None)
        if inner is not None and inner not in known:
            known.add(inner)
            reached(inner, known)
    return known

LoopCache.load_overload = spy
found = []
for words in sys.argv[1:]:
    asked.clear()
    with redirect_stdout(sys.stderr):
        code = main(words.split())
    known = set(asked.values())
    for loop in list(known):
        reached(loop, known)
    found.append({"asked": sorted(asked), "compiled": len(known), "code": code})
print(json.dumps(found))
"""


def ask(folder: Path, *commands: str) -> list[dict[str, Any]]:
    """What each asks for that those before it in the same process did not."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, *commands], cwd=folder, capture_output=True, text=True, check=True
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    # the release of the README's example breaks its policy
    expected = [int(each == CHECK) for each in commands]
    assert [each["code"] for each in found] == expected, done.stderr[-3000:]
    return found


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    (folder / "recipe.toml").write_text(RECIPE)
    (folder / "policy.toml").write_text(POLICY)
    ask(folder, *MAKE)
    return folder


@pytest.mark.parametrize(("command", "most"), [(ATTACK, 105), (REPORT, 170), (CHECK, 95)])
def test_a_first_run_compiles_few_functions(shop: Path, command: str, most: int) -> None:
    (found,) = ask(shop, command)
    assert 0 < found["compiled"] <= most


def test_warm_up_leaves_nothing_to_compile(shop: Path) -> None:
    """So that a wheel, whose loops are compiled by it, has them all."""
    _, *found = ask(shop, "warm-up", ATTACK, REPORT, CHECK, POPULATION, *OTHERS)
    assert [each["asked"] for each in found] == [[]] * len(found)
