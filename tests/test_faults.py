"""Runs that are stopped or killed on the way, folders that can't be written to, many runs at once."""

from __future__ import annotations

import atexit
import csv
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from singleout import (
    __version__,
    assess,
    attack,
    check,
    combinations,
    compare,
    describe,
    entropy,
    generalise,
    predict,
)
from singleout.cli.main import main, parser
from singleout.errors import InputError, OutputError
from singleout.platform.backup import write_backup
from singleout.platform.settings import settings_for
from singleout.platform.store.files import open_shelf
from singleout.platform.store.migration import open_platform
from singleout.read.samples import sample
from singleout.report.pages.page import Report
from tests.fuzz.command_options import every_command
from tests.support import doomed_runs
from tests.support.command_line import complaint
from tests.support.small_platform import fill as fill_platform
from tests.support.small_platform import submit

OLD = doomed_runs.OLD.encode().hex()
# what is stopped cleans up; what is killed can't, and the next run does
SIGNALS = ["SIGINT", "SIGKILL", "SIGTERM"]
# of each signal
MOMENTS = 2
# interrupted, it gives the best that it has found by then
SEARCH = (
    "protect shop.csv --user customer --policy k.toml --columns date,goods --tries 2 --nearest --out n.csv "
    "--truth w.csv --recipe-out n.toml --force --html n.html"
)
COMMANDS = {
    "assess shop.csv --user customer --record-risks r.csv --person-risks p.parquet --value-risks o.csv "
    "--html a.html": 0,
    "attack shop.csv half.csv --user customer --points 1 --person-risks p.csv "
    "--guesses-out x.csv --html b.html": 0,
    "check shop.csv --user customer --policy k.toml --evidence e.json --junit j.xml --html c.html": 1,
    "deidentify apply shop.csv --user customer --recipe recipe.toml --people-table people.csv --out o.csv "
    "--truth t.csv --people-out po.csv": 0,
    "deidentify generalise shop.csv --user customer --hierarchies levels --k 1 --out g.csv --diary d.json": 0,
    "deidentify generalise shop.csv --user none --hierarchies levels --k 1 --local --out l.csv "
    "--html l.html": 0,
    "deidentify suppress shop.csv --user customer --columns date,goods --k 2 --out s.csv --diary d.json": 0,
    "combinations shop.csv --user customer --columns date,goods,price --all --out all.csv": 0,
    "describe shop.csv --user customer --item goods --html d.html": 0,
    "combinations shop.csv --user customer --columns date,goods,price --record-risks m.csv --html m.html": 0,
    "compare shop.csv half.csv third.csv --user customer --item goods --html v.html --plot v.svg": 0,
    "deidentify dummies shop.csv --user customer --item goods --clusters 3 --out u.csv --truth ut.csv "
    "--dummies-out ud.csv --html u.html": 0,
    "hierarchy shop.csv --column date --prefixes 4 --out h.csv --force": 0,
    "predict shop.csv --user customer --write-avfm f.csv --write-pairs q.csv --write-knowledge kn.csv "
    "--show-values --html f.html": 0,
    "check --policy public --write-policy wp.toml --force": 0,
    "entropy shop.csv --user customer --domain bought=goods --html y.html": 0,
    SEARCH: 1,
    "roles shop.csv --suggest --out study.toml --force": 0,
    "sample card --people 200 --out card.csv --people-out card-people.csv": 0,
    "data t1 --from retail.csv --out t1.csv": 0,
    "sweep sweep.toml --threads 1 --out w.csv --averages a.csv --html w.html": 0,
    "serve backup b.zip --folder platform": 0,
}
ENDINGS = {"signals": SIGNALS, "moments": MOMENTS}
APPLY = (
    "deidentify apply shop.csv --user customer --recipe recipe.toml --out x.csv --truth y.csv --diary z.json"
)
SURVEY = "combinations shop.csv --user customer --columns date,goods,price --all --out crowd.csv"
DEMO, RESTORE = "demo --html demo.html", "serve restore platform.zip --folder restored"
TARGETS = (
    *("--record-risks", "--html", "--evidence", "--junit", "--out", "--truth", "--diary", "--plot"),
    *(
        "--person-risks",
        "--people-out",
        "--guesses-out",
        "--write-avfm",
        "--write-pairs",
    ),
    *("--recipe-out", "--averages", "backup", "--value-risks", "--dummies-out", "--write-knowledge"),
    "--write-policy",
)
# bytes that a file can have on a full disk
FULL = 30
# of these no copy is made, so that it is the results that there is no room for
PLAIN = re.compile(r"\b(shop|half|third)\.csv")


SWEEP = """
data = "utf8-shop.csv"
[measured]
user = "customer"
metrics = ["records_kept"]
attacks = []
[[release]]
[[release.step]]
step = "sample"
share = 0.5
"""
RETAIL = """InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country
536365,85123A,tea,6,12/1/2010 8:26,2.55,17850,United Kingdom
536370,22633,jam,2,12/1/2010 8:28,1.85,12347.0,Iceland
"""


@cache
def empty_platform() -> Path:
    """Made once: its tables take a while."""
    folder = Path(tempfile.mkdtemp()) / "platform"
    open_platform(settings_for(folder).database).close()
    atexit.register(shutil.rmtree, folder.parent)
    return folder


@cache
def platform_backup() -> Path:
    """Of a platform with a contest, some people and their files."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    database, shelf = open_platform(settings_for(folder / "filled").database), open_shelf(folder / "filled")
    with database.writing() as session:
        submit(session, shelf, fill_platform(session, shelf))
    write_backup(database, shelf, folder / "platform.zip")
    database.close()
    return folder / "platform.zip"


def fill(work: Path) -> None:
    """A table in Shift_JIS, of which each run makes a copy among its temporary files."""
    sample("shop", people=12, out=work / "utf8.csv")
    with (work / "utf8.csv").open(encoding="utf-8", newline="") as handle:
        head, *rows = csv.reader(handle)
    (work / "utf8.csv").unlink()
    goods, date = head.index("goods"), head.index("date")
    rows = [[*row[:goods], f"日本語の品{row[goods]}", *row[goods + 1 :]] for row in rows[:300]]
    for name, some in (("shop.csv", rows), ("half.csv", rows[::2]), ("third.csv", rows[::3])):
        for path, encoding in ((work / name, "cp932"), (work / f"utf8-{name}", "utf-8")):
            with path.open("w", encoding=encoding, newline="") as handle:
                csv.writer(handle).writerows([head, *some])
    people = sorted({row[head.index("customer")] for row in rows})
    (work / "people.csv").write_text("customer,age\n" + "".join(f"{each},30\n" for each in people))
    (work / "k.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 5\n')
    (work / "recipe.toml").write_text('seed = 7\n[[step]]\nstep = "pseudonymise"\n')
    (work / "sweep.toml").write_text(SWEEP)
    (work / "retail.csv").write_text(RETAIL)
    shutil.copytree(empty_platform(), work / "platform")
    shutil.copy(platform_backup(), work)
    (work / "levels").mkdir()
    (work / "levels" / "date.csv").write_text("".join(f"{day};*\n" for day in {row[date] for row in rows}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def doomed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """All runs of all commands that are stopped or killed, and those of many at once."""
    work, place = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("temporary")
    fill(work)
    jobs: list[dict[str, Any]] = [
        {"words": shlex.split(command), "targets": targets(command), "seed": seed, **ENDINGS}
        for seed, command in enumerate(COMMANDS)
    ]
    for command in COMMANDS:
        words = [shlex.split(PLAIN.sub(r"utf8-\1.csv", command))]
        words += [shlex.split(command)] if command.startswith("assess") else []
        jobs.append({"full": FULL, "words": words, "targets": targets(command)})
    many = [[*shlex.split(APPLY), "--seed", str(seed)] for seed in range(1, 9)]
    jobs.append({"crowd": many, "targets": targets(APPLY)})
    jobs.append({"crowd": [shlex.split(SURVEY)] * 8, "targets": targets(SURVEY)})
    jobs.append({"words": shlex.split(DEMO), "targets": targets(DEMO), "seed": 1, **ENDINGS, "moments": 1})
    jobs.append({"words": shlex.split(RESTORE), "targets": [], "seed": 1, **ENDINGS, "folder": "restored"})
    (place.parent / "jobs.json").write_text(json.dumps([{**job, "temporary": str(place)} for job in jobs]))
    ended = subprocess.run(
        [sys.executable, doomed_runs.__file__, str(place.parent / "jobs.json")],
        capture_output=True, text=True, timeout=9000, check=False, cwd=work,
        env={**os.environ, "TMPDIR": str(place)},
    )  # fmt: skip
    assert "Traceback" not in ended.stderr, ended.stderr
    return dict(
        zip(
            [*COMMANDS, *map(full, COMMANDS), APPLY, SURVEY, DEMO, RESTORE],
            json.loads(ended.stdout),
            strict=True,
        )
    )


def test_every_option_that_writes_a_file_is_among_them() -> None:
    """A new one is to be stopped and killed too; `serve backup` writes what it is told without an option."""
    writing = {
        each.option_strings[-1]
        for command in every_command(parser(), ())
        for each in command.options
        if str(each.metavar).startswith("OUT")
    }
    said = {word for command in (*COMMANDS, APPLY, DEMO) for word in shlex.split(command)}
    assert writing - {*TARGETS} == set()
    assert writing - said == set()


def full(command: str) -> str:
    return f"{command} on a full disk"


def targets(command: str) -> list[str]:
    words = shlex.split(command)
    named = [words[place + 1] for place, word in enumerate(words) if word in TARGETS]
    return [name for name in named if "." in name]


@pytest.mark.parametrize("command", [*COMMANDS, DEMO])
def test_whenever_it_ends_nothing_is_half_and_the_next_run_cleans_up(
    doomed: dict[str, list[dict[str, Any]]], command: str
) -> None:
    first, *runs, last = doomed[command]
    assert (first["code"], last["code"]) == (COMMANDS.get(command, 0),) * 2
    for end in (first, last):
        assert end["left"] == []
        assert None not in end["held"].values()
    for each in runs:
        for name, content in each["held"].items() if command != SEARCH else ():
            assert content in (OLD, first["held"][name], last["held"][name]), (name, each["kind"])
        if each["kind"] != "SIGKILL":
            assert each["left"] == []
            assert len({content == OLD for content in each["held"].values()}) == 1


def test_a_platform_is_restored_whole_or_not_at_all(doomed: dict[str, list[dict[str, Any]]]) -> None:
    """After an interruption nothing is there; what a killed run left is no obstacle to the next one."""
    whole, *runs = doomed[RESTORE]
    assert (whole["code"], whole["left"]) == (0, [])
    assert whole["rows"] > 10
    assert len(runs) == MOMENTS * len(SIGNALS)
    for each in runs:
        if each["kind"] != "SIGKILL":
            assert (each["code"], each["there"], each["left"]) == (130, False, []), each
        assert (each["again"], each["then"]) in ((0, whole["rows"]), (2, whole["rows"])), each
    assert any(each["there"] and each["rows"] < whole["rows"] for each in runs)


def test_most_of_them_end_in_the_middle(doomed: dict[str, list[dict[str, Any]]]) -> None:
    """Or the tests above would look at runs that were over, or had not begun."""
    runs = [each for command in COMMANDS for each in doomed[command] if each.get("moment")]
    assert len(runs) == MOMENTS * len(SIGNALS) * len(COMMANDS)
    assert {each["code"] for each in runs if each["kind"] == "SIGKILL"} == {-9}
    old = [each for each in runs if set(each["held"].values()) == {OLD}]
    assert len(old) > 0.7 * len(runs)
    # and many of those had already begun to write, or to copy what they read
    killed = [each for each in old if each["kind"] == "SIGKILL"]
    assert sum(each["left"] != [] for each in killed) > 0.3 * len(killed)


@pytest.mark.parametrize("command", COMMANDS)
def test_on_a_full_disk_nothing_is_half_and_one_line_says_so(
    doomed: dict[str, list[dict[str, Any]]], command: str
) -> None:
    for each in doomed[full(command)]:
        assert (each["code"], each["left"]) == (2, []), each["said"]
        *notes, last = each["said"].splitlines()
        assert last.startswith("error: ")
        assert [line for line in notes if not line.startswith(("note: ", "      "))] == []
        assert set(each["held"].values()) == {OLD}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of one page, where this may be made."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(place)]
    made = shutil.which("mount") and subprocess.run(command, capture_output=True, check=False).returncode == 0
    if not made:
        pytest.skip("nobody may mount a file system here; files that can't grow are tried in any case")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_on_a_disk_that_is_really_full(
    folder: Path, small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two files one has room; neither is put into place, and what was there is."""
    (small_disk / "r.csv").write_text(doomed_runs.OLD)
    words = "assess utf8-shop.csv --user customer --person-risks p.csv --record-risks"
    assert main([*words.split(), str(small_disk / "r.csv")]) == 2
    *_, last = capsys.readouterr().err.splitlines()
    assert last.startswith("error: ")
    assert last.endswith("no space left on device")
    assert [each.name for each in small_disk.iterdir()] == ["r.csv"]
    assert (small_disk / "r.csv").read_text() == doomed_runs.OLD
    assert not (folder / "p.csv").exists()


REPORTED = [each for each in COMMANDS if "--html" in each]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", REPORTED)
def test_if_the_last_file_can_not_be_written_there_is_none(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(report: Report, path: str) -> None:  # noqa: ARG001
        raise OutputError(f"{path}: no room")

    monkeypatch.setattr(Report, "save", fail)
    before = sorted(Path().rglob("*"))
    assert "no room" in complaint(shlex.split(command), capsys)
    new = [each.name for each in sorted(Path().rglob("*")) if each not in before]
    # what a sweep has measured is not lost with the room for it
    assert new == (["w.csv.unfinished.json"] if command.startswith("sweep") else [])


def test_eight_surveys_at_once_give_what_one_does(doomed: dict[str, list[dict[str, Any]]]) -> None:
    runs = doomed[SURVEY]
    assert {each["code"] for each in runs} <= {0, 2}
    assert 0 in {each["code"] for each in runs}
    assert runs[-1]["left"] == []
    alone = doomed[next(each for each in COMMANDS if "--all" in each)][-1]
    assert runs[-1]["held"]["crowd.csv"] == alone["held"]["all.csv"]


def test_eight_runs_on_the_same_files_do_not_mix(doomed: dict[str, list[dict[str, Any]]]) -> None:
    runs = doomed[APPLY]
    assert [each["code"] for each in runs] == [0] * 8
    assert runs[-1]["left"] == []
    out, truth, diary = (bytes.fromhex(runs[-1]["held"][name]) for name in targets(APPLY))
    (told,) = [each["sha256"] for each in json.loads(diary)["outputs"] if each["part"] == "out"]
    assert told == hashlib.sha256(out).hexdigest()
    assert names(out) == names(truth)


def names(content: bytes) -> set[bytes]:
    """Those in the first column."""
    return {line.split(b",")[0].strip(b'"') for line in content.splitlines()[1:]}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_can_not_be_written_to(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody can make a file there, whoever runs the tests."""
    words = shlex.split(command)
    last = max(place for place, word in enumerate(words) if word in TARGETS)
    words[last + 1] = f"/proc/self/{words[last + 1]}"
    before = sorted(Path().iterdir())
    assert "choose a folder that exists and can be written to" in complaint(words, capsys)
    assert sorted(Path().iterdir()) == before


def test_a_home_that_can_not_be_written_to(folder: Path) -> None:
    home = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), "/dev/null/home")
    words = shlex.split("-m singleout assess shop.csv --user customer --record-risks r.csv")
    ended = subprocess.run(
        [sys.executable, *words], capture_output=True, check=False, env={**os.environ, **home}
    )
    assert ended.returncode == 0
    assert (folder / "r.csv").exists()


# as within a loop that is being compiled
SWALLOWED = """
import ctypes, os, signal, sys, time
import singleout.cli.console as cli
import singleout.cli.main as command

@ctypes.CFUNCTYPE(None)
def callback():
    os.kill(os.getpid(), signal.SIGTERM)

def main(tells):
    try:
        callback()
        time.sleep(600)
    except KeyboardInterrupt:
        return command.stopped()

command.main = main
sys.exit(cli.console())
"""


def test_an_interruption_that_a_library_swallows_comes_again() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SWALLOWED], capture_output=True, text=True, check=False, timeout=300
    )
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted; no file was left half-written\n")


# once more, while the swallowed one is looked at, before the timer is set
LOST = SWALLOWED.replace(
    "command.main = main",
    """
class Timer:
    signals = 0

    def __call__(self, *given):
        self.signals += 1
        if self.signals == 1:
            os.kill(os.getpid(), signal.SIGALRM)
        else:
            set_timer(*given)

set_timer, signal.setitimer = signal.setitimer, Timer()
command.main = main
""",
)


def test_an_interruption_comes_again_that_comes_while_the_swallowed_one_is_looked_at() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, text=True, check=False, timeout=300
    )
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted; no file was left half-written\n")


AGAIN = """
import os, signal, sys
import singleout.cli.console as cli
import singleout.cli.main as command

def once_more(**_):
    os.kill(os.getpid(), signal.SIGTERM)

def told(stopped=command.stopped):
    once_more()
    return stopped()

command.parser, command.stopped = once_more, told
if "at once" in sys.argv:
    command.main = once_more
sys.exit(cli.console())
"""


@pytest.mark.parametrize("moment", ["while it is told", "at once"])
def test_a_second_interruption_changes_nothing_of_the_first(moment: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", AGAIN, moment], capture_output=True, text=True, check=False, timeout=300
    )
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted; no file was left half-written\n")


HALF_MADE = """
import os, signal, sys
import singleout.cli.console as cli
import singleout.cli.main as command

class Unmade:
    def __init__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        self.handle = 1

    def __del__(self):
        self.handle

def main(tells):
    try:
        Unmade()
    except KeyboardInterrupt:
        return command.stopped()

command.main = main
sys.exit(cli.console())
"""


def test_what_an_interruption_leaves_half_made_does_not_complain() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HALF_MADE], capture_output=True, text=True, check=False, timeout=300
    )
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted; no file was left half-written\n")


# as dataclasses and named tuples do where they are defined: Python then ends by the signal
OWN_CODE = """
import os, signal, sys
import singleout.cli.console as cli
import singleout.cli.main as command
import singleout.temporary_files

def main(tells):
    try:
        exec("os.kill(os.getpid(), signal.SIGTERM)" + chr(10) + "for _ in range(9): pass")
    except KeyboardInterrupt:
        return command.stopped()

# what is loaded later would run such texts too, to their ends
command.main = main
sys.exit(cli.console())
"""


def test_an_interruption_in_code_that_is_run_from_a_text_ends_in_our_exit_code(tmp_path: Path) -> None:
    (tmp_path / "command.py").write_text(OWN_CODE)
    ended = subprocess.run(
        [sys.executable, "-m", "command"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=tmp_path,
    )
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted; no file was left half-written\n")


# as the command is loaded, and as Python takes itself apart once all is told
ANY_TIME = """
import os, signal, sys
moment, kind = sys.argv.pop(), getattr(signal, sys.argv.pop())

class Finder:
    def find_spec(self, name, *_):
        if name == moment:
            os.kill(os.getpid(), kind)

class Last:
    def __del__(self, kill=os.kill, process=os.getpid()):
        kill(process, kind)

sys.meta_path.insert(0, Finder())
last = Last() if moment == "the end" else None
from singleout.cli.console import console
sys.exit(console())
"""


# whoever runs these tests in the background, or by nohup, ignores some
HEEDED = (
    """
import signal, sys
kind = getattr(signal, sys.argv[-2])
signal.signal(kind, signal.default_int_handler if kind is signal.SIGINT else signal.SIG_DFL)
"""
    + ANY_TIME
)


@pytest.mark.parametrize("kind", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("moment", ["singleout.cli.main", "argparse", "dataclasses", "the end"])
def test_a_process_never_ends_by_the_signal(moment: str, kind: str) -> None:
    words = [sys.executable, "-c", HEEDED, "--version", kind, moment]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    if moment == "the end":
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"singleout {__version__}\n", "")
    else:
        told = "error: interrupted; no file was left half-written\n"
        assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", told)


IGNORED = (
    """
import signal, sys
signal.signal(getattr(signal, sys.argv[-2]), signal.SIG_IGN)
"""
    + ANY_TIME
)


@pytest.mark.parametrize("kind", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_what_was_to_be_ignored_is(kind: str) -> None:
    """As by nohup, or in the background of a script."""
    words = [sys.executable, "-c", IGNORED, "--version", kind, "singleout.cli.assess"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"singleout {__version__}\n", "")


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) * 2**20,) * 2)
from singleout.cli.console import console
del sys.argv[1]
sys.exit(console())
"""
# OpenBLAS asks again and again for memory that it can't get; what draws charts crashes
TOO_FEW = {
    "2500 assess shop.csv --user customer": "too few for the libraries; allow 4 GiB or more",
    "10240 assess shop.csv --user customer --html r.html": "too few to draw charts; allow 72 GiB or more",
}


@pytest.mark.parametrize("command", TOO_FEW)
def test_too_few_addresses_are_refused_before_a_library_waits_or_crashes(folder: Path, command: str) -> None:
    words = [sys.executable, "-c", LIMITED, *shlex.split(command)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, timeout=600)
    assert ended.returncode == 2
    gigabytes = int(command.split()[0]) / 2**10
    allowed = f"error: only {gigabytes:.1f} GiB of addresses are allowed here (ulimit -v), "
    assert ended.stderr.startswith(allowed + TOO_FEW[command])
    assert ended.stderr.count("\n") == 1


QUESTIONS: dict[str, Callable[..., Any]] = {
    "assess": partial(assess, "shop.csv"),
    "attack": partial(attack, "shop.csv", "half.csv"),
    "check": partial(check, "shop.csv", "k.toml"),
    "combinations": partial(combinations, "shop.csv", allow=1, columns=["date", "goods"]),
    "compare": partial(compare, "shop.csv", "half.csv"),
    "entropy": partial(entropy, "shop.csv", domains=["bought=goods"]),
    "predict": partial(predict, "shop.csv"),
    "describe": partial(describe, "shop.csv"),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("question", QUESTIONS)
def test_data_that_is_replaced_while_it_is_read(question: str) -> None:
    def replace(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        Path("new.csv").write_bytes(Path("half.csv").read_bytes())
        Path("new.csv").replace("shop.csv")

    with pytest.raises(InputError, match=r"shop\.csv: changed while it was read"):
        QUESTIONS[question](user="customer", progress=replace)


SMALL_FILES: dict[str, Callable[..., Any]] = {
    "k.toml": partial(check, "shop.csv", "k.toml", user="customer"),
    "study.toml": partial(assess, "shop.csv", study="study.toml"),
    "who.csv": partial(attack, "shop.csv", "half.csv", user="customer", truth="who.csv", item="goods"),
    "levels/date.csv": partial(generalise, "shop.csv", user="customer", hierarchies="levels", k=1),
}


@pytest.mark.parametrize("name", SMALL_FILES)
def test_a_small_file_that_is_replaced_while_it_is_read(folder: Path, name: str) -> None:
    """What was read of it counts to the end, as if it stood still; or what is there now is refused whole."""
    who = names((folder / "utf8-shop.csv").read_bytes())
    (folder / "who.csv").write_bytes(
        b"release_user,original_user\n" + b"".join(b"%b,%b\n" % (each, each) for each in who)
    )
    (folder / "study.toml").write_text('[columns]\ncustomer = "user"\n')
    expected = SMALL_FILES[name]().to_dict()

    def replace(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        (folder / "new").write_bytes(b"nobody asked for this")
        (folder / "new").replace(folder / name)

    try:
        found = SMALL_FILES[name](progress=replace).to_dict()
    except InputError as fault:
        assert Path(name).name in str(fault)
    else:
        assert found == expected
    assert (folder / name).read_bytes() == b"nobody asked for this"


# at the moment when the copy is there
KILL = """
import os, signal, sys
import singleout.engine.databases.duckdb_tables as tables
made = tables.utf8_copy
def copy_and_die(*given):
    made(*given)
    os.kill(os.getpid(), signal.SIGKILL)
tables.utf8_copy = copy_and_die
from singleout.cli.main import main
main(sys.argv[1:])
"""


def test_a_full_copy_that_a_killed_run_left_goes_with_the_next(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("temporary")
    words, env = ["assess", "shop.csv", "--user", "customer"], {**os.environ, "TMPDIR": str(place)}
    subprocess.run([sys.executable, "-c", KILL, *words], check=False, env=env, cwd=folder)
    assert [each.name for each in place.rglob("*.csv")] == ["recoded.csv"]
    subprocess.run(
        [sys.executable, "-m", "singleout", *words], check=True, env=env, capture_output=True, cwd=folder
    )
    assert list(place.iterdir()) == []
