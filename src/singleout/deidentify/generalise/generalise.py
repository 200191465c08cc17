"""Finds the least lossy generalisation that is safe enough, makes the release, and returns one value."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from os import PathLike
from typing import Any, TypeVar, Unpack

import numpy
from numpy.typing import NDArray

from singleout.checks import is_number, is_whole
from singleout.deidentify.generalise.chosen_levels import Choice
from singleout.deidentify.generalise.goals import NO_GOAL, SPREAD, Closeness, Goals
from singleout.deidentify.generalise.judged_classes import (
    JudgedClasses,
    column_losses,
    judge_vector,
    loss_at,
    released_frequencies,
)
from singleout.deidentify.generalise.level_search import SearchResult
from singleout.deidentify.generalise.level_walk import NO_LIMIT, Candidate, Limits
from singleout.deidentify.generalise.prepared_data import PreparedData, files_read, prepared_data
from singleout.deidentify.generalise.release import GeneralisedRelease
from singleout.deidentify.generalise.result import Generalisation, GeneralisedColumn, Option
from singleout.deidentify.generalise.returned_release import returns_release
from singleout.deidentify.generalise.search_space import Space, Vector
from singleout.deidentify.release_table import Order
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import LEAST_MEMORY, memory_bytes, thread_count
from singleout.engine.session import open_session
from singleout.errors import SingleoutError, UsageError
from singleout.files import files_together
from singleout.progress import teller
from singleout.read.source import source
from singleout.risk.population.sample_class_size import remark_on, sample_class_size
from singleout.roles.hierarchies.hierarchy import Levels
from singleout.roles.hierarchies.level_rules import SUPPRESSED
from singleout.utility.information_loss import BY_CLASSES, Loss, LossName

ALTERNATIVES = 5
MOST_ALTERNATIVES = 10_000
BYTES_A_ROW_AND_COLUMN = 16
Number = TypeVar("Number", int, float)


@takes_options(JobOptions)
@returns_release
def generalise(
    data: Any,
    *,
    hierarchies: Any,
    k: int | None = None,
    suppress: float = 0.0,
    average_risk: float | None = None,
    diverse: int | None = None,
    close: float | None = None,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    closeness: Closeness = "equal",
    entropy_l: float | None = None,
    recursive_c: float | None = None,
    recursive_l: int = 2,
    beta_basic: float | None = None,
    beta_enhanced: float | None = None,
    delta: float | None = None,
    delta_of_present: float | None = None,
    alpha: float | None = None,
    k_map: int | None = None,
    presence: tuple[float, float] | None = None,
    reference: Any = None,
    reference_user: str | None = None,
    sampled: float | None = None,
    sensitive: Sequence[str] | None = None,
    loss: LossName = "loss",
    weights: Mapping[str, float] | None = None,
    levels: Mapping[str, int] | None = None,
    alternatives: int = ALTERNATIVES,
    minimal: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    out: str | PathLike[str] | None = None,
    keep: Sequence[str] = (),
    order: Order = "sorted",
    keep_suppressed: bool = False,
    diary: str | PathLike[str] | None = None,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    **options: Unpack[JobOptions],
) -> Generalisation:
    """How coarse must the columns become so that nobody stands out, and what is the least that is lost?

    `hierarchies` is a folder of CSV files, a definition file, or a mapping. Every released class has at least
    `k` people (records, where no `user` is named) and `diverse` different values of each `sensitive` column
    (its other name is `l_diversity`), spread no farther than `close` from the table's (`t_closeness`), and
    keeps to the other models of sensitive values that are asked for (`entropy_l`, `recursive_c` with
    `recursive_l`, `beta_basic`, `beta_enhanced`, `delta`, `alpha` of (α,k)-anonymity); released records have
    an `average_risk` of at most this. With a `reference`, a table of everybody whose people `reference_user`
    names, every class has at least `k_map` people there, of whom its own are a share within `presence`
    (δ-presence: lowest, highest); with `sampled`, the share of everybody that the table is, `k_map` is
    estimated instead, from how many look-alikes a class shows. Classes that fail are suppressed, at most the
    share `suppress` of the records. Of all levels that reach this those with the least `loss` are chosen,
    columns having `weights`; `levels` fixes some. `nodes` and `seconds` end a long search with the best so
    far. `out` gets the generalised columns, the sensitive ones and those to `keep`, in an `order` that tells
    nothing, and is counted afresh before it is put in place; `diary` gets what was done. `columns` are
    generalised, by default all that have a hierarchy.

    >>> import pyarrow
    >>> table = pyarrow.table({"age": ["17", "18", "34", "35"]})
    >>> rule = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
    >>> generalise(table, hierarchies={"age": rule}, k=2).levels
    {'age': 1}
    """
    diverse = _by_either_name(diverse=diverse, l_diversity=l_diversity)
    close = _by_either_name(close=close, t_closeness=t_closeness)
    k, k_map, estimated = _by_sample(k, k_map, reference, sampled)
    goals = goals_of(
        k, suppress=suppress, closeness=closeness, recursive_l=recursive_l, average_risk=average_risk,
        diverse=diverse, close=close, entropy_l=entropy_l, recursive_c=recursive_c, beta_basic=beta_basic,
        beta_enhanced=beta_enhanced, delta=delta, delta_of_present=delta_of_present, alpha=alpha,
        k_map=k_map, presence=presence,
    )  # fmt: skip
    check_reference(goals, reference, reference_user, options["missing"])
    loss_by, limits = Loss(loss, weights), _limits(nodes, seconds)
    near = _whole_number("alternatives", alternatives, 0, MOST_ALTERNATIVES) + 1
    seed, progress, origin = options["seed"], teller(options["progress"]), source(data, csv=options["csv"])
    release = GeneralisedRelease(origin, out, names_of("keep", keep), order, keep_suppressed, diary, seed)
    workers = thread_count(options["threads"])
    progress("reading records and hierarchies", 0, 1)
    with open_session(origin, **count_options(options, user, columns) | {"csv": None}) as (counter, plan, _):
        prepared = prepared_data(
            counter, plan, hierarchies, columns, sensitive, goals, release.columns_to_write, origin
        )
        prepared = prepared.with_reference(reference, reference_user)
        prepared = replace(prepared, remarks=(*prepared.remarks, *estimated))
    if release.targets:
        release.check_against(files_read(hierarchies, options["study"], prepared.names))
    loss_by.check(prepared.space.columns)
    room = _threads_with_room(workers, prepared.space, options["memory"])
    choice = Choice(prepared.space, goals, loss_by, prepared.fixed_levels(levels), room, progress)
    started = time.perf_counter()
    best = choice.best(min(near, prepared.space.nodes), limits)
    spent = time.perf_counter() - started
    listed = choice.minimal(limits) if minimal else None
    if isinstance(listed, str):
        note = f"the minimal generalisations are not told: {listed}; fix some levels, or leave columns out"
        prepared, listed = replace(prepared, remarks=(*prepared.remarks, note)), None
    answer = GeneralisedAnswer(prepared, choice, best, listed, spent)
    with files_together([out, diary]):
        return answer.write(release, counter.name, plan.missing, seed)


@dataclass(frozen=True, eq=False)
class GeneralisedAnswer:
    """What was found, put into one result."""

    laid: PreparedData
    choice: Choice
    found: SearchResult
    minimal: tuple[Candidate, ...] | None
    seconds: float

    def write(self, release: GeneralisedRelease, engine: str, missing: Missing, seed: int) -> Generalisation:
        space, goals, chosen = self.choice.space, self.choice.goals, self.found.best[0]
        classes = judge_vector(space, chosen.vector, goals, self.choice.threads)
        loss = self._checked_loss(classes)
        made = release.make(self.laid, chosen.vector, classes, goals, self.choice.threads)
        shown = made.classes or classes
        result = Generalisation(
            source=self.laid.source, engine=engine, user=self.laid.user, missing=missing, seed=seed,
            records=space.records, people=self.laid.people, goals=goals, loss_by=self.choice.loss,
            attributes=tuple(self._attributes(chosen.vector, classes)),
            loss=loss,
            k=int(shown.people[shown.kept].min()), classes=int(shown.kept.sum()),
            average_risk=shown.average_risk, suppressed=classes.suppressed,
            released_people=self.laid.released_people(classes), discernibility=classes.discernibility,
            diversity=self._by_sensitive(int(each[shown.kept].min()) for each in shown.diversities),
            closeness=self._by_sensitive(float(each[shown.kept].max()) for each in shown.distances),
            spread=self._spread(shown), lattice=self.found.nodes, evaluated=self.found.evaluated,
            optimal=self.found.is_proven,
            bound=self.found.bound, alternatives=tuple(map(self._option, self.found.best[1:])),
            minimal=None if self.minimal is None else tuple(map(self._option, self.minimal)),
            diary=made.steps, out=release.target, written=made.written, seconds=self.seconds,
            remarks=(*self.laid.remarks, *made.remarks), reference=hidden_in_reference(classes),
        )  # fmt: skip
        release.write_diary(result, self.laid.hierarchies)
        return result

    def _checked_loss(self, classes: JudgedClasses) -> float:
        """What the search found is counted once more in another way: they must agree."""
        chosen, choice = self.found.best[0], self.choice
        loss = loss_at(choice.space, choice.loss, chosen.vector, classes)
        same = classes.suppressed == chosen.suppressed and isclose(
            loss, chosen.loss, rel_tol=1e-9, abs_tol=1e-9
        )
        if not same or not classes.reaches(choice.goals):
            raise SingleoutError("the search and a second count of its result disagree; please report this")
        return loss

    def _attributes(self, vector: Vector, classes: JudgedClasses) -> list[GeneralisedColumn]:
        space, by = self.choice.space, self.choice.loss
        parts = None if by.name in BY_CLASSES else column_losses(space, by, vector, classes)
        released, attributes = released_frequencies(space, classes), []
        for index, (levels, level) in enumerate(zip(space.levels, vector, strict=True)):
            by_label = numpy.bincount(levels.codes(level), released[index])
            attributes.append(
                GeneralisedColumn(
                    name=levels.column,
                    level=level,
                    height=levels.height,
                    rule=levels.rules[level],
                    example=_example(levels, level, by_label, self.laid.values[index]),
                    values=int(numpy.count_nonzero(by_label)),
                    values_before=int(numpy.count_nonzero(space.frequencies[index])),
                    loss=None if parts is None else parts[index],
                )
            )
        return attributes

    def _option(self, candidate: Candidate) -> Option:
        levels = dict(zip(self.choice.space.columns, candidate.vector, strict=True))
        return Option(
            levels, candidate.loss, candidate.suppressed, candidate.classes, candidate.discernibility
        )

    def _spread(self, shown: JudgedClasses) -> dict[str, dict[str, float]]:
        """Of each sensitive column, what the worst released class comes to by each other goal."""
        return {
            name: {
                goal: float(numbers[shown.kept].min() if goal == "entropy_l" else numbers[shown.kept].max())
                for goal, numbers in by_goal.items()
            }
            for name, by_goal in zip(self.laid.sensitive, shown.others, strict=False)
            if by_goal
        }

    def _by_sensitive(self, numbers: Iterable[Number]) -> dict[str, Number]:
        """Of each sensitive column that a goal is about."""
        return dict(zip(self.laid.sensitive, numbers, strict=False))


def hidden_in_reference(classes: JudgedClasses) -> dict[str, float] | None:
    """How well the released classes are hidden in the reference."""
    if classes.reference is None:
        return None
    people, there = classes.people[classes.kept], classes.reference[classes.kept]
    shares = numpy.minimum(1.0, people / there)
    return {
        "k_map": int(there.min()),
        "presence_low": float(shares.min()),
        "presence_high": float(shares.max()),
    }


def _by_sample(
    k: int | None, k_map: int | None, reference: Any, sampled: float | None
) -> tuple[int | None, int | None, tuple[str, ...]]:
    """Where there is no table of everybody: how many look-alikes a class must show, and why."""
    if sampled is None:
        return k, k_map, ()
    if k_map is None or reference is not None:
        raise UsageError("the share sampled is for --k-map without --reference; leave it out, or that")
    shown = sample_class_size(k_map, sampled)
    # a k that is no number is refused with the other goals
    larger = k if k is not None and not (is_whole(k) and k < shown) else shown
    return larger, None, (remark_on(k_map, sampled, shown),)


def check_reference(goals: Goals, reference: Any, user: str | None, missing: Missing) -> None:
    if user is not None and reference is None:
        raise UsageError("reference_user names the people of a reference, and there is none; leave it out")
    if goals.of_reference and reference is None:
        raise UsageError(
            "k_map and presence are about a table of everybody; name it by --reference (for k_map, --sampled "
            "will do)"
        )
    if reference is not None and not goals.of_reference:
        raise UsageError("a reference is for --k-map and --presence; ask for one of them")
    if reference is not None and missing != "value":
        raise UsageError("a reference is compared with the missing rule value")


def _example(levels: Levels, level: int, by_label: NDArray[Any], values: Sequence[str | None]) -> str | None:
    """The label of most records, unless it gives a raw value away or says nothing."""
    most = levels.labels[level][int((levels.codes(level) == by_label.argmax()).argmax())]
    return None if most in values or most == SUPPRESSED else most


def _threads_with_room(threads: int, space: Space, memory: str | None) -> int:
    """No more threads than half of the memory has room for: each walks on arrays of its own."""
    needed = BYTES_A_ROW_AND_COLUMN * space.records * (len(space.columns) + 1)
    if needed * threads <= LEAST_MEMORY // 2:
        return threads
    return max(1, min(threads, memory_bytes(memory) // 2 // needed))


def goals_of(k: Any, **more: Any) -> Goals:
    asked = ("average_risk", "diverse", "k_map", "presence", *SPREAD)
    if k is None and all(more.get(name) is None for name in asked):
        raise UsageError(NO_GOAL)
    return Goals(1 if k is None else k, **more)


def _by_either_name(**given: Number | None) -> Number | None:
    name, alias = given
    if None not in given.values():
        raise UsageError(f"{alias} is another name for {name}; give one of them")
    return given[alias] if given[name] is None else given[name]


def _limits(nodes: Any, seconds: Any) -> Limits:
    if seconds is not None and not (is_number(seconds) and seconds >= 0):
        raise UsageError(f"seconds: {seconds!r} is no time; write a number, 0 or more")
    return Limits(None if nodes is None else _whole_number("nodes", nodes, 1, NO_LIMIT), seconds)


def _whole_number(name: str, number: Any, least: int, most: int) -> int:
    if not is_whole(number) or not least <= number <= most:
        raise UsageError(f"{name}: {number!r} is no such number; write a whole one from {least} to {most}")
    return int(number)


def names_of(what: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise UsageError(f"{what}: {names!r} is no list of names; write it like ['age', 'town']")
    return tuple(names)
