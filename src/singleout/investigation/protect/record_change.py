"""What can be done with records: cut histories, leave people out, thin, shift dates, hide by dummies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from singleout.errors import SingleoutError
from singleout.investigation.protect.ladder import StepContent
from singleout.policy.rules.rule import Rule
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.day_columns import days_of

# how many records of a person are left at most, by what share of people have no more than that
CUTS = (0.9, 0.5, 0.25, 0.1)
SMALL_CUTS = (5, 2, 1)
# the few with the most records
HEAVIEST = (0.01, 0.05, 0.1)
SHARES = (0.5, 0.1)
DAYS = (7, 30)
# of more people, dummies take longer than the other recipes of a search together
MOST_HIDDEN = 20_000


@dataclass(frozen=True)
class LocalGoal:
    """What every record must have: `k` look-alikes, among them `diverse` values of the sensitive columns.

    `known` are the columns that rules on groups are about: one of them that has to stay as it is counts.
    """

    k: int
    diverse: int | None = None
    sensitive: tuple[str, ...] = ()
    suppress: float = 0.0
    known: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordChange:
    """Steps that come before columns are made coarser; `people` and `records` are the shares that are lost.

    A change `by_chance` leaves rules unknown to the gate, unless a ceiling keeps them. `dummies` is the share
    of people that may be recognised by what they have in `item`, once dummy records hide them; `local` is
    what records are recoded for, each by itself. What is `costly` is tried after all that is not.
    """

    kind: str
    words: str
    steps: tuple[StepContent, ...] = ()
    people: float = 0.0
    records: float = 0.0
    by_chance: bool = False
    dummies: float | None = None
    item: str | None = None
    local: LocalGoal | None = None
    costly: bool = False


NO_CHANGE = RecordChange("none", "all records")


def record_changes(
    history: RecordTable, times: Sequence[str], fixed: Sequence[str] = ()
) -> Iterator[RecordChange]:
    """What a history allows, by how many records its people have; those that draw nothing come first.

    Dates of `fixed` columns are not moved.
    """
    often = history.records_of_each()
    often = often[often > 0]
    if int(often.max(initial=0)) < 2:
        return
    by = [*times, *(name for name in history.names if name not in (*times, history.user))]
    yield from _without_heaviest(often)
    cuts = {int(numpy.quantile(often, share, method="lower")) for share in CUTS} | {*SMALL_CUTS}
    for most in sorted((each for each in cuts if 0 < each < int(often.max())), reverse=True):
        yield _cut(often, most, by)
        if (often < most).any() and most > 1:
            yield _cut(often, most, by, everybody_alike=True)
    for share in SHARES:
        words = f"{share:.0%} of the records, drawn at random"
        step = {"step": "sample", "what": "records", "share": share}
        yield RecordChange("sample", words, (step,), records=1 - share, by_chance=True)
    if days := [name for name in times if name not in fixed and _has_days(history, name)]:
        for most in DAYS:
            words = f"{' and '.join(days)} of each person moved by up to {most} days"
            step = {"step": "shift_dates", "columns": days, "days": most}
            yield RecordChange("shift_dates", words, (step,), by_chance=True)


def dummy_changes(rules: Sequence[Rule], item: str | None, people: int) -> Iterator[RecordChange]:
    """Dummy records that keep the strictest limit of an attack, where the items are named."""
    limits = [rule.at_most for rule in rules if rule.measure.startswith("attack.") and rule.at_most]
    if item is not None and limits and 0 < min(limits) < 1:
        words = (
            f"dummy records, so that people are recognised by {item} with probability {min(limits):g} at most"
        )
        limit, costly = float(min(limits)), people > MOST_HIDDEN
        yield RecordChange("dummies", words, dummies=limit, item=item, costly=costly)


def _without_heaviest(often: Any) -> Iterator[RecordChange]:
    for share in HEAVIEST:
        most = int(numpy.quantile(often, 1 - share, method="lower"))
        if (often > most).any():
            words = f"people with more than {most:,} records left out"
            step = {"step": "remove_people", "more_than": most}
            yield RecordChange(
                "remove_people", words, (step,),
                float((often > most).mean()), float(often[often > most].sum() / often.sum()),
            )  # fmt: skip


def _cut(often: Any, most: int, by: Sequence[str], *, everybody_alike: bool = False) -> RecordChange:
    """The latest records; with `everybody_alike` who has fewer is left out, so that all have as many."""
    many = "1 record" if most == 1 else f"{most:,} records"
    cut = {"step": "cut", "records": most, "by": list(by)}
    if not everybody_alike:
        kept = numpy.minimum(often, most).sum()
        words = f"the latest {many} of each person"
        return RecordChange("cut", words, (cut,), records=float(1 - kept / often.sum()))
    few = often < most
    kept = most * (~few).sum()
    words = f"the latest {many} of each person, people with fewer left out"
    steps = ({"step": "remove_people", "fewer_than": most}, cut)
    return RecordChange("cut", words, steps, float(few.mean()), float(1 - kept / often.sum()))


def _has_days(history: RecordTable, name: str) -> bool:
    try:
        days_of(name, history.column(name))
    except SingleoutError:
        return False
    return True
