"""The page of settings: what files beside the data may say, and which words they may use.

The names come from the code; a name that has no words here stops the build.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import MISSING, fields
from typing import Any, cast

from page_pieces import block, section, table
from setting_words import (
    COST_KEYS,
    ENVIRONMENT,
    EXIT_CODES,
    GRANULARITIES,
    LEVELS,
    PLACES,
    RECIPE_KEYS,
    STEP_KEYS,
    STUDY_EXAMPLE,
    STUDY_TABLES,
    TOLERANCES,
    VALUES,
)

from singleout.cli import interruption, main
from singleout.cli.options import add_reading
from singleout.cli.parser import BAD_INPUT
from singleout.engine.missing_values import MISSING_WORDS
from singleout.read.costs import HEADERS, UNITS
from singleout.read.file_signature import COMPRESSED
from singleout.read.source import KIND_BY_ENDING, NOT_FILES, VALUE_KINDS, CsvFormat
from singleout.recipe.recipe import PARTS
from singleout.roles.hierarchies.definition_file import EXAMPLES, KINDS
from singleout.roles.known_column import SECONDS
from singleout.roles.role import KNOWN_TO_ATTACKERS, MEANINGS
from singleout.roles.study import TABLES


def settings_page() -> str:
    lines = ["# Settings", "", "What can be said about the data, beside the options of the commands.", ""]
    parts = [_roles, _missing, _places, _csv, _study, _costs, _granularities, _tolerances, _levels, _recipes]
    for part in [*parts, _exit_codes, _environment]:
        lines += part()
    return "\n".join(lines)


def _roles() -> list[str]:
    known = {role: "yes" if role in KNOWN_TO_ATTACKERS else "no" for role in MEANINGS}
    rows = [[f"`{role}`", meaning, known[role]] for role, meaning in MEANINGS.items()]
    return section("Roles", "", table(["role", "the column …", "known to attackers"], rows))


def _missing() -> list[str]:
    rows = [[f"`{rule}`", words] for rule, words in MISSING_WORDS.items()]
    about = "Option `--missing`, in Python `missing=`."
    return section("Missing values", about, table(["rule", "meaning"], rows))


def _places() -> list[str]:
    """Files by their endings, and what is no file."""
    rows = []
    for kind in dict.fromkeys([*KIND_BY_ENDING.values(), *NOT_FILES]):
        endings = [f"`{ending}`" for ending, its in KIND_BY_ENDING.items() if its == kind]
        rows.append([f"`{kind}`", ", ".join(endings) or "–", PLACES[kind]])
    packed = " or ".join(f"`{each}`" for each in COMPRESSED)
    about = (
        f"Files of CSV and JSON may be compressed: {packed} follows the ending. "
        "What comes by a pipe, or has no such ending, is told by its first bytes."
    )
    return section("Where a table is", about, table(["kind", "endings", "how it is named"], rows))


def _csv() -> list[str]:
    """The fields of CsvFormat, with what their options say."""
    options = argparse.ArgumentParser()
    add_reading(options)
    said = {each.dest: each for each in options._actions}
    rows = [_setting(each.name, each.default, said[each.name]) for each in fields(CsvFormat)]
    kinds = [[f"`{kind}`", VALUES[kind]] for kind in VALUE_KINDS]
    about = "In Python `csv=singleout.CsvFormat(…)`. `None` means that it is found out."
    return section(
        "CSV files", about, table(["setting", "option", "default", "meaning"], rows),
        ["Kinds of values, for `types`:", ""], table(["kind", "what it is"], kinds),
    )  # fmt: skip


def _setting(name: str, default: object, option: argparse.Action) -> list[str]:
    return [f"`{name}`", f"`{option.option_strings[0]}`", f"`{default!r}`", str(option.help)]


def _study() -> list[str]:
    rows = [[f"`[{name}]`", STUDY_TABLES[name]] for name in TABLES]
    about = "A study file says once what the columns mean (TOML; option `--study`):"
    unit = 'Where each record is its own person, it begins with `user = "none"`, and no column is the user.'
    head = ["table", "what its lines say"]
    return section("Study files", about, block("toml", *STUDY_EXAMPLE), table(head, rows), [unit, ""])


def _costs() -> list[str]:
    heads = " or ".join(f"`{','.join(head)}`" for head in HEADERS)
    example = '`{"age": 1, "date": {"month": 1, "day": 3}}`'
    about = f"Option `--costs`: CSV with the header {heads}, or JSON such as {example}."
    rows = [[f"`{key}`", COST_KEYS[key]] for key in HEADERS[-1]]
    return section("Costs", about, table(["column", "meaning"], rows))


def _granularities() -> list[str]:
    names = [*UNITS, *(name for name in GRANULARITIES if name not in UNITS)]
    rows = [[f"`{name}`", GRANULARITIES[name]] for name in names]
    about = "How coarsely an attacker knows a value: option `--granularity`, costs, attackers of a policy."
    return section("Granularities", about, table(["granularity", "what is known"], rows))


def _tolerances() -> list[str]:
    spans = [[f"`1 {unit}`", TOLERANCES[unit]] for unit in SECONDS]
    margins = [[f"`{name}`", words] for name, words in TOLERANCES.items() if name not in SECONDS]
    about = "How far a value may be from the one that is known: option `--tolerance`."
    return section("Tolerances", about, table(["tolerance", "what still fits"], [*spans, *margins]))


def _levels() -> list[str]:
    rows = []
    for kind, rule in KINDS.items():
        keys = ", ".join(f"`{each.name}`{_default(each)}" for each in fields(cast("Any", rule)))
        rows.append([f"`{kind}`", LEVELS[kind], keys or "–", f"`{EXAMPLES[kind]}`"])
    about = (
        "A definition file (JSON) lists the levels of each column under `attributes`, the step `generalise` "
        "of a recipe under `levels`. The first is level 0."
    )
    heads = ["type", "what a value becomes", "keys", "example"]
    return section("Levels of a hierarchy", about, table(heads, rows))


def _default(each: Any) -> str:
    return "" if each.default is MISSING else f" (default: {json.dumps(each.default)})"


def _recipes() -> list[str]:
    rows = [[f"`{key}`", RECIPE_KEYS[key]] for key in PARTS]
    steps = [[f"`{key}`", words] for key, words in STEP_KEYS.items()]
    about = "A TOML file for `singleout deidentify apply`. Its [steps](steps.md) have a page of their own."
    return section(
        "Recipes", about, table(["key", "meaning"], rows),
        ["Of every step:", ""], table(["key", "meaning"], steps),
    )  # fmt: skip


def _exit_codes() -> list[str]:
    codes = (0, main.NOT_REACHED, BAD_INPUT, interruption.INTERRUPTED)
    return section(
        "Exit codes", "", table(["code", "meaning"], [[f"`{code}`", EXIT_CODES[code]] for code in codes])
    )


def _environment() -> list[str]:
    rows = [[f"`{name}`", words] for name, words in ENVIRONMENT.items()]
    about = "singleout reads no variables of its own; those of what it is built on count."
    return section("Environment", about, table(["variable", "effect"], rows))
