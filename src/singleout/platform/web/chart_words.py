"""What is written in a drawing, in another language: sentences that are alike but for what they tell of."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from singleout.platform.web.sentence_words import Sentences, sentences_of, translated
from singleout.report.charts.chart import Chart
from singleout.result_table import Cell, ResultTable

# where a drawing keeps words; what else stands there are names
WORDS = ("title", "text", "kind", "said")
# what explains a channel of a drawing
GUIDES = {"x": "axis", "y": "axis", "color": "legend", "fill": "legend", "shape": "legend"}


@dataclass(frozen=True)
class ChartWords:
    """The sentences of each part of a chart; names and numbers stay as they are."""

    sentences: Mapping[str, Sentences]

    def chart(self, chart: Chart, title: str, says: str) -> Chart:
        return replace(chart, title=title, says=says, table=self._table(chart.table, title),
                       spec=self._spec(chart.spec))  # fmt: skip

    def say(self, part: str, text: str) -> str:
        """In the other language; what no sentence is like stays, for it is somebody's name."""
        return translated(self.sentences[part], text) or text

    def _spec(self, part: Any, key: str = "") -> Any:
        if isinstance(part, Mapping):
            inner = {name: self._spec(each, name) for name, each in part.items()}
            if part.get("field") == "kind" and "scale" in part:
                kinds = [self.say("kind", each) for each in part["scale"]["domain"]]
                inner["scale"] = {**part["scale"], "domain": kinds}
            return {**inner, **_unsaid(inner, key)}
        if isinstance(part, (list, tuple)):
            return [self._spec(each, key) for each in part]
        return self.say(key, part) if key in WORDS and isinstance(part, str) else part

    def _table(self, table: ResultTable, title: str) -> ResultTable:
        headings = tuple(replace(each, title=self.say("heading", each.title)) for each in table.headings)
        rows = tuple(tuple(map(self._cell, row)) for row in table.rows)
        return replace(table, title=title, headings=headings, rows=rows)

    def _cell(self, cell: Cell) -> Cell:
        if isinstance(cell, bool):
            return self.say("cell", "yes" if cell else "no")
        return self.say("cell", cell) if isinstance(cell, str) else cell


def _unsaid(channel: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Vega describes axes and legends to screen readers in English only; the table behind says it all."""
    guide = GUIDES.get(key)
    if guide is None or "field" not in channel or channel.get(guide, {}) is None:
        return {}
    return {guide: {**channel.get(guide, {}), "aria": False}}


@cache
def chart_words(language: str) -> ChartWords:
    shelf = files("singleout.platform.web") / "texts" / f"charts-{language}.toml"
    content = tomllib.loads(shelf.read_text(encoding="utf-8"))
    return ChartWords({part: sentences_of(each) for part, each in content.items()})
