"""What other tools say about tables that anybody can make again: recorded, and asked anew where possible.

Needs no singleout, as some tools want versions of numpy and pandas that it does not run on. In an environment
that has one of them: python benchmarks/other_tools.py [CARD.csv], the file being what
`singleout sample card --people 40 --out CARD.csv` writes. It stops if a number is not as recorded.
"""

from __future__ import annotations

import csv
import math
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

Columns = dict[str, list[Any]]
Numbers = dict[str, Any]

ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult" / "adult.data"
ARX_ADULT = Path(__file__).parents[2] / "shared" / "data" / "arx_adult"
QUASI = (1, 4, 7, 8, 10, 14)  # age, education, occupation, relationship, sex, native-country

# ARX, TestRiskQuasiIdentifiers: pairs of records told apart / pairs, of the five records in tests/golden.toml
SEPARATION = {
    "sex": 0.6, "state": 0.7, "age": 0.8, "sex+state": 0.9, "age+sex": 1.0, "age+state": 1.0,
    "age+sex+state": 1.0,
}  # fmt: skip
# the levels of ARX's k = 2, of all with 58 classes the one that it ranks best; in the order of the columns
ARX_BY_RANK = (0, 4, 1, 2, 1, 2, 2, 1, 0)

# sdcMicro, tests/testthat/test_suda2.R, "suda2 book example" (Templ 2017)
BOOK = (
    ("20s", "male", "50k+", "highschool"),
    ("20s", "male", "50k+", "highschool"),
    ("20s", "male", "50k-", "highschool"),
    ("20s", "male", "50k-", "highschool"),
    ("20s", "female", "50k-", "university"),
    ("20s", "female", "50k-", "highschool"),
    ("20s", "female", "50k-", "middleschool"),
    ("60s", "male", "50k-", "university"),
)
BOOK_COLUMNS = ("age", "gender", "income", "education")
BOOK_SCORES = [0, 0, 0, 0, 4, 2, 6, 8]
# Benschop, Machingauta, Welch: Statistical Disclosure Control: A Practice Guide, section SUDA, table 4.5
GUIDE = (
    ("urban", "female", "secondary incomplete", "employed"),
    ("urban", "female", "secondary incomplete", "employed"),
    ("urban", "female", "primary incomplete", "non-LF"),
    ("urban", "male", "secondary complete", "employed"),
    ("rural", "female", "secondary complete", "unemployed"),
    ("urban", "male", "secondary complete", "employed"),
    ("urban", "female", "primary complete", "non-LF"),
    ("urban", "male", "post-secondary", "unemployed"),
    ("urban", "female", "secondary incomplete", "non-LF"),
    ("urban", "female", "secondary incomplete", "non-LF"),
)
GUIDE_COLUMNS = ("residence", "gender", "education", "labour")
GUIDE_SCORES = [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
GUIDE_DIS_SUDA = [0.0, 0.0, 0.0051, 0.0, 0.0107, 0.0, 0.0051, 0.0088, 0.0, 0.0]

# pyCANON on UCI Adult by the columns of QUASI, and on three records of which one lacks its zip
PYCANON: Numbers = {
    "classes": 15093, "k": 1, "max_rir": 1.0, "average_rir": 0.7833112530731745, "discernability": 212745,
    "k of zip": 2, "k of zip and age": 1, "l": 1, "entropy l": 1, "basic beta": 3.1526590996046426,
    "enhanced beta": 1.423748875944647, "delta": 2.98259391741754, "t": 0.7591904425539756,
}  # fmt: skip
INCOME = 15
ZIP_AND_AGE: Columns = {"zip": ["1", "1", None], "age": ["30", "30", "30"]}

# ANJANA on ARX's Adult, k = 5, so many percent suppressed at most: levels, suppressed, ARX's Loss of it
ANJANA: Numbers = {
    "0": [[0, 4, 1, 1, 3, 2, 2, 1, 0], 0, 0.5731509656],
    "4": [[0, 4, 0, 1, 1, 1, 1, 1, 0], 1119, 0.27471549593529665],
}

# the trips in scikit-mobility's own examples, a letter for a place: who, where, when
TRIPS = """
1 A 03T08, 1 B 03T09, 1 C 03T10, 1 D 04T10, 2 A 03T08, 2 C 03T09, 2 A 04T10, 2 B 04T11, 3 B 03T08, 3 C 03T09,
3 A 04T10, 3 D 04T11, 4 C 04T10, 4 B 04T11, 4 D 04T12, 5 C 04T10, 5 D 04T11, 5 A 05T12, 6 A 04T10, 6 B 04T11,
7 A 04T10, 7 A 04T11, 7 D 05T12
"""
THIRD = 1 / 3
SCIKIT_MOBILITY: Numbers = {
    "UniqueLocationAttack 1": [0.2] * 7,
    "UniqueLocationAttack 2": [THIRD, 0.25, THIRD, THIRD, 0.25, 0.25, 0.25],
    "UniqueLocationAttack 3": [0.5, THIRD, 0.5, THIRD, THIRD, 0.25, 0.25],
    "LocationAttack 2": [THIRD, 0.5, THIRD, THIRD, 0.25, 0.25, 0.5],
    "LocationSequenceAttack 2": [0.5, 0.5, 1.0, 0.5, 1.0, THIRD, 0.5],
    "LocationFrequencyAttack 2": [THIRD, 1.0, THIRD, THIRD, THIRD, THIRD, 1.0],
    "LocationTimeAttack 1 Day": [0.5, 0.5, 0.5, 0.5, 1.0, THIRD, 1.0],
    "LocationTimeAttack 1 Hour": [0.5, 0.5, 0.5, 0.5, 1.0, THIRD, 1.0],
    "LocationTimeAttack 2 Day": [1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 1.0],
}
# the mean over the 40 people of the generated card; the routes where they boarded are the places
ON_CARD: Numbers = {
    "UniqueLocationAttack 1": 0.07280952380952381,
    "UniqueLocationAttack 2": 0.16444416164617404,
    "LocationTimeAttack 1 Day": 0.9383333333333332,
    "LocationTimeAttack 2 Day": 0.9875,
}

# Anonymeter, success_rate at 95 %: the rate that it reports, and both ends of its interval
ANONYMETER: Numbers = {
    "850 of 1000": [0.8486606345300557, 0.8265313415731996, 0.8707899274869118],
    "0 of 1000": [0.0019133792427775617, 0.0, 0.0038267584855551234],
    "23 of 100": [0.23998824451588613, 0.15843265880303448, 0.3215438302287378],
    "100 of 100": [0.9815032508965071, 0.9630065017930143, 1.0],
}


def trips() -> Columns:
    """The table of `TRIPS`."""
    records = [each.split() for each in TRIPS.replace("\n", " ").split(",")]
    who, where, when = zip(*records, strict=True)
    return {"who": list(who), "place": list(where), "time": [f"2011-02-{each}:34:04" for each in when]}


def run_pycanon() -> Numbers:
    import pandas
    from pycanon import anonymity, metrics

    lines = [[cell.strip() for cell in line.split(",")] for line in ADULT.read_text().split("\n") if line]
    adult, small = pandas.DataFrame(lines), pandas.DataFrame(ZIP_AND_AGE)
    quasi = [place - 1 for place in QUASI]
    return {
        "classes": metrics.sizes_ec(adult, quasi)["n_ec"],
        "k": anonymity.k_anonymity(adult, quasi),
        "max_rir": metrics.max_rir(adult, quasi),
        "average_rir": metrics.average_rir(adult, quasi),
        "discernability": metrics.discernability_metric(adult, adult, quasi),
        "l": anonymity.l_diversity(adult, quasi, [INCOME - 1]),
        "entropy l": anonymity.entropy_l_diversity(adult, quasi, [INCOME - 1]),
        "basic beta": anonymity.basic_beta_likeness(adult, quasi, [INCOME - 1]),
        "enhanced beta": anonymity.enhanced_beta_likeness(adult, quasi, [INCOME - 1]),
        "delta": anonymity.delta_disclosure(adult, quasi, [INCOME - 1]),
        "t": anonymity.t_closeness(adult, quasi, [INCOME - 1]),
        "k of zip": anonymity.k_anonymity(small, ["zip"]),
        "k of zip and age": anonymity.k_anonymity(small, ["zip", "age"]),
    }


def run_anjana() -> Numbers:
    """Its release is measured by the benchmark of generalisations."""
    import generalise

    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for percent in ANJANA:
            out = Path(scratch) / f"{percent}.csv"
            asked = ARX_ADULT, ARX_ADULT / "adult.csv", int(percent), out
            generalise.run_anjana(*asked)
            look = generalise.run_look(*asked)["look"]
            found[percent] = [look["levels"], look["suppressed"], look["loss"]]
    return found


def run_scikit_mobility(asked: Numbers, who: list[Any], where: list[Any], when: list[Any]) -> Numbers:
    """Each person's risk by each attack; a place is a latitude, and all lie on one meridian."""
    import pandas

    skmob, attacks = import_module("skmob"), import_module("skmob.privacy.attacks")
    frame = {"lat": [float(each) for each in pandas.factorize(pandas.Series(where))[0]], "lng": 0.0}
    table = skmob.TrajDataFrame(pandas.DataFrame(frame | {"uid": who, "datetime": pandas.to_datetime(when)}))
    found = {}
    for name in asked:
        attack, points, *precision = name.split()
        words = {"time_precision": precision[0]} if precision else {}
        made = getattr(attacks, attack)(knowledge_length=int(points), **words)
        found[name] = [float(each) for each in made.assess_risk(table)["risk"]]
    return found


def run_trips() -> Numbers:
    return run_scikit_mobility(SCIKIT_MOBILITY, *trips().values())


def run_card(file: Path) -> Numbers:
    with file.open(newline="") as lines:
        kept = [each for each in csv.DictReader(lines) if each["entraining_route"]]
    columns = ([each[name] for each in kept] for name in ("user", "entraining_route", "date"))
    risks = run_scikit_mobility(ON_CARD, *columns)
    return {name: math.fsum(each) / len(each) for name, each in risks.items()}


def run_anonymeter() -> Numbers:
    success_rate = import_module("anonymeter.stats.confidence").success_rate
    found = {}
    for name in ANONYMETER:
        successes, attempts = map(int, name.split(" of "))
        risk = success_rate(attempts, successes, 0.95).to_risk()
        found[name] = [risk.value, *risk.ci]
    return found


ASKED: tuple[tuple[str, Numbers, Callable[[], Numbers]], ...] = (
    ("pycanon", PYCANON, run_pycanon),
    ("anjana", ANJANA, run_anjana),
    ("scikit-mobility", SCIKIT_MOBILITY, run_trips),
    ("anonymeter", ANONYMETER, run_anonymeter),
)


def ask_again(card: Path | None = None) -> None:
    """Every tool that is installed here must say what is recorded."""
    asked = [*ASKED, *([("scikit-mobility", ON_CARD, lambda: run_card(card))] if card else [])]
    for name, recorded, run in asked:
        try:
            told = version(name)
        except PackageNotFoundError:
            print(f"{name} is not installed here: its numbers stay as recorded")
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = run()
        wrong = [key for key in recorded if not alike(found[key], recorded[key])]
        if wrong:
            raise SystemExit(f"{name} {told}: {wrong[0]} is {found[wrong[0]]}, not {recorded[wrong[0]]}")
        print(f"{name} {told}: {len(recorded)} answers as recorded", flush=True)


def alike(found: Any, recorded: Any) -> bool:
    if isinstance(recorded, list):
        return len(found) == len(recorded) and all(map(alike, found, recorded))
    return math.isclose(found, recorded, rel_tol=1e-9, abs_tol=1e-12)


if __name__ == "__main__":
    ask_again(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
