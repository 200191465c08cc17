"""The API against its own OpenAPI document: whatever is sent, the server never fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.core.result import Ok

from tests.support.web_people import WebPeople, web_people

CASES_A_ROUTE = 10


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_no_case_makes_the_server_fail(
    tmp_path: Path, address: str, mode: schemathesis.GenerationMode
) -> None:
    """Cases as the document allows them, and such as it does not."""
    with web_people(tmp_path, address) as people:
        schema = schemathesis.openapi.from_asgi(
            "/api/openapi.json", people.app, headers={"Host": "localhost"}
        )
        statuses = [
            status
            for found in schema.get_all_operations()
            if isinstance(found, Ok)
            for status in statuses_of(people, found.ok(), mode)
        ]
    assert len(statuses) > 150
    assert [each for each in statuses if each >= 500] == []
    assert {200, 422} <= set(statuses)


def statuses_of(people: WebPeople, operation: Any, mode: schemathesis.GenerationMode) -> list[int]:
    statuses: list[int] = []

    @settings(
        max_examples=CASES_A_ROUTE, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(operation.as_strategy(mode), st.booleans(), st.sampled_from(["member", "organiser", "admin"]))
    def ask(case: Any, known: bool, role: str) -> None:
        if known and "name" in case.path_parameters:
            case.path_parameters["name"] = "small"
        headers = {"Authorization": f"Bearer {people.tokens[role]}", "Host": "localhost"}
        statuses.append(case.call(headers=headers).status_code)

    try:
        ask()
    except Unsatisfiable:
        assert mode is schemathesis.GenerationMode.NEGATIVE  # nothing to do wrong
    return statuses
