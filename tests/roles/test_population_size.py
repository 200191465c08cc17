"""What may be said of a population, in Python and in a study file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from singleout.errors import InputError, UsageError
from singleout.roles.population_size import PopulationSize, population_size
from singleout.roles.study import read_study


def test_people_of_a_sample() -> None:
    assert PopulationSize(size=1000).people_of(1000) == 1000
    assert PopulationSize(sampled=0.25).people_of(10) == 40
    assert PopulationSize(sampled=1).people_of(7) == 7
    assert population_size() is None


@pytest.mark.parametrize("sampled", [0, -0.1, 1.01, float("nan"), "half", True])
def test_no_share(sampled: Any) -> None:
    with pytest.raises(UsageError, match="is no share of a population; write a number above 0"):
        PopulationSize(sampled=sampled)


@pytest.mark.parametrize("size", [0, -3, 2.5, 10**13, True, "many"])
def test_no_number_of_people(size: Any) -> None:
    with pytest.raises(UsageError, match="is no number of people; write a whole number from 1 to"):
        PopulationSize(size=size)


def test_fewer_than_the_sample() -> None:
    with pytest.raises(InputError, match="9 people are fewer than the 10 of the table"):
        PopulationSize(size=9).people_of(10)


@pytest.mark.parametrize("sampled", [5e-324, 1e-12])
def test_more_people_than_there_can_be(sampled: float) -> None:
    with pytest.raises(InputError, match="these are more than 1,000,000,000,000; write the share"):
        PopulationSize(sampled=sampled).people_of(10)
    assert PopulationSize(sampled=1e-11).people_of(10) == 10**12


def test_a_study_file(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text("[population]\nsize = 1000\n")
    assert read_study(path).population == PopulationSize(size=1000)
    assert read_study(path).roles == {}
    for text, words in (
        ("[population]\n", "has one line"),
        ("[population]\nsize = 5\nsampled = 0.5\n", "not both"),
        ("[population]\nshare = 0.5\n", "has one line"),
        ("population = 5\n", "has one line"),
        ("[population]\nsampled = 7\n", "population: sampled: 7 is no share"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=words):
            read_study(path)
