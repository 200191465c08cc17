"""What releases keep and whom they give away: the result of `compare`, which reports are written from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import LINKAGE_MEASURES
from singleout.attacks.result import COVERS, attempt_as_dict
from singleout.attacks.wilson_interval import CONFIDENCE
from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import Measure
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.utility.compare.ranking import OVERALL, Ranking, Standing
from singleout.utility.finding import Finding

# the rule is for records without a user and for attacks; what a metric does with missing values defines it
MISSING_RULES: dict[Missing, str] = {
    "value": f"{MISSING_WORDS['value']}; metrics of utility do what their definitions say",
    "drop": "records without a user are left out, and attacks leave out what is missing in the columns that "
    "they look at; utility is measured on all other records, a missing value being a value of its own unless "
    "a metric's definition says otherwise",
}


@dataclass(frozen=True, eq=False)
class Outcome:
    """One release beside the original: `utility` by metric, `privacy` by attack.

    `lacking` are columns of the original that it does not have, `made_up` its people without an original;
    None if it is not known who is who.
    """

    release: str
    records: int
    people: int
    made_up: int | None
    lacking: tuple[str, ...]
    utility: tuple[Finding, ...]
    privacy: tuple[Attempt, ...]
    remarks: tuple[str, ...]

    @property
    def highest_rate(self) -> float | None:
        """Of all attacks; None if none was made."""
        best = self.attack("best")
        return best.rate if best else None

    @property
    def compared(self) -> bool:
        """Whether the best attack could compare all columns, or is at the ceiling anyway."""
        best = self.attack("best")
        return best is None or best.compared

    def metric(self, name: str) -> Finding | None:
        return next((each for each in self.utility if each.name == name), None)

    def attack(self, name: str) -> Attempt | None:
        return next((each for each in self.privacy if each.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "release": self.release,
            "records": self.records,
            "people": self.people,
            "made_up": self.made_up,
            "lacking": list(self.lacking),
            "utility": [_finding(each) for each in self.utility],
            "privacy": [attempt_as_dict(each) for each in self.privacy],
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(TableResult):
    """What `compare` found: each release's `outcomes`, and of several their `ranking`.

    `untouched` is the original compared with itself, which the ranking is measured by. `to_dict()` has
    everything with its definitions, `to_frame()` and `to_arrow()` one row a metric or an attack.
    """

    original: str
    original_records: int
    original_people: int
    engine: str
    user: str | None
    missing: Missing
    seed: int
    outcomes: tuple[Outcome, ...]
    untouched: Outcome | None
    ranking: Ranking | None
    remarks: tuple[str, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The definitions behind the numbers."""
        found = [each.measure for outcome in self.outcomes for each in outcome.utility]
        found += LINKAGE_MEASURES if any(each.privacy for each in self.outcomes) else ()
        return tuple(dict.fromkeys([*found, *([OVERALL] if self.ranking else [])]))

    def by_name(self, release: str) -> Outcome | None:
        return next((each for each in self.outcomes if each.release == release), None)

    def __repr__(self) -> str:
        rates = ", ".join(_summary(each) for each in self.outcomes)
        return f"<Comparison with {self.original}: {rates}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout compare --json`; several releases are a list, with a ranking."""
        about = {
            "original": self.original,
            "original_records": self.original_records,
            "original_people": self.original_people,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "missing_rule": MISSING_RULES[self.missing],
            "seed": self.seed,
            "interval": {"confidence": CONFIDENCE, "covers": COVERS},
        }
        definitions = {"definitions": {measure.name: measure.as_dict() for measure in self.measures}}
        if self.ranking is None:
            found = self.outcomes[0].to_dict()
            return {**about, **found, "remarks": [*self.remarks, *found["remarks"]], **definitions}
        return {
            **about,
            "releases": [each.to_dict() for each in self.outcomes],
            **_ranking(self.ranking),
            "remarks": list(self.remarks),
            **definitions,
        }

    def table(self) -> ResultTable:
        """One row a metric or an attack of each release."""
        rows = tuple(row for outcome in self.outcomes for row in _rows(outcome))
        note = f"{self.original_people:,} people of the original, {self.original_records:,} records."
        return ResultTable(f"Releases beside {self.original}", _HEADINGS, rows, note)


_HEADINGS = (
    Heading("release", "release"),
    Heading("kind", "kind", "utility: what is kept; privacy: who is recognised"),
    Heading("name", "name"),
    Heading("value", "value", "of a metric, or the rate of an attack"),
    Heading("better", "better", "which way is"),
    Heading("reason", "why unknown"),
)


def _rows(outcome: Outcome) -> Iterator[tuple[Any, ...]]:
    for found in outcome.utility:
        value = None if found.value is None else float(found.value)
        yield outcome.release, "utility", found.name, value, found.better, found.reason
    for tried in outcome.privacy:
        yield outcome.release, "privacy", tried.name, tried.rate, "lower", None


def _summary(outcome: Outcome) -> str:
    rate = outcome.highest_rate
    risk = "" if rate is None else f", highest attack rate {rate:.3g}"
    return f"{outcome.release} ({len(outcome.utility)} metrics{risk})"


def _finding(each: Finding) -> dict[str, Any]:
    measure = each.measure
    return {
        "name": each.name,
        "measure": measure.name,
        "of": list(each.of),
        "value": each.value,
        "better": each.better,
        "range": [measure.lowest, measure.highest],
        "unit": measure.unit,
        "counted_over": measure.counted_over,
        "reason": each.reason,
        "detail": dict(each.detail),
    }


def _ranking(ranking: Ranking) -> dict[str, Any]:
    rows = [
        {
            "release": each.name,
            **_standing(each),
            "better_than_original": ranking.better_than_original(each),
        }
        for each in ranking.best_first
    ]
    return {
        "ranking": rows,
        "untouched": _standing(ranking.original),
        "boundary": ranking.boundary,
        "ranked_by": list(ranking.metrics),
        "not_ranked_by": list(ranking.left_out),
    }


def _standing(each: Standing) -> dict[str, Any]:
    return {
        "utility_score": each.utility_score,
        "utility_rank": each.utility_rank,
        "highest_rate": each.highest_rate,
        "compared": each.compared,
        "privacy_rank": each.privacy_rank,
        "overall": each.overall,
    }
