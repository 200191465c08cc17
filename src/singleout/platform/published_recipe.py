"""The recipe that a submission carries for all to read: without secrets, and true as far as can be told."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.attacks.paired_tables import pair_tables
from singleout.attacks.replayed_original import columns_of_recipe, replay_original
from singleout.errors import SingleoutError, one_line
from singleout.platform.contest import Contest
from singleout.platform.scorer import Problem, advice_here
from singleout.read.source import source

FilePath = str | PathLike[str]
# files are not here, and whoever has the seed can repeat the draws
NOT_FOR_EVERYBODY = ("seed", "key_file", "hierarchy")
NONE = "this contest publishes no recipes; leave it out"
NEEDED = "send the recipe that it was made by; it is published with the release"


def recipe_problems(
    contest: Contest, original: FilePath, release: FilePath, truth: FilePath | None, recipe: FilePath | None
) -> Iterator[Problem]:
    """What is wrong with the recipe of a submission, or with its absence."""
    rule = contest.attack.recipes if contest.has_attack else "none"
    if recipe is None:
        if rule == "required":
            yield Problem(NEEDED)
        return
    if rule == "none":
        yield Problem(NONE)
        return
    faults = [*_content_faults(recipe)]
    yield from map(Problem, faults)
    if faults:
        return
    try:
        _replay(contest, original, release, truth, recipe)
    except SingleoutError as fault:
        message = advice_here(one_line(str(fault)))
        for path, called in ((recipe, "the recipe"), (release, "the table"), (original, "the original")):
            message = message.replace(str(path), called)
        yield Problem(message)


def _content_faults(recipe: FilePath) -> Iterator[str]:
    try:
        content = tomllib.loads(Path(recipe).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        yield "the recipe is not TOML"
        return
    for name in NOT_FOR_EVERYBODY:
        if any(name in table for table in _tables(content)):
            yield f"the recipe has {name!r}, which others can't have or must not; leave it out"


def _tables(content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield content
    steps = content.get("step")
    yield from (each for each in steps if isinstance(each, Mapping)) if isinstance(steps, list) else ()


def _replay(
    contest: Contest, original: FilePath, release: FilePath, truth: FilePath | None, recipe: FilePath
) -> None:
    read = pair_tables(
        source(str(original)), source(str(release)), None if truth is None else str(truth),
        user=contest.user or "none", study=contest.study, beside=columns_of_recipe(str(recipe)),
        strangers=True,
    )  # fmt: skip
    replay_original(read, str(recipe))
