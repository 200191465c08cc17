"""A sample beside a table of everybody: k-map, journalist and marketer risk, δ-presence, all exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy

from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.pair_sizes import PairSizes, pair_sizes
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import InputError, UsageError, name_hint
from singleout.measurement import Measure, Measurement
from singleout.progress import teller
from singleout.read.source import CsvFormat
from singleout.result_table import Heading, ResultTable

ONLY_VALUES = (
    "a reference is compared with the missing rule value: who is dropped, or matches anything, may be "
    "singled out too"
)
EACH_RECORD = (
    "no person column of the reference was named: each of its records counts as a person, so that one with "
    "many records looks like many; name it by --reference-user"
)
AS_VALUES = "a missing value is a value, the same in both tables; no other rule is taken here"
WHO_KNOWS = (
    "numbers against a reference hold for somebody who does not know who was sampled; for who does, the risk "
    "is that of the sample itself"
)
EMPTY = "{}: the reference has no records; name a table of everybody whom the sample was drawn from"
LACKING = (
    "the reference lacks classes of the sample: of their people nobody can say how likely they are there"
)
FEWER = "the reference has fewer people of a class than the sample, so that it does not hold everybody"
NOT_THERE = "of a class that the reference lacks, the risk is taken as 1"


def _measure(
    name: str, title: str, question: str, formula: str, unit: str, reference: str, highest: float | None = 1
) -> Measure:
    return Measure(
        name=f"reference.{name}", title=title, question=question, formula=formula, unit=unit, lowest=0,
        highest=highest, better="higher" if name == "k_map" else "lower",
        counted_over="records" if name == "marketer" else "classes", missing=AS_VALUES, reference=reference,
    )  # fmt: skip


K_MAP = _measure(
    "k_map",
    "fewest people in the reference (k-map)",
    "How many people of the reference look like the least protected person of the sample?",
    "min over the sample's classes of the reference's people in it; 0 if it lacks one",
    "people",
    "Sweeney 2001; k-map in ARX",
    None,
)
JOURNALIST_HIGHEST = _measure(
    "journalist.highest",
    "highest risk against the reference (journalist risk)",
    "With what probability is the least protected person found by who does not know who was sampled?",
    f"1 / k-map; {NOT_THERE}",
    "probability",
    "El Emam and Dankar 2008; highest journalist risk in ARX",
)
MARKETER = _measure(
    "marketer",
    "average risk against the reference (marketer risk)",
    "With what probability is a record's person found by who does not know who was sampled, on average?",
    f"mean over the sample's records of 1 / people of the reference in their class; {NOT_THERE}",
    "probability",
    "El Emam and Dankar 2008; marketer risk in ARX",
)
PRESENCE_LOW = _measure(
    "presence.low",
    "lowest presence (δ-presence)",
    "Of whom is it least likely that they are in the sample, if they look like somebody there?",
    "min over the sample's classes of its people / the reference's people; unknown where the reference lacks "
    "one, or has fewer people of one",
    "probability",
    "Nergiz et al. 2007",
)
PRESENCE_HIGH = _measure(
    "presence.high",
    "highest presence (δ-presence)",
    "Of whom is it likeliest that they are in the sample?",
    "max over the sample's classes of its people / the reference's people, 1 at most; 1 if it lacks one",
    "probability",
    "Nergiz et al. 2007",
)
NOT_IN_REFERENCE = _measure(
    "classes_not_in_reference",
    "classes that the reference lacks",
    "How many of the sample's classes have nobody in the reference?",
    "classes of the sample without people of the reference",
    "classes",
    "unknown is never safe: k-map and the risks count them as singled out",
    None,
)
REFERENCE_MEASURES: tuple[Measure, ...] = (
    K_MAP,
    JOURNALIST_HIGHEST,
    MARKETER,
    PRESENCE_LOW,
    PRESENCE_HIGH,
    NOT_IN_REFERENCE,
)


@dataclass(frozen=True)
class ReferenceRisk:
    """The sample against a reference of so many `people`; `remarks` tell where the two do not fit."""

    source: str
    people: int
    classes: int
    k_map: Measurement
    journalist_highest: Measurement
    marketer: Measurement
    presence_low: Measurement
    presence_high: Measurement
    classes_not_in_reference: Measurement
    remarks: tuple[str, ...] = ()

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        return tuple(value for value in vars(self).values() if isinstance(value, Measurement))

    def to_dict(self) -> dict[str, Any]:
        told = {name: value.value for name, value in vars(self).items() if isinstance(value, Measurement)}
        unknown = {
            name: value.reason
            for name, value in vars(self).items()
            if isinstance(value, Measurement) and value.reason
        }
        about = {"source": self.source, "people": self.people, "classes": self.classes}
        return {**about, **told, "unknown": unknown, "remarks": list(self.remarks)}

    def table(self) -> ResultTable:
        rows = tuple((each.measure.title, each.value) for each in self.measurements)
        headings = (Heading("measure", ""), Heading("value", "value"))
        return ResultTable(f"Against the {self.people:,} people of {self.source}", headings, rows)


def check_reference(reference: str, names: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a reference that lacks columns, in one line however many these are."""
    lacking = [name for name in columns if name not in names]
    if lacking:
        more = f" nor {len(lacking) - 1} others" if len(lacking) > 2 else f" nor {lacking[-1]!r}"
        beside = more if len(lacking) > 1 else ""
        raise InputError(
            f"{reference}: the reference has no column {lacking[0]!r}{beside}; {name_hint(lacking[0], names)}"
        )


def reference_risk(
    pairs: PairSizes, source: str = "the reference", people: int = 0, *, unit_unsaid: bool = False
) -> ReferenceRisk:
    """From the people of each class in both tables.

    >>> pairs = PairSizes(*numpy.array([[2, 1], [2, 1], [4, 0]]))
    >>> found = reference_risk(pairs)
    >>> found.k_map.value, found.classes_not_in_reference.value, round(found.marketer.value, 3)
    (0, 1, 0.5)
    """
    if not len(pairs.records):
        raise InputError("there are no records to compare with a reference")
    there = pairs.reference > 0
    absent = int((~there).sum())
    risks = numpy.where(there, 1 / numpy.maximum(pairs.reference, 1), 1.0)
    presence = numpy.minimum(1.0, pairs.people[there] / pairs.reference[there])
    larger = int((pairs.people[there] > pairs.reference[there]).sum())
    average = math.fsum((pairs.records * risks).tolist()) / int(pairs.records.sum())
    unsure = LACKING if absent else FEWER if larger else None
    return ReferenceRisk(
        source=source,
        people=people,
        classes=len(there),
        k_map=Measurement(K_MAP, int(pairs.reference.min())),
        journalist_highest=Measurement(JOURNALIST_HIGHEST, float(risks.max())),
        marketer=Measurement(MARKETER, average),
        presence_low=Measurement(PRESENCE_LOW, None if unsure else float(presence.min()), unsure),
        presence_high=Measurement(PRESENCE_HIGH, 1.0 if absent else float(presence.max())),
        classes_not_in_reference=Measurement(NOT_IN_REFERENCE, absent),
        remarks=(*_remarks(absent, larger, len(there)), WHO_KNOWS, *([EACH_RECORD] if unit_unsaid else [])),
    )  # fmt: skip


def _remarks(absent: int, larger: int, classes: int) -> list[str]:
    remarks = []
    if absent:
        remarks.append(
            f"{absent:,} of {classes:,} classes have nobody in the reference, which therefore lacks people, "
            "or writes values in another way: they count as singled out"
        )
    if larger:
        remarks.append(
            f"{larger:,} of {classes:,} classes have fewer people in the reference than in the sample: it "
            "does not hold everybody"
        )
    return remarks


@takes_options(JobOptions)
def k_map(
    data: Any,
    reference: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    reference_user: str | None = None,
    reference_csv: CsvFormat | None = None,
    **options: Unpack[JobOptions],
) -> ReferenceRisk:
    """How well is the sample hidden among the people of a `reference`, a table of everybody?

    Both are counted by all `columns` together, which the reference must have too. `reference_user` names its
    person column (default: as in the sample, where the reference has it).

    >>> import pyarrow
    >>> everybody = pyarrow.table({"town": ["x", "x", "x", "y"]})
    >>> k_map(everybody.slice(0, 1), everybody).k_map.value
    3
    """
    if options["missing"] != "value":
        raise UsageError(ONLY_VALUES)
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, _):
        progress = teller(options["progress"])
        progress("counting the reference", 0, 1)
        found = k_map_of(counter, plan, plan.columns, reference, reference_user, reference_csv)
        progress("done", 1, 1)
        return found


def k_map_of(
    counter: Engine,
    plan: CheckedQuestion,
    columns: tuple[str, ...],
    reference: Any,
    reference_user: str | None = None,
    csv: CsvFormat | None = None,
) -> ReferenceRisk:
    """The same of a table that is open."""
    from singleout.engine.columns import known_columns
    from singleout.engine.open_engine import open_engine
    from singleout.engine.privacy_unit import privacy_unit
    from singleout.engine.session import refuse_changes
    from singleout.read.source import source

    origin = source(reference, csv=csv)
    with refuse_changes(origin), open_engine(origin, None) as other:
        names = tuple(each.name for each in other.columns())
        check_reference(origin.name, names, columns)
        same = plan.user if plan.user in names else None
        person = privacy_unit(other, reference_user or same, None, "--reference-user")
        known_columns(other, [] if person is None else [person])
        people = other.sizes(Question(() if person is None else (person,)))
        number = people.total_records if person is None else people.total_groups
        if not number:
            raise InputError(EMPTY.format(origin.name))
        pairs = pair_sizes((counter, plan.question(columns)), (other, Question(columns, person)))
        unsaid = person is None and reference_user is None
        return reference_risk(pairs, origin.name, number, unit_unsaid=unsaid)
