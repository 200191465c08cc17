"""Dictionary codes: a column as whole numbers 0 … count−1, equal exactly where its values are equal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

Code = NDArray[numpy.uint32]
Given = TypeVar("Given")
Made = TypeVar("Made")


class NotCodableError(Exception):
    """The column can't be counted by codes; count in the database instead."""


@dataclass(frozen=True, eq=False)
class Codes:
    codes: Code
    count: int

    @property
    def bytes(self) -> int:
        return self.codes.nbytes


def encode(
    batches: Iterable[pyarrow.RecordBatch], most_bytes: int, threads: int = 1, in_order: bool = False
) -> Codes:
    """Code a column read piece by piece: each piece by itself first, then the pieces' dictionaries at once.

    Only distinct values of a piece are kept, so a column of a few values costs four bytes a record. The codes
    go by first appearance, or `in_order` of the values with a missing one last, as SQL would rank them.
    """
    pieces: list[NDArray[numpy.int32]] = []
    dictionaries: list[pyarrow.Array] = []
    held = 0
    filled = (batch for batch in batches if batch.num_rows)
    for piece, dictionary in _in_order(_encoded, filled, threads):
        pieces.append(piece)
        dictionaries.append(dictionary)
        held += dictionary.nbytes
        if held > most_bytes:
            raise NotCodableError
    return _joined(pieces, dictionaries, in_order)


def _encoded(batch: pyarrow.RecordBatch) -> tuple[NDArray[numpy.int32], pyarrow.Array]:
    piece = batch.column(0)
    if pyarrow.types.is_dictionary(piece.type):
        indices = piece.indices.fill_null(len(piece.dictionary))
        dictionary = pyarrow.concat_arrays([piece.dictionary, pyarrow.nulls(1, piece.dictionary.type)])
    else:
        piece = piece.dictionary_encode("encode")
        indices = piece.indices
        dictionary = pyarrow.concat_arrays([piece.dictionary])  # a copy, to let go of the batch
    return indices.to_numpy(zero_copy_only=False).astype(numpy.int32, copy=False), dictionary


def _in_order(work: Callable[[Given], Made], items: Iterable[Given], threads: int) -> Iterator[Made]:
    """Work on a few items at a time, so that reading goes on meanwhile and memory stays bounded."""
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque[Future[Made]] = deque()
        for item in items:
            under_way.append(pool.submit(work, item))
            if len(under_way) > threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def _joined(pieces: list[NDArray[numpy.int32]], dictionaries: list[pyarrow.Array], in_order: bool) -> Codes:
    codes = numpy.empty(sum(map(len, pieces)), dtype=numpy.uint32)
    if not pieces:
        return Codes(codes, 0)
    merged = pyarrow.chunked_array(dictionaries).dictionary_encode("encode")
    count = len(merged.chunk(0).dictionary)
    rank = _ranks(merged.chunk(0).dictionary) if in_order else numpy.arange(count, dtype=numpy.uint32)
    start = 0
    for place in range(len(pieces)):
        new_code = rank[merged.chunk(place).indices.to_numpy(zero_copy_only=False)]
        codes[start : start + len(pieces[place])] = new_code[pieces[place]]
        start += len(pieces[place])
        pieces[place] = numpy.empty(0, dtype=numpy.int32)
    return Codes(codes, count)


def _ranks(dictionary: pyarrow.Array) -> Code:
    order = pyarrow.compute.sort_indices(dictionary).to_numpy()
    ranks = numpy.empty(len(order), dtype=numpy.uint32)
    ranks[order] = numpy.arange(len(order), dtype=numpy.uint32)
    return ranks
