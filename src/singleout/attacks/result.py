"""Who can be recognised in a release, and how: the result of `attack`, which reports are written from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import ATTACK_MEASURES, LINKAGE_MEASURES, POINTS_MEASURES
from singleout.attacks.unicity import draw_interval
from singleout.attacks.unicity.known_points import Narrowed
from singleout.attacks.wilson_interval import CONFIDENCE
from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import Measure
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.roles.known_column import KnownColumn

COVERS = (
    "which people happen to be in the release, as if drawn from many of their kind; not other attacks, "
    "nor that the best of several was chosen"
)


@dataclass(frozen=True, repr=False)
class Reidentification(TableResult):
    """What `attack` found: `attacks` one by one, `unicity` of known records, and `remarks`.

    `comparisons` say how each column's values were compared. `best` is the attack with the highest rate,
    worst cases aside. Several names of one person are one of the `people`; `name_person` is whose each of the
    `names` is, and `real` are those of the people who have an original and a record. `to_dict()` has
    everything with its definitions, `to_frame()` and `to_arrow()` one row an attack, `people_table()` one a
    name.
    """

    original: str
    release: str
    engine: str
    user: str | None
    missing: Missing
    seed: int
    people: int
    original_people: int
    made_up: int
    attacks: tuple[Attempt, ...]
    unicity: tuple[Narrowed, ...]
    remarks: tuple[str, ...]
    names: pyarrow.Table = field(repr=False)
    name_person: NDArray[numpy.int64] = field(repr=False)
    real: NDArray[numpy.bool_] = field(repr=False)
    comparisons: tuple[ColumnComparison, ...] = ()

    @property
    def best(self) -> Attempt | None:
        return self.by_name("best")

    @property
    def most(self) -> Attempt | None:
        """The attack that the best one is, under its own name."""
        best = self.best
        return best and next(each for each in self.attacks if each.credit is best.credit)

    @property
    def together(self) -> tuple[KnownColumn, ...]:
        """All columns of a known record, each as it was first asked for."""
        most = max((len(each.columns) for each in self.unicity), default=0)
        return next((each.columns for each in self.unicity if len(each.columns) == most), ())

    @property
    def enough(self) -> Narrowed | None:
        """The fewest random records that single out half of the people by the best columns, else the most."""
        tried = [self._most_unique(points) for points in sorted({each.points for each in self.unicity})]
        return next((each for each in tried if each.unique >= 0.5), tried[-1] if tried else None)

    def _most_unique(self, points: int) -> Narrowed:
        """By all columns, unless fewer single out more: an attacker may ignore those that were changed."""
        same = [each for each in self.unicity if each.points == points and not each.worst]
        return max(same, key=lambda each: (each.unique, len(each.columns)))

    def by_name(self, name: str) -> Attempt | None:
        return next((each for each in self.attacks if each.name == name), None)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The definitions behind the numbers."""
        return (*LINKAGE_MEASURES, *(POINTS_MEASURES if self.unicity else ()))

    def __repr__(self) -> str:
        rates = ", ".join(f"{each.name} {each.rate:.3g}" for each in self.attacks)
        return f"<Reidentification of {self.release}: {self.people:,} people; rates: {rates}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout attack --json`."""
        return {
            "original": self.original,
            "release": self.release,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "missing_rule": MISSING_WORDS[self.missing],
            "seed": self.seed,
            "people": self.people,
            "original_people": self.original_people,
            "made_up": self.made_up,
            "columns": [vars(each).copy() for each in self.comparisons],
            "attacks": [attempt_as_dict(each) for each in self.attacks],
            "unicity": [_unicity_as_dict(each) for each in self.unicity],
            "interval": {"confidence": CONFIDENCE, "covers": COVERS},
            "interval_of_draws": {"confidence": draw_interval.CONFIDENCE, "covers": draw_interval.COVERS},
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in self.measures},
        }

    def table(self) -> ResultTable:
        """One row an attack."""
        rows = tuple(_row(each) for each in self.attacks)
        note = f"{self.people:,} people of the release, {self.original_people:,} of the original."
        return ResultTable(f"Attacks on {self.release}", _HEADINGS, rows, note)

    def people_table(self) -> pyarrow.Table:
        """One row a name of the release: that in the original, how likely each attack recognises the person.

        Who has several names stands there under each, with the same numbers. An attack that was asked about
        some people only is left out.
        """
        table = self.names
        for each in self.attacks:
            if each.name != "best" and each.people == self.people:
                table = table.append_column(each.name, pyarrow.array(each.credit[self.name_person]))
        return table


_BY_NAME = {measure.name: measure for measure in ATTACK_MEASURES}


def _heading(name: str, title: str, measure: str) -> Heading:
    return Heading.of(name, title, _BY_NAME[measure])


_HEADINGS = (
    Heading("name", "attack"),
    Heading("share", "known", "share of each person's records that the attacker knows"),
    _heading("rate", "rate", "attack.rate"),
    _heading("identified", "recognised", "attack.identified"),
    _heading("baseline", "guess", "attack.baseline"),
    _heading("bound", "bound", "attack.bound"),
    _heading("low", "low", "attack.low"),
    _heading("high", "high", "attack.low"),
    _heading("top_5", "top 5", "attack.top"),
    _heading("top_10", "top 10", "attack.top"),
    Heading("knowledge", "what the attacker knows"),
)


def _row(each: Attempt) -> tuple[Any, ...]:
    tops = (each.within.get(5), each.within.get(10))
    return (
        each.name, each.share, each.rate, each.identified, each.baseline, each.bound,
        *each.interval, *tops, each.knowledge,
    )  # fmt: skip


def attempt_as_dict(each: Attempt) -> dict[str, Any]:
    """An attack as JSON documents tell it."""
    low, high = each.interval
    return {
        "name": each.name,
        "rate": each.rate,
        "identified": each.identified,
        "certain": each.certain,
        "people": each.people,
        "baseline": each.baseline,
        "bound": each.bound,
        "low": low,
        "high": high,
        "top": {str(k): rate for k, rate in each.within.items()},
        "over_draws": each.over_draws and list(each.over_draws),
        "share": each.share,
        "blind": each.blind,
        "uncompared": list(each.uncompared),
        "added": each.added,
        "incomplete": each.incomplete,
        "selected": each.selected,
        "divided": each.divided,
        "other_period": each.other_period,
        "knowledge": each.knowledge,
        "look_alikes": [{"people": size, "groups": groups} for size, groups in each.look_alikes.items()],
    }


def _unicity_as_dict(each: Narrowed) -> dict[str, Any]:
    named = each.most
    return {
        "columns": [vars(column).copy() for column in each.columns],
        "points": each.points,
        "worst": each.worst,
        "unique": each.unique,
        "narrowed": {str(limit): share for limit, share in each.narrowed.items()},
        "candidates": each.candidates,
        "rate": named.rate,
        "low": named.over_draws[0],
        "high": named.over_draws[1],
        "bound": each.bound,
        "identified": named.identified,
        "unproven": each.unproven,
        "knowledge": named.sentence(),
    }
