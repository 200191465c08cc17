"""Dummy records for a person at a terminal: what they cost and protect, then the clusters and the columns."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from singleout.deidentify.dummies.result import Concealment
from singleout.report.terminal.layout import bar, safe_text, share_text, short_number, show_page, titled_table
from singleout.result_table import table_size

BINS = 12
DEFINITIONS = (
    ("bound", "clusters / people; it holds on average for whoever knows item sets and nothing else"),
    ("highest risk", "1 / people of the smallest cluster; for whoever knows item sets and nothing else"),
    (
        "comprehensive",
        "cost and risk in one number: α·E(dummies) + clusters / people; one single cluster costs 1",
    ),
    ("equally popular", "the estimate of Ito et al. 2020, beside which any method looks good"),
    ("missing", "a missing item is an item like any other"),
)


def show_concealment(found: Concealment) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.source}: {table_size(found.records, found.people)}"
    show_page(title, sentences(found), _tables(found), DEFINITIONS, found.remarks)


def sentences(found: Concealment) -> list[str]:
    return [
        _clusters_sentence(found),
        _recognition(found),
        _random_comparison(found),
        _output_sentence(found),
    ]


def _clusters_sentence(found: Concealment) -> str:
    sizes = (
        f"{found.smallest:,}"
        if found.smallest == found.largest
        else f"{found.smallest:,} to {found.largest:,}"
    )
    clusters = _plural(len(found.clusters), "cluster")
    return (
        f"{_plural(found.dummies, 'dummy record')} beside {found.records - found.removed:,} real ones"
        f"{f' ({found.removed:,} are left out)' if found.removed else ''} put {found.people:,} "
        f"people into {clusters} of {sizes}: all people of a cluster have the same set of {found.item}."
    )


def _recognition(found: Concealment) -> str:
    stay = "is alone in a cluster" if found.singletons == 1 else "are alone in a cluster"
    alone = f" {_plural(found.singletons, 'person', 'people')} {stay}." if found.singletons else ""
    return (
        f"Whoever knows people's sets of {found.item}, and nothing else, recognises at most "
        f"{share_text(found.bound)} of them on average, and each of them with a probability of at most "
        f"{short_number(1 / found.smallest)}. Naming the nearest set (Jaccard) recognises "
        f"{found.jaccard.identified:,.4g} ({share_text(found.jaccard.rate)}).{alone} Whoever knows more may "
        "recognise more: try it with singleout attack."
    )


def _random_comparison(found: Concealment) -> str:
    if found.removed:
        return (
            "A random grouping into as many clusters, by dummies alone, would need "
            f"{found.expected.by_popularity:,.0f} on average; here {found.dummies + found.removed:,} records "
            "are added or left out."
        )
    if found.to_random is None:
        return "A random grouping into as many clusters would need no dummies either."
    return (
        f"A random grouping into as many clusters would need {found.expected.by_popularity:,.0f} dummies on "
        f"average: this one needs {share_text(found.to_random)} of that."
    )


def _output_sentence(found: Concealment) -> str:
    if found.out is None:
        return (
            "Nothing is written: add --out FILE to make the release, --truth and --dummies-out to know it "
            "again."
        )
    return (
        f"{found.out} holds {found.written['out']:,} records under fresh names. It was read back: all people "
        "of a cluster have the same items."
    )


def _tables(found: Concealment) -> Iterator[Table]:
    yield _clusters(found)
    yield _expectation(found)
    yield _columns(found)


def _clusters(found: Concealment) -> Table:
    """A line for each size, or for each range of sizes where there are many."""
    table = titled_table("How many people hide together")
    for title in ("people in a cluster", "clusters", "people"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("dummies", justify="right", no_wrap=True)
    for first, last in _ranges(sorted(found.sizes)):
        some = [each for each in found.clusters if first <= each.size <= last]
        people, dummies = sum(each.size for each in some), sum(each.dummies for each in some)
        sizes = f"{first:,}" if first == last else f"{first:,}–{last:,}"
        share = bar(people / found.people, 20)
        table.add_row(sizes, f"{len(some):,}", f"{people:,}", share, f"{dummies:,}")
    return table


def _ranges(sizes: list[int]) -> list[tuple[int, int]]:
    """Each size, or ranges of equal width that hold at least one.

    >>> _ranges([1, 4, 5]), len(_ranges(list(range(1, 100))))
    ([(1, 1), (4, 4), (5, 5)], 11)
    """
    if len(sizes) <= BINS:
        return [(size, size) for size in sizes]
    width = -(-(sizes[-1] - sizes[0] + 1) // BINS)
    starts = sorted({sizes[0] + (size - sizes[0]) // width * width for size in sizes})
    return [(start, start + width - 1) for start in starts]


def _expectation(found: Concealment) -> Table:
    table = titled_table("What a random grouping into as many clusters would need")
    table.add_column("", overflow="fold")
    for title in ("dummies", "comprehensive", "best clusters", "its value"):
        table.add_column(title, justify="right", no_wrap=True)
    rows = (
        ("by how popular each item is", found.expected.by_popularity, found.comprehensive_by_popularity),
        ("all items equally popular", found.expected.uniform, found.comprehensive),
    )
    for name, dummies, balance in rows:
        best = f"{balance.best_clusters:,}"
        table.add_row(
            name, f"{dummies:,.0f}", short_number(balance.value), best, short_number(balance.best_value)
        )
    return table


def _columns(found: Concealment) -> Table:
    table = titled_table("Where the values of a dummy record come from")
    table.add_column("column", overflow="fold", min_width=12)
    table.add_column("value", overflow="fold")
    for name, words in found.columns.items():
        table.add_row(safe_text(name), safe_text(words))
    return table


def _plural(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
