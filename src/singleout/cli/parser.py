"""How the words of a command are read: short pages of help, and one-line errors that say what was meant."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from singleout.cli.examples import EXAMPLES
from singleout.cli.option_names import new_words
from singleout.cli.words import shown_line
from singleout.errors import name_hint

BAD_INPUT = 2
READING = "reading"
TITLES = {"positional arguments": "arguments"}
# what every command has; the others are in groups of their own
PLAIN_GROUPS = ("positional arguments", "options")
# of a page, in lines: what groups of a longer one have is told by names
LONGEST = 60
CONTINUED = " \\"
MEANT = "did you mean"
MORE_ABOUT_READING = "How tables are read, and where they may be: singleout help reading"
EVERY_OPTION = "What every option says: singleout help {} --all"
MORE = "More, in the source package: docs/reference/commands.md, docs/explanation.md"


class Parser(argparse.ArgumentParser):
    """Bad usage is one line, like every other error; help is a page that fits on few screens."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)

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
        """What `--help` shows: a long page tells the options of its groups by their names."""
        page = self.whole_page()
        fits = page.count("\n") <= LONGEST or self.commands()
        return page if fits else self._page(self._names, [EVERY_OPTION])

    def whole_page(self) -> str:
        return self._page(self._meanings, [])

    def _page(self, told: Callable[[argparse._ArgumentGroup], str], more: list[str]) -> str:
        about = self.description or ""
        head = self._get_formatter()
        head.add_text(f"{about[:1].upper()}{about[1:].rstrip('.')}.")
        groups = [each for each in self._action_groups if each._group_actions]
        if any(each.title == READING for each in groups):
            more = [*more, MORE_ABOUT_READING]
        command = self.prog.partition(" ")[2]
        options = [
            self._meanings(each) if each.title in PLAIN_GROUPS else told(each)
            for each in groups
            if each.title != READING
        ]
        last = "".join(f"{line.format(command)}\n" for line in (*more, MORE))
        return "\n".join([self.format_usage(), head.format_help(), *self._examples(command), *options, last])

    def _examples(self, command: str) -> list[str]:
        if command not in EXAMPLES:
            return []
        return ["".join(["examples:\n", *(_pasted(each, self._width()) for each in EXAMPLES[command])])]

    def _meanings(self, group: argparse._ArgumentGroup) -> str:
        page = self._get_formatter()
        page.start_section(TITLES.get(str(group.title), group.title))
        page.add_text(group.description)
        page.add_arguments(group._group_actions)
        page.end_section()
        return page.format_help()

    def _names(self, group: argparse._ArgumentGroup) -> str:
        shown = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        names = ", ".join(each.option_strings[-1] for each in shown)
        indent = "  "
        lines = textwrap.wrap(
            names, self._width(), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        return "".join(f"{line}\n" for line in (f"{group.title}:", *lines))

    def _width(self) -> int:
        return self._get_formatter()._width


def _pasted(example: str, width: int) -> str:
    """On several lines where it is too long, so that a shell takes it as one command."""
    if len(example) + 2 <= width:
        return f"  {example}\n"
    lines = textwrap.wrap(
        example,
        width - len(CONTINUED),
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{CONTINUED}\n".join(lines) + "\n"


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no whole number; write it in digits, like 1000000"
        ) from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write it like 0.05") from None


def _place(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    return {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}.get(str(action.nargs), name)
