"""`assess --sketch`: how many values are of few people, at any size of the table, from a sample of values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy
from numpy.typing import NDArray

from singleout.checks import is_whole
from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, takes_options
from singleout.engine.open_engine import open_engine
from singleout.engine.privacy_unit import privacy_unit
from singleout.engine.protocol import Engine
from singleout.engine.session import refuse_changes
from singleout.engine.value_sketch import KEPT, ValueSketch, value_sketch
from singleout.errors import InputError, UsageError
from singleout.measurement import Measure
from singleout.progress import Progress, teller
from singleout.read.source import CsvFormat, source
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.roles.study import study_of

CONFIDENCE = 0.95
# a column that shares no more of its values with another is not listed
HARDLY_ANY = 0.05
ONLY_VALUES = "a sketch takes the missing rule value: who is dropped, or matches anything, may be rare too"
VALUES_ONLY = "a missing value is a value; no other rule is taken here"
FEW = "{!r} is no number of people; write a whole number, 1 or more"
KMV = "Bar-Yossef et al. 2002 (the K lowest hashes); Chia et al. 2019 has the question (KHyperLogLog)"
MD5 = "MD5"
OWN_HASH = (
    "values were chosen by a fast hash, {}: the same seed chooses others in other databases, and maybe after "
    "an update; the portable one (MD5) is the same everywhere"
)
NOT_JUDGED = (
    "a sketch is no verdict: it counts {:,} values of each column exactly, chosen by their hashes, and tells "
    "of all by these; assess without --sketch counts all"
)


def _measure(name: str, title: str, question: str, formula: str, unit: str, over: Any) -> Measure:
    return Measure(
        name=f"sketch.{name}", title=title, question=question, formula=formula, unit=unit, lowest=0,
        highest=1 if unit == "share" else None, better="neither" if name == "values" else "lower",
        counted_over=over, missing=VALUES_ONLY, reference=KMV,
    )  # fmt: skip


VALUES = _measure(
    "values",
    "different values",
    "How many different values does the column have?",
    "(K − 1) / the K-th lowest hash as a share of all hashes, K = 2,048; exact where there are fewer",
    "values",
    "values",
)
SHARE = _measure(
    "share",
    "values of few people",
    "What share of the values do at most so few people have?",
    "those of the K values with the lowest hashes / K; the bound is Clopper's and Pearson's, one-sided 95 %",
    "share",
    "values",
)
RECORDS_SHARE = _measure(
    "records_share",
    "records with such values",
    "What share of the records has a value that at most so few people have?",
    "their records among the K values · values / K / all records; the bound is one-sided, 95 %",
    "share",
    "records",
)
CONTAINED = _measure(
    "contained",
    "values that are in another table",
    "What share of a column's values does a column of another table have too?",
    "values in both / values here, of those below the lower one of both K-th hashes; the bound is 95 %",
    "share",
    "values",
)
SKETCH_MEASURES: tuple[Measure, ...] = (VALUES, SHARE, RECORDS_SHARE, CONTAINED)


@dataclass(frozen=True)
class ColumnSketch:
    """What is estimated of columns taken together; `low` and `high` are ends of the number of values.

    `share` of the values, and `records_share` of the records, are of at most so few people; what ends in
    `_high` is a one-sided bound. All is exact if there are no more values than a sketch keeps.
    """

    columns: tuple[str, ...]
    exact: bool
    values: float
    low: float
    high: float
    share: float
    share_high: float
    records_share: float
    records_share_high: float

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "columns": list(self.columns)}


@dataclass(frozen=True)
class Containment:
    """Which `share` of the values of a column the `other` table has in its column `within`, and bounds.

    The share is unknown where the other column has so many more values that none of these was kept.
    """

    column: str
    within: str
    share: float | None
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class Sketch(TableResult):
    """What `sketch` found: a line for each column and tuple, and which columns of another table hold them.

    `hash` is what chose the values: MD5, which is the same on every engine, or the name of an engine's own.
    """

    source: str
    engine: str
    hash: str
    user: str | None
    records: int
    at_most: int
    seed: int
    sketches: tuple[ColumnSketch, ...]
    other: str | None
    contained: tuple[Containment, ...]
    remarks: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Sketch of {self.source}: {len(self.sketches)} of {self.records:,} records>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout assess --sketch --json`."""
        return {
            "source": self.source,
            "engine": self.engine,
            "hash": self.hash,
            "user": self.user,
            "records": self.records,
            "at_most": self.at_most,
            "seed": self.seed,
            "kept": KEPT,
            "confidence": CONFIDENCE,
            "sketches": [each.to_dict() for each in self.sketches],
            "other": self.other,
            "contained": [vars(each).copy() for each in self.contained],
            "remarks": list(self.remarks),
            "definitions": {each.name: each.as_dict() for each in SKETCH_MEASURES},
        }

    def table(self) -> ResultTable:
        headings = (
            Heading("columns", "columns"),
            Heading.of("values", "values", VALUES),
            Heading.of("share", f"of ≤ {self.at_most}", SHARE),
            Heading.of("share_high", "at most", SHARE),
            Heading.of("records_share", "records", RECORDS_SHARE),
            Heading.of("records_share_high", "at most", RECORDS_SHARE),
        )
        rows = tuple(
            (" + ".join(each.columns), round(each.values), each.share, each.share_high, each.records_share,
             each.records_share_high)
            for each in self.sketches
        )  # fmt: skip
        people = "person" if self.at_most == 1 else "people"
        return ResultTable(f"Values of at most {self.at_most} {people}", headings, rows)

    def contained_table(self) -> ResultTable:
        headings = (
            Heading("column", "column"),
            Heading("within", f"in {self.other}"),
            Heading.of("share", "share", CONTAINED),
            Heading.of("low", "low", CONTAINED),
            Heading.of("high", "high", CONTAINED),
        )
        rows = tuple((each.column, each.within, each.share, each.low, each.high) for each in self.contained)
        return ResultTable(f"Values that are in {self.other} too", headings, rows)


@takes_options(JobOptions)
def sketch(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    together: Sequence[Sequence[str]] = (),
    at_most: int = 1,
    contained_in: Any = None,
    contained_csv: CsvFormat | None = None,
    portable: bool = False,
    **options: Unpack[JobOptions],
) -> Sketch:
    """Which share of the values do at most so few people have, where the table is too large to count all?

    Two scans for each column, each tuple of `together`, and all columns: of the 2,048 values with the lowest
    hashes, a sample by chance, records and people are counted exactly, and bounds tell what that may miss.
    PostgreSQL and Spark hash by MD5, DuckDB by a faster hash of its own, so that the same seed gives it
    another sample; if `portable`, it takes MD5 too, and the same seed gives the same answer on every engine.
    `contained_in` is another table: which share of each column's values its columns have too, so that both
    could be joined by them; then all take MD5.

    >>> import pyarrow
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> found = sketch(table, user="who", columns=["shop"])
    >>> found.sketches[0].share, found.sketches[0].records_share, found.sketches[0].exact
    (0.5, 0.25, True)
    """
    if options["missing"] != "value":
        raise UsageError(ONLY_VALUES)
    if not is_whole(at_most) or at_most < 1:
        raise UsageError(FEW.format(at_most))
    origin, seed = source(data, csv=options["csv"]), options["seed"]
    progress = teller(options["progress"])
    study = study_of(options["study"])
    opened = open_engine(origin, options["engine"], memory=options["memory"], threads=options["threads"])
    with refuse_changes(origin), opened as engine:
        person = privacy_unit(engine, user, study)
        names = _columns(engine, columns, person)
        sets = list(dict.fromkeys([*((name,) for name in names), *map(tuple, together), names]))
        known_columns(engine, [name for each in sets for name in each])
        by = MD5 if portable or contained_in is not None else engine.own_hash or MD5
        found: dict[tuple[str, ...], ValueSketch] = {}
        for index, each in enumerate(sets):
            progress(f"two scans of {' + '.join(each)[:40]}", index, len(sets))
            found[each] = value_sketch(engine, each, person, seed, portable=by == MD5)
        total = next(iter(found.values())).total
        if not total:
            raise InputError(f"{origin.name}: there are no records to look at")
        other, contained = _contained(found, contained_in, contained_csv, seed, progress)
        progress("done", 1, 1)
        return Sketch(
            source=origin.name,
            engine=engine.name,
            hash=by,
            user=person,
            records=total,
            at_most=at_most,
            seed=seed,
            sketches=tuple(column_sketch(each, one, at_most) for each, one in found.items()),
            other=other,
            contained=contained,
            remarks=tuple(_remarks(by, found)),
        )


def _remarks(by: str, found: dict[tuple[str, ...], ValueSketch]) -> Iterator[str]:
    yield NOT_JUDGED.format(KEPT)
    if by != MD5 and not all(each.whole for each in found.values()):
        yield OWN_HASH.format(by)


def column_sketch(columns: tuple[str, ...], found: ValueSketch, at_most: int) -> ColumnSketch:
    """The estimates and their bounds from the values that were kept."""
    few = found.people <= at_most
    risky, kept = int(few.sum()), found.kept
    records = found.records[few].astype(float)
    if found.whole:
        share, of_records = risky / kept, float(records.sum()) / found.total
        return ColumnSketch(
            columns, True, float(kept), float(kept), float(kept), share, share, of_records, of_records
        )
    each_stands_for = found.values / kept
    of_records = float(records.sum()) * each_stands_for / found.total
    spread = math.exp(_normal_quantile(CONFIDENCE) / math.sqrt(kept - 2))
    return ColumnSketch(
        columns=columns,
        exact=False,
        values=found.values,
        low=found.values / spread,
        high=found.values * spread,
        share=risky / kept,
        share_high=upper_share(risky, kept),
        records_share=min(1.0, of_records),
        records_share_high=min(1.0, max(of_records, _most_records(found, few) / found.total)),
    )


def _most_records(found: ValueSketch, few: NDArray[numpy.bool_]) -> float:
    """How many records values of few people have at most: the lower of two bounds, each with half the misses.

    Those of the values kept, and of heavier ones that were not: as many as the rule of three allows, none
    with more records than the fullest parts. Or all records but those that others have at least, of which
    a few heavy ones that were not kept only leave fewer.
    """
    each_stands_for, missed = found.values / found.kept, (1 - CONFIDENCE) / 2
    quantile, unseen = _normal_quantile(1 - missed), -math.log(missed)
    mine, others = found.records[few].astype(float), found.records[~few].astype(float)
    spread, other_spread = (quantile * math.sqrt(float((each**2).sum())) for each in (mine, others))
    seen = (float(mine.sum()) + spread + unseen * float(mine.max(initial=1))) * each_stands_for
    fullest = numpy.sort(found.parts)[::-1][: math.ceil(unseen * each_stands_for)]
    at_least = (float(others.sum()) - other_spread) * each_stands_for
    return min(seen + float(fullest.sum()), found.total - max(0.0, at_least))


def upper_share(hits: int, tries: int) -> float:
    """Clopper's and Pearson's one-sided bound: β⁻¹(0.95; hits + 1, tries − hits).

    >>> round(upper_share(0, 100), 4)
    0.0295
    """
    from scipy.special import betaincinv

    return 1.0 if hits == tries else float(betaincinv(hits + 1, tries - hits, CONFIDENCE))


def _normal_quantile(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))


def _columns(engine: Engine, columns: Sequence[str] | None, person: str | None) -> tuple[str, ...]:
    if columns is None:
        return tuple(each.name for each in engine.columns() if each.name != person)
    if not columns:
        raise UsageError("name at least one column to look at")
    return tuple(dict.fromkeys(columns))


def _contained(
    found: dict[tuple[str, ...], ValueSketch],
    data: Any,
    csv: CsvFormat | None,
    seed: int,
    progress: Progress,
) -> tuple[str | None, tuple[Containment, ...]]:
    """Each column in each of the other table's, unknown ones first; none that hardly share a value."""
    if data is None:
        return None, ()
    origin = source(data, csv=csv)
    contained = []
    with refuse_changes(origin), open_engine(origin, None) as other:
        names = [each.name for each in other.columns()]
        for index, name in enumerate(names):
            progress(f"two scans of {name[:40]} in the other table", index, len(names))
            theirs = value_sketch(other, (name,), None, seed)
            for columns, mine in found.items():
                if len(columns) == 1 and (one := _containment(columns[0], name, mine, theirs)):
                    contained.append(one)
    return origin.name, tuple(sorted(contained, key=_by_share))


def _by_share(each: Containment) -> tuple[float, str, str]:
    return -math.inf if each.share is None else -each.share, each.column, each.within


def _containment(column: str, within: str, mine: ValueSketch, theirs: ValueSketch) -> Containment | None:
    values, both = mine.below(theirs)
    if not values:
        return Containment(column, within, None, 0.0, 1.0)
    share, high = both / values, upper_share(both, values)
    if mine.whole and theirs.whole:
        return Containment(column, within, share, share, share) if both else None
    if not both and high < HARDLY_ANY:
        return None
    low = 1 - upper_share(values - both, values) if both else 0.0
    return Containment(column, within, share, low, high)
