"""What commands tell beside their result: written files, notes, steps; silence on request; unpadded pipes."""

import argparse
import io
import json
import sys
from pathlib import Path
from typing import TextIO, cast

import pytest
from commands_page import commands

from singleout.cli.main import main
from singleout.cli.messages import UnpaddedText

RECIPE = '[[step]]\nstep = "pseudonymise"\n'
SWEEP = """
data = "shop.csv"
seeds = 2
[measured]
user = "customer"
metrics = ["records_kept"]
attacks = []
[[release]]
[[release.step]]
step = "sample"
share = 0.5
"""
# each option that names a file to be written, in a command that writes it, and the files that are named
WRITERS = {
    "assess shop.csv --user customer --record-risks r.csv --person-risks p.csv --value-risks v.csv "
    "--html h.html": "r.csv p.csv v.csv h.html",
    "roles shop.csv --suggest --out study.toml": "study.toml",
    "describe shop.csv --user customer --html h.html": "h.html",
    "entropy shop.csv --user customer --domain goods=goods --html h.html": "h.html",
    "check --write-policy policy.toml": "policy.toml",
    "check shop.csv --user none --policy public --evidence e.json --junit j.xml --html h.html":
        "e.json j.xml h.html",
    "predict shop.csv --user none --columns goods,number --methods tree,semi_random --write-avfm f.csv "
    "--write-pairs p.csv --write-knowledge k.csv --show-values --html h.html": "f.csv p.csv k.csv h.html",
    "hierarchy shop.csv --column date --prefixes 4 --out levels.csv": "levels.csv",
    "attack shop.csv half.csv --user customer --item goods --points 0 --person-risks p.csv "
    "--guesses-out g.csv --html h.html": "p.csv g.csv h.html",
    "combinations shop.csv --user none --columns goods,number --all --out sets.csv --html h.html":
        "sets.csv h.html",
    "combinations few.csv --user none --record-risks r.csv": "r.csv",
    "compare shop.csv half.csv third.csv --user customer --item goods --plot p.svg --html h.html":
        "p.svg h.html",
    "deidentify apply shop.csv --user customer --recipe r.toml --people-table people.csv --out x.csv "
    "--truth t.csv --people-out p.csv --diary d.json": "t.csv x.csv p.csv d.json",
    "deidentify dummies shop.csv --user customer --item goods --clusters 3 --people-table people.csv "
    "--out x.csv --truth t.csv --people-out p.csv --dummies-out y.csv --diary d.json --html h.html":
        "t.csv x.csv p.csv y.csv d.json h.html",
    "deidentify generalise few.csv --user none --hierarchies ages.json --k 2 --out x.csv --diary d.json "
    "--html h.html": "x.csv d.json h.html",
    "deidentify suppress few.csv --user none --k 2 --out x.csv --diary d.json": "x.csv d.json",
    "protect few.csv --user none --policy k.toml --tries 1 --nearest --out n.csv --html h.html":
        "n.csv n.csv.recipe h.html",
    "protect some.csv --user who --policy k.toml --tries 1 --nearest --out n.csv --recipe-out n.toml "
    "--truth t.csv": "n.csv n.toml t.csv",
    "sample card --people 9 --out card.csv --people-out p.csv": "card.csv p.csv",
    "sweep sweep.toml --threads 1 --out w.csv --averages a.csv --html h.html": "w.csv a.csv h.html",
}  # fmt: skip
# these only read a map of people; the papers' tables need theirs, and the demo takes a minute
OTHERS = {
    *((name, "--truth") for name in ("attack", "compare", "check", "submit", "metric")),
    ("data", "--out"),
    ("demo", "--html"),
}


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    main(["sample", "shop", "--people", "9", "--out", "shop.csv"])
    Path("r.toml").write_text(RECIPE)
    Path("k.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 2\n')
    Path("sweep.toml").write_text(SWEEP)
    head, *lines = Path("shop.csv").read_text().splitlines()
    Path("few.csv").write_text("age,sex\n31,f\n31,f\n44,m\n44,m\n")
    Path("some.csv").write_text("who,age\nann,31\nbob,31\neve,44\n")
    Path("ages.json").write_text(
        '{"attributes": {"age": {"levels": [{"type": "raw"}, {"type": "suppress"}]}}}'
    )
    for name, some in (("half.csv", lines[::2]), ("third.csv", lines[::3])):
        Path(name).write_text("\n".join([head, *some, ""]))
    people = sorted({line.partition(",")[0] for line in lines})
    Path("people.csv").write_text("\n".join(["customer,sex", *(f"{each},f" for each in people), ""]))
    capsys.readouterr()


@pytest.mark.parametrize("command", WRITERS)
def test_every_file_that_is_written_is_named(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split(), tells=True) in (0, 1)
    told = capsys.readouterr().err.splitlines()
    assert sorted(line for line in told if line.startswith("wrote ")) == sorted(
        f"wrote {name}" for name in WRITERS[command].split()
    )
    assert all(Path(name).stat().st_size for name in WRITERS[command].split())


def test_no_option_that_writes_is_left_out() -> None:
    every = {
        (command, name)
        for command, one in commands().items()
        for action in one._actions
        for name in action.option_strings
        if action.help != argparse.SUPPRESS and str(action.metavar).startswith(("OUT", "MAP"))
    }
    walked = {
        (max((name for name in commands() if f"{words} ".startswith(f"{name} ")), key=len), option)
        for words in WRITERS
        for option in words.split()
        if option.startswith("--")
    }
    assert every >= OTHERS
    assert every - OTHERS <= walked


def test_quiet_says_nothing_beside_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["describe", "shop.csv", "--user", "customer", "--html", "d.html"]
    assert main(words, tells=True) == 0
    aloud = capsys.readouterr()
    assert "wrote d.html\n" in aloud.err
    assert main([*words, "--quiet"], tells=True) == 0
    assert capsys.readouterr() == (aloud.out, "")
    assert main(["describe", "none.csv", "--quiet"], tells=True) == 2
    assert capsys.readouterr().err == "error: none.csv: there is no such file\n"


def test_a_misspelt_file_or_option_is_told_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    """By what is really alike: two dashes are none."""
    assert main(["describe", "shpo.csv"]) == 2
    assert capsys.readouterr().err == "error: shpo.csv: there is no such file; did you mean shop.csv?\n"
    with pytest.raises(SystemExit, match="2"):
        main(["describe", "shop.csv", "--usr", "customer"])
    assert "--usr customer; did you mean '--user'?;" in capsys.readouterr().err


def test_verbose_tells_steps_and_json_stays_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "shop.csv", "--user", "customer", "--json", "--verbose"], tells=True) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["people"] == 9
    assert "comparing people (" in printed.err


def test_both_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["describe", "shop.csv", "--quiet", "--verbose"])
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        "roles shop.csv --suggest --out mine.toml",
        "check --write-policy mine.toml",
        "protect few.csv --user none --policy k.toml --tries 1 --nearest --out n.csv --recipe-out mine.toml",
    ],
)
def test_files_that_people_edit_are_replaced_by_force_only(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.toml").write_text("# mine\n")
    assert main(command.split()) == 2
    assert "is there already; name another file, or replace it by --force" in capsys.readouterr().err
    assert Path("mine.toml").read_text() == "# mine\n"
    assert main([*command.split(), "--force"]) in (0, 1)
    assert Path("mine.toml").read_text() != "# mine\n"


def test_texts_like_formulas_are_told_of_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.csv").write_text("who,note,price\nann,=1+1,-5\nbob,tea,+3.5\n")
    words = ["deidentify", "apply", "odd.csv", "--user", "who", "--recipe", "r.toml", "--truth", "t.csv"]
    assert main([*words, "--out", "x.csv"], tells=True) == 0
    told = capsys.readouterr().err
    assert "note: x.csv: texts of 'note' begin like a formula" in told
    assert "'price' begin" not in told
    assert main([*words, "--out", "x.xlsx"], tells=True) == 0
    assert "formula" not in capsys.readouterr().err


def test_piped_pages_are_not_padded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "shop.csv", "--user", "customer"], tells=True) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    assert [line for line in lines if line.endswith(" ")] == []


def test_piped_notes_are_not_padded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "shop.csv", "shop.csv", "--user", "customer"], tells=True) == 0
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith("note: ") for line in lines)
    assert any(line.startswith("      ") for line in lines)
    assert [line for line in lines if line.endswith(" ")] == []


def test_spaces_are_dropped_at_ends_of_lines_only() -> None:
    kept = io.StringIO()
    out = cast("TextIO", UnpaddedText(kept))
    for piece in ("a  ", " b ", " \n", "  c  \n\n d", "  "):
        out.write(piece)
    assert kept.getvalue() == "a   b\n  c\n\n d"
