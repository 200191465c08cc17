"""Several releases for a person at a terminal: which is best, where each stands, and all of their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from singleout.report.charts.release_letters import LONGEST, mark_of, short_names
from singleout.report.terminal.layout import safe_text, share_text, show_page, titled_table
from singleout.report.terminal.metric_words import (
    ABREAST,
    RATE,
    missing_rule,
    questions,
    unknown_table,
    untouched_value,
    value_text,
)
from singleout.result_table import cell_text
from singleout.utility.compare.ranking import Ranking, Standing
from singleout.utility.compare.result import Comparison

WIDTH, HEIGHT = 56, 11
# the original has a sign of its own
ORIGINAL = "●"


@dataclass(frozen=True)
class LetterDot:
    """`across` and `up` are shares of the field, from 0 at the left and at the bottom to 1."""

    mark: str
    across: float
    up: float


def scatter_plot(dots: Sequence[LetterDot], left: str, right: str, width: int = WIDTH) -> list[str]:
    """The field line by line, with a scale from 0 to 100% at its side; `left` and `right` stand below it.

    A dot whose place is taken moves to the next free one.

    >>> dots = [LetterDot("A", 0, 1), LetterDot("B", 1, 0.5), LetterDot("C", 0, 1)]
    >>> for line in scatter_plot(dots, "1", "2", width=8):
    ...     print(line)
    100% ┤AC
         │
         │
         │
         │
     50% ┤       B
         │
         │
         │
         │
      0% ┤
         └────────
          1      2
    """
    field = [[" "] * width for _ in range(HEIGHT)]
    for dot in dots:
        row = field[round((1 - dot.up) * (HEIGHT - 1))]
        _put(row, round(dot.across * (width - 1)), dot.mark)
    scale = {0: "100% ┤", HEIGHT // 2: " 50% ┤", HEIGHT - 1: "  0% ┤"}
    lines = [scale.get(index, "     │") + "".join(row) for index, row in enumerate(field)]
    below = f"      {left}{right:>{max(width - len(left), len(right))}}"
    return [line.rstrip() for line in (*lines, f"     └{'─' * width}", below)]


def _put(row: list[str], column: int, mark: str) -> None:
    free = next((each for each in _nearest_columns(column, len(row)) if row[each] == " "), None)
    if free is not None:
        row[free] = mark


def _nearest_columns(column: int, width: int) -> Iterator[int]:
    """The places of a row, from this one away, to the right first."""
    return iter(sorted(range(width), key=lambda candidate: (abs(candidate - column), candidate < column)))


NAME, NAMED = 32, 4
RANKS = (
    ("utility", "rank by the mean of the ranks on each metric, 1 is best; what is unknown comes last"),
    (
        "privacy",
        "rank by the highest rate of all attacks; none without attacks, last if columns were not compared",
    ),
    (
        "mean",
        "of both ranks; below the original's a release is the better bargain, which says nothing of safety",
    ),
)
BEST = ("best", "what an untouched table gets")


def show_ranking(found: Comparison, ranking: Ranking) -> None:
    title = (
        f"{len(found.outcomes)} releases beside {found.original}: "
        f"{found.original_records:,} records of {found.original_people:,} people"
    )
    names = short_names([each.release for each in found.outcomes])
    tables = [_ranks(found, ranking, names), *_field(ranking)]
    for start in range(0, len(found.outcomes), ABREAST):
        tables += _release_columns(found, start)
    risk = RATE[:1] if any(each.privacy for each in found.outcomes) else ()
    definitions = [*RANKS, BEST, *questions(found), *risk, missing_rule(found)]
    tables += unknown_table(found.outcomes)
    show_page(title, [*best_sentences(ranking, names)], tables, definitions, [*all_remarks(found, names)])


def all_remarks(found: Comparison, names: Sequence[str]) -> Iterator[str]:
    """What is said of all is said once."""
    yield from found.remarks
    of_all = [
        each for each in found.outcomes[0].remarks if all(each in one.remarks for one in found.outcomes)
    ]
    yield from (each for each in of_all if each not in found.remarks)
    for outcome, name in zip(found.outcomes, names, strict=True):
        own_remarks = (each for each in outcome.remarks if each not in (*found.remarks, *of_all))
        yield from (f"{name}: {each}" for each in own_remarks)


def best_sentences(ranking: Ranking, names: Sequence[str]) -> Iterator[str]:
    """Which is best, how many beat the original, and of which the risk is unknown."""
    if ranking.boundary is None or not ranking.with_both:
        yield "Which release is the best bargain can't be said: that takes both utility and attacks."
        return
    best, better = ranking.best_first[0], sum(map(bool, map(ranking.better_than_original, ranking.releases)))
    equals = [index for index, each in enumerate(ranking.releases) if each.overall == ranking.boundary]
    (first,) = _release_labels([ranking.releases.index(best)], names)
    if best.overall == ranking.boundary:
        yield _draw_sentence([*_release_labels(equals, names)], ranking.boundary)
    else:
        yield _bargain_sentence(first, best, ranking.boundary, better)
    if better > 1:
        yield f"{better:,} of {len(ranking.with_both):,} releases are a better bargain than the original."
    yield _safety_sentence(first, best)
    unknown = [each.overall is None or not each.compared for each in ranking.releases]
    if others := [index for index, each in enumerate(unknown) if each]:
        listed = ", ".join(f"{mark_of(each)} ({names[each]})" for each in others)
        yield f"The risk of {listed} is unknown: no attack was made, or not all columns could be compared."


def _release_labels(indexes: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    yield from (f"{mark_of(index)}, {names[index]}" for index in indexes)


def _draw_sentence(equals: Sequence[str], rank: float) -> str:
    who = "; ".join(equals) if len(equals) <= NAMED else f"{len(equals):,} releases"
    have = "has" if len(equals) == 1 else "have"
    return (
        f"No release is a better bargain than the untouched original: {who} {have} the mean rank "
        f"{rank:g}, as has the original."
    )


def _bargain_sentence(first: str, best: Standing, boundary: float, better: int) -> str:
    ranks = (
        f"mean of the ranks for utility and privacy {best.overall:g}, the untouched original's {boundary:g}"
    )
    if better:
        return f"The best bargain of use and protection is {first} ({ranks}; 1 is best)."
    return (
        f"No release is a better bargain than the untouched original. {first}, comes nearest "
        f"({ranks}; 1 is best)."
    )


def _safety_sentence(first: str, best: Standing) -> str:
    """A rank is about the releases beside it, not about people."""
    least = "" if best.compared else "at least "
    return (
        f"That says nothing of safety: of the people in {first}, "
        f"{least}{share_text(best.highest_rate or 0)} are recognised by the best attack found."
    )


def _ranks(found: Comparison, ranking: Ranking, names: Sequence[str]) -> Table:
    table = titled_table("Which is the best bargain")
    table.add_column("", no_wrap=True)
    table.add_column("release", overflow="fold", max_width=LONGEST)
    for title in ("utility", "privacy", "mean", "highest rate"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in ranking.best_first:
        index = ranking.releases.index(each)
        better = {True: "better", False: "", None: ""}[ranking.better_than_original(each)]
        table.add_row(mark_of(index), safe_text(names[index]), *_rank_cells(each), better)
    own = safe_text(f"the original, {short_names([found.original])[0]}")
    table.add_row(ORIGINAL, own, *_rank_cells(ranking.original), "boundary")
    return table


def _rank_cells(each: Standing) -> tuple[str, ...]:
    rate = "–" if each.highest_rate is None else f"{'' if each.compared else '≥ '}{each.highest_rate:.1%}"
    return (*map(cell_text, (each.utility_rank, each.privacy_rank, each.overall)), rate)


def _field(ranking: Ranking) -> Iterator[Table]:
    """Where each stands: the mean place on the metrics, and the highest rate of an attack."""
    if ranking.boundary is None or not ranking.with_both:
        return
    many = len(ranking.releases) + 1
    marked = [(mark_of(index), each) for index, each in enumerate(ranking.releases)]
    dots = [
        LetterDot(mark, (each.utility_score - 1) / (many - 1), each.highest_rate)
        for mark, each in (*marked, (ORIGINAL, ranking.original))
        if each.utility_score is not None and each.highest_rate is not None
    ]
    table = titled_table("Highest attack rate (up: more risk) by mean rank on metrics (right: less use)")
    table.add_column("", no_wrap=True)
    for line in scatter_plot(dots, "1 (best)", f"{many} (worst)"):
        table.add_row(line)
    table.show_header = False
    yield table


def _release_columns(found: Comparison, start: int) -> Iterator[Table]:
    """A few releases in columns: what each has kept, and how many each attack recognises."""
    shown = found.outcomes[start : start + ABREAST]
    marks = [mark_of(start + offset) for offset in range(len(shown))]
    metrics = dict.fromkeys(each.name for outcome in shown for each in outcome.utility)
    if metrics:
        table = _columns("What is kept", "metric", marks, "best")
        for name in metrics:
            each = [outcome.metric(name) for outcome in shown]
            measure = next(finding.measure for finding in each if finding)
            table.add_row(_breakable_name(name), *map(value_text, each), cell_text(untouched_value(measure)))
        yield table
    attacks = dict.fromkeys(each.name for outcome in shown for each in outcome.privacy)
    if attacks and found.untouched:
        table = _columns("Who is recognised", "attack", marks, "original")
        for name in attacks:
            attempts = [outcome.attack(name) for outcome in (*shown, found.untouched)]
            table.add_row(
                safe_text(name), *("–" if each is None else f"{each.rate:.1%}" for each in attempts)
            )
        yield table


def _breakable_name(name: str) -> Text:
    """A long name is broken where its parts end."""
    return safe_text(name if len(name) <= NAME else name.replace(".", " ."))


def _columns(title: str, what: str, marks: Sequence[str], last: str) -> Table:
    table = titled_table(title)
    table.add_column(what, overflow="fold", max_width=NAME)
    for mark in (*marks, last):
        table.add_column(mark, justify="right", no_wrap=True)
    return table
