"""How privacy and utility change with parameters: the result of `sweep`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy

from singleout.investigation.sweep.averages import SWEEP_MEASURES, Average
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.entropy.amount_correlation import NO_SPREAD, pearson

FEWEST_RUNS = 3
REASON = "reason."


@dataclass(frozen=True, repr=False)
class Sweep(TableResult):
    """One row a run in `rows`, and the `averages` over seeds. `parameters` are their names.

    `to_arrow()` and `to_frame()` have one row a release, setting and seed.
    """

    study: str
    data: str
    seeds: tuple[int, ...]
    parameters: tuple[str, ...]
    figures: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    averages: tuple[Average, ...]
    resumed: int
    remarks: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Sweep of {self.study}: {len(self.rows):,} runs, {len(self.figures)} measures>"

    def values(self, figure: str) -> list[float | None]:
        return [row.get(figure) for row in self.rows]

    def correlation(self, one: str, two: str) -> float | None:
        """Pearson's r over runs; None below three, or where one of them never changes."""
        pairs = [
            (x, y)
            for x, y in zip(self.values(one), self.values(two), strict=True)
            if x is not None and y is not None
        ]
        if len(pairs) < FEWEST_RUNS:
            return None
        x, y = numpy.array(pairs, dtype=numpy.float64).T
        if any(each.max() - each.min() <= NO_SPREAD * numpy.abs(each).max() for each in (x, y)):
            return None
        return pearson(x, y)

    def table(self) -> ResultTable:
        """One row a run; unknown is empty, with its reason in the last column."""
        headings = (
            Heading("release", "release"),
            *(Heading(name, name, "parameter") for name in self.parameters),
            Heading("seed", "seed"),
            *(Heading(name, name) for name in self.figures),
            Heading("reasons", "why unknown"),
        )
        return ResultTable(f"Runs of {self.study}", headings, tuple(self._row(row) for row in self.rows))

    def _row(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        reasons = [
            f"{name.removeprefix(REASON)}: {why}" for name, why in row.items() if name.startswith(REASON)
        ]
        setting = row["setting"]
        parameters = [_text(setting.get(name)) for name in self.parameters]
        figures = [None if row.get(name) is None else float(row[name]) for name in self.figures]
        return (row["release"], *parameters, row["seed"], *figures, "; ".join(reasons))

    def average_table(self) -> ResultTable:
        """One row a release, setting and measure: what the seeds come to."""
        headings = (
            Heading("release", "release"),
            *(Heading(name, name, "parameter") for name in self.parameters),
            Heading("name", "measure"),
            Heading("runs", "runs"),
            Heading.of("mean", "mean", SWEEP_MEASURES[0]),
            Heading.of("low", "from", SWEEP_MEASURES[1]),
            Heading("high", "to"),
            Heading("lowest", "lowest run"),
            Heading("highest", "highest run"),
            Heading("reason", "remark"),
        )
        rows = tuple(
            (
                each.release, *(_text(each.setting.get(name)) for name in self.parameters), each.name,
                each.runs, each.mean, each.low, each.high, each.lowest, each.highest, each.reason,
            )
            for each in self.averages
        )  # fmt: skip
        return ResultTable(f"Means over {len(self.seeds)} seeds", headings, rows)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout sweep --json`."""
        return {
            "study": self.study,
            "data": self.data,
            "seeds": list(self.seeds),
            "parameters": list(self.parameters),
            "runs": [
                {**{name: value for name, value in row.items() if name != "setting"}, **row["setting"]}
                for row in self.rows
            ],
            "averages": [{**vars(each), "setting": dict(each.setting)} for each in self.averages],
            "correlations": [
                {"of": one, "with": two, "pearson": self.correlation(one, two)}
                for place, one in enumerate(self.figures)
                for two in self.figures[place + 1 :]
            ],
            "resumed": self.resumed,
            "remarks": list(self.remarks),
            "definitions": {each.name: each.as_dict() for each in SWEEP_MEASURES},
        }


def _text(value: Any) -> str | None:
    """Values of a parameter may be numbers in one release and texts in another."""
    return None if value is None else str(value)
