"""A level's rule as it is written in a definition file: read with all its mistakes, and written again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from decimal import Decimal
from typing import Any

from singleout.errors import UsageError, name_hint
from singleout.read.hierarchy_file import duplicate_faults, members, pairs_of
from singleout.read.located_rows import short_text
from singleout.roles.hierarchies.level_rules import (
    UNITS,
    DateTo,
    Interval,
    Label,
    LevelRule,
    MappedLevel,
    Number,
    Prefix,
    RawLevel,
    SuppressAll,
    number,
)

KINDS: dict[str, type[LevelRule]] = {
    "raw": RawLevel,
    "interval": Interval,
    "prefix": Prefix,
    "map": MappedLevel,
    "date": DateTo,
    "suppress": SuppressAll,
}
EXAMPLES = {
    "raw": '{"type": "raw"}',
    "interval": '{"type": "interval", "width": 10, "origin": 0}',
    "prefix": '{"type": "prefix", "keep": 3}',
    "map": '{"type": "map", "map": {"nurse": "health"}, "default": "other"}',
    "date": '{"type": "date", "to": "month"}',
    "suppress": '{"type": "suppress"}',
}
KEEP = re.compile(r"[0-9]{1,9}")
LEVELS = f"[{EXAMPLES['raw']}, {EXAMPLES['suppress']}]"


def rules_of(levels: Any) -> tuple[tuple[LevelRule, ...], list[str]]:
    """The rules of a list of levels, and all that is wrong with them.

    >>> rules_of([{"type": "raw"}, {"type": "interval", "width": 0}])[1]
    ['level 1: width: 0 is no width; write a number above 0']
    """
    if not isinstance(levels, (list, tuple)) or not levels:
        return (), [f"levels: should be a list such as {LEVELS}, not {short_text(levels)}"]
    rules, faults = [], []
    for level, content in enumerate(levels):
        rule, mistakes = _rule(content)
        faults += [f"level {level}: {mistake}" for mistake in mistakes]
        rules += [] if rule is None else [rule]
    return tuple(rules), faults


def definition_of(rule: LevelRule) -> dict[str, Any]:
    """The rule as an object for JSON.

    >>> definition_of(Interval(Decimal("0.5")))
    {'type': 'interval', 'width': 0.5, 'origin': 0}
    """
    kind = next(name for name, known in KINDS.items() if isinstance(rule, known))
    return {"type": kind, **{each.name: _json_value(getattr(rule, each.name)) for each in fields(rule)}}


def width(content: Any) -> Number:
    found = None if isinstance(content, bool) else number(str(content))
    if found is None or found <= 0:
        raise UsageError(f"{short_text(content)} is no width; write a number above 0")
    return found


def exact_number(content: Any) -> Number:
    """A number as it is written in decimals, from a number or its text."""
    value = None if isinstance(content, bool) else number(str(content))
    if value is None:
        raise UsageError(f"{short_text(content)} is no number; write one like 10 or 2.5")
    return value


def prefix_length(content: Any) -> int:
    if isinstance(content, bool) or not KEEP.fullmatch(str(content)):
        raise UsageError(f"{short_text(content)} is no number of characters; write a whole number, 0 or more")
    return int(content)


def unit(content: Any) -> str:
    if content not in UNITS:
        raise UsageError(f"{short_text(content)} is no unit of dates; {name_hint(str(content), UNITS)}")
    return str(content)


def _rule(content: Any) -> tuple[LevelRule | None, list[str]]:
    kind = dict(pairs_of(content) or ()).get("type", "raw")
    if not isinstance(kind, str) or kind not in KINDS:
        return None, [f"type: {short_text(kind)} is unknown; {name_hint(str(kind), KINDS)}"]
    settings = fields(KINDS[kind])
    needed = [each.name for each in settings if each.default is MISSING]
    optional = [each.name for each in settings if each.default is not MISSING]
    found, faults = members(content, ("type", *needed), EXAMPLES[kind], optional)
    known = {}
    for each in settings:
        if each.name in found:
            try:
                known[each.name] = READERS[each.name](found[each.name])
            except UsageError as fault:
                faults.append(f"{each.name}: {fault}")
    return (None if faults else KINDS[kind](**known)), faults


def _labels(content: Any) -> dict[str, Label]:
    pairs = pairs_of(content)
    if not pairs:
        raise UsageError(f'{short_text(content)} is no map; write an object such as {{"nurse": "health"}}')
    faults = duplicate_faults([name for name, _ in pairs])
    for each in pairs:
        faults += [
            f"{short_text(text)} is no text; write it in quotes" for text in each if not isinstance(text, str)
        ]
    if faults:
        raise UsageError("; ".join(faults))
    return {name: to or None for name, to in pairs}


def _default(content: Any) -> str:
    if not isinstance(content, str) or not content:
        raise UsageError(f"{short_text(content)} is no label; write a text")
    return content


def _json_value(setting: Any) -> Any:
    """A number that other readers of JSON would round is written as a text, which is read as well."""
    if not isinstance(setting, Decimal):
        return setting
    return float(setting) if Decimal(repr(float(setting))) == setting else str(setting)


READERS: dict[str, Callable[[Any], Any]] = {
    "width": width,
    "origin": exact_number,
    "keep": prefix_length,
    "map": _labels,
    "default": _default,
    "to": unit,
}
