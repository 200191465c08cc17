"""The result of looking at combinations of attributes: one value that every report is written from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.result_table import Cell, Heading, ResultTable, TableResult, table_size
from singleout.risk.combinations.allowable_risk import Criterion
from singleout.risk.combinations.attacker_budget import PricedSets
from singleout.risk.combinations.attribute_sets import SkippedSets
from singleout.risk.combinations.cheapest_sets import CheapestSet
from singleout.risk.combinations.measures import COMBINATION_MEASURES
from singleout.risk.combinations.record_uniques import SingledOutRecord
from singleout.risk.combinations.set_risk import SetRisk
from singleout.risk.combinations.synergy import Synergy
from singleout.risk.equivalence_classes import Classes


@dataclass(frozen=True)
class AllowableSets:
    """Where sets become too risky: the smallest that are, and the largest that are not.

    Each of them has the columns of `start`, which the attacker knows already.
    """

    criterion: Criterion
    evaluated: int
    subsets: int
    minimal: tuple[SetRisk, ...]
    safe: tuple[SetRisk, ...]
    not_looked_at: tuple[SkippedSets, ...]
    start: tuple[str, ...] = ()


@dataclass(frozen=True)
class Synergies:
    """The combinations of one size that are riskier than their parts; `looked_at` were counted."""

    size: int
    synergy: float
    looked_at: int
    combinations: tuple[Synergy, ...]


@dataclass(frozen=True)
class WrittenSets:
    """Every set that was asked for, in a file."""

    out: str
    written: int
    resumed: int
    subsets: int
    not_looked_at: tuple[SkippedSets, ...]


@dataclass(frozen=True, repr=False)
class Combinations(TableResult):
    """What `combinations` found; a part that was not asked for is None or empty.

    `allowable` are the sets that are too risky and those that are safe, `synergies` the combinations that
    are riskier than their parts, `priced` what a resource buys, `cheapest` the least that is enough, `known`
    attacks with given sets, `singled_out` the asked records, `contributions` each attribute's share of the
    SUDA scores, `written` the file of all sets. Who is at risk is in a class of at most `limit` people.
    `records` and `people` are those that every set is counted over. `to_dict()` has
    everything with its definitions.
    """

    source: str
    engine: str
    user: str | None
    missing: Missing
    seed: int
    records: int
    people: int
    columns: tuple[str, ...]
    limit: int = 1
    allowable: AllowableSets | None = None
    synergies: Synergies | None = None
    priced: PricedSets | None = None
    cheapest: CheapestSet | None = None
    known: tuple[Classes, ...] = ()
    singled_out: tuple[SingledOutRecord, ...] = ()
    contributions: dict[str, float | None] | None = None
    written: WrittenSets | None = None
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = f"{table_size(self.records, self.people)}, {len(self.columns)} columns"
        return f"<Combinations of {self.source}: {size}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout combinations --json`."""
        head = {
            name: getattr(self, name)
            for name in ("source", "engine", "user", "missing", "seed", "records", "people")
        }
        return {
            **head,
            "columns": list(self.columns),
            "limit": self.limit,
            **_allowable_entries(self.allowable),
            **_synergies(self.synergies),
            **_priced_entries(self.priced),
            **({"cheapest": _cheapest_entry(self.cheapest)} if self.cheapest else {}),
            **({"known": [_attack_entry(each) for each in self.known]} if self.known else {}),
            **({"singled_out": _json_value(self.singled_out)} if self.singled_out else {}),
            **({"contributions": self.contributions} if self.contributions else {}),
            **({"all": _json_value(self.written)} if self.written else {}),
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in COMBINATION_MEASURES},
        }

    def table(self) -> ResultTable:
        """The first part that was asked for, one row a set."""
        note = f"{table_size(self.records, self.people)}; {MISSING_WORDS[self.missing]}."
        if self.allowable:
            verdicts = (("too risky", self.allowable.minimal), ("safe", self.allowable.safe))
            judged = tuple(_row(each, verdict) for verdict, sets in verdicts for each in sets)
            return ResultTable("Sets of attributes", (*_SET, Heading("verdict", "verdict")), judged, note)
        if self.synergies:
            rows = tuple(map(_synergy_row, self.synergies.combinations))
            return ResultTable("Combinations riskier than their parts", _SYNERGY, rows, note)
        if self.priced:
            bought = tuple(_row(each.risk, float(each.cost)) for each in self.priced.affordable)
            return ResultTable("What the resource buys", (*_SET, Heading("cost", "cost")), bought, note)
        if self.cheapest:
            cheapest = self.cheapest
            cost = None if cheapest.cost is None else float(cheapest.cost)
            enough = (set_name(cheapest.columns or ()), cost, cheapest.people_at_risk, cheapest.share)
            return ResultTable("The cheapest that is enough", _CHEAPEST, (enough,), note)
        if self.singled_out:
            lines = tuple((one.record, set_name(each)) for one in self.singled_out for each in one.minimal)
            return ResultTable("What singles records out", _RECORD, lines, note)
        known = tuple((set_name(each.columns), *_attack_row(each)) for each in self.known)
        return ResultTable("Attacks with what is known", _KNOWN, known, note)


_CHEAPEST = (
    Heading("columns", "attributes"),
    Heading("cost", "cost"),
    Heading("people_at_risk", "people at risk"),
    Heading("share", "share of people"),
)
_RECORD = (Heading("record", "record"), Heading("columns", "attributes"))
_SET = (
    Heading("columns", "attributes"),
    Heading("smallest_class", "smallest class"),
    Heading("records_at_risk", "records at risk"),
    Heading("people_at_risk", "people at risk"),
    Heading("highest_risk", "highest risk"),
    Heading("average_risk", "average risk"),
)
_SYNERGY = (
    Heading("columns", "attributes"),
    Heading("highest_synergy", "highest synergy"),
    Heading("mean_synergy", "mean synergy"),
    Heading("share", "share above"),
    Heading("highest_risk", "highest risk"),
)
_KNOWN = (
    Heading("columns", "attributes"),
    Heading("smallest_class", "smallest class"),
    Heading("highest_risk", "highest risk"),
    Heading("average_risk", "average risk"),
)


def _row(each: SetRisk, *more: Cell) -> tuple[Cell, ...]:
    return (set_name(each.columns), *tuple(vars(each).values())[1:], *more)


def _synergy_row(each: Synergy) -> tuple[Cell, ...]:
    numbers = (each.highest_synergy, each.mean_synergy, each.share, each.highest_risk)
    return (set_name(each.columns), *numbers)


def _attack_row(each: Classes) -> tuple[Any, ...]:
    exposure = each.by_people or each.by_records
    return exposure.k.value, exposure.highest_risk.value, exposure.average_risk.value


def set_name(columns: Iterable[str]) -> str:
    return " + ".join(columns) or "(nothing)"


def _json_value(value: Any) -> Any:
    """As JSON has it: exact fractions as numbers."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if hasattr(value, "__dataclass_fields__"):
        return {name: _json_value(each) for name, each in vars(value).items()}
    if isinstance(value, (tuple, list)):
        return [_json_value(each) for each in value]
    return value


def _allowable_entries(allowable: AllowableSets | None) -> dict[str, Any]:
    if not allowable:
        return {}
    return {
        "allow": allowable.criterion.allow,
        "criterion": _json_value(asdict(allowable.criterion)),
        "evaluated": allowable.evaluated,
        "subsets": allowable.subsets,
        "start": list(allowable.start),
        "minimal": _json_value(allowable.minimal),
        "safe": _json_value(allowable.safe),
        "not_looked_at": _json_value(allowable.not_looked_at),
    }


def _synergies(found: Synergies | None) -> dict[str, Any]:
    if not found:
        return {}
    return {"size": found.size, "synergy": found.synergy, "looked_at": found.looked_at} | {
        "combinations": _json_value(found.combinations)
    }


def _priced_entries(priced: PricedSets | None) -> dict[str, Any]:
    if not priced:
        return {}
    return {
        "resource": _json_value(priced.resource),
        "costs": {name: _json_value(cost) for name, cost in priced.costs},
        "maximal": priced.maximal,
        "affordable_sets": priced.number,
        "affordable": [
            {"columns": list(each.risk.columns), "cost": _json_value(each.cost)} | _json_value(each.risk)
            for each in priced.affordable
        ],
        "curve": _json_value(priced.curve),
    }


def _cheapest_entry(cheapest: CheapestSet) -> dict[str, Any]:
    return {**_json_value(cheapest), "share": cheapest.share}


def _attack_entry(classes: Classes) -> dict[str, Any]:
    """The distribution of risk over records, to an attacker who knows these columns."""
    exposure = classes.by_people or classes.by_records
    return {
        "columns": list(classes.columns),
        "classes": classes.classes.value,
        "smallest_class": exposure.k.value,
        "unique": exposure.unique.value,
        "highest_risk": exposure.highest_risk.value,
        "average_risk": exposure.average_risk.value,
        "curve": [vars(point).copy() for point in exposure.curve],
    }
