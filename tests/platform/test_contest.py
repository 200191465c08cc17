"""A contest as data: templates, TOML there and back, and all mistakes told at once."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import UsageError
from singleout.platform.contest import (
    TEMPLATES,
    Contest,
    ContestMetric,
    Phase,
    Quota,
    contest_of,
    read_contest,
    template,
)

METRICS = (ContestMetric("records", "privacy"), ContestMetric("records_kept", "utility"))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_the_same_after_toml(name: str) -> None:
    contest = template(name)
    assert read_contest(contest.to_toml()) == contest
    assert contest_of(contest.as_dict()) == contest


@given(about=TEXTS, column=TEXTS.filter(bool), weight=st.floats(0.001, 1e5), people=st.integers(1, 1000))
def test_any_contest_is_the_same_after_toml(about: str, column: str, weight: float, people: int) -> None:
    starts = datetime(2026, 12, 1, 9, tzinfo=UTC)
    contest = Contest(
        "card-2026", "Cards", (METRICS[0], ContestMetric("records_kept", "utility", weight)), about=about,
        user=column, parts={"time": [column, "b"], "amount": column}, most_members=people,
        phases=(Phase("one", "open", starts), Phase("two", "closed", starts + timedelta(days=1))),
    )  # fmt: skip
    assert read_contest(contest.to_toml()) == contest


def test_a_part_may_be_called_as_its_option() -> None:
    content = template("payment-card").as_dict()
    content["parts"]["place"] = content["parts"].pop("location")
    assert contest_of(content) == template("payment-card")
    content["parts"]["location"] = "usage"
    with pytest.raises(UsageError, match="no part 'place'"):
        contest_of(content)


def test_all_mistakes_are_told_at_once() -> None:
    content = {
        "name": "No Spaces", "title": "", "foo": 1, "quota": {"a_day": 0}, "public": {"board": "all"},
        "phase": [{"name": "x", "kind": "opened"}],
        "metric": [{"name": "jacard", "family": "privacy"}, {"name": "u1_cmae", "family": "utility"}],
    }  # fmt: skip
    with pytest.raises(UsageError) as caught:
        contest_of(content)
    for said in ("name:", "title:", "'foo'", "quota.a_day", "public.board", "'opened'", "'jacard'", "groups"):
        assert said in str(caught.value), said
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (ContestMetric("total_variation", "utility"), "no metric"),
        (ContestMetric("records_released", "utility"), "no better way"),
        (ContestMetric("jaccard", "privacy"), "needs a column"),
        (ContestMetric("nearest", "privacy", 2.0), "no weight"),
        (ContestMetric("records_true", "utility", 0), "above 0"),
    ],
)
def test_a_metric_that_cannot_be_ranked_by_is_refused(metric: ContestMetric, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Contest("a", "A", (*METRICS, metric))


@pytest.mark.parametrize("kept", METRICS)
def test_a_contest_ranks_by_use_and_by_protection(kept: ContestMetric) -> None:
    with pytest.raises(UsageError, match="ranks need both"):
        Contest("a", "A", (kept,))


def test_phases_start_one_after_another_and_by_their_dates() -> None:
    day = datetime(2026, 12, 1, tzinfo=UTC)
    phases = (Phase("a", "open", day), Phase("b", "closed", day + timedelta(days=2)))
    contest = Contest("a", "A", METRICS, phases=phases)
    assert [contest.phase_at(day + timedelta(days=each)) for each in (-1, 0, 1, 2)] == [0, 0, 0, 1]
    with pytest.raises(UsageError, match="starts after"):
        replace(contest, phases=phases[::-1])
    with pytest.raises(UsageError, match="nobody can submit"):
        replace(contest, phases=(Phase("b", "closed"),))
    with pytest.raises(UsageError, match="with its zone"):
        replace(contest, phases=(Phase("a", "open", datetime(2026, 12, 1)),))


def test_records_without_names_need_a_map() -> None:
    with pytest.raises(UsageError, match="have no names"):
        Contest("a", "A", METRICS, truth="names")


def test_the_defaults_are_a_contest() -> None:
    assert Contest("a", "A", METRICS, quota=Quota(1, 2, 3)).quota.in_all == 2


@pytest.mark.parametrize("text", ["name = ", f"seed = {'1' * 5000}", f"seed = {'[' * 5000}"])
def test_what_is_no_toml_is_told_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="is not TOML"):
        read_contest(text)


VALUE = re.compile(r"^[\w.]+ = (.*)$", re.MULTILINE)
ODD_VALUES = [
    *("1", "[]", "{}", "[1]", "[[1]]", "true", '""', "1.5", "nan", f"1{'0' * 400}", "2024-01-01"),
    *("12:00:00", "{a = 1}", "[{a = 1}]", '["x"]', "2024-01-01T00:00:00"),
]


@pytest.mark.parametrize("odd", ODD_VALUES)
def test_a_value_of_another_kind_is_told(odd: str) -> None:
    """Whatever a key should have."""
    sound = template(TEMPLATES[0]).to_toml()
    texts = [f"{sound[: each.start(1)]}{odd}{sound[each.end(1) :]}" for each in VALUE.finditer(sound)]
    plain = ("roles", "parts", "points", "quota", "limits", "public", "metric", "phase", "attack", "user")
    texts += [f'name = "a"\n{key} = {odd}\n' for key in plain]
    assert len(texts) > 30
    for text in texts:
        try:
            read_contest(text)
        except UsageError as error:
            assert str(error).startswith("contest: ")
