"""The description of a table for a person at a terminal: how alike people are first, then the counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.investigation.describe.result import Description
from singleout.report.terminal.layout import (
    bar,
    long_number,
    plain_table,
    safe_text,
    share_text,
    short_number,
    show_page,
    sparks,
    titled_table,
)
from singleout.report.wording import ONE_RECORD
from singleout.result_table import table_size

PEOPLE_TITLE = "What one person has"
CORRELATION_TITLE = "Do people with much in one domain have much in another? (Pearson, over people)"
DEFINITIONS = (
    ("half", "the median: half of the people have at most as much; likewise the quarters"),
    ("sum of …", "its quarters are means of five people each, unless --show-values tells people's own"),
    ("alike", "share of two people's items that both have (Jaccard)"),
    ("–", "unknown, not there, or somebody's own value, which --show-values tells"),
)


def show_description(found: Description) -> None:
    """The result on standard output, remarks on standard error."""
    skipped = "are skipped" if found.missing == "drop" else "count as a value of their own"
    title = f"{found.source}: {table_size(found.records, found.people)}"
    definitions = (*DEFINITIONS, ("missing values", skipped))
    show_page(title, sentences(found), _tables(found), definitions, found.remarks)


def _records(mean: float | None) -> str:
    number = short_number(mean)
    return f"{number} {'record' if number == '1' else 'records'}"


def sentences(found: Description) -> list[str]:
    """Records, items and likeness, each in a sentence."""
    if found.records_per_person is None:
        return [f"There are {found.records:,} records; {ONE_RECORD}."]
    texts = [
        f"A person has {_records(found.records_per_person.mean)} on average; half of the people "
        f"have {short_number(found.records_per_person.median)} or fewer."
    ]
    items = found.items
    if items is None:
        return texts
    texts.append(
        f"Of {items.items:,} different values of {items.item}, a person has "
        f"{short_number(items.per_person.mean)} on average (b)."
    )
    like = items.likeness
    if like is None or items.jaccard is None:
        return texts
    about = "" if like.exact else "about "
    at_most = (
        "the two who are most alike share "
        f"{share_text(like.most_alike)}{'' if like.exact else ' or more: not all pairs were looked at'}"
    )
    texts.append(
        f"Two people have {short_number(items.shared)} of them in common (h): on average {about}"
        f"{share_text(items.jaccard)} of what either has (Jaccard); {at_most}."
    )
    return texts


def people_rows(found: Description) -> Iterator[tuple[Any, ...]]:
    """Mean, ends and quartiles of what a person has."""
    spreads: list[tuple[str, PeopleSpread | None]] = [
        ("records", found.records_per_person),
        (
            f"different {found.items.item}" if found.items else "",
            found.items.per_person if found.items else None,
        ),
        (f"sum of {found.amount}", found.amount_per_person),
    ]
    for name, each in spreads:
        if each is not None:
            quarters = (each.quarter, each.median, each.three_quarters)
            yield (name, each.mean, each.lowest, *quarters, each.highest)


def correlation_rows(found: Description) -> Iterator[tuple[str, str, int, str]]:
    for each in found.scatters:
        told = each.correlation
        value = f"{told.pearson:.3f}" if told.pearson is not None else str(told.reason)
        yield (told.first, told.second, told.people, value)


def _tables(found: Description) -> Iterator[Table]:
    people = [*people_rows(found)]
    if people:
        yield _plain(
            PEOPLE_TITLE, ("", "mean", "lowest", "a quarter", "half", "three\nquarters", "highest"), people
        )
    if found.items is not None and found.items.likeness is not None:
        yield _likeness(found)
    yield plain_table(found.table())
    if found.domains:
        rows = [(each.name, each.all_values, each.all_records, max(each.records)) for each in found.domains]
        yield _plain("Values of each domain", ("domain", "values", "times in all", "most frequent"), rows)
    if found.months:
        rows_of_months = [(each.month, each.records, each.amount) for each in found.months]
        yield _plain("Month by month", ("month", "records", f"sum of {found.amount or '–'}"), rows_of_months)
    if found.categories:
        yield _categories(found)
    if found.scatters:
        yield _plain(CORRELATION_TITLE, ("of", "with", "people", "correlation"), [*correlation_rows(found)])


def _plain(title: str, headings: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    table = titled_table(title)
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left", overflow="fold", no_wrap=index > 1)
    for row in rows:
        table.add_row(*(safe_text(each if isinstance(each, str) else long_number(each)) for each in row))
    return table


def _likeness(found: Description) -> Table:
    assert found.items
    assert found.items.likeness
    table = titled_table("How many pairs of people are how alike (Jaccard)")
    table.add_column("pairs", justify="right", no_wrap=True)
    table.add_column("alike: 0% … 100%, in steps of 5%", no_wrap=True)
    bins = list(reversed(found.items.likeness.bins))
    steps = [sum(bins[start : start + 5]) for start in range(0, len(bins), 5)]
    table.add_row(f"{found.items.likeness.pairs:,}", sparks([each / max(steps) for each in steps]))
    return table


def _categories(found: Description) -> Table:
    table = titled_table(f"What the records are, by {found.category}")
    table.add_column("category", overflow="fold", min_width=8)
    for heading in ("records", "share", "people", "of a person's\n(mean)", "sum"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.categories:
        own = share_text(each.of_people.mean) if each.of_people and each.of_people.mean is not None else "–"
        counts = (short_number(each.records), share_text(each.share), short_number(each.people))
        table.add_row(safe_text(each.name), *counts, own, long_number(each.amount), bar(each.share))
    return table
