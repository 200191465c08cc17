"""Several domains together: the paper's tables, the product table built in full, and draws instead of it."""

from __future__ import annotations

import math
from dataclasses import astuple
from itertools import permutations, product
from typing import Any

import numpy
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from singleout.errors import InputError, UsageError
from singleout.risk.entropy.chance_baseline import is_beyond_chance
from singleout.risk.entropy.joint_domains import JointInformation, joint_chance, joint_information
from singleout.risk.entropy.product_table import PRIORS, ProductTable
from tests.by_hand.person_value_counts_by_hand import PURCHASES, STATIONS, entropy_by_hand, matrices, table_of


@st.composite
def several(draw: st.DrawFn, least: int = 2, most: int = 3) -> list[Any]:
    """Domains of the same people, at least one of whom has events in all."""
    people = draw(st.integers(1, 5))
    found = [draw(matrices(people=people, most=3)) for _ in range(draw(st.integers(least, most)))]
    assume(numpy.logical_and.reduce([each.any(axis=1) for each in found]).any())
    return found


def found_in(domains: list[Any], **asked: Any) -> JointInformation:
    names = [str(place) for place in range(len(domains))]
    return joint_information(names, [table_of(each) for each in domains], **asked)


def numbered_anew(domains: list[Any], seed: int) -> list[Any]:
    random = numpy.random.default_rng(seed)
    people = random.permutation(len(domains[0]))
    return [each[people][:, random.permutation(each.shape[1])] for each in domains]


def cut_and_weighted(domains: list[Any], prior: str) -> tuple[list[Any], Any]:
    """The people who have all domains, and P(u)."""
    here = numpy.logical_and.reduce([each.any(axis=1) for each in domains])
    cut = [each[here] for each in domains]
    sums = numpy.array([each.sum(axis=1) for each in cut])
    weights = {"product": sums.prod(axis=0), "uniform": sums[0] * 0 + 1, "records": sums.sum(axis=0)}[prior]
    return cut, weights / weights.sum()


def parts_by_hand(domains: list[Any], weights: Any) -> list[float]:
    """I(U;x_i) of each domain."""
    tables = [each * (weights / each.sum(axis=1))[:, None] for each in domains]
    h_user = entropy_by_hand(weights)
    return [h_user + entropy_by_hand(each.sum(axis=0)) - entropy_by_hand(each) for each in tables]


def by_hand(domains: list[Any], prior: str) -> dict[str, float]:
    """From the product table P(u, x_1, …, x_k) in full."""
    domains, weights = cut_and_weighted(domains, prior)
    records = numpy.prod([each.sum(axis=1) for each in domains], axis=0)
    rows = [[math.prod(x) for x in product(*(each[u] for each in domains))] for u in range(len(weights))]
    scores = numpy.array(rows)
    table = scores * (weights / records)[:, None]
    columns = table.sum(axis=0).reshape([each.shape[1] for each in domains])
    axes = set(range(len(domains)))
    alone = [columns.sum(axis=tuple(axes - {axis})) for axis in axes]
    h_user, h_columns = entropy_by_hand(weights), entropy_by_hand(columns)
    told = h_user + h_columns - entropy_by_hand(table)
    named = (scores == scores.max(axis=0)) & (scores > 0)
    return {
        "h_user": h_user,
        "h_user_given": h_user - told,
        "information": told,
        "probability_before": 2**-h_user,
        "probability": 2 ** (told - h_user),
        "guess_before": weights.max(),
        "best_guess": table.max(axis=0).sum(),
        "printed_guess": ((table * named).sum(axis=0) / numpy.maximum(1, named.sum(axis=0))).sum(),
        "parts": sum(parts_by_hand(domains, weights)),
        "overlap": sum(map(entropy_by_hand, alone)) - h_columns,
    }


def test_tables_viii_and_ix() -> None:
    # Ito et al. n.d., Section 3C and Table IX, column (s, b), to two digits
    found = found_in([STATIONS, PURCHASES])
    assert (found.people, found.values, found.cells, found.exact, found.error) == (3, 6, 8, True, 0)
    printed = found.by_prior[0]
    assert printed.prior == "product"
    assert [
        f"{each:.2f}"
        for each in (printed.h_user, printed.h_user_given, printed.information, printed.probability)
    ] == ["1.19", "0.46", "0.73", "0.73"]


@given(several())
def test_joint_equals_the_table_in_full(domains: list[Any]) -> None:
    found = found_in(domains, threads=2)
    assert found.exact
    assert found.values == math.prod(int(each.any(axis=0).sum()) for each in domains)
    for each in found.by_prior:
        for name, value in by_hand(domains, each.prior).items():
            assert getattr(each, name) == pytest.approx(value, abs=1e-9), (each.prior, name)


@settings(max_examples=20)
@given(several(least=4, most=5))
def test_more_than_three_domains(domains: list[Any]) -> None:
    for each in found_in(domains).by_prior:
        for name, value in by_hand(domains, each.prior).items():
            assert getattr(each, name) == pytest.approx(value, abs=1e-9), (each.prior, name)


@given(several())
def test_laws_of_several_domains(domains: list[Any]) -> None:
    found = found_in(domains)
    assert found.cells <= found.people * found.values
    for each in found.by_prior:
        parts = parts_by_hand(*cut_and_weighted(domains, each.prior))
        assert max(parts) - 1e-9 <= each.information <= each.parts + 1e-9
        assert 0 <= each.information <= each.h_user
        assert each.overlap >= 0
        assert each.probability <= each.best_guess + 1e-9
        assert each.guess_before <= each.best_guess <= 1
        assert each.printed_guess <= each.best_guess + 1e-12
    assert found.by_prior[0].printed_guess == pytest.approx(found.by_prior[0].best_guess)


@given(several(), st.integers(0, 99))
def test_numbering_order_and_threads_change_nothing(domains: list[Any], seed: int) -> None:
    found = found_in(domains, threads=1)
    assert found_in(domains, threads=3) == found
    renumbered = found_in(numbered_anew(domains, seed)[::-1])
    assert (renumbered.people, renumbered.values, renumbered.cells) == (
        found.people,
        found.values,
        found.cells,
    )
    for one, other in zip(found.by_prior, renumbered.by_prior, strict=True):
        assert astuple(one)[1:] == pytest.approx(astuple(other)[1:], abs=1e-9)


@pytest.fixture(scope="module")
def habits() -> list[Any]:
    """People with some habits of their own, in three domains."""
    random = numpy.random.default_rng(11)
    return [
        random.poisson(random.gamma(0.3, 1.5, (60, size))) + (random.random((60, size)) < 0.02)
        for size in (25, 12, 8)
    ]


@pytest.mark.parametrize("size", [2, 3])
def test_draws_agree_with_the_table_in_full(habits: list[Any], size: int) -> None:
    domains = habits[:size]
    exact, drawn = found_in(domains), found_in(domains, most_cells=0, seed=4)
    assert (exact.exact, drawn.exact) == (True, False)
    assert (exact.people, exact.values, exact.cells) == (drawn.people, drawn.values, drawn.cells)
    assert 0 < drawn.error < 0.02
    assert 0 < drawn.guess_error < 0.01
    for one, other in zip(exact.by_prior, drawn.by_prior, strict=True):
        assert other.information == pytest.approx(one.information, abs=4 * drawn.error)
        assert other.overlap == pytest.approx(one.overlap, abs=4 * drawn.error)
        assert other.best_guess == pytest.approx(one.best_guess, abs=4 * drawn.guess_error)
        assert other.printed_guess == pytest.approx(one.printed_guess, abs=4 * drawn.guess_error)
        assert (other.h_user, other.parts) == (one.h_user, one.parts)


def test_draws_err_as_much_as_they_say(habits: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty estimates spread around the truth by their standard error, and by no more."""
    monkeypatch.setattr("singleout.risk.entropy.product_table.MOST_DRAWS", 600)
    monkeypatch.setattr("singleout.risk.entropy.product_table.FEWEST_DRAWS", 600)
    exact = found_in(habits[:2]).by_prior[0].information
    drawn = [found_in(habits[:2], most_cells=0, seed=seed) for seed in range(40)]
    away = [(each.by_prior[0].information - exact) / each.error for each in drawn]
    assert abs(numpy.mean(away)) < 4 / math.sqrt(40)
    assert 0.4 < numpy.std(away) < 1.4


def test_draws_depend_on_the_seed_alone(habits: list[Any]) -> None:
    one = found_in(habits, most_cells=0, seed=1, threads=1)
    assert one == found_in(habits, most_cells=0, seed=1, threads=3)
    assert one != found_in(habits, most_cells=0, seed=2)


def test_too_many_entries_between_are_drawn(habits: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("singleout.risk.entropy.product_table.MOST_ENTRIES", 10)
    assert found_in(habits[:2]).exact
    assert not found_in(habits).exact


def test_products_too_large_for_whole_numbers() -> None:
    """2^32 times every count: the same shares, and scores beyond 64 bits."""
    small = found_in([STATIONS, PURCHASES, STATIONS])
    large = found_in([numpy.array(each) * 2**32 for each in (STATIONS, PURCHASES, STATIONS)])
    for one, other in zip(small.by_prior, large.by_prior, strict=True):
        for name in ("information", "best_guess", "printed_guess", "overlap"):
            assert getattr(other, name) == pytest.approx(getattr(one, name))


def test_people_without_one_domain_drop_out() -> None:
    found = found_in([[[2, 1], [0, 3], [5, 5]], [[1, 0], [1, 1], [0, 0]]])
    assert (found.people, found.values) == (2, 4)
    with pytest.raises(InputError, match="nobody has records in all"):
        found_in([[[1], [0]], [[0], [1]]])
    with pytest.raises(UsageError, match="by twos or more"):
        found_in([STATIONS])
    with pytest.raises(UsageError, match="the same people"):
        found_in([STATIONS, [[1]]])


def ways_to_deal(matrix: Any) -> list[Any]:
    """All tables that come about by permuting the values over the events, each as often as it does."""
    person = numpy.repeat(numpy.arange(len(matrix)), matrix.sum(axis=1))
    values = numpy.repeat(numpy.arange(matrix.shape[1]), matrix.sum(axis=0))
    found = []
    for dealt in permutations(values.tolist()):
        found.append(numpy.zeros_like(matrix))
        numpy.add.at(found[-1], (person, list(dealt)), 1)
    return found


def test_chance_of_two_domains_by_hand() -> None:
    """All ways to deal the values of both domains, against two hundred drawn ones."""
    domains = [numpy.array([[2, 0], [0, 1], [1, 0]]), numpy.array([[1, 0], [1, 1], [0, 1]])]
    ways = [by_hand(list(dealt), "product") for dealt in product(*map(ways_to_deal, domains))]
    found = joint_chance([table_of(each) for each in domains], seed=3, threads=2)
    assert found is not None
    assert found.permutations == 200
    for name in ("information", "best_guess"):
        all_ways = [way[name] for way in ways]
        off = 4 * float(numpy.std(all_ways)) / math.sqrt(200)
        assert getattr(found, name) == pytest.approx(numpy.mean(all_ways), abs=off)


@settings(max_examples=5)
@given(several(), st.integers(0, 99))
def test_chance_of_several_depends_on_margins_and_seed_alone(domains: list[Any], seed: int) -> None:
    found = joint_chance([table_of(each) for each in domains], seed, threads=1)
    renumbered = [table_of(each) for each in numbered_anew(domains, seed)]
    assert joint_chance(renumbered, seed, threads=3) == found


def test_habits_tell_more_than_chance_and_noise_does_not(habits: list[Any]) -> None:
    found, by_chance = found_in(habits[:2]), joint_chance([table_of(each) for each in habits[:2]], 0, 2)
    assert is_beyond_chance(found.by_prior[0].information, by_chance)
    random = numpy.random.default_rng(0)
    noise = [random.poisson(0.5, (60, size)) for size in (25, 12)]
    by_chance = joint_chance([table_of(each) for each in noise], 0, 2)
    assert not is_beyond_chance(found_in(noise).by_prior[0].information, by_chance)


def test_chance_is_drawn_where_all_cells_cost_too_much(
    habits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [table_of(each) for each in habits[:2]]
    in_full = joint_chance(tables, 0, 1)
    most = ProductTable.of(tables).cells // 2
    monkeypatch.setattr("singleout.risk.entropy.joint_domains.MOST_CELLS_BY_CHANCE", most)
    drawn = joint_chance(tables, 0, 1)
    assert (in_full.permutations, drawn.permutations) == (200, 4)
    assert drawn.information != in_full.information
    assert drawn.information == pytest.approx(in_full.information, abs=0.05)
    assert drawn == joint_chance(tables, 0, 3)


def test_the_priors_have_names() -> None:
    assert tuple(each.prior for each in found_in([STATIONS, PURCHASES]).by_prior) == PRIORS
