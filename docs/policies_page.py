"""The page of policies: what a policy file may say, and the attackers that its rules may name."""

from __future__ import annotations

from page_pieces import anchor, block, link, section, table
from policy_words import (
    ATTACKER_KEYS,
    DATA_WORDS,
    EXAMPLE,
    FAMILIES,
    KINDS,
    ONE_RECORD,
    PART_WORDS,
    RECORDS,
    RULE_WORDS,
)

from singleout.policy.rules.attacker import Attacker
from singleout.policy.rules.attacker_presets import OWN_KEYS, PRESETS
from singleout.policy.rules.measure_paths import ALL_TAKE, NEEDS, Family, MeasurePath, measure_paths
from singleout.policy.rules.policy import PARTS
from singleout.policy.rules.policy_keys import DATA_KEYS, RULE_KEYS

ABOUT = """\
A policy is a TOML file of rules for `singleout check FILE --policy policy.toml`
([how to use it](../how-to/pipelines.md)). All its mistakes are told at once, before anything is counted."""


def policies_page() -> str:
    lines = ["# Policies", "", ABOUT, "", *block("toml", *EXAMPLE)]
    for part in (_parts, _rules, _paths, _data, _attackers, _own_attackers):
        lines += part()
    return "\n".join(lines)


def _parts() -> list[str]:
    return section(
        "Tables", "", table(["table", "what it says"], [[f"`{name}`", PART_WORDS[name]] for name in PARTS])
    )


def _rules() -> list[str]:
    rows = [[f"`{key}`", RULE_WORDS[key], KINDS[kind]] for key, kind in RULE_KEYS.items()]
    about = "Each names a [measure](measures.md) and a limit, or two; numbers are compared unrounded."
    return section("Keys of a rule", about, table(["key", "meaning", "value"], rows))


def _paths() -> list[str]:
    """Every way to name a measure in a rule, by what is looked at."""
    about = (
        "`NAME` stands for a column, a domain, an attack or a method. It may be `*`, which means the worst "
        "of all; in double quotes it is taken as it is. `singleout check --list-measures` tells the same."
    )
    families = dict.fromkeys(each.family for each in measure_paths())
    return section("Measures of rules", about, *(_family(each) for each in families))


def _family(family: Family) -> list[str]:
    keys = ", ".join(f"`{key}`" for key in ALL_TAKE[family])
    paths = [each for each in measure_paths() if each.family == family]
    own = any(each.own_key for each in paths)
    rows = [_path(each, own) for each in paths]
    needed = f"They need {NEEDS[family]}. " if family in NEEDS else ""
    about = f"{needed}A rule about them may also say {keys}. {RECORDS.get(family, ONE_RECORD)}".rstrip()
    heading = ["measure", "question", *(["takes besides"] if own else [])]
    return [f"### About {FAMILIES[family]}", "", about, "", *table(heading, rows)]


def _path(path: MeasurePath, own: bool) -> list[str]:
    place = anchor(f"Measure `{path.measure.name}`")
    more = [f"`{path.own_key}`" if path.own_key else ""] if own else []
    return [f"[`{path.words}`](measures.md#{place})", path.measure.question, *more]


def _data() -> list[str]:
    rows = [[f"`{key}`", DATA_WORDS[key], KINDS[kind]] for key, kind in DATA_KEYS.items()]
    about = "What `[data]` says of the table that is checked. Files are looked for from the policy's folder."
    return section("Keys of the data", about, table(["key", "meaning", "value"], rows))


def _attackers() -> list[str]:
    rows = [[link(f"`{name}`", _heading(name)), each.knows] for name, each in PRESETS.items()]
    about = (
        'An attacker states what somebody plausibly knows, and why: `attacker = "neighbour"` in a rule. '
        "A column whose role is `ignore`, which means that it is to be removed, is known to all while "
        "it is in the file."
    )
    parts = [line for name, each in PRESETS.items() for line in _attacker(name, each)]
    return section("Attackers", about, table(["attacker", "knows"], rows), parts)


def _heading(name: str) -> str:
    return f"Attacker `{name}`"


def _attacker(name: str, attacker: Attacker) -> list[str]:
    coarse = [f"{what} by {granularity}" for what, granularity in attacker.granularity.items()]
    return [
        f"### {_heading(name)}",
        "",
        attacker.reason,
        "",
        f"- columns with the roles: {', '.join(f'`{role}`' for role in attacker.roles)}",
        f"- how coarsely: {', '.join(coarse) or 'exactly'}",
        f"- how much: {attacker.records}",
        "",
    ]


def _own_attackers() -> list[str]:
    rows = [[f"`{key}`", ATTACKER_KEYS[key]] for key in OWN_KEYS]
    about = "A table `[attackers.NAME]` describes one of your own, from scratch or from one of the above:"
    return section("Attackers of your own", about, table(["key", "meaning"], rows))
