"""Reports: what is on the page, in what order, and what never is."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout.errors import UsageError
from singleout.investigation.remedies import Remedies, Trial
from singleout.investigation.result import Investigation, TellingValue
from singleout.report.pages.page import Conclusion, Report, Section
from singleout.result_table import Heading, ResultTable
from singleout.risk.attribute_risk import RISK

HOSTILE = '<script>alert("x")</script>'


class Outline(HTMLParser):
    """Every tag with its attributes, the words on the page, and what was opened but not closed."""

    EMPTY = ("meta", "link", "img", "br", "hr", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, each in self.tags if (value := each.get(name)) is not None]


def shop() -> pyarrow.Table:
    return pyarrow.table(
        {
            "who": ["ann", "ann", "bob", "bob", "cid", "dora"],
            "day": ["2024-01-01", "2024-01-02", "2024-01-01", "2024-02-03", "2024-01-01", "2024-02-03"],
            "goods": ["secret tea", "milk", "milk", "milk", "salt", "milk"],
        }
    )


def page_of(found: object) -> Outline:
    outline = Outline(singleout.report_on(found).to_html())
    assert outline.open == []
    return outline


def test_a_page_is_whole_and_needs_nothing_else() -> None:
    outline = page_of(singleout.assess(shop(), user="who"))
    assert not set(outline.values("src")) | {
        each for each in outline.values("href") if not each.startswith("#")
    }
    ids = outline.values("id")
    assert len(set(ids)) == len(ids)
    for target in [*outline.values("popovertarget"), *(each[1:] for each in outline.values("href"))]:
        assert target in ids


def test_no_two_places_of_a_page_have_one_name() -> None:
    """A few known records stand there twice: among the people of the table, and among everybody."""
    asked = {"population": 100, "points": [1, 2], "reference": shop(), "reference_user": "who"}
    outline = page_of(singleout.investigate(shop(), user="who", columns=["day", "goods"], **asked))
    ids = outline.values("id")
    assert {"population", "reference", "known-records", "known-records-of-all"} <= set(ids)
    assert [each for each in outline.words if each.strip().endswith("..")] == []
    assert len(set(ids)) == len(ids)


def test_every_number_of_a_table_has_its_definition_at_hand() -> None:
    report = singleout.report_on(singleout.assess(shop(), user="who"))
    outline = Outline(report.to_html())
    for measure in report.measures:
        assert f"def-{measure.name}" in outline.values("popovertarget")
        assert measure.formula in outline.words
        assert measure.missing in outline.words
        assert measure.reference in outline.words
    assert {"risk", "people_alone", "alpha"} <= {measure.name for measure in report.measures}


def test_no_value_of_a_person_is_on_the_page() -> None:
    text = singleout.report_on(singleout.investigate(shop(), user="who")).to_html()
    for secret in ("ann", "bob", "cid", "dora", "secret tea", "milk", "2024-01-01", "2024-02-03"):
        assert not re.search(rf"\b{secret}\b", text), secret


def test_values_are_there_when_asked_for() -> None:
    report = singleout.report_on(singleout.investigate(shop(), user="who", show_values=True))
    assert "secret tea" in report.to_html()
    assert ("Raw values on this page", "shown, as asked for") in report.facts


def test_names_of_columns_are_text_whatever_they_hold() -> None:
    table = pyarrow.table({"who": ["a", "a", "b"], HOSTILE: ["x", "y", "y"], "漢字 [1].é": ["1", "2", "2"]})
    report = singleout.report_on(singleout.investigate(table, user="who"))
    page = report.to_html()
    assert HOSTILE not in page
    assert len([tag for tag, _ in Outline(page).tags if tag == "script"]) == 1


def test_the_script_of_the_page_is_the_one_that_its_policy_allows() -> None:
    from base64 import b64encode
    from hashlib import sha256

    page = singleout.report_on(singleout.assess(shop(), user="who")).to_html()
    script = page.partition("<script>")[2].partition("</script>")[0]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'".replace("'", "&#39;") in page or f"'sha256-{digest}'" in page


def test_the_first_page_says_what_to_do_from_what_was_tried() -> None:
    before = Trial("day", "exact", "as it is", 3, 0.6, 0.9, 1, 4, 3, "")
    month = Trial("day", "month", "day to the month", 2, 0.3, 0.5, 2, 0, 0, "[[step]]")
    remedies = Remedies(0.4, before, (month,), (month,), month)
    found = Investigation(singleout.assess(shop(), user="who", columns=["day"]), remedies=remedies)
    first, second, *_ = singleout.report_on(found).conclusions
    assert (
        first.found
        == "1 of 4 people (25%) can be singled out: they have at least one record like nobody else's."
    )
    tried = "This helps and is not enough: nobody is left alone with day to the month"
    assert first.advice.startswith(f"{tried}; the average risk falls from 0.9 to 0.5.\nThe command ")
    assert "day to the month gives a risk of 0.3" in second.advice
    assert "Exact: counted over all 6 records" in second.certainty


def test_a_table_in_which_nobody_stands_out_says_so() -> None:
    table = pyarrow.table({"town": ["x"] * 6 + ["y"] * 5})
    first = singleout.report_on(singleout.assess(table)).conclusions[0]
    shared = "Every combination of values is shared by at least 5 records (k-anonymity with k = 5)."
    assert first.found == shared
    assert "Nothing" not in first.advice


def test_telling_values_carry_a_warning() -> None:
    assessed = singleout.assess(shop(), user="who", columns=["goods"])
    found = Investigation(assessed, telling=(TellingValue("goods", "secret tea", 1, 1),))
    (section,) = (each for each in singleout.report_on(found).sections if each.name == "values")
    assert section.tables[0].rows == (("goods", "secret tea", 1, 1),)
    assert "keep this page safe" in section.lead[0]


def test_a_report_saves_itself_whole_and_shows_itself_in_a_frame(tmp_path: Path) -> None:
    report = singleout.report_on(singleout.assess(shop(), user="who"))
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.to_html()
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    frame = report._repr_html_()
    assert frame.startswith("<iframe")
    assert "<script>" not in frame


def test_a_report_is_the_same_each_time() -> None:
    first, second = (
        singleout.report_on(singleout.investigate(shop(), user="who")).to_html() for _ in range(2)
    )
    assert first == second


def test_there_is_no_report_on_other_things() -> None:
    with pytest.raises(UsageError, match="no report on a dict; give what investigate"):
        singleout.report_on({})


def test_a_report_by_hand() -> None:
    table = ResultTable(
        "Risk", (Heading("name", "attribute"), Heading.of("risk", "risk", RISK)), (("a", 0.5),)
    )
    section = Section("one", "One", ("A sentence.",), tables=(table,))
    report = Report(
        "A title", (("What", "this"),), (Conclusion("It is.", "Do.", "Sure."),), (section,), ("Mind.",)
    )
    outline = Outline(report.to_html())
    words = {each.strip() for each in outline.words}
    assert {"A title", "It is.", "Do.", "Sure.", "A sentence.", "Mind.", "0.5"} <= words
    assert report.measures == (RISK,)


def test_titles_stand_over_their_numbers() -> None:
    headings = tuple(Heading(name, name) for name in ("name", "late", "none", "word"))
    table = ResultTable("Ends", headings, (("a", None, None, None), ("b", 0.5, None, "x")))
    section = Section("one", "One", (), tables=(table,))
    page = Report("A title", (), (), (section,), ()).to_html()
    titles = re.findall(r'<th scope="col" role="columnheader"( class="number")?>(\w+)', page)
    assert [name for style, name in titles if style] == ["late", "none"]


def trial(words: str, alone: int, granularity: str | None = "month", risk: float = 0.1) -> Trial:
    return Trial(words.split()[0], granularity, words, 9, risk, alone / 10, 1, alone, alone, f"# {words}\n")


def first_advice(remedies: Remedies | None) -> str:
    assessed = singleout.assess(shop(), user="who", columns=["day", "goods"])
    return singleout.report_on(Investigation(assessed, remedies=remedies)).conclusions[0].advice


def test_advice_names_the_numbers_of_what_it_names() -> None:
    before, month, out = trial("all", 9), trial("day to the month", 8), trial("goods left out", 2, None)
    both = trial("all of these", 1)
    told = first_advice(Remedies(0.05, before, (month, out), (month, out), both))
    not_enough = (
        "This helps and is not enough: 1 person still stands out with day to the month and goods left"
    )
    assert told.startswith(not_enough)
    told = first_advice(Remedies(0.05, before, (month, out), (month,), month))
    assert told.startswith("This hardly helps: 8 people still stand out with day to the month; the average")
    # nothing is above the limit by itself, so nothing is chosen: the best of all that was tried
    told = first_advice(Remedies(0.05, before, (month, out), (), None))
    assert "most helps goods left out, and is not enough: 2 people still stand out" in told
    # everything would be left out: no number of one trial may stand for all
    told = first_advice(Remedies(0.05, before, (out,), (out, out), None))
    assert "nothing would be left to release" in told
    assert "2" not in told.replace("--k 5", "")
    assert "was not tried: singleout assess --html" in first_advice(None)


def test_the_recipe_releases_what_was_assessed_and_no_names(tmp_path: Path) -> None:
    table = shop().append_column("receipt", pyarrow.array([str(place) for place in range(6)]))
    found = singleout.investigate(table, user="who", columns=["day", "goods"], limit=0.3)
    report = singleout.report_on(found)
    (tmp_path / "recipe.toml").write_text(report.recipe)
    singleout.apply(table, tmp_path / "recipe.toml", user="who", out=tmp_path / "out.parquet")
    released = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert found.remedies is not None
    kept = [name for name in ("day", "goods") if f"{name} left out" not in report.recipe]
    assert {*released.column_names} <= {"who", *kept}
    assert not {*released["who"].to_pylist()} & {*table["who"].to_pylist()}
    assert ("Not looked at, and not in the advice", "receipt") in report.facts
    again = singleout.assess(tmp_path / "out.parquet", user="who")
    assert again.classes is not None
    assert again.classes.people_alone is not None
    assert found.remedies.together is not None
    assert again.classes.people_alone.value == found.remedies.together.people_alone


def test_the_papers_behind_the_numbers_are_named() -> None:
    page = singleout.report_on(singleout.assess(shop(), user="who")).to_html()
    assert "Attacker Models with a Variety of Background Knowledge" in page


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__", "valueOf", "length", "datum"])
def test_a_column_may_be_called_like_something_of_javascript(name: str) -> None:
    page = singleout.report_on(
        singleout.investigate(shop().rename_columns(["who", name, "goods"]), user="who")
    )
    assert page.to_html().count("<figure") > 8


def test_no_mark_is_nowhere_where_one_column_is_known() -> None:
    page = singleout.report_on(singleout.investigate(shop(), user="who", columns=["goods"])).to_html()
    assert "NaN" not in page


def test_a_million_records_make_a_light_report() -> None:
    """Charts are drawn from bins and the first of long lists, however many records and values there are."""
    draw, many = numpy.random.default_rng(0), 1_000_000
    days = numpy.array(["2024-01-01"], dtype="datetime64[D]") + draw.integers(0, 700, many)
    table = pyarrow.table(
        {
            "who": draw.integers(0, 40_000, many),
            "day": days.astype(str),
            "price": draw.gamma(2, 100, many).round(2),
            "shop": draw.integers(0, 5_000, many),
        }
    )
    found = singleout.investigate(table, user="who")
    assert found.assessment.records == many
    assert found.points is not None
    assert found.remedies is not None
    assert len(singleout.report_on(found).to_html().encode()) < 1_000_000
