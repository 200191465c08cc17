"""The parameters that all jobs share: shown, filled in and checked as if each had written them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import singleout
from singleout.engine.job_options import DEFAULTS, JobOptions

COUNTING = ("assess", "attack", "combinations", "compare", "entropy", "generalise", "investigate")
CHANGING = ("apply", "dummies")


def own_default(job: str, name: str) -> Any:
    return "drop" if (job, name) == ("entropy", "missing") else DEFAULTS[name]


@pytest.mark.parametrize("job", COUNTING)
def test_a_job_shows_what_it_shares_with_others(job: str) -> None:
    shown = inspect.signature(getattr(singleout, job)).parameters
    assert [name for name in shown if name in DEFAULTS] == list(DEFAULTS)
    for name in DEFAULTS:
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[name].default == own_default(job, name)
        assert shown[name].annotation == JobOptions.__annotations__[name].__forward_arg__
    assert "options" not in shown


@pytest.mark.parametrize("job", [*COUNTING, *CHANGING])
def test_a_job_refuses_what_it_does_not_know(job: str) -> None:
    tables = ["a.csv"] * (2 if job in ("attack", "apply") else 1)
    unknown = ["mising", "options", *(["missing"] if job in CHANGING else [])]
    for name in [*unknown, *(["releases"] if job == "compare" else [])]:
        with pytest.raises(TypeError, match=rf"^{job}\(\) got an unexpected keyword argument '{name}'"):
            getattr(singleout, job)(*tables, **{name: "value"})


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("usr", "; did you mean 'user'?"),
        ("name", "; a table in memory is named by singleout.source(table, name=…)"),
        ("zzz", ""),
    ],
)
def test_an_unknown_parameter_is_told_with_what_was_meant(name: str, hint: str) -> None:
    with pytest.raises(TypeError) as told:
        getattr(singleout, "assess")("a.csv", **{name: "value"})  # noqa: B009
    assert str(told.value) == f"assess() got an unexpected keyword argument {name!r}{hint}"


def test_own_parameters_stand_where_they_belong() -> None:
    shown = {job: list(inspect.signature(getattr(singleout, job)).parameters) for job in ("assess", "attack")}
    assert shown["assess"][16:19] == ["study", "missing", "sample"]
    assert shown["attack"][-4:] == ["release_csv", "people", "guesses", "progress"]
