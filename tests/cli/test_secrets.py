"""Secrets: for their owner's eyes only, in as few places as can be, and never in a complaint."""

from __future__ import annotations

import json
import shlex
import stat
import tomllib
from pathlib import Path

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout.cli import demo
from singleout.cli.main import main
from tests.support.check_shop import RELEASE, SHOP
from tests.support.command_line import complaint

Captured = pytest.CaptureFixture[str]
TRUTH = "release_user,original_user\np,ann\nq,bob\nr,cid\ns,dot\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(SHOP, "shop.csv")
    pyarrow.csv.write_csv(RELEASE, "release.csv")
    Path("who.csv").write_text(TRUTH)
    Path("levels").mkdir()
    Path("levels/age.csv").write_text("31;3*;*\n35;3*;*\n40;4*;*\n")
    Path("recipe.toml").write_text('[[step]]\nstep = "pseudonymise"\n')
    return tmp_path


def is_private(path: str) -> bool:
    return stat.S_IMODE(Path(path).stat().st_mode) == 0o600


@pytest.mark.parametrize("out", ["fell.csv", "fell.parquet"])
def test_who_is_who_is_for_its_owner(out: str) -> None:
    words = (
        "attack shop.csv release.csv --truth who.csv --user who --item goods "
        f"--person-risks {out} --html r.html"
    )
    assert main(shlex.split(words)) == 0
    assert is_private(out)
    assert not is_private("r.html")


def test_diaries_are_for_their_owner() -> None:
    words = "deidentify generalise shop.csv --user who --hierarchies levels --k 1 --diary d.json --out o.csv"
    assert main(shlex.split(words)) == 0
    assert is_private("d.json")
    assert not is_private("o.csv")


@pytest.mark.parametrize(
    "words",
    [
        "deidentify apply shop.csv --user who --recipe recipe.toml",
        "deidentify dummies shop.csv --user who --item goods --clusters 2",
    ],
)
def test_a_secret_seed_is_in_the_diary_only(words: str, capsys: Captured) -> None:
    outputs = "--out o.csv --truth t.csv --diary d.json --seed secret"
    assert main([*shlex.split(f"{words} {outputs}"), "--json"]) == 0
    told, err = capsys.readouterr()
    seed = json.loads(Path("d.json").read_text())["seed"]
    assert isinstance(seed, int)
    assert seed > 2**64
    assert json.loads(told)["seed"] == "secret"
    assert main(shlex.split(f"{words} {outputs}")) == 0
    shown = "".join(capsys.readouterr())
    for text in (told, err, shown, Path("o.csv").read_text()):
        assert str(seed) not in text
    first = Path("t.csv").read_bytes()
    assert main(shlex.split(f"{words} --out o.csv --truth t.csv --seed {seed} --json")) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == seed
    # drawn by that number, and not by the word
    assert Path("t.csv").read_bytes() != first
    again = json.loads(Path("d.json").read_text())["seed"]
    assert again != seed
    assert main(shlex.split(f"{words} --out o.csv --truth t.csv --seed {again}")) == 0
    assert Path("t.csv").read_bytes() == first


ADDRESSES = [
    "postgresql:/ann:TOPSECRET@host/base::t",
    "postgresql//ann:TOPSECRET@host/base::t",
    "postgresql:ann:TOPSECRET@host/base",
    "postgres ql://ann:TOPSECRET@host/base::t",
    "ann:TOPSECRET@host/base::t",
    "ann:TOP:TOPSECRET@SECRET@host/base::t",
    "host=h user=ann password=TOPSECRET dbname=base",
    "password = TOPSECRET host=h",
    "mysql://ann:TOPSECRET@host/base::t",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "words",
    [
        "assess {}",
        "attack shop.csv {} --user who",
        "assess shop.csv --hierarchies {} --sensitive age --user who",
        "assess shop.csv --study {}",
        "check shop.csv --policy public --original {}",
        "check shop.csv --policy public --people-table {}",
        "check shop.csv --policy {}",
        "assess shop.csv {}",
        "assess shop.csv --no-such-option={}",
        "deidentify apply {} --recipe recipe.toml",
        "roles {} --suggest",
    ],
)
def test_passwords_are_not_repeated(address: str, words: str, capsys: Captured) -> None:
    whole = [each.replace("{}", address) for each in words.split()]
    try:
        code = main(whole)
    except SystemExit as leaving:
        code = int(str(leaving.code))
    out, err = capsys.readouterr()
    assert code == 2
    assert err.startswith("error: ")
    assert "SECRET" not in out + err


def test_of_a_long_address_neither(capsys: Captured) -> None:
    assert "SECRET" not in complaint(["assess", f"postgresql:/ann:TOPSECRET@host/{'x' * 5000}::t"], capsys)


def test_what_was_meant_is_told(capsys: Captured) -> None:
    said = complaint(["assess", "postgresql:/ann:TOPSECRET@host/base::t"], capsys)
    assert said.startswith("error: postgresql:…@host/base::t: there is no such file, and no such address")
    assert "write one like postgresql://user:password@host/database::table" in said


@pytest.mark.parametrize("name", ["a:b@c.csv", "password=1.csv"])
def test_files_whose_names_look_like_addresses_are_read(name: str, capsys: Captured) -> None:
    Path(name).write_bytes(Path("shop.csv").read_bytes())
    assert main(["assess", name, "--user", "who", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == name
    assert main(["assess", f"./{name[:4]}*", "--user", "who", "--json"]) == 0


def test_the_reports_command_has_no_password() -> None:
    words = "assess shop.csv --user who --html r.html --policy=public --missing-text ann:TOPSECRET@host"
    assert main(shlex.split(words)) == 0
    page = Path("r.html").read_text()
    assert "TOPSECRET" not in page
    assert "ann:…@host" in page


ODD = "a\x1b]0;owned\x07\x9b31mb\u202ec"


def check_printable(words: list[str], capsys: Captured) -> None:
    assert main(words) == 0
    shown = "".join(capsys.readouterr())
    assert not [each for each in shown if not each.isprintable() and each != "\n"]


def test_names_do_not_steer_the_terminal(capsys: Captured) -> None:
    table = pyarrow.table({ODD: ["x@example.org", "y@example.org"], "age": [1, 2]})
    pyarrow.parquet.write_table(table, "odd.parquet")
    Path("study.toml").write_text('user = "none"\n')
    sample = "s\x1b[31m\x9b.csv"
    for words in (
        ["roles", "odd.parquet", "--suggest"],
        ["roles", "odd.parquet", "--check", "study.toml"],
        ["sample", "shop", "--people", "2", "--out", sample],
        ["doctor", "."],
    ):
        check_printable(words, capsys)
    assert main(["roles", "odd.parquet", "--suggest"]) == 0
    assert tomllib.loads(capsys.readouterr().out)["columns"].keys() == {ODD, "age"}


def test_the_report_of_the_demo_does_not_steer_the_terminal(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its jobs, which take a while, show names of their own only."""
    for job in ("assess", "combinations", "generalise", "attack", "hide", "check", "entropy", "predict"):
        monkeypatch.setattr(demo, f"_{job}", lambda *_: None)
    check_printable(["demo", "--html", "r\x1b[31m\u202e.html"], capsys)
