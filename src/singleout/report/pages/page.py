"""A report for the person who decides: what was found first, then the evidence, in one HTML file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from singleout.errors import printable_lines
from singleout.measurement import Measure
from singleout.policy.verdict.decision import QUESTIONS, Decision, RegulatorQuestion
from singleout.policy.verdict.digest import Digest
from singleout.references import cited_papers
from singleout.report.charts.chart import Chart
from singleout.report.pages.provenance import provenance
from singleout.report.wording import SIGNS
from singleout.result_table import ResultTable
from singleout.version import VERSION

if TYPE_CHECKING:
    from jinja2 import Template

Weight = Literal["against", "open", "for", "neither"]
# the sign, and what it says to whoever does not see it
WEIGHT_SIGNS: dict[Weight, tuple[str, str]] = {
    "against": ("✗", "speaks against a release"),
    "open": ("?", "leaves it open"),
    "for": ("✓", "no objection"),
    "neither": ("·", "about use"),
}
# longer texts do not fit side by side in a narrow window
WORDY = 28


@dataclass(frozen=True)
class Conclusion:
    """What was found, what to do about it, and how sure that is: each a sentence or two in plain words.

    `advice` is empty where nothing has to be done, and has a line for each of several ways. `measures` are
    the definitions of its numbers; `question` is which of the regulator's it answers, None for what is about
    the use of the data; `weight` is whether it speaks against a release.
    """

    found: str
    advice: str
    certainty: str
    measures: tuple[Measure, ...] = ()
    question: RegulatorQuestion | None = None
    weight: Weight = "neither"


@dataclass(frozen=True)
class QuestionAnswered:
    """One of the regulator's questions: what was found, and what was not tried."""

    question: RegulatorQuestion
    conclusions: tuple[Conclusion, ...]
    not_tried: tuple[str, ...]

    @property
    def asks(self) -> str:
        return QUESTIONS[self.question]


@dataclass(frozen=True)
class Section:
    """Evidence for one question; `name` is its anchor, `code` are commands that do it.

    It is a line to open, unless the reader is to see it at once (`is_open`).
    """

    name: str
    title: str
    lead: tuple[str, ...]
    charts: tuple[Chart, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    measures: tuple[Measure, ...] = ()
    code: tuple[str, ...] = ()
    is_open: bool = False


@dataclass(frozen=True, repr=False)
class Report:
    """Everything on the page, top to bottom; it shows itself in a notebook and saves itself as one file.

    `decision` is the verdict, above all else; `facts` are what was looked at and how (term, meaning).
    `not_tried` are gaps by the regulator's question that they leave open. `recipe` is a file for `singleout
    deidentify apply` that does what the conclusions advise, `recipe_effect` what came of it, `apply` the
    command that applies it. `inputs` are the files it comes from, where no decision names them; `made` says
    when, from what and by which command the page was made.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    conclusions: tuple[Conclusion, ...]
    sections: tuple[Section, ...]
    remarks: tuple[str, ...] = ()
    recipe: str = ""
    recipe_effect: str = ""
    apply: str = ""
    decision: Decision | None = None
    not_tried: Mapping[RegulatorQuestion, tuple[str, ...]] = field(default_factory=dict)
    inputs: tuple[Digest, ...] = ()
    made: tuple[tuple[str, str], ...] = ()

    @property
    def counts_only(self) -> bool:
        """Whether it judges nothing, so that the evidence is what it is read for."""
        return self.decision is None or self.decision.policy == "none"

    @property
    def by_question(self) -> tuple[QuestionAnswered, ...]:
        """The conclusions under the regulator's questions; empty where the page does not go by them."""
        if not self.not_tried:
            return ()
        return tuple(
            QuestionAnswered(
                question,
                tuple(each for each in self.conclusions if each.question == question),
                self.not_tried.get(question, ()),
            )
            for question in QUESTIONS
        )

    @property
    def about_use(self) -> tuple[Conclusion, ...]:
        """Conclusions that answer none of the regulator's questions, where the page goes by them."""
        return tuple(each for each in self.conclusions if self.not_tried and each.question is None)

    def stamp(self, date: str, command: str | None = None) -> Report:
        """The same with its day and the command behind it, so that a print can be tied to what was run."""
        inputs = dict.fromkeys((*self.inputs, *(self.decision.inputs if self.decision else ())))
        return replace(self, made=tuple(provenance(tuple(inputs), date, command)))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every definition that a number on the page needs, each once."""
        return tuple({each.name: each for each in self._measures()}.values())

    def _measures(self) -> Iterator[Measure]:
        for conclusion in self.conclusions:
            yield from conclusion.measures
        for section in self.sections:
            yield from section.measures
            for chart in section.charts:
                yield from chart.measures
            for table in (*section.tables, *(chart.table for chart in section.charts)):
                yield from (each.measure for each in table.headings if each.measure)

    @property
    def papers(self) -> list[tuple[str, str]]:
        limits = (each.rule.source or "" for each in (self.decision.rules if self.decision else ()))
        return cited_papers([*(each.reference for each in self.measures), *limits])

    def to_html(self) -> str:
        """The whole page: it needs no network, no fonts and no other file."""
        return _template().render(
            report=self, version=VERSION, signs=SIGNS, weights=WEIGHT_SIGNS, **_pieces()
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write it beside its place and move it there, whole or not at all."""
        from singleout.files import write_text

        write_text(path, self.to_html())

    def __repr__(self) -> str:
        verdict = f"{SIGNS[self.decision.answer]} " if self.decision else ""
        parts = f"{len(self.conclusions)} findings, {len(self.sections)} sections"
        return f"<Report: {verdict}{self.title} {parts}>"

    def _repr_html_(self) -> str:
        """In a frame of its own, so that it and the notebook leave each other alone."""
        page = escape(self.to_html())
        style = "width:100%;height:48rem;border:1px solid #ccc"
        return f'<iframe title="{escape(self.title)}" srcdoc="{page}" style="{style}"></iframe>'


def drawable_charts(*charts: Chart | None) -> tuple[Chart, ...]:
    """Those that there is something to draw of."""
    return tuple(chart for chart in charts if chart is not None)


def plain_conclusions(
    texts: Iterable[str],
    advice: str,
    certainty: str,
    measures: tuple[Measure, ...],
    question: RegulatorQuestion = "singling out",
) -> tuple[Conclusion, ...]:
    """Sentences that share their advice, which stands once, and how sure they are; they judge nothing."""
    return tuple(
        Conclusion(text, "" if index else advice, certainty, measures, question, "open")
        for index, text in enumerate(texts)
    )


@cache
def _pieces() -> dict[str, str]:
    """Style and script as they stand on the page, and the one script that a browser is to run there."""
    shelf = files("singleout.report.pages") / "templates"
    style, script = ((shelf / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return {"style": style, "script": script, "digest": f"sha256-{digest}"}


def _visible(value: Any) -> Any:
    """Of what a page says, characters that are not seen or change the order of others as their escapes."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return printable_lines(value)


def _is_wordy(table: ResultTable) -> bool:
    """Whether its cells hold sentences, for which a narrow window has no room side by side."""
    return any(isinstance(cell, str) and len(cell) > WORDY for row in table.rows for cell in row[1:])


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from singleout.result_table import cell_text

    shelf = Environment(
        loader=PackageLoader("singleout.report.pages", "templates"), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_visible,
    )  # fmt: skip
    shelf.filters["cell"] = cell_text
    shelf.filters["is_wordy"] = _is_wordy
    return shelf.get_template("report.html")
