"""`singleout completion bash|zsh|fish`: a script by which the shell completes commands and options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from singleout.cli.parser import Parser

SUMMARY = "print a script by which bash, zsh or fish complete commands, options and files"
SHELLS = ("bash", "zsh", "fish")
BASH = """\
_singleout() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" called="" part
    for part in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$called $part" in
{steps}
        esac
    done
    case "$called" in
{words}
    esac
}}
complete -o default -F _singleout singleout
"""
# works from a folder of functions, where its file is the function, and by eval
ZSH = """\
#compdef singleout
_singleout() {{
    local called="" part
    local -a names
    for part in "${{(@)words[2,CURRENT-1]}}"; do
        case "$called $part" in
{steps}
        esac
    done
    case "$called" in
{words}
    esac
    compadd -a names
    [[ "$PREFIX" == -* ]] || _files
}}
if [[ "$funcstack[1]" == _singleout ]]; then _singleout "$@"; else compdef _singleout singleout; fi
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS), help="which shell")


def run(options: argparse.Namespace) -> int:
    commands = dict(_commands(options.parser, ""))
    if options.shell == "fish":
        sys.stdout.write("".join(f"{line}\n" for line in _fish(commands)))
    else:
        sys.stdout.write(_script(options.shell, commands))
    return 0


def _commands(parser: Parser, called: str) -> Iterator[tuple[str, list[str]]]:
    """By the words that call it, what may follow each command: its options, or the commands below it."""
    below = parser.commands()
    shown = [each for each in parser._actions if each.help != argparse.SUPPRESS]
    options = [name for each in shown for name in each.option_strings if name.startswith("--")]
    yield called, [*below, *options]
    for name, each in below.items():
        yield from _commands(each, f"{called} {name}")


def _script(shell: str, commands: dict[str, list[str]]) -> str:
    """Step by step to the command that was called, then what may follow it."""
    steps = [f'            "{called}") called="{called}";;' for called in commands if called]
    if shell == "bash":
        words = [f'        "{called}") {_bash_words(names)};;' for called, names in commands.items()]
    else:
        words = [f'        "{called}") names=({" ".join(names)});;' for called, names in commands.items()]
    return (BASH if shell == "bash" else ZSH).format(steps="\n".join(steps), words="\n".join(words))


def _bash_words(names: list[str]) -> str:
    """Where nothing is offered, bash offers files: options wait for their dash, commands are all there is."""
    offer = f'COMPREPLY=($(compgen -W "{" ".join(names)}" -- "$word"))'
    return f'[[ "$word" != -* ]] || {offer}' if all(each.startswith("--") for each in names) else offer


def _fish(commands: dict[str, list[str]]) -> Iterator[str]:
    for called, words in commands.items():
        names = called.split()
        seen = [f"__fish_seen_subcommand_from {name}" for name in names]
        below = [word for word in words if not word.startswith("--")]
        unseen = [f"not __fish_seen_subcommand_from {' '.join(below)}"] if below else []
        condition = "; and ".join(seen + unseen) or "true"
        for word in words:
            what = f"-l {word[2:]}" if word.startswith("--") else f"-f -a {word}"
            yield f"complete -c singleout -n '{condition}' {what}"
