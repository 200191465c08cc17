"""A table that a reader in Python has made, with what it noticed and what the file holds beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from singleout.errors import UsageError

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, eq=False)
class OfficeTable:
    """`merged` are columns in which values that differ were read as the same."""

    table: pyarrow.Table
    remarks: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    other_contents: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileLabels:
    """What a file of a statistics program says about its columns, beside their values.

    `values` has the words for the codes of a column, `missing` what the user calls missing there, as ranges
    or single codes; `measures` and `formats` are how the program shows the column.
    """

    columns: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[Any, str]] = field(default_factory=dict)
    missing: dict[str, list[Any]] = field(default_factory=dict)
    measures: dict[str, str] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)


def labels_content(labels: FileLabels) -> dict[str, Any]:
    """For JSON, in which keys are texts: codes and their words are pairs.

    >>> both = FileLabels(columns={"sex": "Sex"}, values={"sex": {1.0: "male", "a": "refused"}})
    >>> labels_from(labels_content(both)) == both
    True
    """
    return {**vars(labels), "values": {name: [*words.items()] for name, words in labels.values.items()}}


def labels_from(content: dict[str, Any]) -> FileLabels:
    return FileLabels(**{**content, "values": {name: dict(each) for name, each in content["values"].items()}})


def lacking_extra(what: str, extra: str) -> UsageError:
    return UsageError(f"{what} need the extra {extra}: pip install 'singleout[{extra}]'")
