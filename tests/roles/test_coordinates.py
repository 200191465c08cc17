"""Exact places: told by their names and digits, and a condition of every release."""

from __future__ import annotations

import pyarrow
import pytest

from singleout.policy.check import check
from singleout.roles.coordinates import are_coordinates

FINE, COARSE = ["52.520008", "-48.856613", "13.40495"], ["52.52", "48.9", "13.4"]


@pytest.mark.parametrize("name", ["lat", "Latitude", "home_lon", "start_lng", "gps", "longitude_2"])
def test_degrees_under_their_names(name: str) -> None:
    assert are_coordinates(name, FINE)
    assert not are_coordinates(name, COARSE)


@pytest.mark.parametrize("name", ["price", "platform", "colon", "x", "relation"])
def test_other_numbers_are_none(name: str) -> None:
    assert not are_coordinates(name, FINE)


def test_degrees_end_at_180() -> None:
    assert not are_coordinates("lon", ["512.520008"])
    assert not are_coordinates("lon", [])
    assert are_coordinates("lon", ["13.40495°", "2.35222 E", ""])


@pytest.mark.parametrize(
    "text", ["52.520008, 13.404954", "POINT(13.404954 52.520008)", "(52.520008;13.404954)"]
)
def test_pairs_under_any_name(text: str) -> None:
    assert are_coordinates("seen", [text])


def test_a_release_of_them_has_a_condition() -> None:
    rules = {"rule": [{"measure": "k", "at_least": 2}]}
    for lat, told in (("52.520008", True), ("52.52", False)):
        table = pyarrow.table({"lat": [lat] * 4, "lon": ["13.4"] * 4})
        verdict = check(table, rules, sensitive="none")
        assert verdict.passed
        assert [each.startswith("nobody is found by the places in lat") for each in verdict.conditions] == [
            True
        ] * told
