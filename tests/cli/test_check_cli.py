"""`singleout check`: exit codes, its JSON, its page, evidence and JUnit files, one-line errors, the hook."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from rich.cells import cell_len

from singleout import __version__, check
from singleout.cli.main import main
from singleout.policy.rules.attacker_presets import PRESETS
from singleout.policy.rules.measure_paths import measure_paths
from singleout.policy.rules.policy import policy_of
from tests.support.command_line import Captured, error_of, error_without_a_trace, folder_with, only_json

RULE = {"rule", "limit", "value", "passed", "reason"}
ORIGINAL = """who,goods,day,price,age
ann,tea,2011-01-30,1.5,31
ann,milk,2011-01-31,2,31
bob,tea,2011-01-31,0.1,35
cid,salt,2011-02-03,0.2,40
"""
RELEASE = ORIGINAL.replace("ann", "p").replace("bob", "q").replace("cid", "r")
PASSING = """
[data]
user = "none"
[[rule]]
measure = "k"
at_least = 1
reason = "it always is"
[[rule]]
measure = "attribute.age.values"
at_most = 3
"""
FAILING = """
[data]
user = "none"
[[rule]]
name = "look-alikes"
measure = "k"
columns = ["goods", "age"]
at_least = 2
reason = "nobody should stand alone"
[[rule]]
measure = "people.k"
at_least = 1
[[rule]]
measure = "unique_share"
attacker = "neighbour"
at_most = 1
"""
BESIDE = """
[data]
original = "o.csv"
truth = "truth.csv"
user = "who"
item = "goods"
study = "study.toml"
[[rule]]
measure = "attack.jaccard.rate"
at_most = 1
[[rule]]
measure = "total_variation.goods"
equals = 0
[[rule]]
measure = "points.unique"
attacker = "insider"
at_most = 1
"""
FILES = {
    "o.csv": ORIGINAL,
    "r.csv": RELEASE,
    "truth.csv": "release_user,original_user\np,ann\nq,bob\nr,cid\n",
    "study.toml": '[columns]\nwho = "user"\nday = "time"\ngoods = "item"\nprice = "amount"\n',
    "pass.toml": PASSING,
    "fail.toml": FAILING,
    "beside.toml": BESIDE,
}
WRITTEN = ["--evidence", "e.json", "--junit", "j.xml"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "80")
    return folder_with(FILES, tmp_path, monkeypatch)


def page(capsys: Captured, words: list[str], code: int) -> tuple[str, str]:
    """What a terminal of 80 columns shows, and the remarks beside it."""
    assert main(words) == code
    out, err = capsys.readouterr()
    assert re.fullmatch(r"(note: .*\n( .*\n)*)*", err)
    assert [line for line in out.splitlines() if cell_len(line) > 80] == []
    return " ".join(out.split()), err


def document(capsys: Captured, words: list[str], code: int) -> Any:
    assert main([*words, "--json"]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return only_json(out)


def test_exit_codes_and_the_contract(capsys: Captured) -> None:
    passed = document(capsys, ["check", "o.csv", "--policy", "pass.toml"], 0)
    failed = document(capsys, ["check", "o.csv", "--policy", "fail.toml"], 1)
    assert (passed["passed"], failed["passed"]) == (True, False)
    for rule in (*passed["rules"], *failed["rules"]):
        assert rule.keys() >= RULE
    first, second, third = failed["rules"]
    told = [first[name] for name in ("rule", "limit", "value", "passed")]
    assert told == ["look-alikes", 2, 1, False]
    assert first["reason"] == "1, but at least 2 is asked for"
    assert first["wanted_because"] == "nobody should stand alone"
    assert (second["value"], second["passed"]) == (None, False)
    assert "no user column was named" in second["reason"]
    assert third["passed"]
    assert failed["definitions"]["k"]["counted_over"] == "classes"


def test_the_document_is_what_python_returns(capsys: Captured) -> None:
    shown = document(capsys, ["check", "r.csv", "--policy", "beside.toml"], 0)
    assert shown == json.loads(json.dumps(check("r.csv", "beside.toml").to_dict()))
    told = json.dumps(shown)
    assert not any(f'"{secret}"' in told for secret in ("ann", "tea", "p", "2011-01-30", "1.5"))


def test_the_command_line_goes_before_the_policy(capsys: Captured) -> None:
    shown = document(capsys, ["check", "r.csv", "--policy", "beside.toml", "--seed", "5"], 0)
    assert shown["seed"] == 5
    narrow = document(capsys, ["check", "o.csv", "--policy", "pass.toml", "--columns", "age"], 1)
    assert narrow["rules"][0]["columns"] == ["age"]
    renamed = [line.replace("goods", "article", 1) for line in RELEASE.splitlines()]
    Path("n.csv").write_text("\n".join(renamed) + "\n")
    words = ["check", "n.csv", "--policy", "beside.toml", "--renamed", "goods=article"]
    assert document(capsys, words, 0)["rules"][0]["value"] == shown["rules"][0]["value"]


def test_the_page_of_what_passes(capsys: Captured) -> None:
    shown, notes = page(capsys, ["check", "o.csv", "--policy", "pass.toml"], 0)
    assert shown.startswith(
        "PASSED: o.csv keeps all 2 rules of pass.toml. Only under these conditions. • It is taken"
    )
    assert shown.count("✓ passed") == 2
    assert "✗" not in shown
    assert "k: How many look-alikes does the least protected record have" in shown
    assert "a missing value is a value of its own" in shown
    assert "note: no user column: each record is its own person" in notes


def test_the_page_of_what_fails(capsys: Captured) -> None:
    shown, notes = page(capsys, ["check", "o.csv", "--policy", "fail.toml"], 1)
    assert shown.startswith(
        "FAILED: o.csv breaks 1 of 3 rules of fail.toml; 1 is unknown. Do not release as it is. • Rule 1, "
    )
    assert "Wanted because nobody should stand alone" in shown
    assert "Rule 2, people.k: unknown, which does not pass: no user column was named" in shown
    assert [shown.count(each) for each in ("✗ FAILED", "? unknown", "✓ passed")] == [1, 1, 1]
    assert "look-alikes: k; of goods, age" in shown
    assert "What a neighbour is taken to know" in shown
    assert "day time known to the day" in shown
    assert "goods item not known" in shown
    assert "suggested by their names and values" in " ".join(notes.split())
    Path("one.toml").write_text('[data]\nuser = "none"\n[[rule]]\nmeasure = "k"\nat_least = 9\n')
    assert page(capsys, ["check", "o.csv", "--policy", "one.toml"], 1)[0].startswith(
        "FAILED: o.csv breaks the only rule of one.toml"
    )


def test_the_page_tells_what_to_know_of_a_rule_that_passes(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MOST_PAIRS", "LEAST_ASKED", "MOST_ASKED"):
        monkeypatch.setattr(f"singleout.attacks.attack_run.{name}", 1)
    Path("known.toml").write_text(
        BESIDE + '[[rule]]\nmeasure = "attack.best.rate"\nat_most = 1\n'
        '[[rule]]\nmeasure = "people.k"\nattacker = "insider"\nat_least = 1\n'
        '[[rule]]\nmeasure = "points.rate"\npoints = 1\nat_most = 1\n'
    )
    words = ["check", "r.csv", "--policy", "known.toml"]
    shown, _ = page(capsys, [*words, *WRITTEN], 0)
    assert "Rule 4, attack.best.rate, passed:" in shown
    assert "the attack 'nearest' would take long" in shown
    assert "of each person, whichever it is (how many are known counts in points.* and attack.*)" in shown
    assert "Rule 6, points.rate, passed: it is the upper end of the 90 % interval, whose mean is" in shown
    told = {each["number"]: each for each in json.loads(Path("e.json").read_text())["rules"]}
    assert "nearest' would take long" in told[4]["reason"]
    assert told[5]["assumption"].startswith("one record of each person")
    assert (told[6]["estimated"], told[6]["parameters"]) == ("10 draws, seed 0", {"points": 1, "draws": 10})
    Path("known.toml").write_text(
        '[data]\nuser = "none"\n[[rule]]\nmeasure = "k"\nattacker = "insider"\nat_least = 9\n'
    )
    assert main(["check", "o.csv", "--policy", "known.toml", "--junit", "j.xml"]) == 1
    (failure,) = ElementTree.parse("j.xml").getroot().iter("failure")
    assert "to insider, who knows one record of each person" in str(failure.text)


def test_who_people_are_is_asked_for(folder: Path, capsys: Captured) -> None:
    Path("shop.csv").write_text(ORIGINAL.replace("who", "customer"))
    Path("p.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 2\n')
    words = ["check", "shop.csv", "--policy", "p.toml"]
    told = error_without_a_trace(capsys, folder, words)
    assert "shop.csv: column 'customer' seems to name the person" in told
    assert "say --user customer, or --user none" in told
    assert main([*words, "--user", "customer", "--json"]) == 1


def test_several_files(capsys: Captured) -> None:
    Path("alike.csv").write_text("goods,age\ntea,30\ntea,30\n")
    Path("p.toml").write_text('[data]\nuser = "none"\n[[rule]]\nmeasure = "k"\nat_least = 2\n')
    words = ["check", "--policy", "p.toml", "alike.csv", "o.csv", "alike.csv"]
    shown = document(capsys, [*words, *WRITTEN], 1)
    assert shown["passed"] is False
    assert [(each["source"], each["passed"]) for each in shown["files"]] == [
        ("alike.csv", True),
        ("o.csv", False),
    ]
    evidence = json.loads(Path("e.json").read_text())
    assert [each["inputs"][0]["name"] for each in evidence["files"]] == ["alike.csv", "o.csv"]
    suites = ElementTree.parse("j.xml").getroot()
    assert [each.get("name") for each in suites] == ["alike.csv", "o.csv"]
    assert (suites.get("tests"), suites.get("failures")) == ("4", "1")
    both, _ = page(capsys, words, 1)
    assert "PASSED: alike.csv" in both
    assert "FAILED: o.csv" in both
    # what files tell together was not looked at
    assert all("nobody gets it together with the other files" in str(each) for each in shown["files"])


def test_evidence(folder: Path) -> None:
    words = ["check", "r.csv", "--policy", "beside.toml", *WRITTEN, "--json"]
    assert main(words) == 0
    first = [Path(name).read_bytes() for name in ("e.json", "j.xml")]
    assert main(words) == 0
    assert [Path(name).read_bytes() for name in ("e.json", "j.xml")] == first
    found = json.loads(first[0])
    assert found["singleout"] == __version__
    inputs = {each["what"]: each for each in found["inputs"]}
    files = {"data": "r.csv", "policy": "beside.toml", "original": "o.csv"}
    files |= {"study": "study.toml"}
    assert inputs.keys() == {*files, "truth"}
    assert inputs["truth"]["sha256"] is inputs["truth"]["bytes"] is None
    assert inputs["truth"]["reason"].startswith("it is a secret")
    for what, name in files.items():
        content = (folder / name).read_bytes()
        assert inputs[what]["sha256"] == hashlib.sha256(content).hexdigest()
        assert inputs[what]["bytes"] == len(content)
        assert inputs[what]["files"] == 1
    for rule in found["rules"]:
        assert rule.keys() >= {*RULE, "definition", "missing_rule", "counted_over"}
        assert rule["definition"]["reference"]
    assert found["attackers"][0]["columns"][0]["says"] == "is what is looked for"
    text = (first[0] + first[1]).decode()
    assert not any(f'"{secret}"' in text for secret in ("ann", "tea", "p", "2011-01-30"))


def test_evidence_of_a_folder(folder: Path) -> None:
    table = pyarrow.csv.read_csv("o.csv")
    (folder / "parts").mkdir()
    for place in range(2):
        pyarrow.parquet.write_table(table.slice(2 * place, 2), f"parts/{place}.parquet")
    assert main(["check", "parts", "--policy", "pass.toml", "--evidence", "e.json", "--json"]) == 0
    whole = b"".join(each.read_bytes() for each in sorted((folder / "parts").iterdir()))
    data = json.loads(Path("e.json").read_text())["inputs"][0]
    assert (data["sha256"], data["files"]) == (hashlib.sha256(whole).hexdigest(), 2)


def test_junit(capsys: Captured) -> None:
    assert main(["check", "o.csv", "--policy", "fail.toml", "--junit", "j.xml"]) == 1
    capsys.readouterr()
    (suite,) = ElementTree.parse("j.xml").getroot()
    assert suite.attrib == {"name": "o.csv", "tests": "4", "failures": "2", "errors": "0", "skipped": "0"}
    facts = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert facts["data sha256"] == hashlib.sha256(ORIGINAL.encode()).hexdigest()
    assert facts["policy sha256"] == hashlib.sha256(FAILING.encode()).hexdigest()
    cases = suite.findall("testcase")
    assert [each.get("name") for each in cases] == [
        "rule 1: look-alikes at least 2", "rule 2: people.k at least 1", "rule 3: unique_share at most 1",
        "no direct identifiers but those that the policy allows",
    ]  # fmt: skip
    failures = [each.find("failure") for each in cases]
    assert failures[2] is None
    assert failures[0] is not None
    assert failures[0].get("message") == "look-alikes: 1, but at least 2 is asked for"
    assert "wanted because nobody should stand alone" in str(failures[0].text)
    assert failures[1] is not None
    assert failures[1].get("type") == "unknown"


@pytest.mark.parametrize(
    "name", ["<script>&\"'", "漢字", "a\x1b[31mb", "tab\there", "]]>", "\ufffe", "e\u0301"]
)
def test_any_name_in_what_is_written(name: str, capsys: Captured) -> None:
    table = pyarrow.table({name: ["u", "v"], "age": [1, 2]})
    pyarrow.parquet.write_table(table, "odd.parquet")
    rule = {"measure": "k", "columns": [name], "name": name, "reason": name, "at_least": 2}
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in rule.items())
    Path("odd.toml").write_text(f"[[rule]]\n{lines}\n")
    assert main(["check", "odd.parquet", "--policy", "odd.toml", *WRITTEN]) == 1
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert json.loads(Path("e.json").read_text())["rules"][0]["columns"] == [name]
    (suite,) = ElementTree.parse("j.xml").getroot()
    # one is about age, which no rule looked at
    assert len(suite.findall("testcase")) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["check", "o.csv"], "name what to check and the policy"),
        (["check", "--policy", "pass.toml"], "name what to check and the policy"),
        (["check", "no.csv", "--policy", "pass.toml"], "no.csv: there is no such file"),
        (["check", "o.csv", "--policy", "no.toml"], "no.toml: no such file or directory"),
        (["check", "o.csv", "--policy", "o.csv"], "o.csv: is not TOML"),
        (["check", "o.csv", "--policy", "study.toml"], "there is no 'columns'"),
        (["check", "o.csv", "--policy", "pass.toml", "--user", "x"], "there is no column 'x'"),
        (["check", "o.csv", "--policy", "pass.toml", "--columns", "agee"], "did you mean 'age'"),
        (["check", "o.csv", "--policy", "pass.toml", "--missing", "x"], "invalid choice"),
        (
            ["check", "o.csv", "--policy", "pass.toml", "--evidence", "o.csv"],
            "o.csv: belongs to what is read",
        ),
        (["check", "o.csv", "--policy", "pass.toml", "--junit", "pass.toml"], "belongs to what is read"),
        (["check", "r.csv", "--policy", "beside.toml", "--junit", "study.toml"], "belongs to what is read"),
        (["check", "r.csv", "--policy", "beside.toml", "--evidence", "o.csv"], "belongs to what is read"),
        (["check", "o.csv", "--policy", "pass.toml", "--evidence", "x", "--junit", "./x"], "name another"),
        (
            ["check", "o.csv", "--policy", "pass.toml", "--evidence", "no/x.json"],
            "choose a folder that exists",
        ),
        (["check", "o.csv", "--policy", "pass.toml", "--junit", "."], "is a folder; name a file in it"),
        (["check", "--list-measures", "--list-attackers"], "ask for one"),
        (["check", "--write-policy", "no/p.toml"], "choose a folder that exists"),
        (["check", "o.csv", "--policy", "pass.toml", "--domain", "x"], "'x' is no domain"),
    ],
)
def test_errors(folder: Path, capsys: Captured, words: list[str], told: str) -> None:
    if "--domain" in words:
        Path("pass.toml").write_text('[[rule]]\nmeasure = "domain.x.information"\nat_most = 1\n')
        words = [*words, "--user", "who"]
    assert told in error_without_a_trace(capsys, folder, words)


def test_nothing_is_written_when_the_input_is_bad(folder: Path, capsys: Captured) -> None:
    words = ["check", "o.csv", "no.csv", "--policy", "pass.toml", *WRITTEN]
    assert "no.csv: there is no such file" in error_of(capsys, words)
    Path("p.toml").write_text('[[rule]]\nmeasure = "attribute.x.risk"\nat_most = 1\n')
    told = error_of(capsys, ["check", "o.csv", "--policy", "p.toml", *WRITTEN])
    assert told.startswith("p.toml: rule 1 (attribute.x.risk): there is no column 'x'")
    assert not {"e.json", "j.xml"} & {each.name for each in folder.iterdir()}


def test_lists_of_attackers(capsys: Captured) -> None:
    shown, notes = page(capsys, ["check", "--list-attackers"], 0)
    assert notes == ""
    for each in PRESETS.values():
        assert f"{each.name}: {each.title} knows {each.knows}" in shown
        assert each.reason in shown
    listed = document(capsys, ["check", "--list-attackers"], 0)["attackers"]
    assert [each["name"] for each in listed] == list(PRESETS)


def test_lists_of_measures(capsys: Captured) -> None:
    assert main(["check", "--list-measures"]) == 0
    words = capsys.readouterr().out.split()
    assert {path.words for path in measure_paths()} <= {*words}
    listed = document(capsys, ["check", "--list-measures"], 0)
    assert [each["measure"] for each in listed["measures"]] == [path.words for path in measure_paths()]
    takes = {each["measure"]: each["takes"] for each in listed["measures"]}
    assert takes["k"] == ["columns", "missing", "attacker"]
    assert takes["points.narrowed"] == [*takes["points.unique"], "narrow"]
    assert "ranking.overall" in listed["not_for_rules"]


def test_a_policy_to_start_from(capsys: Captured) -> None:
    assert main(["check", "--write-policy", "start.toml"]) == 0
    assert capsys.readouterr().out == ""
    assert len(policy_of("start.toml").rules) == 4
    shown = document(capsys, ["check", "o.csv", "--policy", "start.toml"], 1)
    assert all(each["value"] is not None for each in shown["rules"])


def test_the_hook_for_pre_commit(capsys: Captured) -> None:
    """Its lines are simple enough to be read without a reader of YAML."""
    text = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0].startswith("- ")
    hook = dict(line[2:].split(": ", 1) for line in lines)
    assert hook["id"] == "singleout-check"
    assert hook["language"] == "python"
    for name in ("a.csv", "deep/b.parquet", "c.tsv.gz"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "policy.toml")
    Path("policy.toml").write_text(PASSING)
    program, *words = shlex.split(hook["entry"])
    assert program == "singleout"
    words += hook["args"].strip("[]").split(", ")
    assert main([*words, "o.csv", "r.csv"]) == 0
    Path("policy.toml").write_text(FAILING)
    assert main([*words, "o.csv", "r.csv"]) == 1
    assert "FAILED: r.csv" in capsys.readouterr().out


def test_a_verdict_counts_even_if_nobody_reads_it(tmp_path: Path) -> None:
    """A broken pipe must not open the gate."""
    (tmp_path / "d.csv").write_text("a\n1\n2\n")
    (tmp_path / "p.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 2\n')
    command = Path(sys.executable).parent / "singleout"
    for more in ("", " --json"):
        script = f'"{command}" check d.csv --policy p.toml{more} | true; exit ${{PIPESTATUS[0]}}'
        assert subprocess.run(["bash", "-c", script], cwd=tmp_path, check=False).returncode == 1


def test_no_device_or_pipe_is_replaced(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "d.csv").write_text("a\n1\n1\n")
    (tmp_path / "p.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 1\n')
    os.mkfifo(tmp_path / "pipe")
    for option in ("--evidence", "--junit"):
        words = ["check", str(tmp_path / "d.csv"), "--policy", str(tmp_path / "p.toml")]
        assert main([*words, option, str(tmp_path / "pipe")]) == 2
        assert "is a device or a pipe" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()


def test_links_in_a_circle_are_no_traceback(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "d.csv").write_text("a\n1\n1\n")
    (tmp_path / "p.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 1\n')
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    words = ["check", str(tmp_path / "d.csv"), "--policy", str(tmp_path / "p.toml")]
    assert main([*words, "--evidence", str(tmp_path / "loop.json")]) in (0, 2)
    capsys.readouterr()


def test_a_file_is_not_left_unchecked_beside_a_list(capsys: Captured) -> None:
    assert main(["check", "d.csv", "--policy", "p.toml", "--list-measures"]) == 2
    assert "nothing is checked" in capsys.readouterr().err


def test_a_first_policy_replaces_nothing_unasked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.toml").write_text("my own rules")
    words = ["check", "--write-policy", "mine.toml"]
    told = error_without_a_trace(capsys, folder, words)
    assert "mine.toml: is there already; name another file, or replace it by --force" in told
    assert (folder / "mine.toml").read_text() == "my own rules"
    assert main([*words, "--force"]) == 0
    assert "[[rule]]" in (folder / "mine.toml").read_text()
    told = error_without_a_trace(capsys, folder, ["check", "o.csv", "--policy", "mine.toml", "--force"])
    assert "--force is for --write-policy" in told
