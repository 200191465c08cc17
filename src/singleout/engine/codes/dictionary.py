"""Dictionary codes: a column as whole numbers 0 … count−1, equal exactly where its values are equal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
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
    return encode_with_values(batches, most_bytes, threads, in_order)[0]


def encode_with_values(
    batches: Iterable[pyarrow.RecordBatch], most_bytes: int, threads: int = 1, in_order: bool = False
) -> tuple[Codes, pyarrow.Array]:
    """The same, and the values that the codes stand for."""
    pieces = Pieces()
    for encoded in encoded_pieces(batches, threads):
        pieces.add(encoded[0])
        if pieces.held > most_bytes:
            raise NotCodableError
    codes, values = pieces.join(in_order)
    return Codes(codes, len(values)), values


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a column: codes of its own, and the values they stand for, a missing one among them."""

    codes: NDArray[numpy.int32]
    dictionary: pyarrow.Array


def encoded_pieces(batches: Iterable[pyarrow.RecordBatch], threads: int) -> Iterator[list[Piece]]:
    """Of each batch that has rows, a piece of every column."""
    filled = (batch for batch in batches if batch.num_rows)
    return _map_in_order(lambda batch: [_encoded_piece(column) for column in batch.columns], filled, threads)


class Pieces:
    """A column as it comes, until its pieces are joined; `held` is how many bytes its values take so far."""

    def __init__(self) -> None:
        self.held = 0
        self._codes: list[NDArray[numpy.int32]] = []
        self._dictionaries: list[pyarrow.Array] = []

    def add(self, piece: Piece) -> None:
        self._codes.append(piece.codes)
        self._dictionaries.append(piece.dictionary)
        self.held += piece.dictionary.nbytes

    def join(self, in_order: bool) -> tuple[Code, pyarrow.Array]:
        """The codes of the whole column and the values they stand for; the pieces are used up."""
        codes = numpy.empty(sum(map(len, self._codes)), dtype=numpy.uint32)
        if not self._codes:
            return codes, pyarrow.nulls(0)
        merged = pyarrow.chunked_array(self._dictionaries).dictionary_encode("encode")
        self._dictionaries.clear()
        values = merged.chunk(0).dictionary
        rank = numpy.arange(len(values), dtype=numpy.uint32)
        if in_order:
            order = pyarrow.compute.sort_indices(values)
            rank[order.to_numpy()] = numpy.arange(len(values), dtype=numpy.uint32)
            values = values.take(order)
        start = 0
        for index, chunk in enumerate(merged.chunks):
            new_code = rank[chunk.indices.to_numpy(zero_copy_only=False)]
            codes[start : start + len(self._codes[index])] = new_code[self._codes[index]]
            start += len(self._codes[index])
            self._codes[index] = numpy.empty(0, dtype=numpy.int32)
        return codes, values


def _encoded_piece(column: pyarrow.Array) -> Piece:
    if pyarrow.types.is_dictionary(column.type):
        indices = column.indices.fill_null(len(column.dictionary))
        dictionary = pyarrow.concat_arrays([column.dictionary, pyarrow.nulls(1, column.dictionary.type)])
    else:
        column = column.dictionary_encode("encode")
        indices = column.indices
        dictionary = pyarrow.concat_arrays([column.dictionary])  # a copy, to let go of the batch
    return Piece(indices.to_numpy(zero_copy_only=False).astype(numpy.int32, copy=False), dictionary)


def _map_in_order(work: Callable[[Given], Made], items: Iterable[Given], threads: int) -> Iterator[Made]:
    """Work on a few items at a time, so that reading goes on meanwhile and memory stays bounded."""
    left = iter(items)
    first = list(islice(left, 2))
    if len(first) < 2:  # nothing to do meanwhile
        yield from map(work, first)
        return
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque[Future[Made]] = deque()
        for item in chain(first, left):
            under_way.append(pool.submit(work, item))
            if len(under_way) > threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
