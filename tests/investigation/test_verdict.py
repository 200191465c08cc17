"""What a report must decide, and the sentences that must and must not be in it, one fixture a case."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import singleout
from singleout import Study
from singleout.cli.main import main
from singleout.errors import UsageError
from singleout.investigation.investigate import investigate
from singleout.investigation.release_ways import toml_text, write_command
from singleout.policy.verdict.decision import HEADLINES
from singleout.report.pages.advice import known_records_advice, least_unique_way

ALL_LINES = set(HEADLINES.values())
FIRST = ["Ada", "Bob", "Cid", "Dora", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon"]
LAST = ["Archer", "Baker", "Cooper", "Dyer", "Fisher", "Gardener", "Hunter", "Mason", "Potter", "Smith"]


def text_of(found: singleout.Investigation | singleout.Verdict) -> str:
    """The page as it is read: without tags."""
    page = singleout.report_on(found, date="2026-11-16").to_html()
    body = re.sub(r"<(style|script)[^>]*>.*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


@pytest.fixture(scope="module")
def shop() -> pyarrow.Table:
    table = singleout.sample("shop", people=40)
    assert isinstance(table, pyarrow.Table)
    return table


@pytest.fixture(scope="module")
def people() -> pyarrow.Table:
    """Names, e-mails and phones beside columns in which everybody has eleven others like them."""
    names = [f"{first} {last}" for first in FIRST for last in LAST][:96]
    return pyarrow.table(
        {
            "name": names,
            "email": [f"{name.lower().replace(' ', '.')}@example.org" for name in names],
            "phone": [f"+44 20 7946 {index:04}" for index in range(96)],
            "sex": ["f", "m"] * 48,
            "decade": [str(1950 + 10 * (index % 8 // 2)) for index in range(96)],
        }
    )


@pytest.fixture(scope="module")
def uniform() -> pyarrow.Table:
    """Groups of six, each with one diagnosis: nobody is singled out, and everything is known."""
    return pyarrow.table(
        {
            "age": [str(20 + index // 6) for index in range(240)],
            "diagnosis": ["abcde"[index // 6 % 5] for index in range(240)],
        }
    )


def safe(people: int = 960) -> pyarrow.Table:
    """Groups of twelve times ten, with four values that nothing else tells."""
    return pyarrow.table(
        {
            "sex": ["f", "m"] * (people // 2),
            "decade": [str(1950 + 10 * (index % 8 // 2)) for index in range(people)],
            "illness": ["abcd"[index * 7 // 8 % 4] for index in range(people)],
        }
    )


def test_the_shop_is_not_to_be_released(shop: pyarrow.Table) -> None:
    found = investigate(shop, user="customer")
    text = text_of(found)
    assert found.decision is not None
    assert found.decision.answer == "do_not_release"
    assert "Do not release as it is" in text
    assert "Release the table with" not in text
    assert "is not enough" in text or "hardly helps" in text
    assert not (ALL_LINES - {"Do not release as it is"}) & {line for line in ALL_LINES if line in text}
    assert "What to do Nothing" not in text


def test_the_shop_without_its_people_is_refused(shop: pyarrow.Table) -> None:
    for ask in (singleout.assess, singleout.investigate):
        with pytest.raises(UsageError, match="'customer' seems to name the person"):
            ask(shop)
    assert singleout.assess(shop, user="none", sensitive=["none"]).people == shop.num_rows


def test_the_recipe_on_the_page_is_complete(shop: pyarrow.Table) -> None:
    """It names the person, so that applying it needs nothing else; the command stands beside it."""
    report = singleout.report_on(investigate(shop, user="customer"))
    recipe = tomllib.loads(report.recipe)
    assert recipe["user"] == "customer"
    assert "singleout deidentify apply" in report.apply
    assert singleout.apply(shop, recipe).people == 40


@pytest.mark.parametrize("road", ["no study", "suggested study", "role ignore"])
def test_names_stop_the_line_by_every_road(road: str, people: pyarrow.Table, tmp_path: Path) -> None:
    study: Study | None = None
    if road == "suggested study":
        file = tmp_path / "study.toml"
        table = tmp_path / "people.csv"
        pyarrow.csv.write_csv(people, table)
        assert main(["roles", str(table), "--suggest", "--out", str(file)]) == 0
        study = singleout.read_study(file)
    if road == "role ignore":
        study = Study({"name": "ignore", "email": "ignore", "phone": "ignore"})
    found = investigate(people, study=study, sensitive=["none"])
    text = text_of(found)
    assert found.decision is not None
    assert found.decision.answer == "do_not_release"
    for column in ("name", "email", "phone"):
        assert any(f"column {column} leads to people" in each for each in found.decision.reasons)
    assert "phone in steps of" not in text
    assert "What to do Nothing" not in text
    verdict = singleout.check(people, {"rule": [{"measure": "k", "at_least": 1}]}, study=study)
    assert not verdict.passed
    assert verdict.decision.answer == "do_not_release"


def test_a_policy_may_allow_what_looks_like_names(people: pyarrow.Table) -> None:
    table = people.select(["email", "sex"])
    rules = [{"measure": "k", "at_least": 2, "columns": ["sex"]}]
    verdict = singleout.check(table, {"allow_identifiers": ["email"], "rule": rules})
    assert verdict.passed
    assert verdict.decision.answer == "conditions"
    assert any("email names nobody" in each for each in verdict.decision.conditions)
    assert verdict.evidence()["identifiers"][0]["allowed"] is True


def test_groups_that_are_all_alike_give_away_the_diagnosis(uniform: pyarrow.Table) -> None:
    found = investigate(uniform, sensitive=["diagnosis"])
    text = text_of(found)
    assert found.decision is not None
    assert found.decision.answer == "do_not_release"
    assert any("l-diversity" in each for each in found.decision.reasons)
    assert "diagnosis is given away for 240 of 240 people" in text
    # the page tried it, though the verdict did not need it
    assert "guesses it right for" in text
    assert "Not tried: guesses beyond the base rate" not in text
    # what was made of the table and keeps the policy is not called unmeasured
    assert any(way.reaches for way in found.ways)
    assert text.count("keeps what the policy asks of diagnosis: it stands above") == 2
    assert "was not measured here" not in text.partition("The evidence")[0]
    # groups of six are no objection to singling out, and no ✓ beside a table that must not go out
    assert "✗ Every combination" not in text and "✓ Every combination" not in text
    assert text.index("Do not release as it is") < text.find("No objection") or "No objection" not in text


def test_groups_that_are_all_alike_are_no_verdict_where_nobody_said_what_is_sensitive(
    uniform: pyarrow.Table,
) -> None:
    found = investigate(uniform)
    text = text_of(found)
    assert found.decision is not None
    assert found.decision.answer == "not_judged"
    assert "say --sensitive diagnosis, or --sensitive none" in found.decision.reasons[0]
    assert "No objection" not in text
    assert "Not tried: what can be learned about people" in text
    other = investigate(uniform.rename_columns(["age", "ward"])).decision
    assert other is not None
    assert other.answer == "conditions"


def test_the_search_that_is_advised_guards_what_is_sensitive() -> None:
    """All have one diagnosis, so that no way reaches the policy."""
    table = pyarrow.table({"age": [str(index) for index in range(8)], "diagnosis": ["a"] * 8})
    text = text_of(investigate(table, sensitive=["diagnosis"]))
    assert "singleout protect Table --user none --sensitive diagnosis --policy" in text


def test_a_safe_table() -> None:
    found = investigate(safe(), sensitive=["illness"])
    text = text_of(found)
    assert found.decision is not None
    assert (found.decision.answer, found.decision.policy) == ("no_objection", "public")
    assert "No objection found by what was tried" in text
    assert "Do not release" not in text
    inference = singleout.assess(safe(), sensitive=["illness"]).to_dict()["sensitive"][0]["inference"]
    assert {"rate", "baseline", "low", "high"} <= {*inference}


def test_safe_only_after_the_advice(tmp_path: Path) -> None:
    """Ages in years stand alone, in decades nobody does: what is advised is done here, and judged again."""
    ages = [str(20 + index % 40) for index in range(480)]
    ages[0] = "61"
    table = pyarrow.table({"age": ages, "sex": ["f", "m"] * 240})
    found = investigate(table, sensitive=["none"], limit=0.01)
    assert found.decision is not None
    assert found.decision.answer == "do_not_release"
    reached = [way for way in found.ways if way.reaches]
    assert reached
    source = tmp_path / "table.csv"
    pyarrow.csv.write_csv(table, source)
    commands = reached[0].commands
    assert commands[-1].startswith("singleout deidentify ")
    release = _follow(reached[0], report=singleout.report_on(found), table=source, folder=tmp_path)
    again = singleout.assess(release, sensitive=["none"])
    assert (again.decision.answer, again.decision.policy) == (
        reached[0].decision.answer,
        reached[0].decision.policy,
    )


def test_what_would_do_was_attacked_by_somebody_who_knows_the_recipe() -> None:
    """One of 400 people stands out; in groups of 3 the other 399 have ten ages, one of which is right."""
    ages = [str(20 + record // 2 % 10) for record in range(800)]
    ages[:2] = ["31", "31"]
    table = pyarrow.table({"who": [f"p{record // 2}" for record in range(800)], "age": ages})
    found = investigate(table, user="who", sensitive=["none"], limit=0.02)
    (way,) = (each for each in found.ways if each.reaches)
    assert way.recognised == pytest.approx(10 / 399)
    text = text_of(found)
    assert "knows how the release was made recognises 2.5% of the people" in text
    # the advice by itself is a recipe that is not enough, and says so where it is to be copied
    assert "This is not enough for the policy “internal sharing”: 1 person still stands out" in text


def test_dummies_have_the_price_that_is_told(
    shop: pyarrow.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its commands are run here, and what comes out is attacked by whoever has all that it is made of."""
    file = tmp_path / "shop.csv"
    pyarrow.csv.write_csv(shop, file)
    told, _ = investigate(file, user="customer").alternatives
    recipe, apply, once, hide = told.commands
    (tmp_path / "items.toml").write_text(shlex.split(recipe)[2].encode().decode("unicode_escape"))
    assert once == "awk '!seen[$0]++' items.csv > once.csv"
    assert main(_placed(apply, tmp_path)) == 0
    lines = (tmp_path / "items.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "once.csv").write_text("\n".join(dict.fromkeys(lines)) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main([*_placed(hide, tmp_path), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert told.price.startswith(f"{made['dummies']:,} made-up records beside {made['records']:,} real ones")
    assert f"at most {math.ceil(1000 * made['bound']) / 1000:.1%} of the people" in told.keeps
    rules = [
        {"measure": "people.k", "at_least": 3},
        {"measure": "attack.best.bound", "at_most": made["bound"]},
    ]
    verdict = singleout.check(
        tmp_path / "release.csv", {"rule": rules}, user="customer", item="goods", sensitive=["none"],
        original=tmp_path / "once.csv", truth=tmp_path / "who.csv",
    )  # fmt: skip
    assert all(each.passed for each in verdict.rules), verdict.rules


def test_counts_have_the_price_that_is_told(shop: pyarrow.Table) -> None:
    """Of the goods, those that three people have, and their records."""
    *_, told = investigate(shop, user="customer", columns=["goods"]).alternatives
    pairs = list(zip(shop["customer"].to_pylist(), shop["goods"].to_pylist(), strict=True))
    people = Counter(goods for _, goods in set(pairs))
    kept = {goods for goods, many in people.items() if many >= 3}
    records = sum(goods in kept for _, goods in pairs)
    share = f"{1000 * records // len(pairs) / 10:g}%"
    assert told.price.startswith(
        f"left: {len(kept):,} of {len(people):,} values of goods ({share} of the records); lost: "
    )
    assert told.commands[0].startswith(
        "singleout assess Table --user customer --columns goods --value-risks "
    )


def test_what_else_there_is_is_not_said_where_a_way_reaches_the_policy() -> None:
    ages = [str(20 + index % 40) for index in range(480)]
    table = pyarrow.table({"age": [*ages[:-1], "61"], "sex": ["f", "m"] * 240})
    found = investigate(table, sensitive=["none"], limit=0.01)
    assert any(way.reaches for way in found.ways)
    assert found.alternatives == ()


def _placed(command: str, folder: Path) -> list[str]:
    """As somebody types it in the folder."""
    return [
        str(folder / word) if word.endswith((".csv", ".toml")) and "/" not in word else word
        for word in shlex.split(command)[1:]
    ]


def _follow(way: singleout.MeasuredWay, report: singleout.Report, table: Path, folder: Path) -> Path:
    """The commands of a report as somebody would type them, in a folder of their own."""
    (folder / "recipe.toml").write_text(report.recipe, encoding="utf-8")
    (folder / "hierarchies").mkdir()
    for command in way.commands:
        words = command.split()
        if words[0] != "singleout":
            continue
        put = [str(folder / word) if _is_place(word) else word for word in words[1:]]
        put = [str(table) if word == "Table" else word for word in put]
        assert main(put) == 0
    return folder / "release.csv"


def _is_place(word: str) -> bool:
    return word in ("recipe.toml", "release.csv", "who.csv", "hierarchies") or word.startswith("hierarchies/")


def test_a_release_whose_recipe_is_unknown_is_not_judged() -> None:
    """Shifted dates can be undone by their gaps, and nobody said how they were made."""
    day = [f"2024-{1 + person % 9:02}-{1 + index * 3:02}" for person in range(60) for index in range(4)]
    who = [f"p{person}" for person in range(60) for _ in range(4)]
    original = pyarrow.table({"who": who, "day": day})
    released = pyarrow.table({"who": who, "day": ["2025" + each[4:] for each in day]})
    rules = {"rule": [{"measure": "attack.best.rate", "at_most": 0.99}]}
    verdict = singleout.check(released, rules, user="who", original=original, time="day")
    assert not verdict.passed
    assert verdict.decision.answer in ("not_judged", "do_not_release")
    assert "No objection" not in text_of(verdict)


def test_a_gate_calls_no_attack_exact_and_says_what_would_help() -> None:
    who = [f"p{person}" for person in range(12) for _ in range(3)]
    goods = [f"{person * 5 % 7}{index}" for person in range(12) for index in range(3)]
    table = pyarrow.table({"who": who, "goods": goods})
    rules = {"rule": [{"measure": "attack.best.rate", "at_most": 0.01}]}
    text = text_of(singleout.check(table, rules, user="who", original=table, item="goods"))
    assert "May Table be released?" in text
    assert "Exact: counted, nothing drawn at random" not in text
    assert "somebody who finds a better one may recognise more" in text
    assert "singleout protect searches for the change that keeps a policy" in text


def test_the_page_asks_what_its_verdict_answers(shop: pyarrow.Table) -> None:
    report = singleout.report_on(investigate(shop, user="customer"))
    assert report.title == "May Table be released, and who is singled out in it?"


def test_a_way_that_is_not_judged_says_why_once(people: pyarrow.Table) -> None:
    table = people.append_column("diagnosis", pyarrow.array(["flu", "cold", "gout"] * 32))
    text = text_of(investigate(table))
    assert "is then “Not judged”, for nobody said whether diagnosis may be learned about people" in text
    assert "“Not judged: nobody said" not in text.partition("What was found")[2].partition("What it takes")[0]


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (0.9, "Of the coarser values that were tried, none helps much: known by "),
        (0.5, "Coarser values help and are not enough: known by "),
        (0, "Coarser values leave nobody as the only candidate: known by "),
    ],
)
def test_coarser_values_of_known_records_are_not_called_enough(
    shop: pyarrow.Table, left: float, told: str
) -> None:
    points = investigate(shop, user="customer", columns=["date", "time", "goods", "price"]).points
    assert points is not None
    assert points.enough is not None
    best = least_unique_way(points, points.enough)
    ways = [
        replace(each, unique=left * points.enough.unique) if each is best else each for each in points.unicity
    ]
    assert known_records_advice(replace(points, unicity=tuple(ways)), points.enough).startswith(told)


def test_kept_limits_stand_by_the_questions_of_the_regulator(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pyarrow.csv.write_csv(safe(), tmp_path / "safe.csv")
    assert main(["assess", str(tmp_path / "safe.csv"), "--user", "none", "--sensitive", "illness"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  found: ")]
    assert [line.split(": ")[1] for line in lines] == ["singling out", *["inference"] * 4]


def test_the_first_line_of_assess_is_the_verdict(
    shop: pyarrow.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shop.csv"
    pyarrow.csv.write_csv(shop, file)
    assert main(["assess", str(file), "--user", "customer", "--columns", "date,goods"]) == 0
    assert capsys.readouterr().out.startswith("✗ Do not release as it is (policy: internal sharing)")
    assert main(["assess", str(file), "--user", "customer", "--columns", "date,goods", "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert {"answer", "policy", "reasons"} <= {*verdict}
    assert verdict["answer"] == "do_not_release"


def test_a_reason_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "table.csv"
    place.write_text("sex,diagnosis\n" + "f,flu\nm,flu\n" * 20, encoding="utf-8")
    assert main(["assess", str(place), "--user", "none"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.count("say --sensitive diagnosis, or --sensitive none") == 1
    assert text.startswith("? Not judged: nobody said whether diagnosis may be learned about people")


def test_a_report_can_be_tied_to_its_files(shop: pyarrow.Table, tmp_path: Path) -> None:
    """Same day, same bytes; the digest is the file's own. A receipt is one person's, which no rule allows."""
    from hashlib import sha256

    file, pages = tmp_path / "shop.csv", [tmp_path / "a.html", tmp_path / "b.html"]
    pyarrow.csv.write_csv(shop, file)
    policy = tmp_path / "policy.toml"
    policy.write_text('[[rule]]\nmeasure = "people.k"\nat_least = 1\n', encoding="utf-8")
    for page in pages:
        words = ["check", str(file), "--user", "customer", "--policy", str(policy)]
        assert main([*words, "--html", str(page), "--date", "2026-11-16"]) == 1
    first, second = (page.read_text(encoding="utf-8") for page in pages)
    assert first.replace("a.html", "b.html") == second
    assert sha256(file.read_bytes()).hexdigest() in first
    assert sha256(policy.read_bytes()).hexdigest() in first
    assert "2026-11-16" in first
    assert "singleout check" in first


def test_a_wrong_day_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["assess", "x.csv", "--html", "a.html", "--date", "tomorrow"])
    assert "'tomorrow' is no day; write it like 2026-11-16" in capsys.readouterr().err


def test_what_a_policy_says_of_the_table_counts_for_the_assessment_too(tmp_path: Path) -> None:
    history = pyarrow.table(
        {"customer": ["a", "a", "b", "b"], "shop": ["x", "y", "x", "y"], "ill": ["no"] * 4}
    )
    rules = [{"measure": "people.k", "at_least": 2}]
    data = {"user": "customer", "columns": ["shop"], "sensitive": "ill"}
    found = singleout.assess(history, policy={"data": data, "rule": rules})
    assert (found.user, found.people) == ("customer", 2)
    assert found.classes and found.classes.columns == ("shop",)
    assert [each.column for each in found.sensitive] == ["ill"]
    assert investigate(history, policy={"data": data, "rule": rules}).assessment.user == "customer"
    (tmp_path / "study.toml").write_text('[columns]\ncustomer = "user"\nshop = "ignore"\n')
    (tmp_path / "policy.toml").write_text(
        '[data]\nstudy = "study.toml"\n[[rule]]\nmeasure = "people.k"\nat_least = 2\n'
    )
    found = singleout.assess(history, policy=tmp_path / "policy.toml")
    assert found.user == "customer"
    assert found.classes and found.classes.columns == ("ill",)
    by_caller = singleout.assess(
        history, user="none", policy={"data": data, "rule": [{"measure": "k", "at_least": 1}]}
    )
    assert by_caller.user is None


def test_commands_about_two_tables_that_were_joined_can_be_run(tmp_path: Path) -> None:
    who = [f"p{index // 4}" for index in range(80)]
    days = [f"2024-{1 + index % 7:02}-{1 + index * index % 28:02}" for index in range(80)]
    pyarrow.csv.write_csv(pyarrow.table({"who": who, "day": days}), tmp_path / "visits.csv")
    people = pyarrow.table({"who": [*dict.fromkeys(who)], "sex": ["f", "m"] * 10})
    pyarrow.csv.write_csv(people, tmp_path / "it's people.csv")
    joined = singleout.join_people(tmp_path / "visits.csv", tmp_path / "it's people.csv", user="who")
    report = singleout.report_on(investigate(joined.source, user="who"))
    join, apply = report.apply.splitlines()
    code = [each for section in report.sections for each in section.code]
    assert code[0] == join
    assert " joined with " not in "".join([apply, *code[1:]])
    script = join.replace("python ", f"{shlex.quote(sys.executable)} ", 1)
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True)
    assert pyarrow.parquet.read_table(tmp_path / "joined.parquet").column_names == ["who", "day", "sex"]
    (tmp_path / "recipe.toml").write_text(report.recipe, encoding="utf-8")
    words = shlex.split(apply.replace("joined.parquet", str(tmp_path / "joined.parquet")))[1:]
    assert main([str(tmp_path / word) if word.endswith((".csv", ".toml")) else word for word in words]) == 0


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_commands_write_any_name(tmp_path: Path, shell: str) -> None:
    name = "a\\n\"b' naïve 😀"
    written = write_command(f"user = {toml_text(name)}\n", "items.toml")
    subprocess.run([shell, "-c", written], cwd=tmp_path, check=True)
    assert tomllib.loads((tmp_path / "items.toml").read_text()) == {"user": name}


def test_counts_are_of_every_column() -> None:
    """Eight columns: six are told one by one."""
    columns = {f"type {at}": [f"{(row >> at) % 2}" for row in range(256)] for at in range(8)}
    impossible = {"rule": [{"measure": "k", "at_least": 2}, {"measure": "classes", "at_least": 10**6}]}
    *_, counts = investigate(pyarrow.table(columns), user="none", policy=impossible).alternatives
    assert "values of 2 more columns" in counts.price
    assert all(name in counts.commands[0] for name in columns)
