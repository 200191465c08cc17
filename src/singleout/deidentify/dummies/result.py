"""The result of hiding people's item sets among others, as one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from singleout.deidentify.dummies.clusters import Edit
from singleout.deidentify.dummies.expected_dummies import Balance
from singleout.deidentify.dummies.measures import DUMMY_MEASURES, OWN_RULE
from singleout.deidentify.release import Release
from singleout.deidentify.seeds import told_seed
from singleout.measurement import Measure
from singleout.result_table import Heading, ResultTable, TableResult


@dataclass(frozen=True)
class Cluster:
    """People who have the same items in the release, and how many records are added and removed for that."""

    size: int
    items: int
    dummies: int
    removed: int = 0


@dataclass(frozen=True)
class Expected:
    """How many dummies a random grouping would need: the estimate of Ito et al. 2020, and exactly."""

    uniform: float
    by_popularity: float


@dataclass(frozen=True)
class RecognitionRate:
    """Whom an attack finds: the share of people, and how many that are."""

    rate: float
    identified: float


@dataclass(frozen=True, repr=False)
class Concealment(TableResult):
    """Who hides among whom: `clusters`, the largest first, and what they cost and keep.

    `columns` says of each released column where a dummy record has its value from. `written` has the records
    of each file by its part, as `out` or `truth`; it is empty if nothing was to be written; `release` has
    the same records in memory. `seconds` is how
    long the search took. `to_dict()` has everything with its definitions.
    """

    source: str
    engine: str
    user: str
    item: str
    method: str
    edit: Edit
    wanted: Mapping[str, Any]
    seed: int
    people: int
    records: int
    items: int
    clusters: tuple[Cluster, ...]
    expected: Expected
    comprehensive: Balance
    comprehensive_by_popularity: Balance
    jaccard: RecognitionRate
    columns: Mapping[str, str]
    written: Mapping[str, int]
    out: str | None
    seconds: float
    remarks: tuple[str, ...]
    release: Release = field(compare=False)

    @property
    def dummies(self) -> int:
        return sum(each.dummies for each in self.clusters)

    @property
    def removed(self) -> int:
        """Real records that are not in the release."""
        return sum(each.removed for each in self.clusters)

    @property
    def released_records(self) -> int:
        return self.records + self.dummies - self.removed

    @property
    def bound(self) -> float:
        """No attack by item sets recognises a larger share of the people on average."""
        return len(self.clusters) / self.people

    @property
    def smallest(self) -> int:
        return self.clusters[-1].size

    @property
    def largest(self) -> int:
        return self.clusters[0].size

    @property
    def sizes(self) -> dict[int, int]:
        """How many clusters there are of each size, from the largest."""
        return dict(Counter(each.size for each in self.clusters))

    @property
    def singletons(self) -> int:
        """People who are alone in their cluster."""
        return self.sizes.get(1, 0)

    @property
    def to_random(self) -> float | None:
        """Dummies for each that a random grouping needs; None if that needs none, or records are left out."""
        expected = self.expected.by_popularity
        return self.dummies / expected if expected > 0 and not self.removed else None

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The definitions behind the numbers."""
        return DUMMY_MEASURES

    def __repr__(self) -> str:
        return (
            f"<Concealment of {self.source}: {self.dummies:,} dummies for {self.people:,} people, clusters: "
            f"{len(self.clusters):,} of {self.smallest:,} to {self.largest:,} people, bound {self.bound:.3g}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout deidentify dummies --json`."""
        popular = asdict(self.comprehensive_by_popularity)
        return {
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "item": self.item,
            "missing_rule": OWN_RULE,
            "method": self.method,
            "edit": self.edit,
            "wanted": dict(self.wanted),
            "seed": told_seed(self.seed),
            "people": self.people,
            "records": self.records,
            "items": self.items,
            "dummies": self.dummies,
            "removed": self.removed,
            "released_records": self.released_records,
            "clusters": [asdict(each) for each in self.clusters],
            "smallest": self.smallest,
            "largest": self.largest,
            "singletons": self.singletons,
            "bound": self.bound,
            "highest_risk": 1 / self.smallest,
            "expected": asdict(self.expected),
            "relative": {"to_random": self.to_random},
            "comprehensive": {**asdict(self.comprehensive), "by_popularity": popular},
            "jaccard": asdict(self.jaccard),
            "columns": dict(self.columns),
            "out": self.out,
            "written": dict(self.written),
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in self.measures},
        }

    def table(self) -> ResultTable:
        """One row a cluster."""
        rows = tuple((each.size, each.items, each.dummies, each.removed) for each in self.clusters)
        note = f"{self.dummies:,} dummy records beside {self.records:,} real ones; bound {self.bound:.3g}"
        return ResultTable(f"Clusters of {self.source}", HEADINGS, rows, note)


HEADINGS = (
    Heading("size", "people", "people of the cluster"),
    Heading("items", "items", "items that all of them have in the release"),
    Heading("dummies", "dummies", "records that are made up for them"),
    Heading("removed", "removed", "their records that are left out"),
)
