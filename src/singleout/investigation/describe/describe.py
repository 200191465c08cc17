"""Describes a table: how much there is of what, and how alike people are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy

from singleout.checks import is_whole
from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import thread_count
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import UsageError
from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.investigation.describe.result import Description
from singleout.investigation.describe.shared_items import shared_items
from singleout.investigation.describe.sums import amounts_of_people, categories, months, scatters
from singleout.investigation.describe.value_ranges import column_range, domain_frequencies
from singleout.progress import teller
from singleout.roles.domain import Domain, domain

RULES: tuple[Missing, ...] = ("drop", "value")
NEEDS_PEOPLE = "items and domains are compared between people; name the user column by --user"


@takes_options(JobOptions, missing="drop")
def describe(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    item: str | None = None,
    time: str | None = None,
    amount: str | None = None,
    category: str | None = None,
    domains: Sequence[Domain | str] = (),
    show_values: bool = False,
    **options: Unpack[JobOptions],
) -> Description:
    """What kind of data is this: records, people, items a person, how alike two people are, sums, ranks?

    `item`, `time`, `amount` and `category` name the columns of what was bought or used, when, for how much
    and as which kind; a study's roles stand in for the first three. `domains` are kinds of use as for
    `entropy`, whose frequencies and sums of people are set side by side. Missing values are skipped; with
    `missing="value"` they count as a value. Without `show_values` nothing is told that is one person's own:
    no ends of ranges, no names of categories, no points of a scatter, no sum of fewer than five, and quarters
    of people's sums as the mean of five people. Ito et al. 2020, Table 3, and n.d., Section 4A.

    >>> import pyarrow
    >>> table = pyarrow.table({"who": [1, 1, 2, 2], "shop": ["a", "b", "b", "b"]})
    >>> found = describe(table, user="who", item="shop")
    >>> found.items.per_person.mean, found.items.shared, found.items.jaccard
    (1.5, 1.0, 0.5)
    """
    missing, progress = options["missing"], teller(options["progress"])
    checked_domains = _check_request(domains, missing, options["seed"])
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, origin):
        _check_columns(counter, plan, checked_domains, [item, time, amount, category])
        if plan.study is not None:
            item, time = item or plan.study.first("item"), time or plan.study.first("time")
            amount = amount or plan.study.first("amount")
        person = plan.user
        progress("looking at columns", 0, 1)
        ranges = tuple(column_range(counter, each, person, missing, show_values) for each in plan.columns)
        progress("comparing people", 0, 1)
        threads = thread_count(options["threads"])
        found = Description(
            source=origin.name,
            engine=counter.name,
            user=person,
            missing=missing,
            seed=options["seed"],
            records=plan.records,
            people=plan.people,
            columns=ranges,
            records_per_person=_records_of_people(counter, person, missing) if person else None,
            items=shared_items(counter, person, item, missing, options["seed"], threads)
            if person and item
            else None,
            amount=amount,
            amount_per_person=amounts_of_people(counter, person, amount, show_values)
            if person and amount
            else None,
            time=time,
            months=months(counter, time, amount, show_values) if time else (),
            category=category,
            categories=categories(counter, category, person, amount, show_values) if category else (),
            domains=tuple(
                domain_frequencies(counter, person, each, missing) for each in checked_domains if person
            ),
            scatters=scatters(counter, person, checked_domains, amount, show_values) if person else (),
            remarks=plan.remarks,
        )
    progress("done", 1, 1)
    return found


def _check_request(domains: Sequence[Domain | str], missing: Missing, seed: int) -> tuple[Domain, ...]:
    if isinstance(domains, str):
        raise UsageError(f"domains: {domains!r} is one; give a list")
    if not is_whole(seed):
        raise UsageError(f"the seed {seed!r} must be a whole number")
    if missing not in RULES:
        raise UsageError(
            f"missing values: {missing!r} is no rule for a description; there are {' and '.join(RULES)}"
        )
    checked = tuple(domain(each) if isinstance(each, str) else each for each in domains)
    names = [each.name for each in checked]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"two domains are called {twice[0]!r}; give each a name of its own")
    return checked


def _check_columns(
    counter: Engine, plan: CheckedQuestion, domains: Sequence[Domain], named: Sequence[str | None]
) -> None:
    wanted = [name for name in named if name is not None]
    known_columns(counter, [*wanted, *(column for each in domains for column in each.all_columns)])
    if plan.user is None and (domains or named[0] is not None):
        raise UsageError(NEEDS_PEOPLE)
    if plan.user is not None and plan.user in wanted:
        raise UsageError(f"{plan.user!r} is the user column; name another")


def _records_of_people(counter: Engine, person: str, missing: Missing) -> PeopleSpread:
    histogram = counter.sizes(Question((person,), None, missing)).histogram()
    sizes = numpy.repeat(numpy.array([*histogram]), numpy.array([*histogram.values()]))
    return PeopleSpread.of_counts(sizes)
