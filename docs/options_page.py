"""The page of option names: what each means wherever it stands, and what options were called before."""

from __future__ import annotations

import argparse

from commands_page import commands
from page_pieces import section, table

from singleout.cli.option_names import OLD_NAMES, SHARED, UNTIL

ABOUT = """\
One name, one meaning: an option that several commands have says the same to each of them and is followed by
the same kind of thing. `singleout help COMMAND --all` tells what that comes to there.

- A probability, a risk and a share are numbers from 0 to 1, never per cents.
- A limit is called by what it limits (`--k`, `--k-map`, `--l-diversity`, `--t-closeness`, `--average-risk`,
  `--attribute-risk`, `--recognised`, `--share-at-risk`); `--allow N` says how many people are too few.
- A list of all records, people or values is asked for by `--record-risks`, `--person-risks` and
  `--value-risks`, as the functions in Python are called. Other files that are written beside `--out` end in
  `-out` or begin with `write-`, or are called after what they are (`--html`, `--plot`, `--diary`,
  `--evidence`, `--junit`). `--truth` is the map of who is who, which commands that make a release write and
  commands that look at one read.
- What somebody knows: `--known` and `--known-already` are columns, `--points` how many records,
  `--known-shares` which share of them.
- `--sampled` is the share of all people who are in the table; `--sample-values`, `--sample-by` and
  `--sample-sizes` are about the sampling model of `assess`; `--draws` is how often something random is
  drawn.
"""


def options_page() -> str:
    users = users_of_options()
    rows = [[f"`{name}`", each.kind, each.words, _names(users[name])] for name, each in SHARED.items()]
    shared = table(["option", "what follows", "meaning", "commands"], rows)
    old = [[f"`{each.name}`", each.command, _new(each.name, each.new)] for each in OLD_NAMES]
    lines = ["# Options", "", ABOUT]
    lines += section("Options of several commands", "", shared)
    lines += section(
        "Names of before",
        f"They work until version {UNTIL}, with a note on standard error.",
        table(["was", "of", "is"], old),
    )
    return "\n".join(lines)


def users_of_options() -> dict[str, list[str]]:
    """The commands that have each option."""
    users: dict[str, list[str]] = {}
    for command, parser in commands().items():
        for action in parser._actions:
            for name in action.option_strings if action.help != argparse.SUPPRESS else ():
                users.setdefault(name, []).append(command)
    return users


def _names(users: list[str]) -> str:
    return f"{len(users)} commands" if len(users) > 8 else ", ".join(f"`{each}`" for each in users)


def _new(old: str, new: str) -> str:
    if old == "--location" == new:
        return "`--place`, or `location` in the `[data]` of a policy"
    return f"`{new}` with a unit, such as `4000MB`" if old == new else f"`{new}`"
