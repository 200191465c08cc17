"""Every route answers every role as the table says; a draft is not there for those who may not see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Mount

from singleout.platform.store.database import database_address
from tests.support.access_table import ROLES, ROUTES, Route
from tests.support.web_people import WebPeople, web_people


@pytest.fixture
def people(tmp_path: Path) -> Iterator[WebPeople]:
    with web_people(tmp_path, database_address(None, tmp_path)) as filled:
        yield filled


def test_every_route_is_in_the_table(people: WebPeople) -> None:
    assert {*keys_of(people.app.routes)} == set(ROUTES)


def keys_of(routes: Sequence[Any]) -> Iterator[str]:
    """Also of routers that were included; what is mounted are files that everybody may have."""
    for route in routes:
        if hasattr(route, "original_router"):
            yield from keys_of(route.original_router.routes)
        elif not isinstance(route, Mount):
            yield from (f"{method} {route.path}" for method in sorted(route.methods - {"HEAD"}))


@pytest.mark.parametrize("role", ROLES)
def test_every_route_answers_a_role_as_the_table_says(people: WebPeople, role: str) -> None:
    client = people.client_with_forms(role)
    ordered = sorted(ROUTES.items(), key=lambda each: each[1].last)
    found = {key: asked(client, key, each, role, "small", people.submission) for key, each in ordered}
    assert found == {key: each.statuses[role] for key, each in ROUTES.items()}


def asked(client: Any, key: str, route: Route, role: str, contest: str, number: int) -> int:
    method, _, template = key.partition(" ")
    path = (route.path or template).format(name=contest, number=number)
    wishes = {name: named(value, role) for name, value in route.request.items()}
    return int(client.request(method, path, **wishes).status_code)


def named(value: Any, role: str) -> Any:
    if isinstance(value, str):
        return value.replace("{role}", role)
    return {name: named(each, role) for name, each in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("role", ["visitor", "stranger", "member", "other_organiser"])
def test_a_draft_is_not_there_for_others(people: WebPeople, role: str) -> None:
    client = people.client_with_forms(role)
    of_contest = {key: each for key, each in ROUTES.items() if "contests/{name}" in key}
    found = {asked(client, key, each, role, "hidden", 1) for key, each in of_contest.items()}
    assert found <= {401, 404}
    assert "hidden" not in client.get("/api/contests").text


def test_another_contest_s_number_leads_nowhere(people: WebPeople) -> None:
    client = people.client("organiser")
    assert client.get(f"/api/contests/hidden/submissions/{people.submission}").status_code == 404
