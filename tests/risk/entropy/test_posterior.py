"""Who it may be once values are known: the paper's worked example, and a sum by hand."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import UsageError
from singleout.risk.entropy.posterior import posterior, posteriors
from tests.by_hand.person_value_counts_by_hand import PURCHASES, STATIONS

TABLES = [numpy.array(STATIONS), numpy.array(PURCHASES)]
HAVING = [table[:, 0] for table in TABLES]
RECORDS = [table.sum(axis=1) for table in TABLES]


def test_the_worked_posterior() -> None:
    # Ito et al. n.d., Section 3C: 1/2 as printed; E-003.8: 2/3 with the prior of E_S, 16/19 if uniform
    assert posterior(HAVING, RECORDS, "product").tolist() == pytest.approx([1 / 2, 1 / 2, 0])
    assert posterior(HAVING, RECORDS, [3, 8, 8]).tolist() == pytest.approx([2 / 3, 1 / 3, 0])
    assert posterior(HAVING, RECORDS, "uniform").tolist() == pytest.approx([16 / 19, 3 / 19, 0])
    # by records 5, 12, 9: 5·(2/3)·1 against 12·(1/2)·(1/4)
    assert posterior(HAVING, RECORDS, "records")[0] == pytest.approx((10 / 3) / (10 / 3 + 3 / 2))
    assert [each.highest for each in posteriors(HAVING, RECORDS)] == pytest.approx([1 / 2, 16 / 19, 20 / 29])


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=4, max_size=4), min_size=1)
)
def test_the_printed_rule_multiplies_what_each_value_says(counts: Any) -> None:
    having = [numpy.array([own for own, _ in people]) for people in counts]
    records = [numpy.array([own + rest for own, rest in people]) for people in counts]
    product = numpy.prod(having, axis=0)
    found = posterior(having, records, "product")
    assert found == pytest.approx(product / max(1, product.sum()))
    assert bool(posteriors(having, records)) == bool(product.any())


def test_priors_that_can_not_be() -> None:
    with pytest.raises(UsageError, match="'uniform'"):
        posterior(HAVING, RECORDS, "unifrom")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="one weight for each person"):
        posterior(HAVING, RECORDS, [1, 2])
