"""What was asked of combinations of attributes, checked as far as that goes without the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.engine.missing_values import Missing
from singleout.errors import UsageError
from singleout.files import real_path
from singleout.read.source import Source
from singleout.risk.combinations.allowable_risk import Criterion, CriterionName
from singleout.risk.combinations.attacker_budget import resource_of
from singleout.risk.combinations.enumeration import check_target
from singleout.risk.combinations.synergy import Threshold
from singleout.risk.record_risks import check_list

# of the population that the data is a sample of, as sdcMicro has it
SAMPLED = 0.01
# whether it is one, and what to say then
Fault = tuple[bool, str]
NOTHING_ASKED = (
    "say what to look for: allow (which sets are too risky), size and synergy (which are riskier than their "
    "parts), costs, resource or identify (at what price), known (an attack), record or records, all with out"
)
ONE_CLASS = (
    "a combination needs each record in one class, and the missing rule wildcard puts it in several; "
    "use value or drop"
)


@dataclass(frozen=True)
class CombinationsRequest:
    """The parameters of `combinations` that say what to look for."""

    allow: int | None
    criterion: CriterionName
    share: float
    strict: bool
    largest: int | None
    size: int | None
    synergy: float
    costs: Any
    resource: Any
    maximal: bool
    identify: float | None
    known: tuple[tuple[str, ...], ...]
    start: tuple[str, ...]
    record: tuple[int, ...]
    records: str | PathLike[str] | None
    sampled: float
    all: bool
    prune: bool
    out: str | PathLike[str] | None

    @property
    def price(self) -> bool:
        return self.costs is not None or self.resource is not None

    @property
    def limit(self) -> int:
        """The largest class that is too small."""
        return self.risk_criterion.limit if self.risk_criterion else 1

    @property
    def risk_criterion(self) -> Criterion | None:
        if self.allow is None:
            return None
        return Criterion(self.criterion, self.allow, self.share, self.strict)

    def check(self, origin: Source, missing: Missing) -> None:
        if missing == "wildcard":
            raise UsageError(ONE_CLASS)
        if faults := self._faults():
            raise UsageError("; ".join(faults))
        Threshold(self.synergy)
        if self.allow is not None:
            Criterion(self.criterion, self.allow, self.share, self.strict)
        if self.resource is not None:
            resource_of(self.resource)
        if self.records is not None:
            check_list(self.records, origin, missing)
        if self.all:
            check_target(self.out, origin)

    def _faults(self) -> list[str]:
        asked = (self.allow, self.size, self.identify, self.records, self.costs, self.resource)
        if not (any(each is not None for each in asked) or self.known or self.record or self.all):
            return [NOTHING_ASKED]
        return [
            fault
            for wrong, fault in (*self._wrong_numbers(), *self._lonely_faults(), *self._conflicts())
            if wrong
        ]

    def _wrong_numbers(self) -> Iterator[Fault]:
        for name, number in (("size", self.size), ("largest", self.largest)):
            fault = f"{name}: {number!r} is no size of a set; write a whole number, 1 or more"
            yield number is not None and not (is_whole(number) and number >= 1), fault
        shares = (("identify", self.identify, "people"), ("sampled", self.sampled, "the population"))
        for name, share, whole in shares:
            fault = f"{name}: {share!r} is no share of {whole}; write a number above 0, and 1 at most"
            yield share is not None and not (is_number(share) and 0 < share <= 1), fault
        for name, given in (("share", self.share), ("synergy", self.synergy)):
            yield not is_number(given), f"{name}: {given!r} is no number; write one like 1.5"
        odd = [each for each in self.record if not is_whole(each)]
        yield bool(odd), f"record: {odd} are no numbers of records; write whole numbers from 1 on"

    def _lonely_faults(self) -> Iterator[Fault]:
        """What says nothing without something else that was asked."""
        odd = self.strict or self.share or self.criterion != "worst"
        yield (
            self.allow is None and bool(odd),
            "criterion, share and strict say when a set is too risky; add allow",
        )
        yield bool(self.start) and self.allow is None, "start: is where the sets of allow begin; add allow"
        yield (
            self.prune and (self.allow is None or not self.all),
            "prune: leaves out the sets above those too risky; it needs all and allow",
        )
        yield (
            self.size is None and self.synergy != 1.0,
            "synergy: is a criterion for combinations of one size; add size",
        )
        yield (
            self.out is not None and not self.all,
            "out: is for all sets; add all, or name the list of records by records",
        )
        yield (
            self.sampled != SAMPLED and (self.records is None or self.size is not None),
            "sampled: is for the DIS-SUDA scores of the list of records; add records",
        )
        yield self.maximal and not self.price, "maximal: is about what a resource buys; add costs or resource"
        yield (
            bool(self.start) and is_whole(self.largest) and len(self.start) >= (self.largest or 0),
            f"largest: counts the {len(self.start)} columns known at the start too; ask for more than these",
        )
        bounded = self.allow is not None or self.record or self.records is not None or self.all
        yield (
            self.largest is not None and not bounded,
            "largest: bounds the sets of allow, record, records and all; add one of them",
        )

    def _conflicts(self) -> Iterator[Fault]:
        """What can't be asked together."""
        yield (
            self.records is not None and self.size is not None and self.allow is not None,
            "records: lists minimal sets with allow, synergies with size; ask for one of them",
        )
        yield (
            self.prune and self.price,
            "prune: leaves sets out by their risk, costs and resource by their price; ask for one of them",
        )
        written = [each for each in (self.records, self.out) if each is not None]
        yield (
            len(written) == 2 and _is_same_file(*written),
            f"out: {self.out} is the list of records already; name another file",
        )
        costs = [self.costs] if isinstance(self.costs, (str, PathLike)) else []
        for each in written:
            taken = any(_is_same_file(each, read) for read in costs)
            yield taken, f"{each}: is the file of costs that is read; name another file"


def lists_of_names(known: Any) -> tuple[tuple[str, ...], ...]:
    """What several attackers know."""
    listed = [known] if isinstance(known, str) else list(known)
    if any(isinstance(each, str) for each in listed):
        raise UsageError(f"known: {listed!r} are names; give a list of lists of names, one for each attacker")
    return tuple(map(tuple, listed))


def names_of_start(start: Any) -> tuple[str, ...]:
    """What the attacker knows already, each column once."""
    if isinstance(start, str) or not all(isinstance(each, str) for each in start):
        raise UsageError(f"start: {start!r} is no list of names; give the columns that are known")
    return tuple(dict.fromkeys(start))


def _is_same_file(one: str | PathLike[str], other: str | PathLike[str]) -> bool:
    return real_path(one) == real_path(other)
