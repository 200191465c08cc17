"""Writes docs/reference.md from the code; a test fails while the file differs from what this makes."""

from __future__ import annotations

import argparse
import inspect
import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, cast

import singleout
from singleout.attacks.measures import ATTACK_MEASURES
from singleout.cli.main import parser
from singleout.deidentify.dummy_measures import DUMMY_MEASURES
from singleout.engine.protocol import MISSING_WORDS
from singleout.measurement import Measure
from singleout.risk.measures import MEASURES
from singleout.roles.role import MEANINGS
from singleout.steps.catalogue import STEPS
from singleout.steps.step import Step
from singleout.utility.catalogue import UTILITY_MEASURES
from singleout.utility.information_loss import LOSS_MEASURES
from singleout.utility.ranking import OVERALL

EVERY_MEASURE = (
    *MEASURES, *ATTACK_MEASURES, *LOSS_MEASURES, *DUMMY_MEASURES, *UTILITY_MEASURES, OVERALL
)  # fmt: skip
PLACE = Path(__file__).with_name("reference.md")


def reference() -> str:
    parts = ["# Reference", "", "Written by `make docs` from the code.", "", "## Commands", ""]
    for name, command in commands().items():
        parts += _command(name, command)
    parts += [
        "## Measures",
        "",
        "The JSON document of a command carries the definitions of its measures under `definitions`.",
        "",
    ]
    for measure in EVERY_MEASURE:
        parts += _measure(measure)
    parts += ["## Steps of a recipe", "", "What `singleout deidentify apply` can be told to do.", ""]
    for step in STEPS.values():
        parts += _step(step)
    parts += ["## Roles", "", "| role | the column … |", "|---|---|"]
    parts += [f"| `{role}` | {meaning} |" for role, meaning in MEANINGS.items()]
    parts += ["", "## Missing values", "", "| rule | meaning |", "|---|---|"]
    parts += [f"| `{rule}` | {words} |" for rule, words in MISSING_WORDS.items()]
    parts += ["", "## Python", ""]
    for name in singleout.__all__:
        parts += _python(name)
    return "\n".join(parts)


def commands() -> dict[str, argparse.ArgumentParser]:
    """Every command by the words that call it: those that only lead to others are told by these."""
    found: dict[str, argparse.ArgumentParser] = {}
    for name, command in _below(parser()).items():
        steps = _below(command)
        found |= {f"{name} {step}": each for step, each in steps.items()} or {name: command}
    return found


def _below(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    actions = [each for each in command._actions if isinstance(each, argparse._SubParsersAction)]
    return dict(actions[0].choices) if actions else {}


def _command(name: str, command: argparse.ArgumentParser) -> list[str]:
    about = str(command.description).capitalize()
    lines = [f"### singleout {name}", "", f"{about}.", "", "| option | meaning |", "|---|---|"]
    for action in command._actions:
        words = ", ".join(action.option_strings) or str(action.metavar)
        if action.option_strings and action.nargs != 0:
            value = action.metavar or "|".join(action.choices or [action.dest.upper()])
            words += f" {value}"
        lines.append("| `" + words.replace("|", "\\|") + f"` | {str(action.help).replace('%%', '%')} |")
    return [*lines, ""]


def _measure(measure: Measure) -> list[str]:
    highest = "∞" if measure.highest is None else measure.highest
    return [
        f"### {measure.name}",
        "",
        measure.question,
        "",
        f"- formula: {measure.formula}",
        f"- unit: {measure.unit}, from {measure.lowest} to {highest}; better: {measure.better}",
        f"- counted over: {measure.counted_over}; {measure.missing}",
        f"- reference: {measure.reference}",
        "",
    ]


def _step(step: type[Step]) -> list[str]:
    """What it does, and what a recipe may say: its fields with their defaults."""
    given = []
    for each in fields(cast("Any", step)):
        missing = each.default is MISSING and each.default_factory is MISSING
        default = each.default if each.default_factory is MISSING else each.default_factory()
        given.append(f"`{each.name}`" if missing else f"`{each.name}` ({_toml(default)})")
    about = inspect.cleandoc(step.__doc__ or "").split("\n\n>>>")[0]
    return [f"### step {step.step}", "", about, "", f"Parameters (and defaults): {', '.join(given)}", ""]


def _toml(value: object) -> str:
    return "none" if value is None else "empty" if value == () else json.dumps(value)


def _python(name: str) -> list[str]:
    thing = getattr(singleout, name)
    lines = [f"### singleout.{name}", ""]
    if inspect.isfunction(thing):
        lines += ["```text", f"{name}{_signature(thing)}", "```", ""]
    return [*lines, inspect.cleandoc(thing.__doc__ or "").split("\n\n>>>")[0], ""]


def _signature(function: object) -> str:
    assert callable(function)
    parameters = inspect.signature(function).parameters.values()
    shown = []
    starred = False
    for each in parameters:
        if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            starred = starred or each.kind is each.VAR_POSITIONAL
            shown.append(("**" if each.kind is each.VAR_KEYWORD else "*") + each.name)
            continue
        if each.kind is each.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        default = (
            "" if each.default is each.empty else f"={getattr(each.default, '__name__', repr(each.default))}"
        )
        shown.append(each.name + default)
    return "(" + ", ".join(shown) + ")"


if __name__ == "__main__":
    PLACE.write_text(reference(), encoding="utf-8")
