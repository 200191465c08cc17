"""The study of a sweep: the table, what is measured of it, and recipes with values for their parameters."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from os import PathLike
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.errors import InputError, UsageError, name_hint
from singleout.read.input_files import input_bytes
from singleout.read.located_rows import short_text

PARTS = ("data", "seeds", "measured", "release")
MEASURED = (
    "user", "item", "time", "amount", "number", "receipt", "category", "entry", "exit", "routes", "location",
    "groups", "columns", "metrics", "attacks", "points", "hierarchies", "missing",
)  # fmt: skip
WAYS = ("step", "dummies")
RELEASE = ("name", "parameters", *WAYS)
# whoever sweeps by thousands should know it
MOST_RUNS = 100_000
MARK = "$"
Value = str | int | float | bool


@dataclass(frozen=True)
class SweptRelease:
    """A way to make a release: steps of a recipe or dummies, in which "$size" stands for a parameter."""

    name: str
    way: str
    content: Any
    parameters: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    def settings(self) -> Iterator[dict[str, Value]]:
        """Every combination of the parameters' values, in their order."""
        for values in product(*self.parameters.values()):
            yield dict(zip(self.parameters, values, strict=True))

    def filled(self, setting: Mapping[str, Value]) -> Any:
        return _filled(self.content, setting)


@dataclass(frozen=True)
class SweptRun:
    """One release to be made and measured."""

    release: SweptRelease
    setting: Mapping[str, Value]
    seed: int

    @property
    def key(self) -> str:
        """The same only for the same run of the same study."""
        return json.dumps([self.release.name, dict(self.setting), self.seed], sort_keys=True)


@dataclass(frozen=True)
class SweepStudy:
    data: Any
    seeds: tuple[int, ...]
    measured: Mapping[str, Any]
    releases: tuple[SweptRelease, ...]
    path: str = "study"

    @property
    def runs(self) -> tuple[SweptRun, ...]:
        return tuple(
            SweptRun(release, setting, seed)
            for release in self.releases
            for setting in release.settings()
            for seed in self.seeds
        )

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of all parameters, in the order of the file."""
        return tuple(dict.fromkeys(name for each in self.releases for name in each.parameters))


def study_of(study: Mapping[str, Any] | str | PathLike[str]) -> SweepStudy:
    """A study in TOML, or what would be in it; all mistakes are told at once.

    >>> study_of({"data": "a.csv", "seeds": 0, "relaese": []})
    Traceback (most recent call last):
    singleout.errors.InputError: study: there is no 'relaese'; did you mean 'release'?; seeds: 0 is wrong; \
write how many there are (from 1), or a list of whole numbers; release: write each as [[release]] with a \
name, its parameters, and steps or dummies
    """
    if isinstance(study, Mapping):
        return _study(study, "study")
    try:
        content = tomllib.loads(input_bytes(study).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None)
        raise InputError(f"{study}: {why.lower() if why else f'is not TOML: {error}'}") from error
    return _study(content, str(study))


def _study(content: Mapping[str, Any], path: str) -> SweepStudy:
    faults = [f"there is no {name!r}; {name_hint(str(name), PARTS)}" for name in content if name not in PARTS]
    if "data" not in content:
        faults.append('data: name the table, like data = "shop.csv"')
    seeds = _seeds(content.get("seeds", 1), faults)
    measured = content.get("measured", {})
    if not isinstance(measured, Mapping):
        faults.append('measured: write a table [measured] with lines like item = "goods"')
        measured = {}
    faults += [
        f"measured: there is no {name!r}; {name_hint(str(name), MEASURED)}"
        for name in measured
        if name not in MEASURED
    ]
    releases = _releases(content.get("release"), faults)
    runs = len(seeds) * sum(prod(map(len, each.parameters.values())) for each in releases)
    if runs > MOST_RUNS:
        faults.append(f"that are {runs:,} runs; at most {MOST_RUNS:,} are made at once")
    if faults:
        raise InputError(f"{path}: {'; '.join(faults)}")
    return SweepStudy(content["data"], seeds, dict(measured), releases, path)


def _seeds(said: Any, faults: list[str]) -> tuple[int, ...]:
    listed = list(range(1, said + 1)) if is_whole(said) and 0 < said <= MOST_RUNS else said
    right = isinstance(listed, list) and listed and all(is_whole(each) for each in listed)
    if not right or len({*listed}) < len(listed):
        faults.append(
            f"seeds: {short_text(said)} is wrong; write how many there are (from 1), or a list of whole "
            "numbers"
        )
        return ()
    return tuple(listed)


def _releases(content: Any, faults: list[str]) -> tuple[SweptRelease, ...]:
    if not isinstance(content, list) or not content or not all(isinstance(each, Mapping) for each in content):
        faults.append("release: write each as [[release]] with a name, its parameters, and steps or dummies")
        return ()
    releases = []
    for number, each in enumerate(content, 1):
        own: list[str] = []
        name = each.get("name", f"release {number}")
        ways = [way for way in WAYS if way in each]
        own += [
            f"there is no {part!r}; {name_hint(str(part), RELEASE)}" for part in each if part not in RELEASE
        ]
        if not isinstance(name, str) or not name.strip():
            own.append("name: write a text")
        if len(ways) != 1:
            own.append("write either [[release.step]] as in a recipe, or [release.dummies]")
        parameters = _parameters(each.get("parameters", {}), own)
        if ways:
            own += _unused(parameters, each[ways[0]])
        faults += [f"release {number}: {fault}" for fault in own]
        if not own:
            releases.append(SweptRelease(name, ways[0], each[ways[0]], parameters))
    names = [each.name for each in releases]
    faults += [f"two releases are called {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1]
    return tuple(releases)


def _parameters(content: Any, faults: list[str]) -> dict[str, tuple[Value, ...]]:
    if not isinstance(content, Mapping):
        faults.append("parameters: write a table with lines like size = [1, 10, 100]")
        return {}
    found: dict[str, tuple[Value, ...]] = {}
    for name, values in content.items():
        if not isinstance(values, list) or not values or not all(_is_value(each) for each in values):
            faults.append(f"parameters: {name}: write a list of numbers or texts")
        elif len({repr(each) for each in values}) < len(values):
            faults.append(f"parameters: {name}: a value is there twice")
        else:
            found[name] = tuple(values)
    return found


def _is_value(value: Any) -> bool:
    return isinstance(value, (str, bool)) or is_number(value)


def _unused(parameters: Mapping[str, Any], content: Any) -> list[str]:
    """A parameter that nothing stands for would give the same release again and again."""
    named = {*_marks(content)}
    unused, unknown = [name for name in parameters if name not in named], sorted(named - {*parameters})
    return [
        *(f"parameters: {name!r} stands nowhere; write {MARK}{name} in quotes" for name in unused),
        *(f"{MARK}{name} is no parameter; {name_hint(name, parameters)}" for name in unknown),
    ]


def _marks(content: Any) -> Iterator[str]:
    if isinstance(content, str) and content.startswith(MARK):
        yield content[1:]
    elif isinstance(content, Mapping):
        for each in content.values():
            yield from _marks(each)
    elif isinstance(content, Sequence) and not isinstance(content, str):
        for each in content:
            yield from _marks(each)


def _filled(content: Any, setting: Mapping[str, Value]) -> Any:
    if isinstance(content, str) and content.startswith(MARK):
        return setting[content[1:]]
    if isinstance(content, Mapping):
        return {name: _filled(each, setting) for name, each in content.items()}
    if isinstance(content, Sequence) and not isinstance(content, str):
        return [_filled(each, setting) for each in content]
    return content


def check_table(data: Any) -> None:
    """Runs in processes of their own read the table again: it must be a file or a database."""
    if not isinstance(data, (str, PathLike)):
        raise UsageError("data: name a file or a database, which every run reads anew")
