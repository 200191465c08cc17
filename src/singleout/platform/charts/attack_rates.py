"""The attacker × target matrix as a heat map: whose guesses recognised how many people of which release."""

from __future__ import annotations

from typing import Any

from singleout.attacks.measures import RATE
from singleout.platform.attack_matrix import AttackMatrix
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, labels, marks, row_axis, share, silent_marks
from singleout.report.charts.pair_heat_map import BLACK, WHITE, readable_ink
from singleout.report.charts.style import RAMP, WIDTH
from singleout.result_table import Heading, ResultTable

MOST_DRAWN, MOST_PRINTED, MOST_STEP = 40, 12, 60
TITLE = "Share of people that each attacker recognised in each release"
SEEN = (
    "A row is an attacker, a column a release; the darker, the more people were recognised, and what is "
    "empty was not tried. The worst was {} of the people, by {} in the release of {}.{}"
)


def attack_heat_map(matrix: AttackMatrix) -> Chart | None:
    """None if nobody attacked; of very many the first, which are the best attackers."""
    if not matrix.rates:
        return None
    attackers, releases = matrix.attackers[:MOST_DRAWN], matrix.releases[:MOST_DRAWN]
    teams = {each.number: each.team for each in matrix.releases}
    (name, number), worst = max(matrix.rates.items(), key=lambda each: each[1])
    left = len(matrix.attackers) + len(matrix.releases) - len(attackers) - len(releases)
    more = f" The first {MOST_DRAWN} of each are drawn." if left else ""
    rows = dict(zip((each.name for each in attackers), labels(each.name for each in attackers), strict=True))
    across = dict(
        zip((each.number for each in releases), labels((each.team for each in releases), 17), strict=True)
    )
    cells = [
        _cell(rows[attacker], across[release], rate)
        for (attacker, release), rate in matrix.rates.items()
        if attacker in rows and release in across
    ]
    says = SEEN.format(share(worst), name, teams[number], more)
    spec = _spec(cells, [*rows.values()], [*across.values()])
    return Chart("attack-rates", TITLE, says, _table(matrix), spec, (RATE,))


def _cell(row: str, column: str, rate: float) -> dict[str, Any]:
    return {
        "row": row, "column": column, "rate": rate, "shown": _printed(rate), "ink": readable_ink(rate),
        "said": f"{row} recognised {share(rate)} of the people in the release of {column}",
    }  # fmt: skip


def _printed(rate: float) -> str:
    """In a small cell; nobody is only said of nobody, and everybody of everybody.

    >>> [_printed(each) for each in (0.0, 0.004, 0.25, 0.996, 1.0)]
    ['0%', '<1%', '25%', '>99%', '100%']
    """
    if 0 < rate < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= rate < 1 else f"{rate:.0%}"


def _spec(cells: list[dict[str, Any]], rows: list[str], columns: list[str]) -> dict[str, Any]:
    step = min(MOST_STEP, (WIDTH - 124) // max(len(columns), 1))
    few = len(columns) <= MOST_PRINTED
    axis = {"labelLimit": 100, "labelAngle": -40, "ticks": False, "domain": False}
    shade = {
        "field": "rate", "type": "quantitative",
        "scale": {"domain": [0, 1], "range": list(RAMP), "interpolate": "rgb"},
        "legend": None if few else {"title": "recognised", "orient": "top-right", "gradientLength": 90},
    }  # fmt: skip
    ink = {"condition": {"test": f"datum.ink == '{WHITE}'", "value": WHITE}, "value": BLACK}
    text = silent_marks("text", {"text": {"field": "shown"}, "color": ink}, fontSize=12 if step > 36 else 10)
    layers = [marks("rect", {"color": shade}, stroke="#7b8794"), *([text] if few else [])]
    x = {**row_axis("column", columns), "axis": axis}
    return {
        **drawing(cells, layers, {"step": 30}, {"x": x, "y": row_axis("row", rows, limit=140)}),
        "width": {"step": step},
        "autosize": "pad",
    }


def _table(matrix: AttackMatrix) -> ResultTable:
    headings = [Heading("attacker", "attacker"), Heading.of("mean", "mean over others' releases", RATE)]
    headings += [
        Heading.of(f"release_{index}", each.team, RATE) for index, each in enumerate(matrix.releases)
    ]
    rows = tuple(
        (each.name, each.mean, *(matrix.rates.get((each.name, one.number)) for one in matrix.releases))
        for each in matrix.attackers
    )
    return ResultTable("Share of people that each attacker recognised", tuple(headings), rows)
