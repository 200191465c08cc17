"""Files that say what to do: nearly right ones, made from what the code itself knows they may say."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from singleout.platform.contest import FAMILIES, TEMPLATES
from singleout.platform.uploaded_metric import header_text
from singleout.policy.rules.attacker_presets import PRESETS
from singleout.policy.rules.measure_paths import ALL_TAKE, EVERY, SOME_TAKE, measure_paths
from singleout.policy.rules.policy_keys import PARAMETERS, WHEN
from singleout.recipe.steps.catalogue import STEPS
from singleout.roles.hierarchies.level_rules import UNITS
from singleout.roles.role import ROLES
from tests.fuzz.tables import Table

BUILT_IN_POLICIES = ("internal_sharing", "trusted_partner", "public")
NUMBERS = (0, 1, 2, 3, 5, 0.05, 0.5, 1.5, 10)
GRANULARITIES = ("month", "day", "hour", "first 2", "round 10", "exact")
# what the fields of steps may say that are a choice; a new one is found by its default
CHOICES = (
    *(
        "random",
        "keyed",
        "nearest",
        "down",
        "up",
        "rank",
        "records",
        "cells",
        "columns",
        "people",
        "record",
        "person",
    ),
    *(
        "limit",
        "mean",
        "median",
        "missing",
        "uniform",
        "normal",
        "laplace",
        "all",
        "frequency",
        "latest",
        "first",
    ),
)

# some that are sound; columns are named by their kinds. Of a step that is not here, settings are drawn by the
# types of its fields
SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "pseudonymise": ({}, {"columns": "text", "how": "keyed", "key_file": "key"}),
    "suppress": (
        {"columns": "ill"},
        {"columns": "town", "what": "cells", "rarer_than": 2},
        {"columns": "town", "what": "records", "missing": True},
    ),
    "generalise": (
        {"columns": "number", "level": 1, "levels": [{"type": "raw"}, {"type": "interval", "width": 5}]},
        {"columns": "text", "level": 1, "levels": [{"type": "raw"}, {"type": "prefix", "keep": 1}]},
    ),
    "round": ({"columns": "number", "to": 0.5, "how": "random"},),
    "top_bottom": ({"columns": "number", "top": 5}, {"columns": "whole", "top_share": 0.1}),
    "noise": (
        {"columns": "number", "amount": 2.5},
        {"columns": "day", "days": 3},
        {"columns": "number", "share": 0.1, "distribution": "normal"},
    ),
    "mean": ({"columns": "number", "per": "person"},),
    "microaggregate": ({"columns": "number", "k": 2},),
    "swap": ({"columns": "number", "within": 0.2}, {"columns": "text", "how": "random", "share": 0.5}),
    "pram": ({"columns": "town", "keep": 0.8},),
    "shift_dates": ({"columns": "day", "days": 5},),
    "sample": ({"share": 0.5}, {"what": "records", "number": 3}),
    "remove_people": ({"fewer_than": 2},),
    "cut": ({"column": "day", "begin": "2024-02-01"}, {"records": 2, "by": "day"}),
}


def toml_value(value: Any) -> str:
    """As TOML writes it; JSON is nearly the same."""
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{json.dumps(key)} = {toml_value(each)}" for key, each in value.items()) + " }"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@cache
def _built_in(package: str, name: str) -> str:
    return (files(package) / "built_in" / f"{name}.toml").read_text(encoding="utf-8")


def policy(draw: Random, table: Table) -> str:
    if draw.random() < 0.1:
        return _built_in("singleout.policy", draw.choice(BUILT_IN_POLICIES))
    lines = []
    if draw.random() < 0.3:
        lines += ["[data]", f"user = {toml_value(table.person)}"]
    if draw.random() < 0.2:
        knows = {
            "columns": some(draw, table.names[1:]),
            "points": draw.choice((1, 2)),
            "share": draw.choice((0.5, 1.0)),
        }
        lines += ["[attackers.mine]", *(f"{key} = {toml_value(each)}" for key, each in knows.items())]
        lines += [f"granularity = {toml_value({draw.choice(table.names): draw.choice(GRANULARITIES)})}"]
    for _ in range(draw.choice((1, 1, 2, 4))):
        lines += ["[[rule]]", *(f"{key} = {toml_value(each)}" for key, each in _rule(draw, table).items())]
    return "\n".join(lines) + "\n"


def _rule(draw: Random, table: Table) -> dict[str, Any]:
    path = draw.choice(list(measure_paths()))
    name = draw.choice((EVERY, *table.names, "jaccard", "best", "closed_form", "points_2"))
    measure = path.words.replace("NAME", name if name.isidentifier() or name == EVERY else json.dumps(name))
    rule: dict[str, Any] = {"measure": measure}
    rule[draw.choice(("at_least", "at_most", "equals"))] = draw.choice(NUMBERS)
    if draw.random() < 0.2:
        rule["when"] = draw.choice(WHEN)
    if path.family in ("sensitive", "inference"):
        rule["sensitive"] = draw.choice((EVERY, *table.called("ill")))
    taken = [*ALL_TAKE[path.family], *SOME_TAKE.get(path.words, "").split()]
    if draw.random() < 0.15:
        taken = ["columns", "attacker", *PARAMETERS]
    said = {
        "columns": some(draw, table.names[1:]),
        "attacker": draw.choice((*PRESETS, "mine")),
        "missing": draw.choice(("value", "drop", "wildcard")),
        "worst": True,
        "share": draw.choice((0.5, 1)),
    }
    for key in draw.sample(taken, min(draw.choice((0, 0, 1, 2)), len(taken))):
        rule.setdefault(key, said.get(key, draw.choice((1, 2))))
    return rule


def study(draw: Random, table: Table) -> str:
    lines = ["[columns]", f'{toml_value(table.person)} = "user"']
    for name in some(draw, table.names[1:]):
        lines.append(
            f"{toml_value(name)} = {toml_value(draw.choice([each for each in ROLES if each != 'user']))}"
        )
    if draw.random() < 0.4:
        lines += [
            "[costs]",
            *(f"{toml_value(name)} = {draw.choice(NUMBERS)}" for name in some(draw, table.names)),
        ]
    if draw.random() < 0.2:
        lines += [
            "[renamed]",
            f"{toml_value(draw.choice(table.names))} = {toml_value(draw.choice(table.names))}",
        ]
    return "\n".join(lines) + "\n"


def recipe(draw: Random, table: Table) -> str:
    lines = [f"seed = {draw.randint(0, 9)}"] if draw.random() < 0.5 else []
    for _ in range(draw.choice((1, 1, 2, 3))):
        name = draw.choice(list(STEPS))
        lines += ["[[step]]", f"step = {toml_value(name)}"]
        if name in SETTINGS and draw.random() < 0.7:
            for key, value in draw.choice(SETTINGS[name]).items():
                lines.append(f"{key} = {toml_value(_named(table, key, value))}")
            continue
        for each in fields(STEPS[name]):  # type: ignore[arg-type]
            needed = repr(each.default).startswith("<dataclasses._MISSING")
            if needed or draw.random() < 0.35:
                lines.append(f"{each.name} = {toml_value(_setting(draw, table, each.name, str(each.type)))}")
    return "\n".join(lines) + "\n"


def diary(draw: Random, table: Table) -> str:
    """A recipe as the run that followed it wrote it down."""
    content: dict[str, Any] = tomllib.loads(recipe(draw, table))
    return json.dumps({"seed": 7, "user": table.person, **content}, indent=1)


def sweep(draw: Random, table: Table) -> str:
    """Releases with parameters; the table is `t.csv`."""
    lines = ['data = "t.csv"', f"seeds = {draw.choice(('1', '2', '[3, 1]'))}", "[measured]"]
    lines += [f"user = {toml_value(table.person)}"]
    parts = {"item": "text", "time": "day", "amount": "number", "category": "town"}
    for part, kind in parts.items():
        if (names := table.called(kind)) and draw.random() < 0.5:
            lines.append(f"{part} = {toml_value(names[0])}")
    if draw.random() < 0.5:
        lines.append(f"attacks = {toml_value(draw.choice((['jaccard'], ['nearest', 'best'], [])))}")
    if draw.random() < 0.5:
        lines.append('metrics = ["records_kept"]')
    for number in range(draw.choice((1, 1, 2))):
        lines += ["[[release]]", f"name = {toml_value(f'way {number}')}"]
        if draw.random() < 0.3:
            lines += [f"parameters = {{ groups = [{draw.choice(('1', '1, 2', '2, 3, 5'))}] }}"]
            lines += ["[release.dummies]", 'clusters = "$groups"']
            continue
        lines += ["parameters = { part = [0.5, 1] }", "[[release.step]]", 'step = "sample"']
        lines += [
            'share = "$part"',
            *recipe(draw, table).replace("[[step]]", "[[release.step]]").splitlines(),
        ]
    return "\n".join(line for line in lines if not line.startswith("seed =")) + "\n"


def contest(draw: Random, table: Table) -> str:
    del table
    return _built_in("singleout.platform", draw.choice(TEMPLATES))


def metric(draw: Random, table: Table) -> str:
    """One that somebody uploads; it is read and not run."""
    del table
    said = {"name": "kept", "family": draw.choice(FAMILIES), "better": draw.choice(("lower", "higher"))}
    said |= {"range": draw.choice(("[0, 1]", "[0, inf]", "[-5, 2.5]")), "title": "What is kept"}
    return f"{header_text('python', **said)}\ndef metric(original, release):\n    return 1\n"


def sets(draw: Random, table: Table) -> str:
    """Columns that somebody may know together, one set a line."""
    return csv_rows(some(draw, table.names[1:]) for _ in range(draw.choice((1, 2, 3))))


def _named(table: Table, key: str, value: Any) -> Any:
    """The column of the kind, where the key asks for one."""
    if key not in ("columns", "by", "column"):
        return value
    name = (table.called(value) or list(table.names))[0]
    return name if key == "column" else [name]


def _setting(draw: Random, table: Table, name: str, kind: str) -> Any:
    if name in ("columns", "same", "by") and "tuple" in kind:
        return some(draw, table.names)
    if name == "column":
        return draw.choice(table.names)
    if name == "levels":
        return levels(draw)
    if name == "hierarchy":
        return "levels.csv"
    if name == "key_file":
        return "key"
    if "bool" in kind:
        return draw.random() < 0.5
    if "int" in kind:
        return draw.choice((0, 1, 2, 5))
    if "float" in kind:
        return draw.choice((0.1, 0.5, 1, 2, 10.5))
    return draw.choice((*CHOICES, "2024-06-01", 3))


def levels(draw: Random, kind: str = "") -> list[dict[str, Any]]:
    """Rules that suit the kind of values, mostly."""
    rules: dict[str, list[dict[str, Any]]] = {
        "number": [
            {"type": "interval", "width": draw.choice((1, 5, 0.5)), "origin": draw.choice((0, 1, -3.5))}
        ],
        "text": [{"type": "prefix", "keep": draw.choice((0, 1, 3))}],
        "day": [{"type": "date", "to": draw.choice(("month", "year"))}],
        "ill": [{"type": "map", "map": {"v1": "a", "v2": "b"}, "default": "other"}],
        "time": [{"type": "date", "to": draw.choice(list(UNITS))}],
    }
    suited = rules.get({"whole": "number", "town": "text"}.get(kind, kind), [])
    if not suited or draw.random() < 0.1:
        suited = draw.choice(list(rules.values()))
    return [{"type": "raw"}, *suited, *([{"type": "suppress"}] if draw.random() < 0.7 else [])]


def definition(draw: Random, table: Table) -> str:
    """The levels of some columns, as JSON."""
    kinds = dict(zip(table.names, table.kinds, strict=True))
    chosen = some(draw, table.names[1:])
    return json.dumps({"attributes": {name: {"levels": levels(draw, kinds[name])} for name in chosen}})


def hierarchy(draw: Random, table: Table, name: str) -> str:
    """A row for each value, in ARX's layout."""
    top = draw.choice(("*", "all", ""))
    cells = dict.fromkeys(table.cells(name))
    return csv_rows(
        ([cell or "", (cell or "")[:2], top] for cell in cells), delimiter=draw.choice((";", ","))
    )


def costs(draw: Random, table: Table) -> str:
    if draw.random() < 0.3:
        return json.dumps({name: draw.choice((*NUMBERS, {"month": 1, "day": 3})) for name in table.names})
    rows = [[name, str(draw.choice(NUMBERS))] for name in some(draw, table.names)]
    return csv_rows([["attribute", "cost"], *rows])


def truth(draw: Random, table: Table) -> str:
    people = list(dict.fromkeys(each for each in table.cells(table.person) if each))
    others = draw.sample(people, len(people))
    return csv_rows([["release_user", "original_user"], *map(list, zip(people, others, strict=True))])


def frequencies(draw: Random, table: Table) -> str:
    """How often each value of each column occurs (AVFM)."""
    rows = [["column", "value", "frequency"]]
    for name in some(draw, table.names):
        cells = table.cells(name)
        rows += [[name, cell or "", str(cells.count(cell))] for cell in dict.fromkeys(cells)]
    return csv_rows(rows)


def pairs(draw: Random, table: Table) -> str:
    one, other = draw.choice(table.names), draw.choice(table.names)
    both = list(zip(table.cells(one), table.cells(other), strict=True))
    rows = [[one, a or "", other, b or "", str(both.count((a, b)))] for a, b in dict.fromkeys(both)]
    return csv_rows([["column", "value", "other_column", "other_value", "frequency"], *rows])


def knowledge(draw: Random, table: Table) -> str:
    one, other = draw.choice(table.names), draw.choice(table.names)
    both = dict.fromkeys(zip(table.cells(one), table.cells(other), strict=True))
    rows = [[one, a or "", other, b or "", str(draw.choice((0.1, 0.5, 1))), "3"] for a, b in both]
    return csv_rows([["column", "value", "on_column", "on_value", "confidence", "frequency"], *rows])


def csv_rows(rows: Iterable[list[str]], delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


def some(draw: Random, names: Iterable[str]) -> list[str]:
    """At least one of them where there is one, in any order."""
    known = list(names)
    return draw.sample(known, draw.randint(min(1, len(known)), len(known)))


# by what options are called that name such a file
KINDS: dict[str, tuple[str, Callable[[Random, Table], str]]] = {
    "policy": ("policy.toml", policy),
    "study": ("study.toml", study),
    "check": ("study.toml", study),
    "recipe": ("recipe.toml", recipe),
    "costs": ("costs.csv", costs),
    "truth": ("truth.csv", truth),
    "avfm": ("avfm.csv", frequencies),
    "pairs": ("pairs.csv", pairs),
    "knowledge": ("knowledge.csv", knowledge),
    "hierarchies": ("levels.json", definition),
    "sets": ("sets.txt", sets),
}
# those that no option names
OTHER_KINDS: dict[str, tuple[str, Callable[[Random, Table], str]]] = {
    "diary": ("diary.json", diary),
    "sweep": ("sweep.toml", sweep),
    "contest": ("contest.toml", contest),
    "metric": ("metric.py", metric),
}
