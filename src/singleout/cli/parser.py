"""How the words of a command are read: short pages of help, and one-line errors that say what was meant."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from singleout.cli.examples import EXAMPLES
from singleout.cli.option_names import new_words
from singleout.cli.words import shown_line
from singleout.errors import name_hint

BAD_INPUT = 2
READING = "reading"
TITLES = {"positional arguments": "arguments"}
MEANT = "did you mean"
MORE_ABOUT_READING = "How tables are read, and where they may be: singleout help reading"
MORE = "More: docs/reference/commands.md has every option, docs/explanation.md what the numbers mean"


class Parser(argparse.ArgumentParser):
    """Bad usage is one line, like every other error; help is a page that fits on few screens."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"error: {shown_line(message)}; see {self.prog} --help\n")

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """The options, with the words themselves and the parser, for commands that are about commands."""
        command = self.of(words)
        words = new_words(command.prog.partition(" ")[2], words)
        options, unknown = self.parse_known_args(words)
        if unknown:
            command.error(f"unrecognized arguments: {' '.join(unknown)}{command._hint(unknown[0])}")
        options.words, options.parser = [*words], self
        return options

    def _hint(self, unknown: str) -> str:
        known = [name for each in self._actions for name in each.option_strings]
        hint = name_hint(unknown.partition("=")[0], known) if unknown.startswith("-") else ""
        return f"; {hint}" if hint.startswith(MEANT) else ""

    def of(self, words: Sequence[str]) -> Parser:
        """The parser of the command that these words call."""
        for index, word in enumerate(words):
            if word in (commands := self.commands()):
                return commands[word].of(words[index + 1 :])
        return self

    def commands(self) -> dict[str, Parser]:
        """The parsers below it, if it leads to some."""
        actions = [each for each in self._actions if isinstance(each, argparse._SubParsersAction)]
        return dict(actions[0].choices) if actions else {}

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            raise argparse.ArgumentError(None, f"there is no {value!r}; {name_hint(value, action.choices)}")
        super()._check_value(action, value)

    def format_usage(self) -> str:
        return f"usage: {self.usage_line()}\n"

    def usage_line(self) -> str:
        """Short: argparse lists every option."""
        places = [each for each in self._actions if not each.option_strings]
        needed = [each for each in self._actions if each.option_strings and each.required]
        words = [_place(each) for each in places]
        words += [f"{each.option_strings[0]} {each.metavar or ''}".strip() for each in needed]
        return " ".join([self.prog, *words, "[options]"])

    def format_help(self) -> str:
        about = self.description or ""
        head = self._get_formatter()
        head.add_text(f"{about[:1].upper()}{about[1:].rstrip('.')}.")
        examples = EXAMPLES.get(self.prog.partition(" ")[2], ())
        shown = "".join(f"  {each}\n" for each in examples)
        tried = f"\nexamples:\n{shown}" if shown else ""
        return f"{self.format_usage()}\n{head.format_help()}{tried}\n{self._options()}\n{self._more()}"

    def _options(self) -> str:
        page = self._get_formatter()
        for group in self._action_groups:
            if group.title != READING and group._group_actions:
                page.start_section(TITLES.get(str(group.title), group.title))
                page.add_text(group.description)
                page.add_arguments(group._group_actions)
                page.end_section()
        return page.format_help()

    def _more(self) -> str:
        reads = any(group.title == READING for group in self._action_groups)
        return "".join(f"{line}\n" for line in (*([MORE_ABOUT_READING] if reads else []), MORE))


def _place(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    return {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}.get(str(action.nargs), name)
