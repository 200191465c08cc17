"""The tables that the papers count, made from published data sets by rules that are tested."""

from __future__ import annotations

import csv
import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from os import PathLike, fspath
from pathlib import Path

import pyarrow
import pyarrow.parquet

from singleout.errors import InputError, UsageError, name_hint
from singleout.files import check_table_target, real_path, write_batches
from singleout.read.encoding import sniff_encoding

DAYS = ("%Y-%m-%d %H:%M:%S", "%m/%d/%Y %H:%M", "%Y-%m-%dT%H:%M:%S", "%d/%m/%Y %H:%M")
CUSTOMERS = 400
ADULT = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "income",
)  # fmt: skip
RETAIL = (
    "InvoiceNo", "StockCode", "Quantity", "InvoiceDate", "UnitPrice", "CustomerID", "Country",
)  # fmt: skip
PATIENTS = {
    "patient_nbr": "patient", "time_in_hospital": "days", "age": "age", "race": "ethnicity",
    "gender": "gender",
}  # fmt: skip
EXCEL = (".xlsx", ".xls")


@dataclass(frozen=True)
class PublishedTable:
    """A table of the papers: where its data set is published, how it is made, and what must come out."""

    name: str
    about: str
    user: str | None
    address: str
    licence: str
    records: int
    digest: str
    make: Callable[[Path], pyarrow.Table]

    @property
    def where(self) -> str:
        return f"its data set is published at {self.address} ({self.licence})"


def data(
    name: str, *, source: str | PathLike[str] | None = None, out: str | PathLike[str] | None = None
) -> pyarrow.Table | int:
    """A table of the papers from a published data set: as an Arrow table, or written to `out` and counted.

    `t1` are the 400 customers of Ito et al. 2019 and 2020, `t2` and `t3` the patients and the adults of Ito
    et al. 2019, `adult` the whole Adult data set with the names of its columns. `source` is the file as it
    was published. Records are counted and their digest is compared: what is not the papers' table is an
    error, and nothing is written.
    """
    if name not in TABLES:
        raise UsageError(f"there is no table {name!r}; {name_hint(name, TABLES)}")
    chosen = TABLES[name]
    if source is None:
        raise UsageError(f"{name} is made from a file that you have; {chosen.where}, name it by --from")
    path = Path(fspath(source))
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; {chosen.where}")
    if out is not None:
        check_table_target(out)
        if real_path(out) == real_path(path):
            raise UsageError(f"{path}: is what is read; name another file to write")
    try:
        table = chosen.make(path)
    except (csv.Error, LookupError, ValueError, OverflowError, pyarrow.ArrowInvalid, zlib.error) as error:
        raise InputError(f"{path}: is not the file as it was published: {chosen.where}") from error
    if (table.num_rows, rows_digest(table)) != (chosen.records, chosen.digest):
        raise InputError(
            f"{path}: gives {table.num_rows:,} records that are not the {chosen.records:,} of the papers; "
            f"take the file as it was published: {chosen.where}"
        )
    return table if out is None else write_batches(out, table.to_batches())


def rows_digest(table: pyarrow.Table) -> str:
    """SHA-256 of all names and values as text, in their order."""
    digest = hashlib.sha256("\x1f".join(table.column_names).encode())
    for batch in table.to_batches(max_chunksize=10_000):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digest.update(("\x1e" + "\x1f".join(map(str, row))).encode())
    return digest.hexdigest()


def _purchases(path: Path) -> pyarrow.Table:
    """Bought, not cancelled, by a known customer of a known country; of these the 400 smallest numbers."""
    rows = [row for row in _retail_rows(path) if _is_purchase(row)]
    unspecified = {row[5] for row in rows if row[6] == "Unspecified"}
    customers = {*sorted({row[5] for row in rows} - unspecified, key=int)[:CUSTOMERS]}
    kept = [row for row in rows if row[5] in customers]
    days = [_day(row[3], path) for row in kept]
    return pyarrow.table(
        {
            "customer": pyarrow.array([int(row[5]) for row in kept], pyarrow.int32()),
            "receipt": [row[0] for row in kept],
            "date": [day.strftime("%Y/%m/%d") for day in days],
            "time": [day.strftime("%H:%M") for day in days],
            "goods": [row[1] for row in kept],
            "price": [float(row[4]) for row in kept],
            "number": pyarrow.array([int(row[2]) for row in kept], pyarrow.int32()),
            "country": [row[6] for row in kept],
        }
    )


def _is_purchase(row: Sequence[str]) -> bool:
    return bool(row[5]) and not row[0].startswith("C") and float(row[2]) > 0 and float(row[4]) > 0


def _retail_rows(path: Path) -> list[list[str]]:
    """Text as CSV would write it, whatever the file is; a customer's number without a point."""
    rows = _parquet_rows(path, RETAIL) if path.suffix == ".parquet" else _csv_rows(path, RETAIL)
    for row in rows:
        row[5] = row[5].removesuffix(".0")
    return rows


def _day(text: str, path: Path) -> datetime:
    for form in DAYS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    raise InputError(f"{path}: InvoiceDate is not written like 2010-12-01 08:26:00 or 12/1/2010 8:26")


def _patients(path: Path) -> pyarrow.Table:
    rows = _csv_rows(path, [*PATIENTS])
    return pyarrow.table(dict(zip(PATIENTS.values(), map(list, zip(*rows, strict=True)), strict=True)))


def _adults(path: Path) -> pyarrow.Table:
    """The file has no header, a blank behind each comma and an empty line at its end."""
    rows = [row for row in csv.reader(_text(path).splitlines(), skipinitialspace=True) if row]
    if any(len(row) != len(ADULT) for row in rows) or not rows:
        raise InputError(f"{path}: has not {len(ADULT)} fields in each line, as adult.data has")
    return pyarrow.table(dict(zip(ADULT, map(list, zip(*rows, strict=True)), strict=True)))


def _numbered_adults(path: Path) -> pyarrow.Table:
    """Each record is a person of its own."""
    table = _adults(path)
    people = pyarrow.array(range(1, table.num_rows + 1), pyarrow.int32())
    return table.add_column(0, "person", people)


def _parquet_rows(path: Path, names: Sequence[str]) -> list[list[str]]:
    try:
        there = pyarrow.parquet.read_schema(path).names
        _check_names(path, there, names)
        table = pyarrow.parquet.read_table(path, columns=list(names))
    except (OSError, pyarrow.ArrowInvalid) as error:
        raise InputError(f"{path}: is no Parquet file that can be read") from error
    columns = [_texts(table[name]) for name in names]
    return [list(row) for row in zip(*columns, strict=True)]


def _texts(column: pyarrow.ChunkedArray) -> list[str]:
    return ["" if value is None else str(value) for value in column.to_pylist()]


def _csv_rows(path: Path, names: Sequence[str]) -> list[list[str]]:
    reader = csv.reader(_text(path).splitlines())
    header = next(reader, [])
    _check_names(path, header, names)
    places = [header.index(name) for name in names]
    return [[row[place] for place in places] for row in reader if row]


def _check_names(path: Path, there: Iterable[str], names: Sequence[str]) -> None:
    lacking = [name for name in names if name not in [*there]]
    if lacking:
        raise InputError(f"{path}: has no column {lacking[0]!r}; take the file as it was published")


def _text(path: Path) -> str:
    if path.suffix.lower() in EXCEL:
        raise InputError(f"{path}: is an Excel file; save it as CSV, and name that")
    raw = path.read_bytes()
    try:
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: is no gzip file that can be read") from error
    return raw.decode(sniff_encoding(raw), errors="replace")


UCI = "https://archive.ics.uci.edu/dataset"
TABLES = {
    each.name: each
    for each in (
        PublishedTable(
            "t1", "the purchases of Ito et al. 2019 and 2020", "customer", f"{UCI}/352 (Online Retail)",
            "CC BY 4.0", 38_087, "aaa490c8dd19a3200024efe19fe5d668bdb639612d49e3c96a2cad2adb1e6ce3",
            _purchases,
        ),
        PublishedTable(
            "t2", "the patients of Ito et al. 2019", "patient", f"{UCI}/296 (Diabetes 130-US hospitals)",
            "CC BY 4.0", 101_766, "0606d4d8a9744bd3edd51aac2ea428c122727f67c2994df09f4892fc61d1444f",
            _patients,
        ),
        PublishedTable(
            "t3", "the adults of Ito et al. 2019, each record a person", "person", f"{UCI}/2 (Adult)",
            "CC BY 4.0", 32_561, "3992c0c6f79d6a5c4b17fb4dd5d6e56d403002e53be15516344f375b3e3cf4da",
            _numbered_adults,
        ),
        PublishedTable(
            "adult", "Adult with the names of its columns", None, f"{UCI}/2 (Adult)", "CC BY 4.0", 32_561,
            "11b07578d703a56813bd7ef74ff765c40ca02baf7b11b94b5faf0f0aceac5936", _adults,
        ),
    )
}  # fmt: skip
