"""The page of every command: how it is called, and its options in their groups."""

from __future__ import annotations

import argparse

from page_pieces import block, link, table

from singleout.cli.examples import EXAMPLES
from singleout.cli.main import DESCRIPTION, parser
from singleout.cli.parser import Parser

PLAIN_GROUPS = {"positional arguments": "arguments"}


def commands_page() -> str:
    found = commands()
    lines = ["# Commands", "", f"`singleout COMMAND …`: {DESCRIPTION[0].lower()}{DESCRIPTION[1:]}", ""]
    lines += [
        "`singleout help COMMAND --all` says the same at the terminal, `singleout COMMAND --help` in short; "
        "`singleout --version` tells the version.",
        "",
    ]
    rows = [[link(f"`{name}`", _heading(name)), _about(each)] for name, each in found.items()]
    lines += table(["command", "what it does"], rows)
    for name, command in found.items():
        lines += _command(name, command)
    return "\n".join(lines)


def commands() -> dict[str, Parser]:
    """Every command by the words that call it: those that only lead to others are told by these."""
    found: dict[str, Parser] = {}
    for name, command in parser().commands().items():
        steps = command.commands()
        found |= {f"{name} {step}": each for step, each in steps.items()} or {name: command}
    return found


def _heading(name: str) -> str:
    return f"singleout {name}"


def _about(command: Parser) -> str:
    return str(command.description)


def _command(name: str, command: Parser) -> list[str]:
    about = _about(command)
    lines = [f"## {_heading(name)}", "", f"{about[0].upper()}{about[1:]}.", ""]
    lines += block("text", command.usage_line())
    if examples := EXAMPLES.get(name):
        lines += block("text", "\n".join(examples))
    for group in command._action_groups:
        if group._group_actions:
            title = PLAIN_GROUPS.get(str(group.title), str(group.title))
            lines += [f"### {name}: {title}", ""]
            shown = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
            rows = [[f"`{_words(each)}`", _help(each)] for each in shown]
            lines += table(["argument" if title == "arguments" else "option", "meaning"], rows)
    return lines


def _words(action: argparse.Action) -> str:
    """How it is written: all its names, and what follows them."""
    words = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    if not action.option_strings or action.nargs == 0:
        return words
    choices = [str(each) for each in action.choices or [action.dest.upper()]]
    return f"{words} {action.metavar or '|'.join(choices)}"


def _help(action: argparse.Action) -> str:
    return str(action.help).replace("%%", "%")
