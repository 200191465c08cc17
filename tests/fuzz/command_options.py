"""Every command and every option, as the parser itself has them: a new one is tried without a word here."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from random import Random

from singleout.cli.main import parser
from tests.fuzz import configuration_files
from tests.fuzz.hostile_texts import BOUNDARIES
from tests.fuzz.tables import Table

# of options that are drawn: how to read a file, which mostly fits no file, and what takes long
RARE = (
    "html",
    "plot",
    "delimiter",
    "quote",
    "encoding",
    "header",
    "types",
    "missing_text",
    "engine",
    "memory",
    "list_",
)
SHARE_OF_RARE = 0.08
# demo and warm-up take long whatever they are told, workers end when they are told to, and metric runs code:
# each has tests of its own. Of `serve` only backups and their restoration are tried, and `submit` asks
# servers that are not there
LEFT_OUT = (("demo",), ("warm-up",), ("worker",), ("metric",))
# a sweep of several runs would start processes, each of which loads everything anew
ALWAYS = {"sweep": ("--threads", "1")}
# what a command needs beside what its parser asks for; one of them is drawn
MODES: dict[str, tuple[tuple[str, ...], ...]] = {
    "assess": (
        (), (), ("population",), ("sampled",), ("reference",), ("reference", "reference_user"), ("weight",),
        ("weight", "household"), ("original",), ("values",), ("original", "values"), ("sensitive",),
        ("sensitive", "hierarchies"), ("policy",), ("records", "people"), ("html", "date"),
    ),
    "describe": ((), ("item",), ("item", "time", "amount"), ("category", "domains"), ("html",)),
    "data": (("source",), ("source",), ()),
    "submit": (("token_file",), ("token_file", "no_wait"), ("token_file", "truth"), ()),
    "serve": (("folder",), ()),
    "combinations": (
        ("allow",), ("allow", "criterion"), ("size", "synergy"), ("costs", "resource"), ("costs", "identify"),
        ("all", "out"), ("records",), ("record",), ("known", "costs"), ("allow", "records"),
    ),
    "entropy": (("user",),),
    "predict": (
        ("file",), ("file",), ("avfm",), ("avfm", "pairs"), ("file", "knowledge"), ("file", "write_avfm"),
    ),
    "attack": (
        ("release", "user"), ("release", "user", "item"), ("release", "user", "truth"),
        ("release", "user", "time", "amount"), ("release", "user", "recipe"), ("user", "periods", "time"),
    ),
    "compare": (("user",), ("user", "truth"), ()),
    "check": (
        ("policy",), ("policy", "user"), ("policy", "original", "user"),
        ("write_policy",),
    ),
    "protect": (("user", "out", "tries"), ("out", "tries", "nearest"), ("user", "out", "truth", "minutes")),
    "deidentify apply": (("user", "out"), ("out",), ("user", "out", "truth", "diary"), ()),
    "deidentify dummies": (
        ("user", "item", "clusters", "out", "truth"), ("user", "item", "smallest"), ("user", "item", "bound"),
    ),
    "deidentify generalise": (
        ("k", "out"), ("k",), ("average_risk",), ("k", "sensitive", "diverse"), ("k", "levels"),
        ("k", "local"), ("k", "local", "out"), ("k", "local", "sensitive", "diverse", "out", "diary"),
    ),
    "deidentify suppress": (
        (), ("out",), ("size", "out"), ("sets", "out"), ("out", "diary", "blank"), ("importance",),
    ),
    "hierarchy": ((), ("intervals",), ("prefixes",), ("dates",)),
    "roles": (("suggest",), ("suggest", "out"), ("check",)),
}  # fmt: skip
# work that is asked for is done, however long it takes
MOST_WORK = {
    "people": 60,
    "seconds": 2,
    "samples": 30,
    "draws": 20,
    "sample": 50,
    "nodes": 100,
    "tries": 5,
    "minutes": 0.02,
    "capacity": 100,
}


Pair = tuple[argparse.Action, argparse.Action]


@dataclass(frozen=True)
class Command:
    """Its words, what stands without a name, and its options."""

    words: tuple[str, ...]
    positionals: tuple[argparse.Action, ...]
    options: tuple[argparse.Action, ...]
    exclusive: tuple[tuple[argparse.Action, ...], ...] = ()

    @property
    def name(self) -> str:
        return " ".join(self.words)


@cache
def commands() -> tuple[Command, ...]:
    return tuple(each for each in every_command(parser(), ()) if each.words not in LEFT_OUT)


def every_command(one: argparse.ArgumentParser, words: tuple[str, ...]) -> Iterator[Command]:
    below = [each for each in one._actions if isinstance(each, argparse._SubParsersAction)]
    for each in below:
        for name, step in each.choices.items():
            yield from every_command(step, (*words, name))
    if not below:
        known = [each for each in one._actions if not isinstance(each, argparse._HelpAction)]
        named = tuple(each for each in known if each.option_strings)
        groups = tuple(tuple(group._group_actions) for group in one._mutually_exclusive_groups)
        yield Command(words, tuple(each for each in known if not each.option_strings), named, groups)


@dataclass
class Scene:
    """What options can be about: a table, where it is and where its release is, and files that are made."""

    draw: Random
    table: Table
    place: str
    release: str
    files: dict[str, bytes] = field(default_factory=dict)

    def column(self, *kinds: str) -> str:
        fitting = self.table.called(*kinds) if self.draw.random() < 0.92 else []
        return self.draw.choice(fitting or self.table.names)

    def make(self, kind: str) -> str:
        """A configuration file, by what its option is called."""
        name, text = {**configuration_files.KINDS, **configuration_files.OTHER_KINDS}[kind]
        if kind == "hierarchies" and self.draw.random() < 0.4:
            return self._folder()
        content = text(self.draw, self.table).replace('data = "t.csv"', f'data = "{self.place}"')
        if kind == "costs" and content.startswith("{"):
            name = "costs.json"
        self.files[name] = content.encode("utf-8", "replace")
        return name

    def _folder(self) -> str:
        for name in configuration_files.some(self.draw, self.table.names[1:]):
            if "/" not in name and name.isprintable() and not name.startswith("."):
                text = configuration_files.hierarchy(self.draw, self.table, name)
                self.files[f"levels/{name}.csv"] = text.encode("utf-8", "replace")
        self.files.setdefault("levels/goods.csv", b"v1;*\n")
        return "levels"


def command_words(scene: Scene, command: Command, extras: int | Pair, *, boundary: bool = False) -> list[str]:
    """A call of the command: what it needs, and some of what it may be told, so many or these.

    With a `boundary`, one of the options has a value that is hardly meant.
    """
    draw = scene.draw
    mode = draw.choice(_fitting_modes(command, () if isinstance(extras, int) else extras))
    needed = [each for each in command.options if each.required or each.dest in mode]
    if "avfm" not in mode and draw.random() < 0.9:
        needed += [each for each in command.options if each.dest == "user" and each not in needed]
    if isinstance(extras, int):
        more = _extras(draw, command, needed, extras)
    else:
        more = [each for each in extras if each not in needed]
    chosen = [*needed, *more]
    odd = draw.choice(chosen) if boundary and chosen else None
    words = list(command.words)
    for each in command.positionals:
        words += _positional(scene, command, each, mode)
    for each in chosen:
        words += option_words(scene, each, mode, boundary=each is odd)
    return [*words, *ALWAYS.get(command.name, ())]


def _fitting_modes(command: Command, wanted: Sequence[argparse.Action]) -> Sequence[tuple[str, ...]]:
    """Those that name none of what the wanted options exclude."""
    shut = {each.dest for group in command.exclusive if set(group) & set(wanted) for each in group}
    shut -= {each.dest for each in wanted}
    modes = MODES.get(command.name, ((),))
    return [mode for mode in modes if not shut & set(mode)] or ((),)


@cache
def option_pairs() -> tuple[tuple[Command, Pair], ...]:
    """Of every command every two options that may be said together."""
    return tuple(
        (command, pair)
        for command in commands()
        for pair in combinations(command.options, 2)
        if not any(set(pair) <= set(group) for group in command.exclusive)
    )


def _extras(
    draw: Random, command: Command, needed: Sequence[argparse.Action], number: int
) -> list[argparse.Action]:
    closed = [each for group in command.exclusive if any(one in needed for one in group) for each in group]
    rest = [
        each
        for each in command.options
        if each not in needed
        and each not in closed
        and (not each.dest.startswith(RARE) or draw.random() < SHARE_OF_RARE)
    ]
    return draw.sample(rest, min(number, len(rest)))


def _positional(scene: Scene, command: Command, each: argparse.Action, mode: Sequence[str]) -> list[str]:
    draw = scene.draw
    if each.dest == "name":
        return [draw.choice(NAMES[command.name])]
    if command.name == "serve":
        return [draw.choice(("restore", "restore", "backup"))] if each.dest == "action" else [BACKUP]
    if each.dest == "study":
        return [scene.make("sweep")]
    if each.dest == "folders":
        return draw.choice(([], ["."], ["nowhere"]))
    if each.nargs == "?" and each.dest not in mode:
        return []
    if each.nargs == "*" and ("policy" not in mode or draw.random() < 0.05):
        return []
    return [scene.release if each.dest.startswith("release") else scene.place]


def option_words(
    scene: Scene, option: argparse.Action, mode: Sequence[str] = (), *, boundary: bool = False
) -> list[str]:
    name = scene.draw.choice(option.option_strings)
    if option.nargs == 0:
        return [name]
    if boundary:
        return [name, _bounded(option, scene.draw.choice(BOUNDARIES))]
    value = _plausible(scene, option, mode)
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _bounded(option: argparse.Action, text: str) -> str:
    most = MOST_WORK.get(option.dest)
    try:
        return text if most is None or int(text) <= most else str(most)
    except ValueError:
        return text


def _plausible(scene: Scene, option: argparse.Action, mode: Sequence[str]) -> str:
    """By what the option is called, its choices, or what its help calls the value."""
    draw = scene.draw
    if option.dest in VALUES:
        return draw.choice(VALUES[option.dest])
    if option.choices:
        return str(draw.choice(list(option.choices)))
    if option.dest == "column":
        return scene.column(*next((KIND_OF_LEVELS[each] for each in mode if each in KIND_OF_LEVELS), ()))
    if option.dest in COLUMNS:
        return _option_list([scene.column(*COLUMNS[option.dest])])
    if option.dest in configuration_files.KINDS:
        return scene.make(option.dest)
    if option.dest in TABLES:
        return draw.choice((scene.place, scene.release))
    if option.dest == "domains":
        columns = draw.sample(scene.table.names[1:], min(2, len(scene.table.names) - 1))
        return f"{draw.choice('ab')}={'+'.join(columns)}"
    return _by_metavar(scene, option)


def _by_metavar(scene: Scene, option: argparse.Action) -> str:
    """All that is known of an option that nobody thought of here."""
    draw, metavar = scene.draw, str(option.metavar or "")
    if metavar.startswith(("COL=", "NAME=")):
        return _by_name(scene, option)
    if metavar.startswith(("OUT", "SECRET", "MAP")) or option.dest in ("out", "diary"):
        return f"new-{option.dest}{_ending(draw, option)}"
    if metavar in ("COL", "A"):
        return scene.column()
    if metavar.startswith(("A,", "COL,")):
        return _option_list(configuration_files.some(draw, scene.table.names[1:]))
    return draw.choice(NUMBERS_OF_FLOATS if option.type is float else WHOLE_NUMBERS)


def _by_name(scene: Scene, option: argparse.Action) -> str:
    said = {
        "renamed": scene.table.names,
        "types": ("text", "integer", "number", "boolean", "date", "timestamp"),
        "granularity": ("month", "day", "hour", "first 2", "round 10", "exact"),
        "tolerance": ("1 day", "5%", "0.5", "2 hours"),
        "given": ("v1", "2024-01-01", "12:00"),
    }.get(option.dest, ("0", "1", "2", "0.5"))
    return _option_list(
        [f"{scene.column()}={scene.draw.choice(said)}" for _ in range(scene.draw.choice((1, 1, 2)))]
    )


def _option_list(names: Sequence[str]) -> str:
    """As a list that an option takes: names with a comma in double quotes."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def _ending(draw: Random, option: argparse.Action) -> str:
    shown = str(option.metavar or "")
    if "." in shown:
        return shown[shown.index(".") :]
    usual = {"html": (".html",), "diary": (".json",), "write_avfm": (".csv", ".json")}
    return draw.choice(usual.get(option.dest, (".csv",) * 9 + (".parquet",) * 4 + (".json", "")))


WHOLE_NUMBERS = ("0", "1", "1", "2", "2", "3", "5", "10")
NUMBERS_OF_FLOATS = ("0", "0.05", "0.1", "0.5", "0.9", "1", "2", "3")
NAMES = {"sample": ("shop", "card", "shop", "card", "cards"), "data": ("t1", "t2", "t3", "adult", "t4")}
BACKUP = "backup.zip"
TABLES = ("original", "people_table", "release_people_table", "knowledge_from", "reference", "source")
COLUMNS = {
    "user": ("person",),
    "release_user": ("person",),
    "item": ("text",),
    "amount": ("number",),
    "number": ("whole",),
    "time": ("day", "time"),
    "receipt": ("town",),
    "category": ("town",),
    "sensitive": ("ill",),
    "reference_user": ("person",),
    "weight": ("number", "whole"),
    "household": ("town",),
}
KIND_OF_LEVELS = {"intervals": ("number", "whole"), "dates": ("day",), "prefixes": ("text", "town")}
VALUES = {
    "delimiter": (",", ";", "tab", "|", " ", "x", ",,"),
    "quote": ('"', "'", ""),
    "encoding": ("utf-8", "latin-1", "cp932", "utf-16", "ascii", "koi8-r", "utf-7", "rot13", "nothing"),
    "header": ("yes", "no"),
    "missing_text": ("", "NA", "v1", "?,-", "p1"),
    "memory": ("100MB", "1GB", "2GB"),
    "threads": ("1", "2"),
    "seed": ("0", "1", "7"),
    "date": ("2024-01-31",),
    "periods": ("2024-06-01", "2500-01-01"),
    "attacks": ("jaccard", "best", "record_linkage", "jaccard,tfidf", "cosine", "roles", "bayes", "nothing"),
    "methods": ("closed_form", "random", "semi_random", "tree", "closed_form,tree"),
    "metrics": ("records_kept", "u3_rfm", "total_variation", "nothing", "queries"),
    "points": ("1", "2", "1,2"),
    "shares": ("25", "50,100", "100"),
    "intervals": ("1,5,10", "10", "0.5,2", "3,5"),
    "prefixes": ("1", "3,1", "0"),
    "dates": ("month,year", "day", "year", "hour,day"),
    "origin": ("0", "1", "0.5", "-3"),
    # Spark would start, which takes longer than all else
    "engine": ("duckdb", "postgres"),
    "average_risk": ("0.5", "0.9", "1"),
    "record": ("1", "1", "0", "30"),
    "allow": ("1", "2", "5"),
    "size": ("2", "3", "1"),
    "synergy": ("1", "2"),
    "smallest": ("1", "2", "3"),
    "bound": ("0.5", "1", "0.1"),
    "identify": ("0.1", "0.5", "1"),
    "given": ("a=v1", "b=2024-01-01"),
    "resource": ("0", "1", "2", "10"),
    "clusters": ("1", "2", "3", "100"),
    "k": ("1", "2", "3", "5"),
    "people": ("1", "2", "5", "20", "new-people.csv"),
    "records": ("new-records.csv", "new-records.parquet", "5,10"),
    "add": ("new=3", "a b=1"),
    "population": ("1", "20", "100", "100000", "1e6"),
    "sampled": ("0.05", "0.5", "1", "0.001"),
    "blank": ("*", "", "?", "v1"),
    "folder": ("platform", "platform", "t.csv", "nowhere/platform"),
    "database": ("sqlite:///own.db", "postgresql://ann:pass@127.0.0.1:9/base", "nothing", "mysql://h/b"),
    # nobody listens there
    "server": (
        "http://127.0.0.1:9",
        "http://127.0.0.1:9/a b",
        "http://127.0.0.1:99999",
        "http://[::1",
        "ftp://127.0.0.1",
        "http://",
        "http://ann:pass@127.0.0.1:9",
        "http://127.0.0.1:x",
        "http://a..b:9",
        "127.0.0.1:9",
    ),
    "contest": ("demo", "a b", "../x", "é"),
    "token_file": ("key", "key", "key", "nowhere", "/dev/null"),
    "comment": ("", "first", "\x1b[31m", "é"),
    "wait": ("0", "0.1", "nan", "-1"),
}
