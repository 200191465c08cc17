"""The records of a table as codes of their texts, so that those of two tables can be brought together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import pyarrow

from singleout.engine.codes.dictionary import Code, Piece, Pieces, encoded_pieces

# its offsets have eight bytes: the texts of a large table may be longer than two gigabytes
TEXT = pyarrow.large_string()


@dataclass(frozen=True, eq=False)
class Texts:
    """Of each column a code for every record, and the texts that the codes stand for, each once.

    The texts are as the database writes them, a missing one is None. Never print them unasked.
    """

    codes: tuple[Code, ...]
    values: tuple[pyarrow.LargeStringArray, ...]

    @classmethod
    def of(cls, batches: Iterable[pyarrow.RecordBatch], width: int, threads: int = 1) -> Texts:
        """From batches of texts, `width` columns of them: four bytes a value, and each text once a batch."""
        columns = [Pieces() for _ in range(width)]
        for encoded in encoded_pieces(batches, threads):
            for column, piece in zip(columns, encoded, strict=True):
                column.add(Piece(piece.codes, piece.dictionary.cast(TEXT)))
        joined = [column.join(in_order=False) for column in columns]
        return cls(tuple(codes for codes, _ in joined), tuple(values.cast(TEXT) for _, values in joined))


def common_codes(dictionaries: Sequence[pyarrow.LargeStringArray]) -> tuple[list[Code], pyarrow.Array]:
    """For each dictionary the codes of its texts in one that holds them all, in their order; and that one.

    >>> dictionaries = [pyarrow.array(["b", None], TEXT), pyarrow.array(["a", "b"], TEXT)]
    >>> (one, other), texts = common_codes(dictionaries)
    >>> one.tolist(), other.tolist(), texts.to_pylist()
    ([1, 2], [0, 1], ['a', 'b', None])
    """
    pieces = Pieces()
    batches = (pyarrow.record_batch([each], ["text"]) for each in dictionaries)
    for (piece,) in encoded_pieces(batches, 1):
        pieces.add(piece)
    codes, texts = pieces.join(in_order=True)
    ends = list(accumulate(map(len, dictionaries), initial=0))
    return [codes[start:end] for start, end in pairwise(ends)], texts.cast(TEXT)
