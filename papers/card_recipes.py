"""Forty-seven recipes for releases of payment cards, from hardly any change to very much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Step = Mapping[str, Any]
STATIONS = ("entraining_point", "alighting_point")
ALL = ("date", "times", *STATIONS, "entraining_route", "alighting_route", "usage", "location", "fare")


def step(kind: str, *columns: str, **how: Any) -> Step:
    return {"step": kind, "columns": [*columns], **how}


Recipe = tuple[str, tuple[Step, ...]]


def fares() -> Iterator[Recipe]:
    for amount in (1, 10, 50, 100, 200, 500, 1000):
        yield f"fares-{amount}", (step("noise", "fare", amount=amount),)
    for to in (10, 100, 1000):
        yield f"round-{to}", (step("round", "fare", to=to),)
    for per in ("all", "person"):
        yield f"mean-of-{per}", (step("mean", "fare", per=per),)
    for k in (5, 20, 100):
        yield f"groups-of-{k}", (step("microaggregate", "fare", k=k),)


def days_and_stations() -> Iterator[Recipe]:
    for days in (1, 3, 7, 14, 30):
        yield f"days-{days}", (step("noise", "date", days=days),)
    for days in (7, 30):
        yield f"shift-{days}", (step("shift_dates", "date", days=days),)
    for chance in (0.1, 0.3, 0.5, 0.9):
        yield f"stations-{chance:g}", (step("noise", *STATIONS, chance=chance),)


def records() -> Iterator[Recipe]:
    for share in (0.9, 0.5, 0.25):
        yield f"records-{share:g}", ({"step": "sample", "what": "records", "share": share},)
    for number in (15, 5):
        yield f"latest-{number}", ({"step": "cut", "records": number, "by": ["date", "times"]},)
    for column in ("date", "fare", "usage"):
        yield f"swap-{column}", (step("swap", column, how="record", share=1.0),)
    for share in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0):
        yield f"shuffle-{share:g}", (step("swap", *ALL, how="record", share=share),)


def several() -> Iterator[Recipe]:
    for amount, days in ((50, 3), (100, 7), (200, 14), (500, 30)):
        yield f"both-{amount}-{days}", noise(amount, days)
    strong = step("noise", *STATIONS, chance=0.9), step("pram", "usage", keep=0.2)
    for amount, days in ((200, 14), (1000, 30), (5000, 90)):
        yield f"all-{amount}-{days}", (*noise(amount, days), *strong)


def noise(amount: int, days: int) -> tuple[Step, ...]:
    return step("noise", "fare", amount=amount), step("noise", "date", days=days)


# what the names of the files on the paper's screens (Figures 11 and 12) seem to say
FILES: tuple[Recipe, ...] = (
    ("1_coppy", ()),
    ("3_coppyDigi", (step("round", "fare", to=10),)),
    (
        "4_change",
        (step("swap", "fare", how="record", share=1.0), step("swap", "date", how="record", share=1.0)),
    ),
    ("5_half", ({"step": "sample", "what": "records", "share": 0.5},)),
    ("8_randUser", (step("swap", *ALL, how="record", share=1.0),)),
    ("01_randFare", (step("noise", "fare", amount=20),)),
    ("02_randFareAndDateTime", noise(20, 3)),
    ("03_randFareAndDateTime60", noise(60, 3)),
    ("04_randFareAndDateTime100", noise(100, 3)),
    ("05_randFareAndDateTime200", noise(200, 3)),
)

RECIPES = (*fares(), *days_and_stations(), *records(), *several())
