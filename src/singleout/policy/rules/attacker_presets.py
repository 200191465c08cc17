"""Who might want to recognise somebody, what such a person plausibly knows, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from singleout.errors import name_hint
from singleout.policy.rules.attacker import Attacker, faults_of, short_text
from singleout.roles.role import KNOWN_TO_ATTACKERS, ROLES

OWN_KEYS = ("based_on", "title", "knows", "reason", "roles", "columns", "points", "granularity", "share")

PRESETS: Mapping[str, Attacker] = {
    each.name: each
    for each in (
        Attacker(
            name="neighbour",
            title="a neighbour",
            knows="what can be seen of a person, and on which days something happened, of 2 records; neither "
            "what it was nor how much it cost",
            reason="Whoever lives next door sees age, sex and household, and who comes and goes on which "
            "day, but not into bags and bills. A role does not tell which quasi-identifiers can be seen, so "
            "all count as seen.",
            roles=("quasi-identifier", "time"),
            granularity={"time": "day"},
            points=2,
            share=0.1,
        ),
        Attacker(
            name="employer",
            title="an employer",
            knows="all quasi-identifiers exactly, as in a personnel file, and the days of 4 records",
            reason="A personnel file has date of birth, address, family and education. Attendance, leave and "
            "business trips tell on which days somebody was where; items and amounts are private.",
            roles=("quasi-identifier", "time"),
            granularity={"time": "day"},
            points=4,
            share=0.25,
        ),
        Attacker(
            name="data_broker",
            title="a data broker",
            knows="all quasi-identifiers exactly, and of a quarter of the records the item, the amount and "
            "the day",
            reason="Bought address lists come with traits of people, and loyalty schemes, card issuers and "
            "apps sell what was bought, for how much and on which day, of the part that went through them.",
            roles=("quasi-identifier", "item", "time", "amount"),
            granularity={"time": "day"},
            points=None,
            share=0.25,
        ),
        Attacker(
            name="insider",
            title="an insider",
            knows="exactly all quasi-identifiers, and of half of the records item, time and amount",
            reason="Whoever works, or has worked, where the data comes from has seen records as they were: "
            "an old extract, one of two branches, the customers served in person.",
            roles=KNOWN_TO_ATTACKERS,
            points=None,
            share=0.5,
        ),
        Attacker(
            name="maximum_knowledge",
            title="somebody who knows everything",
            knows="every column of every record exactly, sensitive ones too",
            reason="Nobody knows this much but the data holder. It is the worst case: what withstands it "
            "needs no argument about what others may know.",
            roles=tuple(role for role in ROLES if role != "user"),
            points=None,
            share=1.0,
        ),
    )
}


def own_attacker(name: str, said: Any) -> tuple[Attacker | None, list[str]]:
    """An attacker as a policy describes one, or all that is wrong with the description.

    >>> own_attacker("postman", {"based_on": "neighbor", "points": 0})[1]
    ["based_on: there is no attacker 'neighbor'; did you mean 'neighbour'?", "points: 0 is no number of \
records; write a whole number from 1 to 1,000, or 'all'"]
    """
    if not isinstance(said, Mapping):
        return None, [f'write it as a table, [attackers.{name}] with based_on = "neighbour" below it']
    faults = [f"there is no {key!r}; {name_hint(str(key), OWN_KEYS)}" for key in said if key not in OWN_KEYS]
    if name in PRESETS:
        faults.append(f'is a preset; choose another name, and say based_on = "{name}"')
    if "based_on" not in said and "columns" not in said and "roles" not in said:
        faults.append("say what is known: based_on (a preset), roles or columns")
    for key in OWN_KEYS:
        if key in said:
            faults += [f"{key}: {fault}" for fault in _faults(key, said[key])]
    return (None, faults) if faults else (_make_attacker(name, said), [])


def _make_attacker(name: str, said: Mapping[str, Any]) -> Attacker:
    base = PRESETS[said["based_on"]] if "based_on" in said else _blank_attacker()
    points = said.get("points", base.points)
    columns = tuple(said["columns"]) if "columns" in said else None
    changed_keys = [key for key in ("roles", "columns", "points", "granularity", "share") if key in said]
    knowledge = (
        f"as {base.title} does ({base.knows}), with other {', '.join(changed_keys)}"
        if changed_keys
        else base.knows
    )
    return replace(
        base,
        name=name,
        title=said.get("title", name),
        knows=said.get("knows", knowledge if "based_on" in said else "what the policy says"),
        reason=said.get("reason", base.reason),
        roles=tuple(said.get("roles", base.roles)),
        columns=columns,
        points=None if points == "all" else points,
        granularity={**base.granularity, **said.get("granularity", {})},
        share=float(said.get("share", base.share)),
    )


def _blank_attacker() -> Attacker:
    """Knows no column until somebody says which, but those of every record."""
    return Attacker("", "", "", "The policy says so without a reason.", (), None, 1.0)


def _faults(key: str, value: Any) -> list[str]:
    if key != "based_on":
        return [] if key == "points" and value == "all" else faults_of(key, value)
    known = isinstance(value, str) and value in PRESETS
    return [] if known else [f"there is no attacker {short_text(value)}; {name_hint(str(value), PRESETS)}"]
