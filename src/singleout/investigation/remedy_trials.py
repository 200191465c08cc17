"""Tries coarser values for the riskiest attributes, and counts what each would do to the risk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from singleout.engine.columns import kind_of
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, zone_remarks
from singleout.errors import UsageError
from singleout.investigation.coarser_values import Coarsening, are_dates, coarsenings, column_suppression
from singleout.investigation.remedies import Remedies, Trial
from singleout.progress import Progress, silent
from singleout.risk.assess.result import Attribute
from singleout.risk.attribute_risk import attribute_risk
from singleout.risk.equivalence_classes import Exposure, classes, history_classes

LIMIT, MOST_TRIED = 0.05, 3
# above the limit, more are tried
MOST_ABOVE = 6
NOT_TRIED = "coarser values of {} were not tried, though above the limit by themselves: there are too many"
# different values that are looked at one by one; of columns with more, some examples
MOST_VALUES = 100_000
WHOLE = re.compile(r"-?[0-9]+")
OVERLAP = "under the missing rule wildcard coarser values are not tried, for it would take too long"
OwnRisk = tuple[str, int, float]


def remedies(
    counter: Engine,
    plan: CheckedQuestion,
    attributes: Sequence[Attribute],
    *,
    limit: float = LIMIT,
    most: int = MOST_TRIED,
    identifiers: Sequence[str] = (),
    progress: Progress = silent,
) -> Remedies:
    """What would coarser values of the riskiest attributes do, to their own risk and to all together?

    `attributes` are those of an assessment of the same plan; tuples of them are passed over. The `most`
    riskiest are tried, and up to six that are above the limit by themselves. Dates and times are cut,
    numbers rounded down, codes of one length shortened, as far as that fits all records; every attribute is
    also left out. Of `identifiers`, which name people however coarse they are, nothing else is tried, and it
    is always advised. The coarse columns are made in the engine.
    """
    if plan.missing == "wildcard":
        raise UsageError(OVERLAP)
    single = sorted(
        (each for each in attributes if len(each.risk.columns) == 1), key=lambda each: -each.risk.risk.known
    )
    named = [each for each in single if each.name in identifiers]
    single = [each for each in single if each.name not in identifiers]
    untouched = {each.name: _untouched_risk(each) for each in (*named, *single)}
    run = _RemedyTrials(counter, plan, untouched)
    before = run.count({}, "everything as it is")
    if before is None:
        return Remedies(limit, None, (), (), None, tuple(run.remarks))
    above = [each for each in single if each.risk.risk.known > limit]
    tried_attributes = single[: max(most, min(len(above), MOST_ABOVE))]
    trials: list[Trial] = [trial for each in named for trial in run.suppression_trials(each)]
    left_out = tuple(trials)
    for index, each in enumerate(tried_attributes):
        progress(f"making {each.name} coarser", index, len(tried_attributes))
        trials += run.column_trials(each)
    own = {each.name: each.risk.risk.known for each in tried_attributes}
    advised = _single_advice(own, trials, limit) or _coarsest_advice(own, trials, before, limit)
    advised = (*left_out, *advised)
    progress("making all of them coarser", len(tried_attributes), len(tried_attributes))
    together = run.combined_trial(advised) if advised else None
    left = [each.name for each in above if each.name not in own]
    run.remarks += [NOT_TRIED.format(", ".join(left))] if left else []
    remarks = (*run.remarks, *zone_remarks(counter, [*own]))
    names = tuple(each.name for each in named)
    return Remedies(limit, before, tuple(trials), advised, together, remarks, names)


def _untouched_risk(attribute: Attribute) -> OwnRisk:
    return attribute.name, int(attribute.risk.values.known), attribute.risk.risk.known


def _single_advice(own: Mapping[str, float], trials: Sequence[Trial], limit: float) -> tuple[Trial, ...]:
    """For each column above the limit, what brings it there."""
    chosen = [_choice(column, trials, limit) for column, risk in own.items() if risk > limit]
    return tuple(each for each in chosen if each)


def _choice(column: str, trials: Sequence[Trial], limit: float) -> Trial | None:
    own, kept = _column_trials(column, trials)
    good = [each for each in kept if each.risk <= limit]
    return good[0] if good else (kept or own)[-1] if own else None


def _coarsest_advice(
    own: Mapping[str, float], trials: Sequence[Trial], before: Trial, limit: float
) -> tuple[Trial, ...]:
    """Where only all columns together are above it, the coarsest of each."""
    if before.average_risk <= limit:
        return ()
    return tuple(kept[-1] for column in own if (kept := _column_trials(column, trials)[1]))


def _column_trials(column: str, trials: Sequence[Trial]) -> tuple[list[Trial], list[Trial]]:
    """The trials of a column, and those of them that keep it."""
    own = [each for each in trials if each.column == column]
    return own, [each for each in own if each.granularity is not None]


@dataclass(eq=False)
class _RemedyTrials:
    """The engine and the untouched attributes; `made` is the coarse column of each trial by its words."""

    counter: Engine
    plan: CheckedQuestion
    own: Mapping[str, OwnRisk]
    made: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def column_trials(self, attribute: Attribute) -> Iterator[Trial]:
        """The coarser ways that fit, each with fewer values than the one before but at least two."""
        fewest, unlike = int(attribute.risk.values.known), []
        missing = self.plan.missing == "value" and self.counter.look(attribute.name).missing > 0
        for way in self._ways(attribute):
            name = self._make_column(way)
            if not self._fits(way, name):
                unlike.append(way.words)
                continue
            own = self._own_risk(way.column, name)
            if own and 2 + missing <= own[1] < fewest:
                fewest = own[1]
                self.made[way.words] = name
                yield from self._trial({way.column: (name, own)}, way)
        if unlike:
            reason = "some records are not written like the others"
            self.remarks.append(f"not tried: {', '.join(unlike)}, for {reason}")
        yield from self.suppression_trials(attribute)

    def suppression_trials(self, attribute: Attribute) -> Iterator[Trial]:
        """Nothing of the column, unless nothing would be left at all."""
        if len(self.plan.columns) > 1:
            yield from self._trial({attribute.name: None}, column_suppression(attribute.name))

    def combined_trial(self, chosen: Sequence[Trial]) -> Trial | None:
        changed: dict[str, tuple[str, OwnRisk] | None] = {
            each.column: None
            if each.granularity is None
            else (self.made[each.words], (each.column, each.values, each.risk))
            for each in chosen
        }
        trial = self.count(changed, "all of these")
        return trial and replace(trial, recipe="\n".join(each.recipe for each in chosen))

    def count(self, changed: Mapping[str, tuple[str, OwnRisk] | None], words: str) -> Trial | None:
        """All columns together, some of them by a coarse one or not at all; None where no record counts."""
        replaced = {name: name for name in self.plan.columns}
        own = dict(self.own)
        for name, made in changed.items():
            del replaced[name], own[name]
            if made:
                replaced[name], own[name] = made
        columns = tuple(replaced[name] for name in self.plan.columns if name in replaced)
        exposed = self._exposure(columns) if columns and own else None
        if exposed is None:
            return None
        exposure, alone = exposed
        column, values, risk = max(own.values(), key=lambda each: each[2])
        return Trial(
            column=column, granularity=None, words=words, values=values, risk=risk,
            average_risk=exposure.average_risk.known, k=int(exposure.k.known),
            unique=int(exposure.unique.known), people_alone=alone, recipe="",
        )  # fmt: skip

    def _trial(self, changed: Mapping[str, tuple[str, OwnRisk] | None], way: Coarsening) -> Iterator[Trial]:
        if (trial := self.count(changed, way.words)) is None:
            return
        column = changed[way.column]
        _, values, risk = column[1] if column else (way.column, 0, 0.0)
        yield replace(
            trial, column=way.column, granularity=way.granularity, values=values, risk=risk, recipe=way.recipe
        )

    def _exposure(self, columns: tuple[str, ...]) -> tuple[Exposure, int | None] | None:
        question = self.plan.question(columns)
        sizes = self.counter.sizes(question)
        if not sizes.total_records:
            return None
        if self.plan.user is None:
            return classes(columns, sizes).by_records, None
        alone = self.counter.people_alone(question)
        by_people = history_classes(columns, sizes, alone).by_people
        assert by_people
        return by_people, alone

    def _own_risk(self, column: str, name: str) -> OwnRisk | None:
        sizes = self.counter.sizes(self.plan.question((name,)))
        if not sizes.total_records:
            return None
        risk = attribute_risk((column,), sizes, self.plan.people)
        return column, int(risk.values.known), risk.risk.known

    def _ways(self, attribute: Attribute) -> tuple[Coarsening, ...]:
        """Judged by all its values, or by examples where these are too many."""
        name = attribute.name
        kind = kind_of(next(each.type for each in self.counter.columns() if each.name == name))
        every = attribute.risk.values.known <= MOST_VALUES
        if every:
            values = self.counter.values(name, self.plan.question((name,)))
            texts = [value for value in values if value is not None]
        else:
            texts = list(self.counter.look(name).examples)
        dates = kind in ("dates", "times") or (every and are_dates(texts))
        return coarsenings(name, texts, text=kind == "text", dates=dates)

    def _make_column(self, way: Coarsening) -> str:
        """A new column of the engine, by a name that is free."""
        taken = {each.name.casefold() for each in self.counter.columns()}
        name = f"{way.column} at {way.granularity}"
        while name.casefold() in taken:
            name += "'"
        if way.step is not None:
            self.counter.round_down(name, way.column, way.step)
        elif way.keep is not None:
            self.counter.shorten(name, way.column, way.keep)
        return name

    def _fits(self, way: Coarsening, name: str) -> bool:
        """What was right for the examples must be so in every record."""
        if way.step is None:
            return not self.counter.misfits(way.column, way.marks)
        values = self.counter.values(name, self.plan.question((name,)))
        return all(value is None or WHOLE.fullmatch(value) for value in values)
