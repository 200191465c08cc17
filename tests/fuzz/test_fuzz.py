"""A minute of the fuzzer, the inputs that once came to harm, and whether it would notice."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from singleout.cli.main import main
from singleout.engine.open_engine import open_engine
from singleout.policy.release_conditions import MORE_THAN_VALUES
from singleout.read.source import source
from tests.fuzz import corpus
from tests.fuzz.backups import sound_backup
from tests.fuzz.case import Case, case_of, case_text
from tests.fuzz.cases import PAIRS, case, covering_pairs, pairs_in_turn
from tests.fuzz.command_options import Scene, command_words, commands, option_pairs
from tests.fuzz.findings import findings
from tests.fuzz.office_files import binary_workbook
from tests.fuzz.readers import READERS
from tests.fuzz.run import Outcome
from tests.fuzz.tables import random_table

ROOT = Path(__file__).parents[2]
# about a minute on a quiet machine with two cores
INPUTS = 12_000
MAIN = "import sys; from tests.fuzz.__main__ import main; sys.exit(main(sys.argv[1:]))"


def fuzz(out: Path, *words: str, before: str = "") -> dict[str, Any]:
    """What a run tells; in a process of its own, for it forks."""
    script = f"{before}\n{MAIN}"
    ended = subprocess.run(
        [sys.executable, "-c", script, *words, "--json", "--out", str(out)],
        capture_output=True, text=True, check=False, timeout=3600, cwd=ROOT,
    )  # fmt: skip
    assert ended.stdout, ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout)
    assert ended.returncode == bool(told["findings"])
    return told


@pytest.mark.xdist_group("postgres")
def test_a_minute_of_inputs_that_nobody_would_write(tmp_path: Path, postgres_address: str) -> None:
    told = fuzz(tmp_path, "--cases", str(INPUTS), "--seed", "1", "--postgres", postgres_address)
    assert told["findings"] == {}
    assert told["inputs"] == INPUTS
    commands = {"options", "requests", "table", "configuration", "formats", "frame"}
    assert {*told["kinds"]} == commands | {f"reader: {each}" for each in READERS}
    # nearly all differ, and enough of them get through to the work itself
    assert told["different"] > 0.9 * INPUTS
    assert told["codes"]["0"] > INPUTS / 10


# a tenth of all pairs can't be said together, or needs a server
ANSWERED = 0.75


def test_two_options_together_are_answered_on_ordinary_tables(tmp_path: Path) -> None:
    """Every option of every command in some pair; `python -m tests.fuzz --mix pairs` tries every pair."""
    told = fuzz(tmp_path, "--mix", PAIRS, "--cases", str(covering_pairs()), "--seed", "301", "--limit", "120")
    assert told["findings"] == {}
    assert told["inputs"] == covering_pairs()
    assert told["codes"]["0"] + told["codes"]["1"] > ANSWERED * covering_pairs()


def test_every_two_options_of_every_command_are_a_pair() -> None:
    pairs, in_turn = option_pairs(), pairs_in_turn()
    assert len(in_turn) == len({*in_turn}) == len(pairs)
    first = in_turn[: covering_pairs()]
    assert len(first) < len(pairs) / 20
    for command in commands():
        # some have no options but --quiet and --verbose, of which only one can be said
        alone = (
            {each for group in command.exclusive for each in group} if len(command.options) == 2 else set()
        )
        options = {each for one, pair in first if one is command for each in pair}
        assert options | alone == set(command.options), command.name


def test_a_sound_backup_is_restored(tmp_path: Path) -> None:
    """Or damaged ones would be refused before they are read."""
    (tmp_path / "b.zip").write_bytes(sound_backup())
    assert main(["serve", "restore", str(tmp_path / "b.zip"), "--folder", str(tmp_path / "platform")]) == 0


def test_a_sound_binary_workbook_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsb"
    path.write_bytes(binary_workbook([["who", "n"], ["ann", 1], ["bob", 2.5], ["eve", None]]))
    with open_engine(source(path)) as engine:
        assert engine.rows(f"SELECT * FROM {engine.table}") == [("ann", 1.0), ("bob", 2.5), ("eve", None)]


@pytest.mark.xdist_group("postgres")
def test_what_came_to_harm_once_does_not_again(tmp_path: Path, postgres_address: str) -> None:
    files = [str(path) for path in corpus.paths()]
    told = fuzz(tmp_path, *files, "--postgres", postgres_address)
    assert told["findings"] == {}
    assert told["inputs"] == len(files)


PLANTED = """
import os, tempfile, time
from pathlib import Path
from singleout.cli import assess

def fail(data): raise ValueError("planted")
def leave(data): tempfile.mkdtemp()
def change(data): data.write_text("other")
KINDS = {
    "traceback": fail,
    "exit code": lambda data: 3,
    "exit 1 is no verdict": lambda data: 1,
    "a value of the data": lambda data: print(data.read_text()),
    "hang": lambda data: time.sleep(60),
    "crash": lambda data: os.abort(),
    "leftover": leave,
    "half a file": lambda data: Path(".a.part").touch(),
    "changed input": change,
    "steers the terminal": lambda data: print(chr(27)),
}
assess.run = lambda options: KINDS[options.user](Path(options.file)) or 0
"""
KINDS = re.findall(r'^    "(.*?)":', PLANTED, re.MULTILINE)


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    data = b"customer,goods\np,v\np,v\np,v\nqzkv1,qzkv2\n"
    paths = [tmp_path / f"{index}.json" for index in range(len(KINDS))]
    for path, kind in zip(paths, KINDS, strict=True):
        path.write_text(case_text(Case("options", ("assess", "t.csv", "--user", kind), {"t.csv": data})))
    told = fuzz(tmp_path / "out", *map(str, paths), "--limit", "1", before=PLANTED)
    assert [each.partition(":")[0] for each in told["findings"]] == KINDS
    assert len(corpus.paths(tmp_path / "out")) == len(KINDS)


def test_answers_that_differ_are_found() -> None:
    asked = Case("formats", ("assess", "t.csv", "--json"), equal_to=("assess", "t.arrow", "--json"))
    answers = [
        Outcome(0, json.dumps({"file": name, "k": k}), "") for name, k in (("a", 1), ("b", 2), ("c", 1))
    ]
    assert [each.kind for each in findings(asked, (answers[0], answers[1]))] == ["differs"]
    assert findings(asked, (answers[0], answers[2])) == []


@pytest.mark.parametrize("others", [[], ["names were drawn"]])
def test_what_is_asked_of_a_database_alone_is_no_difference(others: list[str]) -> None:
    asked = Case("formats", ("assess", "t.db::t", "--json"), equal_to=("assess", "t.csv", "--json"))
    of_file = MORE_THAN_VALUES.format("t.db::t")
    verdicts: list[dict[str, Any]] = [
        {"answer": "conditions", "conditions": [of_file, *others]},
        {"answer": "conditions" if others else "no_objection", "conditions": others},
        {"answer": "do_not_release", "conditions": others},
    ]
    answers = [Outcome(0, json.dumps({"verdict": each}), "") for each in verdicts]
    assert findings(asked, (answers[0], answers[1])) == []
    assert [each.kind for each in findings(asked, (answers[0], answers[2]))] == ["differs"]


def test_every_option_of_every_command_is_drawn() -> None:
    """Also those that nobody thought of here."""
    scene = Scene(Random(2), random_table(Random(1)), "t.csv", "r.csv")
    assert len(commands()) > 12
    for command in commands():
        words = {word.partition("=")[0] for _ in range(800) for word in command_words(scene, command, 6)}
        lacking = [each.dest for each in command.options if not words & set(each.option_strings)]
        assert lacking == [], command.name


def test_the_same_number_is_the_same_case() -> None:
    """In any process, so that what a run finds can be found again by its seed and number.

    But for 16 bytes: DuckDB gives each of its files a random number.
    """
    script = "from tests.fuzz.cases import case; print(*[case(7, each).digest for each in range(300)])"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "5"},
    )  # fmt: skip
    made = [case(7, number) for number in range(300)]
    for digest, each in zip(ended.stdout.split(), made, strict=True):
        assert digest == each.digest or any(name.endswith(".duckdb") for name in each.files), each.words
    for each in made[:20]:
        assert case_of(case_text(each)) == each
