"""Tables whose combinations are asked for, and how the lists that are written of them are read."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

PETS = pyarrow.table(
    {
        "animal": ["cat", "cat", "dog", "dog", "dog", "cat", "owl", "owl"],
        "colour": ["red", "red", "red", "blue", "blue", "red", "grey", "grey"],
        "number": ["1", "2", "1", "2", "2", "1", "1", "1"],
    }
)
WIDE = 7


def close(number: Any) -> Any:
    return pytest.approx(float(number), rel=1e-12, abs=1e-12)


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
    else:
        texts = pyarrow.csv.ConvertOptions(column_types={"sets": pyarrow.string()})
        table = pyarrow.csv.read_csv(path, convert_options=texts)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def wide_table() -> pyarrow.Table:
    random = Random(4)
    columns = {f"c{place}": [random.randrange(place + 2) for _ in range(400)] for place in range(WIDE)}
    return pyarrow.table({"who": [random.randrange(150) for _ in range(400)], **columns})
