"""What pages say, in each language: one file a language, the same keys in all of them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from singleout.platform.refusal import RefusalError
from singleout.platform.web.chart_words import chart_words
from singleout.platform.web.metric_titles import title_of
from singleout.platform.web.sentence_words import told_sentences, translated, translated_all
from singleout.report.charts.chart import Chart

LANGUAGES = ("en", "ja")
DEFAULT = "en"
COOKIE = "language"
# refusals whose kind says nothing without what is wrong
DETAILED = ("bad_metric", "bad_file", "bad_contest", "original_failed")


@dataclass(frozen=True)
class TextCatalogue:
    """The texts of one language by their keys, such as `board.lead`; a key that is not there is an error."""

    language: str
    texts: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, str]]

    def __call__(self, key: str, **values: object) -> str:
        text = self.texts[key]
        return text.format(**values) if values else text

    def refusal(self, error: RefusalError) -> str:
        """The sentence of an error: the exact one, or that of its kind where this language lacks it."""
        exact = str(error)
        if self.language == DEFAULT:
            return exact[:1].upper() + exact[1:] + ("" if exact.endswith((".", "!", "?", ":")) else ".")
        of_kind = self(f"refusal.{error.code}")
        if error.code in DETAILED:
            return Markup("{} {}").format(of_kind, self.told(exact))
        return translated_all(told_sentences(self.language), exact) or of_kind

    def told(self, text: str) -> Markup:
        """What the scorer or the sandbox said; what this language lacks stays, marked as English."""
        if self.language == DEFAULT or not text:
            return escape(text)
        found = translated_all(told_sentences(self.language), text)
        return Markup('<span lang="en">{}</span>').format(text) if found is None else escape(found)

    def problem(self, problem: Mapping[str, Any]) -> Markup:
        """What is wrong with an upload, and where: as `Problem` tells it."""
        text, message = str(problem["text"]), str(problem.get("message", ""))
        where = text.removesuffix(message) if message else ""
        if self.language == DEFAULT or not where:
            return self.told(text)
        known = told_sentences(self.language)
        places = [f"column {problem['column']}"] if problem["column"] is not None else []
        numbers = where.removesuffix(": ").removeprefix(", ".join(places)).removeprefix(", ")
        said = [translated(known, each) or each for each in (*places, numbers) if each]
        return Markup("{}: {}").format("、".join(said), self.told(message))

    def chart(self, chart: Chart) -> Chart:
        """As it is drawn in this language; English says the numbers of this one too."""
        title = self(f"chart.{chart.name}")
        if self.language == DEFAULT:
            return replace(chart, title=title)
        return chart_words(self.language).chart(chart, title, self(f"chart_says.{chart.name}"))

    def metric_title(self, metric: str, family: str) -> str:
        """What an attack knows or a metric measures; a metric of one column is called with it."""
        if self.language == DEFAULT:
            return title_of(metric, family)
        names = self.metrics[family]
        if metric in names or family != "utility":
            return names.get(metric, metric)
        measure, _, column = metric.partition(".")
        return f"{names[measure]} ({column})" if column else ""


@cache
def catalogue(language: str) -> TextCatalogue:
    shelf = files("singleout.platform.web") / "texts"
    content = tomllib.loads((shelf / f"{language}.toml").read_text(encoding="utf-8"))
    metrics = shelf / f"metrics-{language}.toml"
    titles = {} if language == DEFAULT else tomllib.loads(metrics.read_text(encoding="utf-8"))
    return TextCatalogue(language, dict(_flat(content)), titles)


def _flat(content: Mapping[str, str | Mapping[str, str]]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in content.items():
        if isinstance(value, str):
            found.append((key, value))
        else:
            found += [(f"{key}.{name}", text) for name, text in value.items()]
    return found


def chosen_language(asked: str | None, kept: str | None, accepted: str) -> str:
    """By the address, the cookie, or what the browser accepts, in this order.

    >>> chosen_language(None, None, "fr;q=0.9, ja-JP;q=0.8, en;q=0.5"), chosen_language("xx", "ja", "")
    ('ja', 'ja')
    """
    for each in (asked, kept):
        if each in LANGUAGES:
            return str(each)
    return next((each for each in _wanted(accepted) if each in LANGUAGES), DEFAULT)


def _wanted(accepted: str) -> list[str]:
    """The languages of a header Accept-Language, the most wanted first."""
    wanted = []
    for place, part in enumerate(accepted[:500].split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            quality = 0.0
        wanted.append((-quality, place, name.partition("-")[0].lower()))
    return [name for quality, _, name in sorted(wanted) if quality < 0]
