"""Reads files of SPSS, Stata and SAS: values are the codes, and the words for these are kept beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout.errors import InputError
from singleout.read.file_signature import file_signature
from singleout.read.office_table import FileLabels, OfficeTable, lacking_extra

if TYPE_CHECKING:
    import pyarrow

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
# these know values that the user calls missing, which stay the values that they are
WITH_USER_MISSING = ("read_sav", "read_dta", "read_sas7bdat")
# whole numbers up to here are exact as doubles
EXACT = 2**53
BY_KIND = {"spss": ".sav", "stata": ".dta", "sas": ".sas7bdat"}


def read_statistics(path: Path, kind: str) -> OfficeTable:
    values, told = _read(path, kind)
    import pyarrow

    columns = {name: _column(each) for name, each in values.items()}
    mixed = [name for name, each in values.items() if _is_mixed(each)]
    remarks = [f"{name!r} has marked missing values (such as .a) and is read as text" for name in mixed]
    return OfficeTable(pyarrow.table(columns), tuple(remarks), other_contents=tuple(_others(values, told)))


def _others(values: dict[str, list[Any]], told: Any) -> Iterator[str]:
    """What else whoever gets the file can read: notes, and the words for codes, which nobody looks at."""
    notes = len(told.notes or ()) + bool(told.file_label)
    if notes:
        yield f"{notes:,} {'note' if notes == 1 else 'notes'} about the file"
    labels = told.variable_value_labels
    gone = sum(len(set(words) - set(values.get(name, ()))) for name, words in labels.items())
    there = sum(map(len, labels.values())) - gone
    if there:
        yield f"labels of {there:,} {'value' if there == 1 else 'values'}"
    if gone:
        yield f"labels of {gone:,} {'value' if gone == 1 else 'values'} that no record has"


def labels_of(path: Path, kind: str) -> FileLabels:
    """What the file says about its columns; no record is read."""
    _, told = _read(path, kind, metadataonly=True)
    return FileLabels(
        columns={name: text for name, text in told.column_names_to_labels.items() if text},
        values={name: dict(words) for name, words in told.variable_value_labels.items()},
        missing={name: list(each) for name, each in (told.missing_ranges or {}).items()},
        measures={name: text for name, text in told.variable_measure.items() if text != "unknown"},
        formats={name: text for name, text in told.original_variable_types.items() if text},
    )


def _read(path: Path, kind: str, **settings: Any) -> tuple[dict[str, list[Any]], Any]:
    try:
        import pyreadstat
    except ImportError as error:
        raise lacking_extra("files of SPSS, Stata and SAS", "stats") from error
    ending = path.suffix.lower()
    ending = ending if ending in READERS else file_signature(path).ending
    name = READERS.get(ending, READERS[BY_KIND[kind]])
    if name in WITH_USER_MISSING:
        settings["user_missing"] = True
    try:
        values, told = getattr(pyreadstat, name)(str(path), output_format="dict", **settings)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OverflowError, ValueError) as error:
        raise InputError(f"{path}: is no {kind} file, or a damaged one; save it again") from error
    if not settings.get("metadataonly") and _is_cut_off(values, told):
        raise InputError(
            f"{path}: is a damaged {kind} file: it has fewer records than it says; save it again"
        )
    return values, told


def _is_cut_off(values: dict[str, list[Any]], told: Any) -> bool:
    return bool(told.number_rows) and any(len(each) < told.number_rows for each in values.values())


def _is_mixed(values: list[Any]) -> bool:
    """Numbers beside the letters of marked missing values."""
    return len({isinstance(each, str) for each in values if each is not None}) > 1


def _column(values: list[Any]) -> pyarrow.Array:
    """Whole numbers as such, for these programs know doubles only; an empty text is a missing value."""
    import pyarrow

    if _is_mixed(values):
        return pyarrow.array([None if each is None else _text(each) for each in values], pyarrow.string())
    found = pyarrow.array([None if each == "" else each for each in values], from_pandas=True)
    if pyarrow.types.is_floating(found.type):
        whole = all(each is None or (each.is_integer() and abs(each) < EXACT) for each in found.to_pylist())
        return found.cast(pyarrow.int64()) if whole else found
    return found.cast(pyarrow.string()) if pyarrow.types.is_null(found.type) else found


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
