"""The case of a number: the same seed and number give the same input, whatever was tried before."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from random import Random

import pyarrow

from tests.fuzz.backups import backup
from tests.fuzz.case import READER, Case
from tests.fuzz.command_options import BACKUP, Command, Pair, Scene, command_words, commands, option_pairs
from tests.fuzz.configuration_files import KINDS, OTHER_KINDS
from tests.fuzz.damage import damaged
from tests.fuzz.hostile_texts import BOUNDARIES, HOSTILE, TEXT_MARK, VALUE
from tests.fuzz.office_files import office_file
from tests.fuzz.readers import ADDRESS, OFFICE, READERS, STORED
from tests.fuzz.sound_options import sound_files, sound_table, sound_words
from tests.fuzz.table_files import FORMATS, TableFile, csv_file, table_file, write_arrow
from tests.fuzz.tables import Table, any_frame, random_table

# the mix of `make test`, and every two options of every command
ALL, PAIRS = "all", "pairs"
# so that the first few pairs are of all commands; prime, so that none comes twice
STRIDE = 7919
LIBRARIES = ("pandas", "polars", "pyarrow")
FUNCTIONS = (
    *("assess", "combinations", "predict", "suggest_roles", "attack", "record_risks"),
    *("compare", "describe", "suppress"),
)
# the same question about the same table has one answer, wherever the table is
QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("assess",),
    ("combinations", "--allow", "1"),
    ("combinations", "--allow", "2", "--criterion", "mean"),
    ("predict", "--draws", "2"),
    ("roles", "--suggest"),
    ("describe",),
    ("assess", "--population", "500"),
)
# of each kind of file; readers get damaged copies of them
ORIGINALS = 1000
# files whose lines begin with the name of a column, and may have one more as their third cell
STATISTICS = ("avfm.csv", "pairs.csv", "knowledge.csv")
# few options, and no table
SIMPLE = ("sample", "doctor", "data", "submit", "serve", "sweep")
# addresses with a password; what it is must be seen by whoever hides it
ADDRESSES = (
    "postgresql://ann:{}@host/base::t", "postgresql:/ann:{}@host/base::t", "postgres//ann:{}@host/base",
    "ann:{}@host::t", "mysql://ann:{}@host/base", "host=h password={}", "jdbc:postgresql://h/b?password={}",
    "sc://host:1/;token={}::t", "nowhere.csv",
)  # fmt: skip
OF_TABLES = (
    "assess",
    "assess",
    "describe",
    "roles",
    "predict",
    "combinations",
    "hierarchy",
    "deidentify apply",
    "deidentify suppress",
    "check",
    "attack",
)


def case(seed: int, number: int, *, postgres: bool = False, mix: str = ALL) -> Case:
    """The case of a number, of one of the `MIXES`."""
    draw = Random(f"{seed} {number}")
    if mix == PAIRS:
        made = option_pair(draw, number)
    else:
        shares = MIXES[mix]
        made = draw.choices(list(shares), list(shares.values()))[0](draw, postgres)
    return replace(made, files={name: data for name, data in made.files.items() if _can_be_named(name)})


def _can_be_named(name: str) -> bool:
    try:
        return "\0" not in name and all(len(part) < 250 for part in os.fsencode(name).split(b"/"))
    except UnicodeEncodeError:
        return False


def _scene(draw: Random, *kinds: str) -> Scene:
    """A table and a part of it as its release, each in some format; nothing is damaged."""
    table = random_table(draw)
    release = replace(table, rows=table.rows[:: draw.choice((1, 1, 2))])
    files = [_some_file(draw, table, "t", kinds), _some_file(draw, release, "r", kinds)]
    return Scene(draw, table, files[0].word, files[1].word, {each.name: each.data for each in files})


def _some_file(draw: Random, table: Table, stem: str, kinds: tuple[str, ...] = ()) -> TableFile:
    if kinds or draw.random() < 0.5:
        return table_file(table, draw.choice(kinds or FORMATS), stem)
    return csv_file(draw, table, stem)


def option_mix(draw: Random, postgres: bool) -> Case:
    """A sound table, and any command with any mix of options."""
    scene = _scene(draw)
    if postgres and draw.random() < 0.15:
        stored = table_file(scene.table, "postgres")
        scene.place, scene.files[stored.name] = stored.word, stored.data
    words = command_words(
        scene, _any_command(draw), draw.choice((0, 0, 1, 1, 2, 2, 3, 5)), boundary=draw.random() < 0.35
    )
    return _finished(scene, "options", words)


def option_pair(draw: Random, number: int) -> Case:
    """Two options of a command together, on ordinary tables and with what they need to be answered.

    The first so many numbers are all pairs; the first few hundred have every option.
    """
    command, pair = pairs_in_turn()[number % len(option_pairs())]
    table = sound_table(draw)
    return Case(PAIRS, tuple(sound_words(command, pair)), sound_files(table))


@cache
def pairs_in_turn() -> tuple[tuple[Command, Pair], ...]:
    strewn = _strewn_pairs()
    return tuple(strewn[place] for place in dict.fromkeys((*_covering_places(), *range(len(strewn)))))


def covering_pairs() -> int:
    """How many pairs it takes until every option was in one."""
    return len(_covering_places())


def _strewn_pairs() -> list[tuple[Command, Pair]]:
    pairs = option_pairs()
    return [pairs[number * STRIDE % len(pairs)] for number in range(len(pairs))]


@cache
def _covering_places() -> tuple[int, ...]:
    """Pairs of two options that none before had, then of one."""
    places: list[int] = []
    met: set[tuple[str, str]] = set()
    for new in (2, 1):
        for place, (command, pair) in enumerate(_strewn_pairs()):
            names = {(command.name, each.dest) for each in pair} - met
            if len(names) >= new:
                places.append(place)
                met |= names
    return tuple(places)


def request(draw: Random, postgres: bool) -> Case:
    """Any command with any mix of options, about a table that is not there: all is checked before work."""
    scene = Scene(draw, random_table(draw), "nowhere.csv", "nowhere-either.parquet")
    command = _any_command(draw)
    if command.name == "serve":  # which needs no table
        return option_mix(draw, postgres)
    words = command_words(scene, command, draw.choice((1, 2, 3, 5, 8)), boundary=draw.random() < 0.6)
    return _finished(scene, "requests", words)


def _any_command(draw: Random) -> Command:
    return draw.choice([each for each in commands() for _ in range(1 if each.words[0] in SIMPLE else 6)])


def damaged_table(draw: Random, postgres: bool) -> Case:
    """A table whose file was damaged on its way."""
    del postgres
    table = random_table(draw)
    file = _some_file(draw, table, "t")
    secret = file.head > 0 and draw.random() < 0.5
    data = damaged(draw, file.data, file.head if secret else 0)
    scene = Scene(draw, table, file.word, file.word, {file.name: data})
    command = _called(draw.choice(OF_TABLES))
    words = command_words(scene, command, draw.choice((0, 0, 1, 2)))
    return replace(_finished(scene, "table", words), secret=secret and "--header" not in words)


def damaged_configuration(draw: Random, postgres: bool) -> Case:
    """A sound table, and a policy, a study, a recipe … that was damaged."""
    del postgres
    scene = _scene(draw, "csv", "parquet")
    reading = [each for each in commands() if _files_of(each)]
    command = draw.choice(reading)
    words = command_words(scene, command, 0)
    option = draw.choice(_files_of(command))
    if f"--{option}" not in words:
        words += [f"--{option}", scene.make(option)]
    made = sorted(set(scene.files) - {"t.csv", "r.csv", "t.parquet", "r.parquet"})
    for name in made:
        if draw.random() < 0.8:
            scene.files[name] = damaged(draw, scene.files[name])
    finished = _finished(scene, "configuration", words)
    return replace(finished, secret=not _has_values_as_names(finished.files))


def _files_of(command: Command) -> list[str]:
    return [each.dest for each in command.options if each.dest in KINDS]


def two_formats(draw: Random, postgres: bool) -> Case:
    """The same texts in two formats, or on two engines."""
    table = random_table(draw, plain=True)
    if len(table.names) < 2 or len(table.rows) < 2:
        return option_mix(draw, postgres)
    kinds = draw.sample(
        ("csv", "csv.gz", "csv.zst", "tsv", "parquet", "arrow", "arrows", "duckdb", "sqlite", "json"), 2
    )
    if postgres and draw.random() < 0.5:
        kinds[1] = "postgres"
    one, other = (table_file(table, kind, stem, typed=False) for kind, stem in zip(kinds, "tr", strict=True))
    question = draw.choice(QUESTIONS)
    asked = [*question, "--json"] if question[0] == "roles" else [*question, "--user", table.person, "--json"]
    quotes = [
        ["--quote", '"', "--header", "yes"] if each.word.endswith(("csv", "tsv", "gz", "zst")) else []
        for each in (one, other)
    ]
    return Case(
        "formats",
        (asked[0], one.word, *asked[1:], *quotes[0]),
        {one.name: one.data, other.name: other.data},
        equal_to=(asked[0], other.word, *asked[1:], *quotes[1]),
    )


def frame(draw: Random, postgres: bool) -> Case:
    """A table in memory, of any of Arrow's types."""
    del postgres
    content, table = io.BytesIO(), any_frame(draw)
    write_arrow(table, content, "arrows")
    # pyarrow crashes where it makes a pandas frame of list views
    views = any(pyarrow.types.is_list_view(kind) for kind in table.schema.types)
    library = "pyarrow" if views else draw.choice(LIBRARIES)
    return Case("frame", (draw.choice(FUNCTIONS),), {"frame.arrows": content.getvalue()}, frame=library)


def read_alone(draw: Random, postgres: bool) -> Case:
    """A damaged file for the function that reads it, and nothing else."""
    del postgres
    kind = draw.choice(CONFIGURATIONS)
    name, sound = _sound_files(kind, draw.randrange(ORIGINALS))
    files = {each: damaged(draw, data) for each, data in sound.items()}
    return Case(READER, (kind, name), files, secret=not _has_values_as_names(files))


@lru_cache(2**14)
def _sound_files(kind: str, number: int) -> tuple[str, Mapping[str, bytes]]:
    """Of a reader; thousands of damaged copies are made of one."""
    draw = Random(f"{kind} {number}")
    scene = Scene(draw, random_table(draw), "t.csv", "")
    return scene.make(kind), scene.files


def head_of_table(draw: Random, postgres: bool) -> Case:
    """A damaged CSV file: how it is written is found out, and no more."""
    del postgres
    file = _sound_table(draw.randrange(ORIGINALS))
    return Case(READER, ("head of a table", file.name), {file.name: damaged(draw, file.data)}, secret=False)


@lru_cache(ORIGINALS)
def _sound_table(number: int) -> TableFile:
    draw = Random(f"table {number}")
    return csv_file(draw, random_table(draw), "t")


def stored_table(draw: Random, postgres: bool) -> Case:
    """A damaged file that is opened and counted, without a command."""
    del postgres
    file = _some_file(draw, random_table(draw), "t")
    secret = file.head > 0 and draw.random() < 0.5
    data = damaged(draw, file.data, file.head if secret else 0)
    return Case(READER, (STORED, file.word), {file.name: data}, secret=secret)


def stored_office_file(draw: Random, postgres: bool) -> Case:
    """A damaged workbook or file of a statistics program."""
    del postgres
    file = office_file(draw)
    return Case(READER, (OFFICE, file.word), {file.name: file.data})


def address(draw: Random, postgres: bool) -> Case:
    """What may name a table, with a password that nobody may repeat."""
    del postgres
    text = draw.choice(ADDRESSES).format(TEXT_MARK + draw.choice(("", "@", ":", "/", "%40", " x", "é", "::")))
    if draw.random() < 0.5:
        text = draw.choice((text + draw.choice(HOSTILE), draw.choice(HOSTILE), draw.choice(BOUNDARIES)))
    return Case(READER, (ADDRESS, text))


def _has_values_as_names(files: Mapping[str, bytes]) -> bool:
    """Whether damage put a value where a file of statistics names a column: names may be told."""
    texts = [files[name].decode("utf-8", "replace") for name in STATISTICS if name in files]
    lines = [line.split(",") for text in texts for line in text.splitlines()]
    return any(VALUE.search(cell) for line in lines for cell in line[:3:2])


def _called(name: str) -> Command:
    return next(each for each in commands() if each.name == name)


def _finished(scene: Scene, kind: str, words: list[str]) -> Case:
    """Files that a recipe may name are there too."""
    if "recipe.toml" in scene.files or "key" in words:
        scene.files.setdefault("key", b"0123456789abcdef")
    if BACKUP in words and "restore" in words:
        scene.files[BACKUP] = backup(scene.draw)
    if "recipe.toml" in scene.files:
        scene.files.setdefault("levels.csv", b"v1;*\nv2;*\n")
    return Case(kind, tuple(words), dict(scene.files))


CONFIGURATIONS = tuple(each for each in (*KINDS, *OTHER_KINDS) if each in READERS)
# what is tried, and its share: by default most are those that take a fraction of a millisecond; the others
# are for long runs, which would hardly come to whole commands, or to nothing else
MIXES: dict[str, dict[Callable[[Random, bool], Case], int]] = {
    ALL: {
        read_alone: 730,
        head_of_table: 110,
        request: 105,
        address: 24,
        stored_table: 15,
        option_mix: 6,
        damaged_configuration: 4,
        damaged_table: 3,
        frame: 2,
        two_formats: 1,
        stored_office_file: 1,
    },
    "office": {stored_office_file: 1},
    "readers": {read_alone: 85, head_of_table: 12, address: 3},
    "commands": {
        option_mix: 35,
        request: 20,
        damaged_configuration: 12,
        damaged_table: 10,
        frame: 10,
        stored_table: 8,
        two_formats: 5,
        stored_office_file: 5,
    },
}
