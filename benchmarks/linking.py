"""Generated people and a release of them, how each contender links them, and whether the answers agree."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

THREADS, MOST = 2, 10
# items drawn twice count once, which leaves about 65; the item of rank r is drawn as 1/(r + 50)
DRAWN_MEAN, DRAWN_SPREAD, FLATTENED = 69, 0.7, 50
RECORDS_MEAN = 65
# the fastest found for scipy at 4,000 to 200,000 people: larger blocks leave the processor's cache
PAIRS_A_BLOCK = 2_000_000
OURS, TEN, SCIPY, SCIPY_THREADS, SKLEARN = "singleout", "ten", "scipy", "scipy_threads", "sklearn"
NEAREST, TREE = "nearest", "tree"
Answer = dict[str, Any]
Found = dict[str, Answer]


def draw_sets(file: Path, _: int) -> Answer:
    """People's sets, of each a random half under another number."""
    import numpy

    people, items = map(int, file.stem.split("_")[1:])
    draw = numpy.random.default_rng(6)
    person, item = drawn_sets(draw, people, items)
    size = numpy.bincount(person, minlength=people)
    starts = numpy.concatenate(([0], numpy.cumsum(size)))
    half = by_lot(draw, person, (size + 1) // 2)
    truth = draw.permutation(people)
    number = numpy.argsort(truth)[person[half]]
    order = numpy.lexsort((item[half], number))
    draft = file.with_suffix(".part.npz")
    numpy.savez(
        draft,
        starts=starts,
        items=item.astype(numpy.uint32),
        asked_starts=numpy.concatenate(([0], numpy.cumsum(numpy.bincount(number, minlength=people)))),
        asked_items=item[half][order].astype(numpy.uint32),
        truth=truth,
    )
    draft.rename(file)
    return {}


def draw_vectors(file: Path, _: int) -> Answer:
    """People's records of each category, few of which are frequent, and a random half of them, shuffled."""
    import numpy

    people, categories = map(int, file.stem.split("_")[1:])
    draw = numpy.random.default_rng(6)
    shares = 1 / numpy.arange(1, categories + 1)
    original = draw.poisson(RECORDS_MEAN * shares / shares.sum(), (people, categories))
    cell = numpy.repeat(numpy.arange(original.size), original.ravel())
    half = by_lot(draw, cell // categories, (original.sum(axis=1) + 1) // 2)
    release = numpy.bincount(cell[half], minlength=original.size).reshape(original.shape)
    release = release[draw.permutation(people)]
    draft = file.with_suffix(".part.npz")
    numpy.savez(draft, original=original.astype(numpy.int32), release=release.astype(numpy.int32))
    draft.rename(file)
    return {}


def by_lot(draw: Any, person: Any, number: Any) -> Any:
    """The places of so many entries of each person."""
    import numpy

    order = numpy.lexsort((draw.random(len(person)), person))
    size = numpy.bincount(person, minlength=len(number))
    rank = numpy.arange(len(person)) - numpy.repeat(numpy.cumsum(size) - size, size)
    return order[rank < numpy.repeat(number, size)]


def drawn_sets(draw: Any, people: int, items: int) -> tuple[Any, Any]:
    """Pairs in order: few people have many items, few items are frequent."""
    import numpy

    middle = math.log(DRAWN_MEAN) - DRAWN_SPREAD**2 / 2
    size = draw.lognormal(middle, DRAWN_SPREAD, people).clip(4, items / 4).astype(numpy.int64)
    popularity = numpy.cumsum(1 / (numpy.arange(items) + FLATTENED))
    item = numpy.searchsorted(popularity, draw.random(size.sum()) * popularity[-1])
    pairs = numpy.unique(numpy.repeat(numpy.arange(people), size) * items + item)
    return numpy.divmod(pairs, items)


@dataclass(frozen=True, eq=False)
class Sets:
    """The arrays of a task; `memory` is what the process has once they are loaded, libraries included."""

    starts: Any
    items: Any
    asked_starts: Any
    asked_items: Any
    truth: Any
    choices: int
    memory: int

    def answer(self, took: float, guess: Any, score: Any, **more: Any) -> Answer:
        right = float((guess == self.truth[: len(guess)]).mean())
        told = {"took": took, "above": gib_above(self.memory), "people": len(guess), "right": right}
        return told | {"guess": guess.tolist(), "score": score.tolist()} | more


def loaded_sets(file: Path) -> Sets:
    arrays, memory = read(file)
    return Sets(**arrays, choices=int(file.stem.split("_")[2]), memory=memory)


def read(file: Path) -> tuple[dict[str, Any], int]:
    """The arrays, and the memory of the process with them."""
    import numpy

    with numpy.load(file) as stored:
        arrays = dict(stored)
    # from here on the kernel notes the peak anew
    Path("/proc/self/clear_refs").write_text("5")
    return arrays, memory_bytes("VmRSS:")


def gib_above(memory: int) -> float:
    return (memory_bytes("VmHWM:") - memory) / 2**30


def memory_bytes(what: str) -> int:
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index(what) + 1]) * 1024


def warm_sets(_: Path, __: int) -> Answer:
    import numpy

    start = time.perf_counter()
    starts, items = numpy.arange(0, 9, 2), numpy.array([0, 1, 0, 2, 1, 2, 2, 3], dtype=numpy.uint32)
    linked_sets(Sets(starts, items, starts, items, None, 4, 0), 1)
    return {"first": time.perf_counter() - start}


def linked_sets(data: Sets, most: int) -> Any:
    import numpy

    from singleout.attacks.linkage.item_sets import ItemSets, SetPair
    from singleout.attacks.linkage.set_linkage import OverlapLinkage
    from singleout.progress import silent

    known = ItemSets(data.starts, data.items, numpy.ones_like(data.items))
    release = ItemSets(data.asked_starts, data.asked_items, numpy.ones_like(data.asked_items))
    return OverlapLinkage(SetPair(known, release, data.choices), "jaccard", THREADS).best(most, silent)


def best_sets(file: Path, most: int) -> Answer:
    warm_sets(file, 0)
    data = loaded_sets(file)
    start = time.perf_counter()
    best = linked_sets(data, most)
    took = time.perf_counter() - start
    alone = best.tied_last == 1 if most == 1 else best.score[:, 0] > best.score[:, 1]
    return data.answer(took, best.person[:, 0], best.score[:, 0], alone=alone.tolist())


def scipy_sets(file: Path, people: int, threads: int = 1) -> Answer:
    """The items in common, by a product of sparse matrices, a block of people after the other."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy
    import scipy.sparse  # noqa: F401  # before the data, so that its memory does not count

    data = loaded_sets(file)
    start = time.perf_counter()
    known = matrix(data.starts, data.items, data.choices).T.tocsr()
    release = matrix(data.asked_starts[: people + 1], data.asked_items, data.choices)
    sizes, asked_sizes = (numpy.diff(each).astype(numpy.int32) for each in (data.starts, data.asked_starts))
    rows = max(1, PAIRS_A_BLOCK // len(sizes))

    def matched(first: int) -> tuple[Any, Any]:
        last = min(first + rows, people)
        common = release[first:last] @ known
        either = numpy.repeat(asked_sizes[first:last], numpy.diff(common.indptr)) + sizes[common.indices]
        score = common.data / (either - common.data)
        best = [begin + score[begin:end].argmax() for begin, end in pairwise(common.indptr.tolist())]
        return common.indices[best], score[best]

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(matched, range(0, people, rows)))
    guess, score = (numpy.concatenate(each) for each in zip(*found, strict=True))
    return data.answer(time.perf_counter() - start, guess, score)


def matrix(starts: Any, items: Any, choices: int) -> Any:
    import numpy
    import scipy.sparse

    ones = numpy.ones(starts[-1], dtype=numpy.int32)
    indices, starts = items[: starts[-1]].view(numpy.int32), starts.astype(numpy.int32)
    return scipy.sparse.csr_array((ones, indices, starts), (len(starts) - 1, choices))


def sklearn_sets(file: Path, people: int) -> Answer:
    """It wants a column an item."""
    from sklearn.neighbors import NearestNeighbors

    data = loaded_sets(file)
    start = time.perf_counter()
    known = matrix(data.starts, data.items, data.choices).astype(bool).toarray()
    release = matrix(data.asked_starts[: people + 1], data.asked_items, data.choices).astype(bool).toarray()
    nearest = NearestNeighbors(n_neighbors=1, metric="jaccard", algorithm="brute", n_jobs=THREADS).fit(known)
    distance, guess = nearest.kneighbors(release)
    return data.answer(time.perf_counter() - start, guess[:, 0], 1 - distance[:, 0])


def best_vectors(file: Path, _: int) -> Answer:
    import numpy

    from singleout.attacks.linkage.vector_linkage import VectorLinkage
    from singleout.progress import silent

    tiny = numpy.arange(60, dtype=numpy.int32).reshape(20, 3) % 7
    VectorLinkage(tiny, tiny[:15], THREADS).best(MOST, silent)
    arrays, memory = read(file)
    start = time.perf_counter()
    best = VectorLinkage(arrays["original"], arrays["release"], THREADS).best(MOST, silent)
    return distances(time.perf_counter() - start, memory, -best.score)


def tree_vectors(file: Path, people: int) -> Answer:
    from scipy.spatial import cKDTree

    arrays, memory = read(file)
    start = time.perf_counter()
    distance, _ = cKDTree(arrays["original"]).query(arrays["release"][:people], k=MOST, workers=THREADS)
    return distances(time.perf_counter() - start, memory, distance)


def distances(took: float, memory: int, distance: Any) -> Answer:
    return {"took": took, "above": gib_above(memory), "people": len(distance), "distances": distance.tolist()}


def check_sets(best: Found) -> None:
    """A fast wrong answer is no answer: the same likeness for all, the same person where one is best."""
    ours = best[OURS]
    for name, each in best.items():
        told = zip(each["guess"], each["score"], ours["guess"], ours["score"], ours["alone"], strict=False)
        for place, (guess, score, our_guess, our_score, alone) in enumerate(told):
            assert math.isclose(score, our_score, rel_tol=1e-9), (name, place, score, our_score)
            assert guess == our_guess or not alone, (name, place, guess, our_guess)


def check_vectors(best: Found) -> None:
    """The same ten distances for everybody whom both were asked for; people at equal ones may differ."""
    ours, theirs = best[NEAREST]["distances"], best[TREE]["distances"]
    both = zip(chain(*ours[: len(theirs)]), chain(*theirs), strict=True)
    assert all(math.isclose(our, their, rel_tol=1e-9) for our, their in both)


RUN: dict[str, Callable[[Path, int], Answer]] = {
    OURS: lambda file, _: best_sets(file, 1),
    TEN: lambda file, _: best_sets(file, MOST),
    SCIPY: scipy_sets,
    SCIPY_THREADS: lambda file, people: scipy_sets(file, people, THREADS),
    SKLEARN: sklearn_sets,
    NEAREST: best_vectors,
    TREE: tree_vectors,
    "draw_people": draw_sets,
    "draw_vectors": draw_vectors,
    "warm": warm_sets,
}
