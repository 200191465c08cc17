"""The page of every command: how it is called, and its options in their groups."""

from __future__ import annotations

import argparse

from page_pieces import block, link, table

from singleout.cli.main import DESCRIPTION, parser

PLAIN_GROUPS = {"positional arguments": "arguments"}


def commands_page() -> str:
    found = commands()
    lines = ["# Commands", "", f"`singleout COMMAND …`: {DESCRIPTION[0].lower()}{DESCRIPTION[1:]}", ""]
    lines += [
        "`singleout COMMAND --help` says the same at the terminal; `singleout --version` tells the version.",
        "",
    ]
    rows = [[link(f"`{name}`", _heading(name)), _about(each)] for name, each in found.items()]
    lines += table(["command", "what it does"], rows)
    for name, command in found.items():
        lines += _command(name, command)
    return "\n".join(lines)


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


def _heading(name: str) -> str:
    return f"singleout {name}"


def _about(command: argparse.ArgumentParser) -> str:
    return str(command.description)


def _command(name: str, command: argparse.ArgumentParser) -> list[str]:
    about = _about(command)
    lines = [f"## {_heading(name)}", "", f"{about[0].upper()}{about[1:]}.", ""]
    lines += block("text", _usage(name, command))
    for group in command._action_groups:
        if group._group_actions:
            title = PLAIN_GROUPS.get(str(group.title), str(group.title))
            lines += [f"### {name}: {title}", ""]
            rows = [[f"`{_words(each)}`", _help(each)] for each in group._group_actions]
            lines += table(["argument" if title == "arguments" else "option", "meaning"], rows)
    return lines


def _usage(name: str, command: argparse.ArgumentParser) -> str:
    """By hand, since how argparse breaks its lines depends on the version of Python and the terminal."""
    needed = [_words(each) for each in command._actions if each.required and each.option_strings]
    places = [_place(each) for each in command._actions if not each.option_strings]
    return " ".join(["singleout", name, *places, *needed, "[options]"])


def _place(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    shapes = {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}
    return shapes.get(str(action.nargs), name)


def _words(action: argparse.Action) -> str:
    """How it is written: all its names, and what follows them."""
    words = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    if not action.option_strings or action.nargs == 0:
        return words
    choices = [str(each) for each in action.choices or [action.dest.upper()]]
    return f"{words} {action.metavar or '|'.join(choices)}"


def _help(action: argparse.Action) -> str:
    return str(action.help).replace("%%", "%")
