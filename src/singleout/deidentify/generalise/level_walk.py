"""Walks over vectors of levels, branch by branch, on several threads, with the same counts on any number."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.search_space import Space, Vector
from singleout.deidentify.generalise.walk_types import SUM
from singleout.progress import Progress, silent
from singleout.utility.information_loss import Loss

if TYPE_CHECKING:
    from singleout.deidentify.generalise.walk_types import Best, Scratch, Walk

FEWEST_BRANCHES = 12
# branches walked side by side learn of each other's finds after the round only, so that the same vectors are
# counted on any number of threads
BRANCHES_A_ROUND = 8
ROWS_A_SLICE = 20_000_000
TELL_SECONDS = 0.2
NO_LIMIT = 2**62
NO_FLAGS = numpy.zeros(0, dtype=numpy.uint8)


@dataclass(frozen=True)
class Limits:
    """When to stop before all is decided: after so many vectors counted, or so many seconds."""

    nodes: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Candidate:
    """A vector that reaches the goals."""

    vector: Vector
    loss: float
    discernibility: int
    suppressed: int
    classes: int


@dataclass(eq=False)
class Branch:
    """The vectors that begin with these levels, in the order of the walk, and how far they are decided.

    `least` is what they lose at least; of a branch left unfinished, those that were not come to. It `failed`
    if its beginning suppresses too much: then all finer beginnings do.
    """

    prefix: Vector
    share: float
    least: float
    counted: int = 0
    covered: float = 0.0
    complete: bool = False
    failed: bool = False

    def is_as_fine_as(self, other: Branch) -> bool:
        """Whether it is at least as fine in every column."""
        return all(mine <= its for mine, its in zip(self.prefix, other.prefix, strict=True))


class LevelWalk:
    """What all walks over a space share, and how branches are walked side by side."""

    def __init__(
        self,
        space: Space,
        goals: Goals,
        loss: Loss,
        *,
        fixed: Mapping[int, int] | None = None,
        limits: Limits = NO_LIMITS,
        threads: int = 1,
        progress: Progress = silent,
    ) -> None:
        from singleout.deidentify.generalise import walk_arrays

        self.space, self.goals, self.loss, self.limits = space, goals, loss, limits
        self.threads, self.progress = threads, progress
        self.rows, self.order = walk_arrays.rows_and_order(space, goals, loss)
        self.aim = walk_arrays.aim_of(space, goals, loss, self.order)
        self.fixed = [(fixed or {}).get(index, -1) for index in self.order]
        self.evaluated = 0
        self._rooms: SimpleQueue[tuple[Walk, Scratch]] = SimpleQueue()
        for _ in range(threads):
            self._rooms.put((walk_arrays.new_walk(self.rows), walk_arrays.new_scratch(space, self.rows)))
        self._until = numpy.inf
        self._decided = 0.0
        self._stopped = False

    def candidates(self, vectors: Sequence[Vector]) -> tuple[Candidate, ...]:
        """Those of the vectors that reach the goals, best first."""
        from singleout.deidentify.generalise.walk_arrays import new_best

        def one(vector: Vector) -> tuple[Candidate, ...]:
            branch = Branch(tuple(vector[index] for index in self.order), 0.0, 0.0)
            return best_candidates(self._branch(branch, new_best(1, len(self.order)), NO_FLAGS, 1))

        candidates: list[Candidate] = []
        chosen = vectors[: self.nodes_left]
        with ThreadPoolExecutor(self.threads) as pool:
            for index, each in enumerate(pool.map(one, chosen)):
                self.progress("counting generalisations", index, len(chosen))
                candidates.extend(each)
        self.evaluated += len(chosen)
        return tuple(sorted(candidates, key=lambda each: (each.loss, each.discernibility, each.vector)))

    def walk(self, branches: list[Branch], best: Best, flags: NDArray[numpy.uint8] = NO_FLAGS) -> None:
        """Decide the branches: their best vectors go to `best`, or all that reach the goals are flagged."""
        self._decided = 0.0
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                for start in range(0, len(branches), BRANCHES_A_ROUND):
                    self._round(pool, branches, branches[start : start + BRANCHES_A_ROUND], best, flags)
            except BaseException:
                self._stopped = True
                raise

    def _round(
        self,
        pool: ThreadPoolExecutor,
        every: list[Branch],
        now: list[Branch],
        best: Best,
        flags: NDArray[numpy.uint8],
    ) -> None:
        from singleout.deidentify.generalise.level_walk_kernels import cutoff_of

        cutoff = numpy.inf if len(flags) else cutoff_of(best)
        failed = [branch for branch in every if branch.failed]
        for branch in now:
            branch.complete = branch.least > cutoff or any(map(branch.is_as_fine_as, failed))
        chosen = [branch for branch in now if not branch.complete][: self.nodes_left]
        if chosen and not self.is_over:
            most = self.nodes_left // len(chosen)
            running = [pool.submit(self._branch, branch, best, flags, most) for branch in chosen]
            while wait(running, TELL_SECONDS).not_done:
                self._tell(chosen)
            for done in running:
                remember_all(best, best_candidates(done.result()))
            self.evaluated += sum(branch.counted for branch in chosen)
        self._decided += sum(branch.share for branch in now if branch.complete)
        self._tell([])

    def _branch(self, branch: Branch, known: Best, flags: NDArray[numpy.uint8], most: int) -> Best:
        """Walk one branch, slice by slice; returns the best vectors known with it."""
        from singleout.deidentify.generalise.level_walk_kernels import DONE, go, open_bound, start
        from singleout.deidentify.generalise.walk_arrays import copy_best

        best = copy_best(known)
        with self._room() as (walk, scratch):
            walk.fixed[:] = self.fixed
            walk.fixed[: len(branch.prefix)] = branch.prefix
            walk.prefix[0] = len(branch.prefix)
            start(self.rows, self.aim, walk)
            while not self.is_over:
                ended = go(self.rows, self.aim, walk, best, flags, scratch, most, ROWS_A_SLICE)
                branch.complete = ended == DONE
                branch.counted, branch.covered = int(walk.counted[0]), float(walk.covered[0])
                if branch.complete or branch.counted >= most:
                    break
            branch.failed = bool(walk.failed[0])
            if not branch.complete:
                branch.least = max(branch.least, float(open_bound(self.aim, walk)))
        return best

    @contextmanager
    def _room(self) -> Iterator[tuple[Walk, Scratch]]:
        """The arrays of one walk; whatever happens, others are waiting for them."""
        room = self._rooms.get()
        try:
            yield room
        finally:
            self._rooms.put(room)

    def start_clock(self) -> None:
        """From here on seconds are counted."""
        if self.limits.seconds is not None:
            self._until = time.monotonic() + self.limits.seconds

    @property
    def is_over(self) -> bool:
        """Whether the time or the vectors that may be counted are used up."""
        return self._stopped or not self.nodes_left or time.monotonic() >= self._until

    def _tell(self, running: list[Branch]) -> None:
        share = self._decided + sum(branch.share * branch.covered for branch in running)
        counted = self.evaluated + sum(branch.counted for branch in running)
        self.progress(f"counted {counted:,}, decided", round(share * self.nodes), self.nodes)

    @property
    def free(self) -> list[int]:
        """The places of the columns whose level is not fixed."""
        return [index for index, level in zip(self.order, self.fixed, strict=True) if level < 0]

    @property
    def coarsest_vector(self) -> Vector:
        fixed = dict(zip(self.order, self.fixed, strict=True))
        return tuple(
            fixed[index] if fixed[index] >= 0 else height for index, height in enumerate(self.space.heights)
        )

    @property
    def nodes_left(self) -> int:
        """How many vectors may still be counted."""
        return NO_LIMIT if self.limits.nodes is None else max(0, self.limits.nodes - self.evaluated)

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    @property
    def nodes(self) -> int:
        """How many vectors there are to choose from."""
        free = zip(self.rows.heights.tolist(), self.fixed, strict=True)
        return math.prod(height + 1 if level < 0 else 1 for height, level in free)

    def branches(self) -> list[Branch]:
        """All beginnings, long enough to be many, the coarsest first."""
        heights = self.rows.heights.tolist()
        every = [
            range(height, -1, -1) if level < 0 else (level,)
            for height, level in zip(heights, self.fixed, strict=True)
        ]
        length, many = 0, 1
        while many < FEWEST_BRANCHES and length < len(every) - 1:
            many *= len(every[length])
            length += 1
        prefixes = sorted(product(*every[:length]), key=lambda prefix: -_coarseness(prefix, heights))
        return [Branch(prefix, 1 / many, self._least_loss(prefix)) for prefix in prefixes]

    def _least_loss(self, prefix: Vector) -> float:
        """What vectors with this beginning lose at least, were nothing suppressed."""
        from singleout.deidentify.generalise.level_walk_kernels import loss_of

        if self.aim.kind > SUM:
            return 0.0
        sums = [self.aim.every[column, level] for column, level in enumerate(prefix)]
        known = numpy.array([*sums, 0], dtype=numpy.int64)
        # only what was learned of the later columns can make a shorter beginning say more
        shortest = len(prefix) if self.limits == NO_LIMITS else 0
        return max(
            float(loss_of(self.aim, known, columns, 0)) for columns in range(shortest, len(prefix) + 1)
        )


def best_candidates(best: Best) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            tuple(best.levels[index].tolist()), float(best.loss[index]), int(best.discernibility[index]),
            int(best.suppressed[index]), int(best.classes[index]),
        )
        for index in range(best.found[0])
    )  # fmt: skip


def remember_all(best: Best, candidates: Iterable[Candidate]) -> None:
    from singleout.deidentify.generalise.level_walk_kernels import remember

    for each in candidates:
        levels = numpy.array(each.vector, dtype=numpy.int64)
        remember(best, each.loss, each.discernibility, each.suppressed, each.classes, levels)


def _coarseness(prefix: Vector, heights: Sequence[int]) -> float:
    return sum(level / max(1, height) for level, height in zip(prefix, heights, strict=False))
