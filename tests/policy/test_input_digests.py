"""What the evidence names is what was read, though files change meanwhile; no secret leaves a digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pytest

from singleout import Verdict, assess, check
from singleout.deidentify.apply.apply import apply
from singleout.errors import InputError
from singleout.policy.rules.built_in_policies import built_in_text
from singleout.policy.rules.policy import built_in_policy, policy_of
from singleout.policy.rules.rule import Rule
from singleout.read.input_files import input_bytes, note_files
from singleout.read.truth_map import read_truth
from singleout.roles.study import Study, read_study
from tests.support.check_shop import RELEASE, SHOP

LINKING = b'[[rule]]\nmeasure = "attack.jaccard.rate"\nat_most = 1\n'
POLICY = LINKING + b'[[rule]]\nmeasure = "loss"\nat_most = 1\n'
STUDY = b'[columns]\nwho = "user"\ngoods = "item"\n'
TRUTH = b"release_user,original_user\np,ann\nq,bob\nr,cid\ns,dot\n"
AGES = b"31;3*;*\n35;3*;*\n40;4*;*\n"
SAID: dict[str, Any] = {
    "original": "shop.csv", "study": "study.toml", "truth": "who.csv", "hierarchies": "levels",
    "columns": ["goods", "age"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(SHOP, "shop.csv")
    pyarrow.csv.write_csv(RELEASE, "release.csv")
    Path("levels").mkdir()
    files = {
        "p.toml": POLICY,
        "linking.toml": LINKING,
        "study.toml": STUDY,
        "who.csv": TRUTH,
        "levels/age.csv": AGES,
    }
    for name, content in files.items():
        Path(name).write_bytes(content)
    return tmp_path


def told(verdict: Verdict) -> dict[str, str | None]:
    return {each.what: each.sha256 for each in verdict.inputs}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_what_is_edited_during_the_run_is_told_as_it_was_read() -> None:
    def edit(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        for name in ("p.toml", "study.toml"):
            Path(name).write_bytes(b"# nobody checked this\n")

    found = check("release.csv", "p.toml", **SAID, progress=edit)
    assert Path("p.toml").read_bytes() != POLICY
    assert told(found)["policy"] == sha256(POLICY)
    assert told(found)["study"] == sha256(STUDY)
    assert told(found)["hierarchies"] == sha256(AGES)


def test_a_policy_that_was_read_before_is_told_as_it_was_read() -> None:
    policy = policy_of("p.toml")
    Path("p.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 1000\n')
    assert told(check("release.csv", policy, **SAID))["policy"] == sha256(POLICY)


def test_a_study_that_was_read_before_is_told_as_it_was_read() -> None:
    study = read_study("study.toml")
    Path("study.toml").write_text('[columns]\nwho = "user"\nage = "ignore"\n')
    assert told(check("release.csv", "p.toml", **{**SAID, "study": study}))["study"] == sha256(STUDY)
    made = Study({"who": "user", "goods": "item"}, "study.toml")
    assert told(check("release.csv", "p.toml", **{**SAID, "study": made}))["study"] is None


def test_a_study_that_was_changed_after_it_was_read_has_no_digest_of_its_file() -> None:
    """The file says something else than what was used."""
    study = replace(read_study("study.toml"), roles={"who": "user", "goods": "item", "age": "ignore"})
    found = check("release.csv", "p.toml", **{**SAID, "study": study})
    assert [(each.name, each.sha256, each.reason) for each in found.inputs if each.what == "study"] == [
        ("study.toml (changed)", None, "it was changed in memory after it was read")
    ]


def test_files_that_are_read_twice_must_be_the_same() -> None:
    with note_files():
        input_bytes("p.toml")
        input_bytes("./p.toml")
        Path("p.toml").write_bytes(b"")
        with pytest.raises(InputError, match=r"p\.toml: changed while it was read"):
            input_bytes("p.toml")
        read_truth("who.csv")
        Path("who.csv").write_bytes(TRUTH.replace(b"p,ann\n", b""))
        with pytest.raises(InputError, match=r"who\.csv: changed while it was read"):
            read_truth("who.csv")


def test_secrets_leave_no_digest() -> None:
    recipe = {"seed": 123, "step": [{"step": "pseudonymise"}]}
    apply("shop.csv", recipe, user="who", out="release.csv", truth="who.csv", diary="diary.json")
    found = check("release.csv", "linking.toml", **{**SAID, "hierarchies": None}, recipe="diary.json")
    evidence = json.dumps(found.evidence())
    for name in ("who.csv", "diary.json"):
        assert sha256(Path(name).read_bytes()) not in evidence
    secrets = [each for each in found.inputs if each.what in ("truth", "recipe")]
    assert [(each.sha256, each.bytes, each.files) for each in secrets] == [(None, None, 1)] * 2
    assert all(str(each.reason).startswith("it is a secret") for each in secrets)


@pytest.mark.parametrize(("text", "hashed"), [("", True), ("seed = 7\n", False)])
def test_a_recipe_is_hashed_unless_it_tells_a_seed(text: str, hashed: bool) -> None:
    recipe = f'{text}[[step]]\nstep = "pseudonymise"\n'.encode()
    Path("recipe.toml").write_bytes(recipe)
    found = told(check("release.csv", "linking.toml", **{**SAID, "hierarchies": None}, recipe="recipe.toml"))
    assert found["recipe"] == (sha256(recipe) if hashed else None)


def test_a_truth_map_is_read_beside_an_original_whatever_the_rules_ask() -> None:
    Path("k.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 1\n')
    found = check("release.csv", "k.toml", **SAID)
    reasons = {each.what: each.reason for each in found.inputs}
    # who is who is always looked at beside an original: by the order of the records, and by names
    assert str(reasons["truth"]).startswith("it is a secret")


def test_a_people_table_that_changes_is_refused() -> None:
    Path("people.csv").write_text("who,sex\nann,f\nbob,m\ncid,m\ndot,f\n")

    def edit(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        Path("people.csv").write_text("who,sex\nann,f\nbob,f\ncid,f\ndot,f\n\n")

    with pytest.raises(InputError, match=r"people\.csv: changed while it was read"):
        check("release.csv", "p.toml", **SAID, people_table="people.csv", groups="sex", progress=edit)


def test_a_policy_that_was_changed_in_memory_is_not_what_it_is_called_after(tmp_path: Path) -> None:
    table = pyarrow.table({"kind": ["x"] * 30})
    public = built_in_policy("public")
    (tmp_path / "own.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 50\n')
    own = policy_of(tmp_path / "own.toml")
    for whole, rules in ((public, public.rules[:1]), (own, (Rule("k", at_least=1),))):
        assert whole.is_as_written
        changed = replace(whole, rules=rules)
        verdict = check(table, changed, user="none")
        assert verdict.policy == f"{whole.called} (changed)"
        digest = next(each for each in verdict.inputs if each.what == "policy")
        assert digest.sha256 is None
        assert digest.reason


def test_how_far_a_table_may_go_names_the_policy_that_decides() -> None:
    for table in (pyarrow.table({"kind": ["x"] * 30}), pyarrow.table({"kind": ["x", "y"]})):
        decision = assess(table, user="none", sensitive=["none"]).decision
        digest = next(each for each in decision.inputs if each.what == "policy")
        assert digest.name == decision.policy
        assert digest.sha256 == hashlib.sha256(built_in_text(decision.policy).encode()).hexdigest()
