"""The order of a column's values: numbers, dates and times as such, all others as texts."""

from __future__ import annotations

import numpy
import pyarrow

from singleout.engine.codes.column_numbers import amounts_of, kind_of, seconds_of
from singleout.recipe.record_table import is_text
from singleout.recipe.steps.distinct_values import Codes, DistinctValues, distinct_values_of


def ranks_of(name: str, column: pyarrow.Array) -> Codes:
    """A number for each record, larger for a later value and the same for an equal one; −1 if it is missing.

    >>> ranks_of("number", pyarrow.array(["10", "9", None, "9.0"])).tolist()
    [1, 0, -1, 0]
    >>> ranks_of("date", pyarrow.array(["2011/1/10", "2011/1/9"])).tolist()
    [1, 0]
    """
    different = distinct_values_of(name, column)
    if not is_text(different.values.type):
        return different.codes
    return numpy.append(_ranks_of_texts(name, different), -1)[different.codes]


def _ranks_of_texts(name: str, different: DistinctValues) -> Codes:
    texts = different.values.to_pylist()
    kind = kind_of(texts)
    if kind == "category":
        return numpy.arange(len(texts), dtype=numpy.int64)
    read = amounts_of(name, texts) if kind == "number" else seconds_of(name, texts)
    return numpy.unique(read.numbers, return_inverse=True)[1].astype(numpy.int64)
