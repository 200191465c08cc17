"""The tables that a metric sees: the same columns with the same types in the original and in the release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow
import pyarrow.compute as compute

from singleout.engine.open_engine import open_engine
from singleout.read.source import source

# 0501 is a code of a place, and 0x1F none of our numbers
LEAST_MEGABYTES = 100
CODE = r"^[-+]?0[0-9xX]"


def metric_tables(paths: Mapping[str, str], memory_megabytes: int) -> dict[str, pyarrow.Table]:
    """By name. A column is a number if all its values are numbers in every table that has it, else text.

    Columns whose type is the same in all files, as in Parquet, stay as they are.
    """
    tables = {name: _read(path, memory_megabytes) for name, path in paths.items()}
    for column in dict.fromkeys(name for table in tables.values() for name in table.column_names):
        having = [name for name, table in tables.items() if column in table.column_names]
        changed = _alike([tables[name][column] for name in having])
        for name, values in zip(having, changed, strict=True):
            index = tables[name].column_names.index(column)
            tables[name] = tables[name].set_column(index, column, values)
    return tables


def _read(path: str, memory_megabytes: int) -> pyarrow.Table:
    memory = f"{max(memory_megabytes // 2, LEAST_MEGABYTES)}MB"
    with open_engine(source(path), memory=memory, threads=1) as engine:
        return engine.records(tuple(each.name for each in engine.columns()))


def _alike(columns: list[Any]) -> list[Any]:
    types = {each.type for each in columns}
    if types == {pyarrow.string()}:
        return _numbers(columns) or columns
    if len(types) == 1:
        return columns
    texts = [compute.cast(each, pyarrow.string()) for each in columns]
    return _numbers(texts) or texts


def _numbers(columns: list[Any]) -> list[Any] | None:
    """Whole numbers if all are, decimal ones if all are; None if one is neither."""
    if all(each.null_count == len(each) for each in columns) or any(map(_has_codes, columns)):
        return None
    for kind in (pyarrow.int64(), pyarrow.float64()):
        try:
            found = [compute.cast(each, kind) for each in columns]
        except pyarrow.ArrowInvalid:
            continue
        if all(compute.all(compute.is_finite(each)).as_py() is not False for each in found):
            return found
    return None


def _has_codes(column: Any) -> bool:
    return compute.any(compute.match_substring_regex(column, CODE)).as_py() is True
