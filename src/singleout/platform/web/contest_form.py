"""The form of a contest: its fields, what they show at first, and the contest that comes of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from singleout.attacks.catalogue import KINDS
from singleout.errors import UsageError
from singleout.platform.contest import (
    AUDIENCES,
    PARTS,
    SEVERAL,
    TEMPLATES,
    TRUTH_RULES,
    UNCERTAIN_RULES,
    WITHOUT_BETTER,
    Contest,
    Phase,
    contest_of,
    template,
)
from singleout.platform.toml_text import toml_document
from singleout.platform.web.requests import whole_number
from singleout.utility.catalogue import OF_COLUMNS, UTILITY_MEASURES

COLUMN_METRICS = tuple(each.name for each in OF_COLUMNS)
UTILITIES = tuple(
    each.name for each in UTILITY_MEASURES if each.name not in (*COLUMN_METRICS, *WITHOUT_BETTER)
)
ATTACKS = tuple(KINDS)
TEXTS = ("title", "about", "user", "truth", "uncertain")
# fields of the form by the table of the definition that they are in
NUMBERS = {
    "quota": ("a_day", "in_all", "failures_a_day"),
    "limits": ("rows", "columns", "megabytes"),
    "": ("most_members", "seed"),
}
AUDIENCE_FIELDS = {"board": "board_for", "values": "values_for", "original": "data_for"}


@dataclass(frozen=True)
class FormChoices:
    """What the form offers."""

    templates: tuple[str, ...] = TEMPLATES
    parts: tuple[str, ...] = PARTS
    attacks: tuple[str, ...] = ATTACKS
    utilities: tuple[str, ...] = UTILITIES
    column_metrics: tuple[str, ...] = COLUMN_METRICS
    audiences: tuple[str, ...] = AUDIENCES
    truths: tuple[str, ...] = TRUTH_RULES
    uncertain: tuple[str, ...] = UNCERTAIN_RULES


def form_values(contest: Contest) -> dict[str, str]:
    """What the fields show of a contest; its short name is the organiser's to choose."""
    content = contest.as_dict()
    values = {"name": "", "starts": "", "ends": ""}
    values |= {each: str(content.get(each, "")).strip() for each in TEXTS}
    values["points"] = ", ".join(map(str, contest.points))
    for table, names in NUMBERS.items():
        values |= {each: str((content[table] if table else content)[each]) for each in names}
    values |= {field: content["public"][each] for each, field in AUDIENCE_FIELDS.items()}
    for part in PARTS:
        columns = contest.parts.get(part, "")
        values[f"part.{part}"] = columns if isinstance(columns, str) else ", ".join(columns)
    values["roles"] = toml_document(dict(contest.roles)).strip() if contest.roles else ""
    return values | _metric_values(contest)


def _metric_values(contest: Contest) -> dict[str, str]:
    weights, attacks = contest.weights, contest.of_family("privacy")
    values = {f"attack.{each}": "1" if each in attacks else "" for each in ATTACKS}
    for each in UTILITIES:
        values |= {f"metric.{each}": "1" if each in weights else "", f"weight.{each}": "1"}
    values |= {f"weight.{name}": f"{weight:g}" for name, weight in weights.items() if name in UTILITIES}
    others = {name: weight for name, weight in weights.items() if name not in UTILITIES}
    lines = [name if weight == 1 else f"{name} {weight:g}" for name, weight in others.items()]
    return {**values, "column_metrics": "\n".join(lines)}


FIELDS = tuple(form_values(template(TEMPLATES[0])))


def contest_from_form(definition: str, values: Mapping[str, str], shown: Mapping[str, str]) -> Contest:
    """The TOML text, with what was written into a field instead of what the field showed at first."""
    try:
        content = tomllib.loads(definition)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"contest: is not TOML: {error}") from error
    written = {each: values.get(each, "").replace("\r\n", "\n").strip() for each in FIELDS}
    changed = {each: text for each, text in written.items() if text != shown.get(each, "")}
    content |= {each: text for each, text in changed.items() if each in ("name", *TEXTS)}
    for table, key, value in _nested(changed):
        inside = _table(content, table) if table else content
        inside[key] = value
        if value in ("", []):  # what was emptied is as if nobody had said it
            del inside[key]
    if any(each.partition(".")[0] in ("attack", "metric", "weight", "column_metrics") for each in changed):
        content["metric"] = [*_metrics(written)]
    contest = contest_of(content)
    phases = _phases(contest, written)
    return replace(contest, phases=phases) if phases else contest


def _nested(changed: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    """What belongs into a table of the definition; what is no number is told as a mistake there."""
    for table, names in NUMBERS.items():
        yield from ((table, each, _number(changed[each])) for each in names if each in changed)
    yield from (
        ("public", each, changed[field]) for each, field in AUDIENCE_FIELDS.items() if field in changed
    )
    if "points" in changed:
        yield "", "points", [_number(each) for each in _names(changed["points"])]
    if "roles" in changed:
        yield "", "roles", _roles(changed["roles"])
    for part in PARTS:
        if (text := changed.get(f"part.{part}")) is not None:
            yield "parts", part, _names(text) if part in SEVERAL else text


def _table(content: dict[str, Any], name: str) -> dict[str, Any]:
    table = content.setdefault(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"contest: write [{name}] as a table")
    return table


def _number(text: str) -> int | str:
    number = whole_number(text)
    return text if number is None else number


def _names(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _roles(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError('contest: write roles one a line, like age = "quasi-identifier"') from error


def _metrics(values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    yield from ({"name": each, "family": "privacy"} for each in ATTACKS if values[f"attack.{each}"])
    for each in UTILITIES:
        if values[f"metric.{each}"]:
            yield {"name": each, "family": "utility", "weight": _weight(values[f"weight.{each}"])}
    for line in values["column_metrics"].splitlines():
        if line.strip():
            name, _, weight = line.strip().rpartition(" ") if " " in line.strip() else (line.strip(), "", "")
            yield {"name": name.strip(), "family": "utility", "weight": _weight(weight)}


def _weight(text: str) -> float | str:
    try:
        return float(text or 1)
    except ValueError:
        return text


def _phases(contest: Contest, values: Mapping[str, str]) -> tuple[Phase, ...]:
    """The first open phase and what comes after it, by the dates of the form; empty if there are none."""
    starts, ends = (_moment(values[each]) for each in ("starts", "ends"))
    if starts is None and ends is None:
        return ()
    opened = next(index for index, each in enumerate(contest.phases) if each.kind == "open")
    before = [*contest.phases[:opened]]
    if starts is not None and not before:
        before = [Phase("Announced", "announced")]
    own = replace(contest.phases[opened], starts=starts)
    after = [*contest.phases[opened + 1 :]] or [Phase("Closed", "closed")]
    return (*before, own, replace(after[0], starts=ends), *after[1:])


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError("contest: write dates like 2026-12-01T09:00") from error
