"""A minute of the fuzzer, the inputs that once came to harm, and whether it would notice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import corpus
from tests.fuzz.case import Case, case_of, case_text
from tests.fuzz.cases import case
from tests.fuzz.command_options import LEFT_OUT, commands
from tests.fuzz.findings import findings
from tests.fuzz.run import Outcome

ROOT = Path(__file__).parents[2]
# about a minute on a quiet machine with two cores
INPUTS = 900
MAIN = "import sys; from tests.fuzz.__main__ import main; sys.exit(main(sys.argv[1:]))"


def fuzz(out: Path, *words: str, before: str = "") -> dict[str, Any]:
    """What a run tells; in a process of its own, for it forks."""
    script = f"{before}\n{MAIN}"
    ended = subprocess.run(
        [sys.executable, "-c", script, *words, "--json", "--out", str(out)],
        capture_output=True, text=True, check=False, timeout=900, cwd=ROOT,
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
    assert len(told["kinds"]) == 5
    # enough of them get through to the work itself
    assert told["codes"]["0"] > INPUTS / 6


@pytest.mark.xdist_group("postgres")
def test_what_came_to_harm_once_does_not_again(tmp_path: Path, postgres_address: str) -> None:
    files = [str(path) for path in corpus.paths()]
    told = fuzz(tmp_path, *files, "--postgres", postgres_address)
    assert told["findings"] == {}
    assert told["inputs"] == len(files)


PLANTED = {
    "traceback": "def run(options): raise ValueError('planted')",
    "exit code": "def run(options): return 3",
    "exit 1 is no verdict": "def run(options): return 1",
    "a value of the data": "def run(options): print(open(options.file, encoding='latin-1').read()); return 0",
    "hang": "import time\ndef run(options): time.sleep(60)",
    "crash": "import os\ndef run(options): os.abort()",
    "leftover": "import tempfile\ndef run(options): tempfile.mkdtemp(); return 0",
    "half a file": "def run(options): open('.a.part', 'w').close(); return 0",
    "changed input": "def run(options): open(options.file.split('::')[0], 'a').write('x'); return 0",
    "steers the terminal": "def run(options): print('\\x1b[31m'); return 0",
}


@pytest.mark.parametrize("kind", PLANTED)
def test_what_is_planted_is_found(tmp_path: Path, kind: str) -> None:
    before = f"{PLANTED[kind]}\nfrom singleout.cli import assess; assess.run = run"
    path = tmp_path / "case.json"
    data = b"customer,goods\np,v\np,v\np,v\nqzkv1,qzkv2\n"
    path.write_text(case_text(Case("options", ("assess", "t.csv", "--user", "customer"), {"t.csv": data})))
    told = fuzz(tmp_path, str(path), "--limit", "1", before=before)
    assert [each.partition(":")[0] for each in told["findings"]] == [kind]


def test_answers_that_differ_are_found() -> None:
    asked = Case("formats", ("assess", "t.csv", "--json"), equal_to=("assess", "t.arrow", "--json"))
    answers = [Outcome(0, json.dumps({"file": name, "k": k}), "") for name, k in (("a", 1), ("b", 2), ("c", 1))]
    assert [each.kind for each in findings(asked, (answers[0], answers[1]))] == ["differs"]
    assert findings(asked, (answers[0], answers[2])) == []


def test_every_command_and_option_is_drawn() -> None:
    """Also those that nobody thought of here."""
    words = {word.partition("=")[0] for number in range(6000) for word in case(2, number).words}
    options = {name for command in commands() for each in command.options for name in each.option_strings}
    rare = {"--l-diversity", "--t-closeness"}
    assert options - words - rare == set()
    assert {word for command in commands() for word in command.words} <= words
    assert LEFT_OUT == (("demo",),)


def test_the_same_number_is_the_same_case() -> None:
    for number in (1, 2, 3, 5, 8):
        made = case(7, number)
        assert case(7, number).words == made.words
        assert case_of(case_text(made)) == made
