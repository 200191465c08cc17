"""Measures what the records of several domains tell about the people they belong to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Unpack

import numpy

from singleout.checks import is_whole
from singleout.engine.codes.parallel import map_parts
from singleout.engine.columns import known_columns
from singleout.engine.domain_events import Cells
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import thread_count
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import InputError, UsageError, name_hint
from singleout.progress import Progress, teller
from singleout.risk.entropy.amount_correlation import Correlation, correlations
from singleout.risk.entropy.chance_baseline import MOVES, chance
from singleout.risk.entropy.jaccard_distance import SAMPLED_PAIRS, likeness
from singleout.risk.entropy.joint_domains import joint_chance, joint_information
from singleout.risk.entropy.known_records import DRAWS, rule_of_thumb, success_after
from singleout.risk.entropy.mutual_information import information
from singleout.risk.entropy.person_value_counts import CountTable
from singleout.risk.entropy.posterior import posteriors
from singleout.risk.entropy.rare_values import rare_values
from singleout.risk.entropy.result import Disclosure, DomainDisclosure, GivenValues, JointDisclosure
from singleout.roles.domain import FORM, Domain, domain

KNOWN, MOST_KNOWN = (1, 2, 4, 8), 1000
RULES: tuple[Missing, ...] = ("drop", "value")
ONE_USE = "amounts are compared between domains with different filters; here all have the same"


@dataclass(frozen=True)
class Effort:
    """How much is drawn where counting would take too long, and told with an interval: events that are dealt
    anew by chance, people with their known records, pairs of people."""

    moves: int = MOVES
    draws: int = DRAWS
    pairs: int = SAMPLED_PAIRS


# one side of several that a report looks at
BRIEF = Effort(moves=4_000_000, draws=1_000, pairs=100_000)


@takes_options(JobOptions, missing="drop")
def entropy(
    data: Any,
    *,
    user: str | None = None,
    domains: Sequence[Domain | str],
    pairs: bool = True,
    triples: bool = False,
    known: Sequence[int] = KNOWN,
    given: Sequence[tuple[str, str]] = (),
    amount: str | None = None,
    **options: Unpack[JobOptions],
) -> Disclosure:
    """What does one record of each domain tell about the person, and what do two or three together?

    A domain is text like "stations=entry+exit@usage=traffic" or a `Domain`. `known` asks for the success
    after so many known records, `given` lists (domain, value) pairs that an attacker knows of one person, and
    `amount` names the column whose sums a person's domains are compared by.
    Missing values are skipped; with `missing="value"` they count as a value. Everything is counted over
    events: the values that a person's records have in the domain. Ito et al. n.d., Sec. III, and
    improvements to it.

    >>> import pyarrow
    >>> table = pyarrow.table({"who": [1, 1, 2, 2], "shop": ["a", "a", "b", "b"]})
    >>> entropy(table, user="who", domains=["shop=shop"]).domains[0].information.information
    1.0
    """
    return disclosure_by(data, user, domains, (pairs, triples), known, given, amount, Effort(), options)


def disclosure_by(
    data: Any,
    user: str | None,
    domains: Sequence[Domain | str],
    together: tuple[bool, bool],
    known: Sequence[int],
    given: Sequence[tuple[str, str]],
    amount: str | None,
    effort: Effort,
    options: JobOptions,
) -> Disclosure:
    """The same, with more or less effort for what can't be counted."""
    missing, seed, progress = options["missing"], options["seed"], teller(options["progress"])
    checked_domains = _check_request(domains, known, missing, seed)
    known_values = _known_values(checked_domains, given)
    with open_session(data, **count_options(options, user)) as (counter, plan, origin):
        person = _person(counter, plan, checked_domains)
        progress("counting events", 0, 1)
        cells = counter.events(
            person, (*checked_domains, *(each for parts in known_values for each in parts)), missing
        )
        amount_correlations = _amount_correlations(counter, plan, checked_domains, amount)
        name = counter.name
    tables = [_table(cells, index, each) for index, each in enumerate(checked_domains)]
    sizes = [1, *(size for size, wanted in zip((2, 3), together, strict=True) if wanted)]
    work = [indices for size in sizes for indices in combinations(range(len(checked_domains)), size)]
    run = _EntropyRun(checked_domains, tables, tuple(known), seed, thread_count(options["threads"]), effort)
    alone = range(len(checked_domains))

    def measure_alone(step: int, tell: Progress) -> DomainDisclosure:
        tell(f"measuring {checked_domains[step].name}", step, len(work))
        return run.measure_domain(step)

    run.alone.extend(map_parts(alone, measure_alone, run.threads, progress))
    for step, indices in enumerate(work[len(alone) :], len(alone)):
        progress("measuring " + " + ".join(checked_domains[index].name for index in indices), step, len(work))
        run.measure_together(indices)
    progress("done", len(work), len(work))
    return Disclosure(
        source=origin.name,
        engine=name,
        user=person,
        missing=missing,
        seed=seed,
        records=plan.records,
        people=plan.people,
        domains=tuple(run.alone),
        pairs=tuple(each for each in run.together if len(each.names) == 2),
        triples=tuple(each for each in run.together if len(each.names) == 3),
        given=_given_values(cells, checked_domains, tables, given, known_values),
        correlations=amount_correlations,
        remarks=(*plan.remarks, *run.remarks, *([ONE_USE] if amount and not amount_correlations else [])),
    )


@dataclass(frozen=True)
class _EntropyRun:
    """The domains' tables, and what was found so far: each alone first, then several together."""

    domains: tuple[Domain, ...]
    tables: list[CountTable]
    known: tuple[int, ...]
    seed: int
    threads: int
    effort: Effort
    alone: list[DomainDisclosure] = field(default_factory=list)
    together: list[JointDisclosure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def measure_together(self, indices: tuple[int, ...]) -> None:
        if self._share_people(indices):
            self.together.append(self._measure_joint(indices))
        else:
            names = " and ".join(self.domains[index].name for index in indices)
            self.remarks.append(f"nobody has a record in each of {names}: they can't be joined")

    def measure_domain(self, index: int) -> DomainDisclosure:
        table = self.tables[index]
        record_information = information(table)
        return DomainDisclosure(
            domain=self.domains[index],
            information=record_information,
            chance=chance(table, self.seed, self.threads, self.effort.moves),
            known=success_after(table, self.known, self.seed, self.threads, self.effort.draws),
            rule_of_thumb=rule_of_thumb(record_information),
            rare=rare_values(table),
            likeness=likeness(table, self.seed, self.threads, drawn=self.effort.pairs),
        )

    def _share_people(self, indices: tuple[int, ...]) -> bool:
        counts = [self.tables[index].by_person > 0 for index in indices]
        return bool(numpy.logical_and.reduce(counts).any())

    def _measure_joint(self, indices: tuple[int, ...]) -> JointDisclosure:
        names = [self.domains[index].name for index in indices]
        tables = [self.tables[index] for index in indices]
        return JointDisclosure(
            joint=joint_information(names, tables, self.seed, self.threads),
            chance=joint_chance(tables, self.seed, self.threads),
            sum_of_parts=math.fsum(self.alone[index].information.information for index in indices),
        )


def _check_request(
    domains: Sequence[Domain | str], known: Sequence[int], missing: Missing, seed: int
) -> tuple[Domain, ...]:
    if isinstance(domains, str) or not domains:
        raise UsageError(f"name at least one domain, in a list; {FORM}")
    if odd := [each for each in domains if not isinstance(each, (str, Domain))]:
        raise UsageError(f"{odd[0]!r} is no domain; {FORM}")
    checked_domains = tuple(domain(each) if isinstance(each, str) else each for each in domains)
    names = [each.name for each in checked_domains]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"two domains are called {twice[0]!r}; give each a name of its own")
    if is_whole(known) or not all(is_whole(number) and 1 <= number <= MOST_KNOWN for number in known):
        raise UsageError(f"known records: give whole numbers from 1 to {MOST_KNOWN}, not {known!r}")
    if not is_whole(seed):
        raise UsageError(f"the seed {seed!r} must be a whole number")
    if missing not in RULES:
        known_rules = " and ".join(RULES)
        raise UsageError(f"missing values: {missing!r} is no rule for events; there are {known_rules}")
    return checked_domains


def _person(counter: Engine, plan: CheckedQuestion, domains: Sequence[Domain]) -> str:
    if plan.user is None:
        raise UsageError("entropy asks whose record it is; name the user column by --user")
    for each in domains:
        known_columns(counter, each.all_columns)
        if plan.user in each.columns:
            raise UsageError(
                f"domain {each.name!r}: {plan.user!r} is the user column, which tells everything"
            )
    return plan.user


def _table(cells: Cells, index: int, each: Domain) -> CountTable:
    here = cells.domain == index
    if not here.any():
        where = " and ".join(f"{column} is {value!r}" for column, value in each.filters)
        columns = " or ".join(each.columns)
        filtered = f" where {where}; check the filter" if where else "; name another column"
        raise InputError(f"domain {each.name!r}: no record has a value of {columns}{filtered}")
    values = int(cells.value[here].max()) + 1
    return CountTable.of(cells.person[here], cells.value[here], cells.count[here], cells.people, values)


def _known_values(domains: Sequence[Domain], given: Sequence[tuple[str, str]]) -> list[tuple[Domain, ...]]:
    """For each known value, the domain's records that have it, column by column."""
    by_name = {each.name: each for each in domains}
    if any(isinstance(pair, str) or [*map(type, pair)] != [str, str] for pair in given):
        raise UsageError("given: list pairs of a domain's name and a value, both as text")
    for name, _ in given:
        if name not in by_name:
            raise UsageError(f"given: there is no domain {name!r}; {name_hint(name, by_name)}")
    return [by_name[name].restrict(value) for name, value in given]


def _given_values(
    cells: Cells,
    domains: Sequence[Domain],
    tables: Sequence[CountTable],
    given: Sequence[tuple[str, str]],
    known_values: Sequence[tuple[Domain, ...]],
) -> GivenValues | None:
    """The events of a known value come after those of all domains, one part a column."""
    if not given:
        return None
    value_counts, part = [], len(domains)
    for parts in known_values:
        here = (cells.domain >= part) & (cells.domain < part + len(parts))
        counts = numpy.bincount(cells.person[here], cells.count[here], cells.people)
        value_counts.append(counts.astype(numpy.int64))
        part += len(parts)
    names = [each.name for each in domains]
    records = [tables[names.index(name)].by_person for name, _ in given]
    people = int(numpy.logical_and.reduce([counts > 0 for counts in value_counts]).sum())
    return GivenValues(tuple(given), people, posteriors(value_counts, records))


def _amount_correlations(
    counter: Engine, plan: CheckedQuestion, domains: tuple[Domain, ...], amount: str | None
) -> tuple[Correlation, ...]:
    """By the amounts of the named column, or of the study's first; by the numbers of records anyway.

    Domains with the same filter are columns of the same records: of these the first stands for all.
    """
    assert plan.user
    amount = plan.study.first("amount") if amount is None and plan.study else amount
    known_columns(counter, [] if amount is None else [amount])
    uses = list({each.filters: each for each in reversed(domains)}.values())[::-1]
    if len(uses) < 2:
        return ()
    sums = counter.amounts(plan.user, uses, amount, plan.missing)
    amounts = sums.amounts if amount else [None] * len(uses)
    return correlations([each.name for each in uses], sums.records, amounts)
