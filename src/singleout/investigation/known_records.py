"""Known records among everybody: how many people a few of them would single out in the whole population."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from singleout.attacks.attack import attack
from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.engine.job_options import JobOptions, count_options
from singleout.engine.session import open_session
from singleout.errors import UsageError
from singleout.progress import Progress, progress_about, silent, teller
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.population.measures import POPULATION_MARKETER, POPULATION_UNIQUE
from singleout.risk.population.population import (
    SEVERAL_KNOWN,
    population_view,
    remark_on_records,
    unlike_people,
)
from singleout.risk.population.result import PopulationEstimate, PopulationView
from singleout.risk.population.sample_classes import SampleClasses
from singleout.roles.known_column import KnownColumn
from singleout.roles.population_size import PopulationSize, population_size

NO_SIZE = (
    "known records are asked about a population here; say how many people it has by --population or --sampled"
)
NO_PEOPLE = "known records are those of people with several; name the person column by --user"
NO_RECORDS = "no known records were looked at, of which a law could be fitted; ask for some by --points"
LESS_IS_MORE = "it says {:.3f} at most, but less is known by {}, and that says {:.3f}"
NOT_ALL_FIT = "the known records do not fit everybody's own release, and who is not found follows no law"


@dataclass(frozen=True)
class KnownRecordsLaw:
    """The population for somebody who knows `points` records of a person by `columns`.

    `unique` and `rate` are of the table itself; without a `view`, a `reason` says why there is none.
    """

    columns: tuple[KnownColumn, ...]
    points: int
    unique: float
    rate: float
    view: PopulationView | None
    reason: str | None = None

    @property
    def knowledge(self) -> str:
        return f"{self.points} by {in_words([each.words for each in self.columns])}"

    @property
    def law(self) -> PopulationEstimate | None:
        """Unknown numbers and no interval where the back-test refused it."""
        return None if self.view is None else self.view.of("law")

    @property
    def why(self) -> str | None:
        """Why the population is unknown, if it is."""
        return self.view.reason if self.view else self.reason

    def to_dict(self) -> dict[str, Any]:
        return {
            "columns": [vars(each).copy() for each in self.columns],
            "points": self.points,
            "unique": self.unique,
            "rate": self.rate,
            "population": self.view and self.view.to_dict(),
            "reason": self.why,
        }


@dataclass(frozen=True, repr=False)
class KnownRecordsLaws(TableResult):
    """One law for each number of known records and each way to know them, for a population of `size`."""

    size: int
    laws: tuple[KnownRecordsLaw, ...]

    def __repr__(self) -> str:
        return f"<KnownRecordsLaws: {len(self.laws)} for a population of {self.size:,}>"

    @property
    def remarks(self) -> tuple[str, ...]:
        """For whom all of them hold; how many records each is of, it says itself."""
        views = [each.view for each in self.laws if each.view]
        own = {SEVERAL_KNOWN, *(remark_on_records(each.points) for each in self.laws)}
        said = dict.fromkeys(remark for view in views for remark in view.remarks)
        return tuple(each for each in said if each not in own)

    def to_dict(self) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self.laws]

    def table(self) -> ResultTable:
        headings = (
            Heading("known", "known records"),
            Heading("unique", "unique in the table"),
            Heading.of("unique_share", "unique among all", POPULATION_UNIQUE),
            Heading.of("low", "low", POPULATION_UNIQUE),
            Heading.of("high", "high", POPULATION_UNIQUE),
            Heading("rate", "average risk in the table"),
            Heading.of("marketer", "average risk among all", POPULATION_MARKETER),
            Heading.of("marketer_high", "at most", POPULATION_MARKETER),
            Heading("reason", "why not"),
        )
        rows = tuple(_row(each) for each in self.laws)
        return ResultTable(f"Known records in the population of {self.size:,}", headings, rows)


def known_records(
    found: Reidentification,
    *,
    population: int | None = None,
    sampled: float | None = None,
    progress: Progress = silent,
) -> KnownRecordsLaws:
    """How many people would known records single out among all whom the release is a sample of?

    From what `attack` found: how many people of the release fit what is known of each. The law of their
    numbers is fitted to the exact mean over all smaller sets of people, and tested on a tenth and a third of
    them, as for a table of one record a person.

    >>> import pyarrow
    >>> shop = pyarrow.table({"who": [1, 1, 2, 3], "goods": ["tea", "milk", "tea", "salt"]})
    >>> laws = known_records(attack(shop, shop, user="who", attacks=[], points=[1]), population=30)
    >>> laws.laws[0].why
    'this data does not tell: 3 people are too few to test a model on a tenth of them; it takes 1,000'
    """
    size = population_size(population, sampled)
    if size is None:
        raise UsageError(NO_SIZE)
    return _laws(found, size, progress)


def _laws(
    found: Reidentification, size: PopulationSize, progress: Progress, unlike: str | None = None
) -> KnownRecordsLaws:
    drawn = [each for each in found.unicity if not each.worst]
    if not drawn:
        raise UsageError(NO_RECORDS)
    people, laws = size.people_of(found.people), []
    for index, each in enumerate(drawn):
        progress("laws of known records", index, len(drawn))
        laws.append(_law(each, people, found.seed, unlike))
    progress("done", 1, 1)
    return KnownRecordsLaws(people, tuple(_refused(each, laws) for each in laws))


def known_records_of(
    data: Any,
    size: PopulationSize,
    *,
    user: str | None,
    columns: Sequence[str] | None,
    points: Sequence[int],
    granularity: Mapping[str, Sequence[str]] | None,
    options: JobOptions,
) -> KnownRecordsLaws:
    """The same of a table itself: who knows some records of a person looks for all of them there."""
    progress = progress_about("known records", teller(options["progress"]))
    again: JobOptions = {**options, "progress": progress}
    found = attack(
        data, data, user=user, columns=columns, attacks=[], points=points, granularity=granularity, **again
    )
    if found.user is None:
        raise UsageError(NO_PEOPLE)
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, _):
        unlike = unlike_people(counter, plan, size.people_of(plan.people))
    return _laws(found, size, progress, unlike)


def _law(each: Narrowed, people: int, seed: int, unlike: str | None) -> KnownRecordsLaw:
    assert each.found is not None
    all_fit = abs(sum(each.found.values()) - each.people) < 1e-6 * each.people
    view = None
    if all_fit:
        sample = SampleClasses.of_candidates(each.found.items())
        view = population_view(sample, people, seed, silent, each.points, unlike)
    reason = None if all_fit else NOT_ALL_FIT
    return KnownRecordsLaw(each.columns, each.points, each.unique, each.rate, view, reason)


def _refused(law: KnownRecordsLaw, laws: Sequence[KnownRecordsLaw]) -> KnownRecordsLaw:
    """Without its view where somebody who knows less would find more: then one of both laws is wrong."""
    interval = law.law.interval(POPULATION_UNIQUE) if law.law else None
    for other in laws if interval else ():
        value = other.law.measurement(POPULATION_UNIQUE).value if other.law else None
        if interval and value is not None and value > interval[1] and _knows_more(law, other):
            return replace(law, view=None, reason=LESS_IS_MORE.format(interval[1], other.knowledge, value))
    return law


def _knows_more(law: KnownRecordsLaw, other: KnownRecordsLaw) -> bool:
    finer = {each.name: each for each in law.columns}
    return law.points >= other.points and all(
        each.name in finer and finer[each.name].is_finer(each) for each in other.columns
    )


def _row(each: KnownRecordsLaw) -> tuple[Any, ...]:
    unique = average = low = high = most = None
    why = each.why
    if (law := each.law) is not None:
        unique, average = (law.measurement(one).value for one in (POPULATION_UNIQUE, POPULATION_MARKETER))
        low, high = law.interval(POPULATION_UNIQUE) or (None, None)
        _, most = law.interval(POPULATION_MARKETER) or (None, None)
        why = why or law.measurement(POPULATION_MARKETER).reason
    return each.knowledge, each.unique, unique, low, high, each.rate, average, most, why
