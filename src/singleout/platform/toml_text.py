"""Plain data as TOML text: tables of texts, numbers and lists, and lists of tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def toml_document(content: Mapping[str, Any]) -> str:
    """What `tomllib` reads back as it was.

    >>> print(toml_document({"name": "a", "quota": {"a_day": 3}, "phase": [{"name": "Open"}]}), end="")
    name = "a"
    <BLANKLINE>
    [quota]
    a_day = 3
    <BLANKLINE>
    [[phase]]
    name = "Open"
    """
    return "\n".join(_lines(content)) + "\n"


def _lines(content: Mapping[str, Any]) -> Iterator[str]:
    tables = {key: value for key, value in content.items() if isinstance(value, Mapping)}
    lists = {key: value for key, value in content.items() if _is_list_of_tables(value)}
    for key, value in content.items():
        if key not in tables and key not in lists:
            yield f"{_key(key)} = {_value(value)}"
    for key, table in tables.items():
        if table:
            yield from ("", f"[{_key(key)}]", *_pairs(table))
    for key, rows in lists.items():
        for row in rows:
            yield from ("", f"[[{_key(key)}]]", *_pairs(row))


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{_key(key)} = {_value(value)}" for key, value in table.items())


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    """JSON's escapes are TOML's too, but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
