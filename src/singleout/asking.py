"""What was asked of combinations of attributes, checked as far as that goes without the data."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

from singleout.engine.protocol import Missing
from singleout.enumerating import check_target
from singleout.errors import UsageError
from singleout.listing import check_list
from singleout.read.source import Source
from singleout.risk.synergy import Threshold
from singleout.risk.too_risky import Criterion, Kind

NOTHING_ASKED = (
    "say what to look for: allow (which sets are too risky), size and synergy (which are riskier than their "
    "parts), costs, resource or identify (at what price), known (an attack), record or records, all with out"
)
ONE_CLASS = (
    "a combination needs each record in one class, and the missing rule wildcard puts it in several; "
    "use value or drop"
)


@dataclass(frozen=True)
class Asked:
    """The parameters of `combinations` that say what to look for."""

    allow: int | None
    criterion: Kind
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
        return self.allowed.limit if self.allowed else 1

    @property
    def allowed(self) -> Criterion | None:
        if self.allow is None:
            return None
        return Criterion(self.criterion, self.allow, self.share, self.strict)

    def check(self, origin: Source, missing: Missing) -> None:
        if missing == "wildcard":
            raise UsageError(ONE_CLASS)
        if faults := self._faults():
            raise UsageError("; ".join(faults))
        self.allowed  # noqa: B018 it checks itself
        Threshold(self.synergy)
        if self.records is not None:
            check_list(self.records, origin, missing)
        if self.all:
            check_target(self.out, origin)

    def _faults(self) -> list[str]:
        asked = (self.allow, self.size, self.identify, self.records, self.costs, self.resource)
        if not (any(each is not None for each in asked) or self.known or self.record or self.all):
            return [NOTHING_ASKED]
        found = []
        if self.allow is None and (self.strict or self.share or self.criterion != "worst"):
            found.append("criterion, share and strict say when a set is too risky; add allow")
        if self.prune and (self.allow is None or not self.all):
            found.append("prune: leaves out the sets above those too risky; it needs all and allow")
        if self.size is None and self.synergy != 1.0:
            found.append("synergy: is a criterion for combinations of one size; add size")
        if self.out is not None and not self.all:
            found.append("out: is for all sets; add all, or name the list of records by records")
        if self.maximal and not self.price:
            found.append("maximal: is about what a resource buys; add costs or resource")
        if self.records is not None and self.size is not None and self.allow is not None:
            found.append("records: lists minimal sets with allow, synergies with size; ask for one of them")
        if self.largest is not None and self.largest < 1:
            found.append(f"largest: {self.largest} is no size of a set; write 1 or more")
        return found
