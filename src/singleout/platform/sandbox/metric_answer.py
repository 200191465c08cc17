"""What comes out of the sandbox: one JSON object with a number or a reason, and not a byte more."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

from singleout.errors import one_line, printable_text

LONGEST_REASON = 500


@dataclass(frozen=True)
class MetricAnswer:
    value: float | None
    reason: str | None


class MetricAnswerError(Exception):
    """The answer is none."""


def read_answer(content: bytes) -> MetricAnswer:
    """
    >>> read_answer(b'{"value": 0.5, "reason": null}')
    MetricAnswer(value=0.5, reason=None)
    """
    try:
        return _answer(_parsed(content))
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise MetricAnswerError("its answer is not one JSON object with a number") from error


def _parsed(content: bytes) -> Any:
    return json.loads(content.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_object)


def _refuse(_constant: str) -> NoReturn:
    raise ValueError("no finite number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _answer(found: Any) -> MetricAnswer:
    if not isinstance(found, dict) or set(found) != {"value", "reason"}:
        raise ValueError("other keys")
    value, reason = found["value"], found["reason"]
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise ValueError("no number")
    if reason is not None and not isinstance(reason, str):
        raise ValueError("no text")
    if value is not None and not isfinite(number := float(value)):
        raise ValueError("no finite number")
    said = None if reason is None else printable_text(one_line(reason))[:LONGEST_REASON]
    return MetricAnswer(None if value is None else number, said)
