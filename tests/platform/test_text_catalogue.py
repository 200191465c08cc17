"""Texts of pages: every language has every key, and every key that a page asks for is there."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import singleout.platform as platform
import singleout.platform.web as web
from singleout.attacks.catalogue import KINDS
from singleout.platform import board, published_recipe, scorer
from singleout.platform.contest import (
    AUDIENCES,
    FAMILIES,
    PARTS,
    PHASE_KINDS,
    TEMPLATES,
    TRUTH_RULES,
    UNCERTAIN_RULES,
)
from singleout.platform.guess_table import HEADER
from singleout.platform.map_contradiction import MapContradiction
from singleout.platform.refusal import STATUS, RefusalError
from singleout.platform.scorer import Problem
from singleout.platform.store.evaluations import OLDER_VERSION
from singleout.platform.store.schema import CONTEST_STATES, JOB_KINDS, ROLES, SUBMISSION_STATES
from singleout.platform.web.metric_titles import OTHERS, title_of
from singleout.platform.web.text_catalogue import DEFAULT, LANGUAGES, catalogue
from singleout.utility.catalogue import UTILITY_MEASURES

FOLDER = Path(web.__file__).parent
ASKED = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_-]+)["']\s*[,)]""")
CHARTS = ("releases", "submission-rates", "metric-scatter", "submission-history")
# of keys that are put together, what may follow the dot
FAMILIES_OF_KEYS = {
    "state": SUBMISSION_STATES, "role": ROLES, "contest_state": CONTEST_STATES, "phase": PHASE_KINDS,
    "truth": TRUTH_RULES,
    "family_short": FAMILIES, "family": FAMILIES, "template": TEMPLATES, "refusal": STATUS,
    "sign": ("in", "up", "admin"),
    "chart": CHARTS, "chart_says": CHARTS, "part": PARTS, "audience": AUDIENCES, "uncertain": UNCERTAIN_RULES,
}  # fmt: skip


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_key_with_the_same_places_to_fill(language: str) -> None:
    own, english = catalogue(language).texts, catalogue("en").texts
    assert list(own) == list(english)
    assert [key for key in own if placeholders(own[key]) != placeholders(english[key])] == []
    assert [key for key, text in own.items() if not text.strip()] == []


def test_every_key_that_is_asked_for_is_there() -> None:
    sources = [*FOLDER.glob("templates/*.html"), *FOLDER.glob("*.py")]
    asked = {key for each in sources for key in ASKED.findall(each.read_text(encoding="utf-8"))}
    asked |= {f"{family}.{name}" for family, names in FAMILIES_OF_KEYS.items() for name in names}
    assert len(asked) > 100
    assert asked - {*catalogue("en").texts} == set()


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != DEFAULT])
def test_every_attack_and_metric_has_a_title(language: str) -> None:
    metrics = catalogue(language).metrics
    assert {*metrics["privacy"]} == {*KINDS, *OTHERS}
    assert {*metrics["utility"]} == {each.name for each in UTILITY_MEASURES}
    assert catalogue(language).metric_title("total_variation.fare", "utility").endswith("(fare)")


OTHERS_THAN_ENGLISH = [each for each in LANGUAGES if each != DEFAULT]
# what says something about an upload, and where: the first argument of these calls
YIELD = "yield"
TELLERS = {
    "scorer.py": ("Problem", "_located"), "guess_table.py": ("Problem", "add"),
    "published_recipe.py": ("Problem",), "uploaded_metric.py": ("UsageError", YIELD),
    "sandbox/guest.py": ("MetricError",), "contest.py": (YIELD,), "attack_rules.py": (YIELD,),
}  # fmt: skip
SAID_ELSEWHERE = (
    HEADER, scorer.NOT_MADE, scorer.NO_RISK, scorer.NOBODY, scorer.AT_LEAST.format("fare, date"),
    published_recipe.NONE, published_recipe.NEEDED, board.NOT_ATTACKED, board.NOBODY_GUESSED, board.NO_HOUSE,
    board.NOT_RUN.format("kept"), MapContradiction(3, 40, True).text, MapContradiction(3, 40, False).text,
    "records was not made; at least this much, for not all could be compared: fare",
)  # fmt: skip
# the words of others: Python's, DuckDB's, the library's
NOT_OURS = (
    "metric: x",
    "a table could not be read: x",
    "x: x",
    "x is not installed here; take the tables as arrow",
)


def said_in(file: str) -> Iterator[str]:
    """Each sentence with x for what it tells of; what is put together elsewhere is not seen here."""
    tree = ast.parse((Path(platform.__file__).parent / file).read_text(encoding="utf-8"))
    for said in filter(None, (_said_by(each, TELLERS[file]) for each in ast.walk(tree))):
        if isinstance(said, (ast.Constant, ast.JoinedStr)):
            parts: list[ast.expr] = [*said.values] if isinstance(said, ast.JoinedStr) else [said]
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "x" for each in parts)


def _said_by(node: ast.AST, tellers: tuple[str, ...]) -> ast.expr | None:
    if isinstance(node, ast.Yield) and YIELD in tellers:
        return node.value
    if isinstance(node, ast.Call) and node.args:
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return node.args[0] if called in tellers else None
    return None


@pytest.mark.parametrize("language", OTHERS_THAN_ENGLISH)
def test_what_is_wrong_with_an_upload_is_told_in_every_language(language: str) -> None:
    said = [text for file in TELLERS for text in said_in(file)]
    assert len(said) > 70
    # a hint is told in place of a second x
    told = {
        text: catalogue(language).told(text.replace("; x", "; there are 'a'"))
        for text in (*said, *SAID_ELSEWHERE)
        if text not in NOT_OURS
    }
    assert [text for text, wanted in told.items() if "lang=" in wanted or wanted == text] == []


def texts_of(said: ast.expr) -> Iterator[str]:
    """With x for what it tells of."""
    if isinstance(said, ast.IfExp):
        yield from (*texts_of(said.body), *texts_of(said.orelse))
    elif isinstance(said, (ast.Constant, ast.JoinedStr)):
        parts: list[ast.expr] = [*said.values] if isinstance(said, ast.JoinedStr) else [said]
        yield "".join(str(each.value) if isinstance(each, ast.Constant) else "x" for each in parts)


def said_to(teller: str, place: int, *folders: str) -> set[str]:
    """What is handed to a function or an error, in all files of some folders of the package."""
    files = (
        each for folder in folders for each in (Path(platform.__file__).parents[1] / folder).rglob("*.py")
    )
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return {
        text
        for node in nodes
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) == teller
        and len(node.args) > place
        for text in texts_of(node.args[place])
    }


AUDITED = {
    "make x": [f"make {each}" for each in ROLES],
    "contest: x": [f"contest: {each}" for each in CONTEST_STATES],
    "x failed": [f"{each} failed" for each in JOB_KINDS],
}  # fmt: skip
WALLS = (
    "bubblewrap holds: 79 break-outs tried, 0 succeeded",
    "landlock holds: 9 break-outs tried, 0 succeeded but what it can not stop (know_the_name_of_the_machine)",
    "landlock does not hold: read_a_file, be_root",
    "no uploaded metric runs here: there is no sandbox for this kind of machine",
    "no uploaded metric runs here: bubblewrap can't be used here (no file); landlock does not hold: be_root",
)  # fmt: skip


@pytest.mark.parametrize("language", OTHERS_THAN_ENGLISH)
def test_reasons_progress_and_the_audit_log_are_told_in_every_language(language: str) -> None:
    reasons = said_to("NoAnswerError", 0, "utility")
    doing = said_to("progress", 0, "utility", "attacks", "platform")
    done = said_to("record", 2, "platform/store", "platform/web")
    assert min(len(reasons) - 15, len(doing) - 10, len(done) - 25) > 0
    done = {text for each in done for text in AUDITED.get(each, [each])} | {"disqualify", "qualify again"}
    titles = {title_of(each.name, "utility") for each in UTILITY_MEASURES}
    told = {
        text: catalogue(language).told(text)
        for text in (*reasons, *doing, *done, *titles, *WALLS, "account 3", OLDER_VERSION)
    }
    assert [text for text, wanted in told.items() if "lang=" in wanted or wanted == text] == []


def test_several_faults_in_a_line_are_told_one_by_one() -> None:
    said = (
        "the map: line 2: original_user not in the original; correct it; lines 3 and 7 name the same "
        "release_user; keep one"
    )
    assert catalogue("ja").told(said) == (
        "対応表: 2 行目: original_user が元データにいません。直してください。"
        "3 と 7 行目に同じ release_user があります。1 つにしてください"
    )


def test_where_it_is_wrong_is_told_in_japanese() -> None:
    japanese = catalogue("ja")
    for problem, told in (
        (
            Problem("is no number; write all like 35 or 2.5", "fare", 1, (4,)),
            "列 fare、レコード 4: 数値ではありません",
        ),
        (
            Problem("is nobody of the original", None, 5, (1, 2, 3)),
            "レコード 1, 2, 3 ほか 2 件: 元データにいない人です",
        ),
        (
            Problem("is missing; a submission has all columns of the original", "a: b, c"),
            "列 a: b, c: ありません",
        ),
    ):
        assert japanese.problem(problem.as_dict()).startswith(told)
        assert catalogue("en").problem(problem.as_dict()) == problem.text
    strange = Problem("<b>who knows</b>", "<i>")
    assert japanese.problem(strange.as_dict()) == (
        '列 &lt;i&gt;: <span lang="en">&lt;b&gt;who knows&lt;/b&gt;</span>'
    )


def test_a_refusal_in_japanese_tells_what_is_wrong() -> None:
    japanese = catalogue("ja")
    lacking = RefusalError("bad_metric", "metric: the header lacks name, range")
    assert "ヘッダーに name, range がありません" in japanese.refusal(lacking)
    assert "50 MB" in japanese.refusal(RefusalError("too_large", "a file may have 50 MB at most"))
    unknown = RefusalError("bad_file", "<script> of no kind")
    assert '<span lang="en">&lt;script&gt; of no kind</span>' in japanese.refusal(unknown)
    assert "English" not in japanese.refusal(RefusalError("not_found", "English that nobody translated"))


def test_somebody_s_own_words_keep_no_page_busy_and_fill_nothing() -> None:
    begun = time.process_time()
    for text in ("metric: " * 10_000, "column " * 250, "can't be read; x (" + " (" * 900):
        assert text.split()[-1] in catalogue("ja").told(text)
    assert catalogue("ja").told("{0} {name} was not made").startswith("{0} {name} ")
    assert time.process_time() - begun < 2
