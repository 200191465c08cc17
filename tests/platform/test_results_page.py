"""The page on results names every column of the views and every call of the API, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from singleout.platform.store.results import RESULTS
from tests.support.access_table import API_ROUTES

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "results-of-a-contest.md").read_text(encoding="utf-8")


def test_columns_of_views() -> None:
    for name, table in RESULTS.items():
        part = PAGE.partition(f"\n`v_{name}`:")[2].partition("\n`v_")[0].partition("\n## ")[0]
        cells = re.findall(r"^\| (`[^|]*)\|", part, re.MULTILINE)
        named = [each for cell in cells for each in re.findall(r"`(\w+)`", cell)]
        assert named == [column.name for column in table.columns if column.name in named]
        assert set(named) == {column.name for column in table.columns}


def test_calls_of_the_api() -> None:
    named = set(re.findall(r"`((?:GET|POST) /api\S*)`", PAGE))
    assert named == set(API_ROUTES)
