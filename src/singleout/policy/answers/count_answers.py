"""Answers from counting one table: its classes, attributes, sets, single records and sensitive values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any

import numpy

from singleout.attacks.inference.infer import infer_columns
from singleout.attacks.inference.people_folds import FOLDS
from singleout.attacks.inference.result import InferenceAttempt, InferredColumn
from singleout.engine.class_sizes import Sizes
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion
from singleout.measurement import Measurement
from singleout.policy.answers.coarse_columns import CoarseColumns
from singleout.policy.rules.measures import (
    PEOPLE_ALONE_SHARE,
    PEOPLE_UNIQUE_SHARE,
    SMALLEST_RISKY_SET,
    UNIQUE_SHARE,
)
from singleout.progress import Progress
from singleout.risk.assess.sampling import ValueSample
from singleout.risk.attribute_disclosure import disclosure_of
from singleout.risk.attribute_risk import attribute_risk
from singleout.risk.combinations.allowable_risk import Criterion, minimal_and_maximal_sets
from singleout.risk.combinations.attribute_sets import check_width
from singleout.risk.combinations.record_uniques import CodedRows, contributions_of
from singleout.risk.combinations.set_risk import set_risks
from singleout.risk.combinations.suda import dis_suda, people_in_pairs, scores
from singleout.risk.combinations.synergy import Threshold
from singleout.risk.combinations.synergy import synergy as synergy_of
from singleout.risk.equivalence_classes import OVERLAP, Classes, classes, history_classes
from singleout.roles.hierarchies.hierarchy import Hierarchy, read_hierarchies
from singleout.utility.information_loss import AVERAGE_CLASS_SIZE, DISCERNIBILITY

NO_RECORD = "no record has a value in all of these columns"
NO_USER = "no user column was named"
SAFE = "no set of the {} columns is that risky, so it would take one more"
NOT_SURE = "no set that was looked at is that risky, but {:,} sets are too many to look at"
LOSES_PEOPLE = (
    "no record is left of {:,} people once those that lack a value are dropped, and what is missing of them "
    "tells too; ask with the rule value"
)
NO_SCORE = "no set of the columns singles out a record, so that nothing contributes"
Columns = tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One number of a result, or why there is none; beside a number the reason is what to know of it.

    `settings` are what it was found with, `estimated` from what it was estimated, if it was.
    """

    value: float | int | None
    reason: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    estimated: str | None = None


Parts = dict[str, Part]


@dataclass(eq=False)
class CountedTable:
    """One table, each question about it asked once; `suppressed` tells how many records it has lost."""

    counter: Engine
    plan: CheckedQuestion
    columns: CoarseColumns
    seed: int
    threads: int
    progress: Progress
    suppressed: Callable[[], int]
    hierarchies: Any = None
    found: dict[Any, Parts] = field(default_factory=dict)
    inferred: dict[tuple[Columns, str], InferredColumn] = field(default_factory=dict)

    def ask_once(self, ask: Callable[..., Parts], *about: Any) -> Parts:
        key = (ask.__name__, *about)
        if key not in self.found:
            self.progress(f"counting {ask.__name__.replace('_', ' ')}", 0, 1)
            self.found[key] = ask(*about)
        return self.found[key]

    def question(self, columns: Columns) -> Question:
        return self.plan.question(columns)

    def classes(self, columns: Columns) -> Parts:
        sizes = self.counter.sizes(self.question(columns))
        if not sizes.total_records:
            return UnknownParts(NO_RECORD)
        found = self._classes(columns, sizes)
        parts = {each.measure.name: Part(each.value, each.reason) for each in _measurements(found)}
        parts[UNIQUE_SHARE.name] = _share(parts["unique"], sizes.total_records)
        parts[PEOPLE_UNIQUE_SHARE.name] = _share(parts.get("people.unique"), sizes.total_records)
        parts[PEOPLE_ALONE_SHARE.name] = _share(parts.get("people_alone"), self.plan.people)
        return parts

    def _classes(self, columns: Columns, sizes: Sizes) -> Classes:
        if self.plan.user is None:
            return classes(columns, sizes)
        alone = None if sizes.overlapping else self.counter.people_alone(self.question(columns))
        return history_classes(columns, sizes, alone)

    def losses(self, columns: Columns) -> Parts:
        """Of classes as a release has them, the records that the original had besides being lost."""
        sizes = self.counter.sizes(self.question(columns))
        if not sizes.total_records or sizes.overlapping:
            return UnknownParts(OVERLAP if sizes.overlapping else NO_RECORD)
        lost = self.suppressed()
        whole = sizes.total_records + lost
        pairs = sum(size**2 * many for size, many in sizes.histogram().items())
        return {
            DISCERNIBILITY.name: Part(pairs + lost * whole),
            AVERAGE_CLASS_SIZE.name: Part(whole / (sizes.total_groups + (lost > 0))),
        }

    def attribute(self, columns: Columns) -> Parts:
        sizes = self.counter.sizes(self.question(columns))
        if not sizes.total_records:
            return UnknownParts(NO_RECORD)
        risk = attribute_risk(columns, sizes, self.plan.people)
        parts = {each.measure.name: Part(each.value, each.reason) for each in _measurements(risk)}
        if sizes.overlapping:
            return {**parts, **{f"sampling.{end}": Part(None, OVERLAP) for end in ("mean", "low", "high")}}
        drawing = ValueSample(seed=self.seed)
        drawn = drawing.risk(columns, sizes, one_record_each=self.plan.user is None)
        sampled = f"a sample of {drawn.sample:,} values, seed {self.seed}"
        ends = {"mean": drawn.risk, "low": drawn.low, "high": drawn.high}
        return parts | {f"sampling.{end}": Part(each, estimated=sampled) for end, each in ends.items()}

    def one_set(self, columns: Columns, allow: int) -> Parts:
        check_width(len(columns))
        whole = numpy.array([(1 << len(columns)) - 1], dtype=numpy.uint64)
        counts = self._count(columns, allow)(whole)
        (risk,) = set_risks(counts, columns)
        return {name: Part(value) for name, value in vars(risk).items() if name != "columns"}

    def synergy(self, columns: Columns, threshold: float) -> Parts:
        check_width(len(columns))
        parts = self.counter.parts_of_set(self.question(columns), (1 << len(columns)) - 1)
        found = synergy_of(columns, parts, Threshold(threshold))
        names = {
            "highest_synergy": "highest_synergy",
            "mean_synergy": "mean_synergy",
            "synergy_share": "share",
        }
        return {name: Part(getattr(found, each)) for name, each in names.items()}

    def smallest_set(self, columns: Columns, allow: int) -> Parts:
        found = minimal_and_maximal_sets(
            len(columns), self._count(columns, allow), Criterion("worst", allow), progress=self.progress
        )
        sizes = [int(mask).bit_count() for mask in found.minimal.sets.tolist()]
        part = Part(min(sizes)) if sizes else Part(len(columns) + 1, SAFE.format(len(columns)))
        if not sizes and found.not_looked_at:
            part = Part(None, NOT_SURE.format(sum(each.sets for each in found.not_looked_at)))
        return {SMALLEST_RISKY_SET.name: part}

    def _count(self, columns: Columns, allow: int) -> Callable[[Sets], SetCounts]:
        question = self.question(columns)
        return lambda sets: self.counter.count_sets(question, sets, allow, self.progress)

    def records(self, columns: Columns, allow: int) -> Parts:
        """The record that most sets, or the smallest one, single out."""
        check_width(len(columns))
        coded = CodedRows.of(self.counter, self.question(columns), self.threads)
        found = coded.minimal(allow, None, self.progress)
        sizes = found.sizes
        fewest = Part(int(sizes.min())) if len(sizes) else Part(len(columns) + 1, SAFE.format(len(columns)))
        return {"minimal_sets": Part(int(found.number.max())), "smallest_set": fewest}

    def suda(self, columns: Columns, sampled: float) -> Parts:
        check_width(len(columns))
        coded = CodedRows.of(self.counter, self.question(columns), self.threads)
        found = coded.minimal(1, None, self.progress)
        score = scores(found)
        risk = dis_suda(score, len(columns), people_in_pairs(coded.rows), sampled)
        parts = {"suda": Part(float(score.max())), "dis_suda": Part(float(risk.max()))}
        shares = contributions_of(coded, found)
        told = {name: Part(each, NO_SCORE if each is None else None) for name, each in shares.items()}
        return parts | {f"contribution of {name}": each for name, each in told.items()}

    def sensitive(self, columns: Columns, guarded: str, least: int, near: bool) -> Parts:
        """`near`: it is asked how near values are to each other, which their hierarchy tells."""
        question = self.question((*columns, guarded))
        hierarchy = self._hierarchy(guarded) if near else None
        found = disclosure_of(self.counter, question, hierarchy, least, self.threads)
        return {_field(each): Part(each.value, each.reason) for each in found.measurements}

    def _hierarchy(self, column: str) -> Hierarchy | None:
        """What was given for the release's values, if it is of this column too."""
        if self.hierarchies is None:
            return None
        names = tuple(each.name for each in self.counter.columns())
        return read_hierarchies(self.hierarchies, names)[0].get(column)

    def inference(self, columns: Columns, guarded: str) -> Parts:
        """How well the guarded column is guessed, with the ends of the intervals."""
        (found,) = infer_columns(
            self.counter, [(columns, guarded)], user=self.plan.user, missing=self.plan.missing,
            seed=self.seed, threads=self.threads, progress=self.progress,
        )  # fmt: skip
        self.inferred[columns, guarded] = found
        if found.reason is not None or found.dropped:
            return UnknownParts(found.reason or LOSES_PEOPLE.format(found.dropped))
        return _inference_parts(found, self.seed)


class UnknownParts(dict[str, Part]):
    """Every part is unknown for the same reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __missing__(self, part: str) -> Part:
        return Part(None, self.reason)


def _inference_parts(found: InferredColumn, seed: int) -> Parts:
    """Each number of the attempt with the highest one, and the ends of its interval."""

    def parts(name: str, attempt: InferenceAttempt, *numbers: float) -> Parts:
        drawn = f"{FOLDS} random folds of {attempt.attempts:,} people, seed {seed}"
        estimated = f"{drawn}; learned from {attempt.estimated}" if attempt.estimated else drawn
        settings = {"guesser": attempt.guesser, "by": list(attempt.columns), "guess_of": attempt.of}
        ends = (name, f"{name}.low", f"{name}.high")
        each = zip(ends, numbers, strict=True)
        return {end: Part(number, None, settings, estimated) for end, number in each}

    most = max(found.attempts, key=lambda each: each.interval[1])
    gains = max(found.attempts, key=lambda each: each.gain_interval[1])
    return {
        **parts("rate", most, most.rate, *most.interval),
        **parts("gain", gains, gains.gain, *gains.gain_interval),
        **parts("baseline", most, *[most.baseline] * 3),
    }


def _measurements(result: Any) -> Iterator[Measurement]:
    """Every measurement inside a result, however deep."""
    for value in vars(result).values():
        if isinstance(value, Measurement):
            yield value
        elif is_dataclass(value):
            yield from _measurements(value)


def _field(measurement: Measurement) -> str:
    return measurement.measure.name.removeprefix("sensitive.")


def _share(part: Part | None, whole: int) -> Part:
    if part is None or part.value is None:
        return Part(None, part.reason if part else NO_USER)
    return Part(part.value / whole)
