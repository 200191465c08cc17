"""One meaning for one name: every option of every command, names of before, and names that others script."""

import argparse
import itertools
import re
from pathlib import Path

import pytest
from commands_page import commands
from options_page import users_of_options

from singleout.cli.main import main, parser
from singleout.cli.option_names import KINDS, OLD_NAMES, SHARED, UNTIL, OldName, new_words
from singleout.version import VERSION

ROOT = Path(__file__).parents[2]
EVERYWHERE = ("-h", "--help", "--version")
# by the contract with those who script us, each with the words that it needs beside it
CONTRACT = {
    "assess x.csv": "--user --columns --missing=value --engine=duckdb --seed=1 --json --html --policy "
    "--population=5 --sampled=0.5 --reference",
    "entropy x.csv --user u": "--domain",
    "combinations x.csv": "--allow=3 --size=2 --synergy=2 --costs --resource --all --out",
    "predict": "--avfm --pairs",
    "attack o.csv r.csv": "--truth --recipe --hierarchies --periods --item --time --amount",
    "deidentify dummies x.csv": "--item --clusters=2 --method=1 --smallest=2 --out --truth",
    "deidentify generalise x.csv --hierarchies d": "--k=2 --suppress=0.1 --out --local",
    "deidentify suppress x.csv --k 2": "--size=2 --sets --importance=a=1 --out",
    "deidentify apply x.csv --recipe r.toml": "--out --truth",
    "compare o.csv r.csv": "--truth",
    "check x.csv": "--policy --html",
    "protect x.csv --policy p.toml --out o.csv": "--keep=a=1 --minutes=1 --truth",
    "describe x.csv": "--user",
    "sweep s.toml": "--out",
    "data t1 --out o.csv": "--from",
    "serve": "--demo --host --port=1 --folder --database",
}
FLAGS = ("--json", "--all", "--local", "--demo")


def actions() -> list[tuple[str, str, argparse.Action]]:
    return [
        (command, name, action)
        for command, one in commands().items()
        for action in one._actions
        for name in action.option_strings
        if action.help != argparse.SUPPRESS and name not in EVERYWHERE
    ]


def kind_of(action: argparse.Action) -> str:
    """What follows an option, as its page of help writes it."""
    if action.nargs == 0:
        return "nothing"
    if action.choices:
        return "one of several words"
    (kind,) = [kind for kind, written in KINDS.items() if str(action.metavar) in written]
    return kind


def test_every_option_of_several_commands_has_one_meaning() -> None:
    several = {name for name, users in users_of_options().items() if len(users) > 1} - {*EVERYWHERE}
    assert several == set(SHARED)


@pytest.mark.parametrize(
    ("command", "name", "action"),
    [each for each in actions() if each[1] in SHARED],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_an_option_is_followed_by_the_same_everywhere(
    command: str, name: str, action: argparse.Action
) -> None:
    if name == "--html" and command == "demo":
        assert action.default is not None
    assert kind_of(action) == SHARED[name].kind


def test_no_two_names_differ_by_an_s_and_mean_different_kinds() -> None:
    """`--sample`, `--samples`; a name and a list of such names are one thing."""
    found = {name: action for _, name, action in actions()}
    pairs = {(name, f"{name}s") for name in found if f"{name}s" in found}
    assert pairs == {("--method", "--methods"), ("--metric", "--metrics"), ("--column", "--columns")}


def test_shares_are_parts_of_one() -> None:
    shares = {name for _, name, action in actions() if action.metavar == "SHARE"}
    assert "--sampled" in shares
    for old, written in (("25,50", "0.25,0.5"), ("0.1%", "0.001"), ("half", "half")):
        assert new_words("attack", ["--shares", old]) == ["--known-shares", written]


@pytest.mark.parametrize("old", OLD_NAMES, ids=lambda old: f"{old.command} {old.name}")
def test_names_of_before_go_on_working(old: OldName, capsys: pytest.CaptureFixture[str]) -> None:
    """In both ways of writing, with one note that names today's; as a word by itself it stays."""
    known = {name for command, name, _ in actions() if command == old.command}
    assert old.new in known or (old.command, old.new) == ("check", "--location")
    assert old.name not in known or old.name == old.new
    value = "8000"
    apart = new_words(old.command, ["x.csv", old.name, value])
    joined = new_words(old.command, ["x.csv", f"{old.name}={value}"])
    assert apart == ["x.csv", old.new, old.value(value)]
    assert joined == ["x.csv", f"{old.new}={old.value(value)}"]
    notes = capsys.readouterr().err.splitlines()
    assert len(notes) == 2
    assert all(note.startswith(f"note: {old.name} is now --") and note.endswith(UNTIL) for note in notes)
    assert new_words(old.command, [old.name, value, "--quiet"]) == [old.new, old.value(value), "--quiet"]
    assert new_words(old.command, ["--", old.name]) == ["--", old.name]
    assert capsys.readouterr().err == ""


def test_nothing_names_an_option_by_its_name_of_before() -> None:
    """Neither messages nor pages do, but for the list of such names."""
    today = {old.new for old in OLD_NAMES} | {name for _, name, _ in actions()}
    gone = {old.name for old in OLD_NAMES} - today
    said = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(gone))})(?![\w-])")
    texts = [path for place in ("src", "docs", "papers") for path in (ROOT / place).rglob("*.*")]
    written = [path for path in texts if path.suffix in (".py", ".md", ".html", ".toml")]
    lists = {ROOT / "src/singleout/cli/option_names.py", ROOT / "docs/reference/options.md"}
    assert {"--at-most", "--diverse", "--weights"} <= gone
    assert len(written) > 500
    assert not [path for path in written if path not in lists and said.search(path.read_text("utf-8"))]


def test_names_of_before_last_one_version() -> None:
    assert [*map(int, VERSION.split(".")[:2])] < [*map(int, UNTIL.split("."))], "remove OLD_NAMES"


def test_an_old_command_gives_what_the_new_one_gives(
    tmp_path: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    main(["sample", "shop", "--people", "9", "--out", "shop.csv"])
    shared = [
        "attack",
        "shop.csv",
        "shop.csv",
        "--user",
        "customer",
        "--item",
        "goods",
        "--points",
        "0",
        "--json",
    ]
    capsys.readouterr()
    assert main([*shared, "--shares", "50", "--weights", "goods=2"]) == 0
    before = capsys.readouterr()
    assert main([*shared, "--known-shares", "0.5", "--importance", "goods=2"]) == 0
    after = capsys.readouterr()
    assert before.out == after.out
    assert before.err.count("note: ") == 2
    assert "note: --" not in after.err


@pytest.mark.parametrize(
    ("called", "option"),
    list(itertools.chain.from_iterable([(c, o) for o in given.split()] for c, given in CONTRACT.items())),
)
def test_what_the_contract_names_works_without_a_note(
    called: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, equals, value = option.partition("=")
    words = [name] if name in FLAGS else [name, value if equals else "x"]
    assert parser().parse([*called.split(), *words]).command == called.split()[0]
    assert capsys.readouterr().err == ""
