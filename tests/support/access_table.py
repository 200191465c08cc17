"""Which answer each role gets from each route: one that is missing here fails the test that walks them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# of the contest that is asked about: its team's member, another team's, its organiser, and another organiser
ROLES = ("visitor", "stranger", "member", "rival", "organiser", "other_organiser", "admin")
Statuses = dict[str, int]


def answers(*, visitor: int, others: int, **special: int) -> Statuses:
    return {**dict.fromkeys(ROLES, others), "visitor": visitor, **special}


EVERYBODY = answers(visitor=200, others=200)
SIGNED_IN = answers(visitor=401, others=200)
TEAMS = answers(visitor=401, others=403, member=200, rival=200, organiser=200, admin=200)
OWN = answers(visitor=401, others=404, member=200, organiser=200, admin=200)
MANAGERS = answers(visitor=401, others=403, organiser=200, admin=200)
ADMINS = answers(visitor=401, others=403, admin=200)


@dataclass(frozen=True)
class Route:
    """How a route is asked: `{name}` is the contest, `{number}` the member's submission."""

    statuses: Statuses
    request: dict[str, Any] = field(default_factory=dict)
    path: str | None = None
    last: bool = False  # it makes somebody of its asker that others don't expect


RELEASE = {"files": {"release": ("r.csv", b"customer,goods\nx,tea\n")}}
API_ROUTES = {
    "GET /api/openapi.json": Route(EVERYBODY),
    "GET /api/account": Route(SIGNED_IN),
    "GET /api/contests": Route(EVERYBODY),
    "POST /api/contests": Route(
        answers(visitor=401, others=403, organiser=422, other_organiser=422, admin=422),
        {"files": {"original": ("o.csv", b"a\n1\n")}, "data": {"definition": "no contest"}},
    ),
    "GET /api/contests/{name}": Route(EVERYBODY),
    "POST /api/contests/{name}/state": Route(MANAGERS, {"json": {"state": "open"}}),
    "GET /api/contests/{name}/kit": Route(TEAMS),
    "GET /api/contests/{name}/data/{part}": Route(TEAMS, path="/api/contests/{name}/data/original"),
    "GET /api/contests/{name}/team": Route(answers(visitor=401, others=409, member=200, rival=200)),
    "POST /api/contests/{name}/team": Route(
        answers(visitor=401, others=201, member=409, rival=409), {"json": {"name": "New {role}"}}, last=True
    ),
    "POST /api/contests/{name}/team/join": Route(
        answers(visitor=401, others=422, member=409, rival=409), {"json": {"code": "no-such-code"}}
    ),
    "GET /api/contests/{name}/submissions": Route(SIGNED_IN),
    "POST /api/contests/{name}/submissions": Route(
        answers(visitor=401, others=409, member=201, rival=201), RELEASE
    ),
    "GET /api/contests/{name}/submissions/{number}": Route(OWN),
    "GET /api/contests/{name}/submissions/{number}/release": Route(OWN),
    "POST /api/contests/{name}/submissions/{number}/pin": Route({**OWN, "organiser": 403, "admin": 403}),
    "POST /api/contests/{name}/submissions/{number}/run-again": Route(MANAGERS),
    "GET /api/contests/{name}/board": Route(EVERYBODY),
    "GET /api/contests/{name}/results/{table}": Route(
        TEAMS, path="/api/contests/{name}/results/metric_values?format=csv"
    ),
    "GET /api/contests/{name}/archive": Route(MANAGERS),
    "GET /api/workers": Route(ADMINS),
}
ORGANISERS = answers(visitor=401, others=403, organiser=200, other_organiser=200, admin=200)
NOT_THEIRS = {**OWN, "organiser": 403, "admin": 403}
MANAGE, SUBMISSION = "/contests/{name}/manage", "/contests/{name}/submissions/{number}"
# what a page answers after the way on that a form leads to
PAGE_ROUTES = {
    "GET /static/{name}": Route(EVERYBODY, path="/static/platform.css"),
    "GET /": Route(EVERYBODY),
    "GET /sign-up": Route(EVERYBODY),
    "POST /sign-up": Route(answers(visitor=422, others=422)),
    "GET /sign-in": Route(EVERYBODY),
    "POST /sign-in": Route(answers(visitor=401, others=401)),
    "GET /admin-link/{secret}": Route(EVERYBODY, path="/admin-link/x"),
    "POST /admin-link/{secret}": Route(answers(visitor=410, others=410), path="/admin-link/x"),
    "GET /account": Route(SIGNED_IN),
    "POST /account/tokens": Route(SIGNED_IN, {"data": {"name": "mine"}}),
    "POST /account/tokens/{token_id}/revoke": Route(
        answers(visitor=401, others=404), path="/account/tokens/99999/revoke"
    ),
    "GET /admin": Route(ADMINS),
    "POST /admin/accounts/{number}/role": Route(
        ADMINS, {"data": {"role": "organiser"}}, path="/admin/accounts/1/role"
    ),
    "POST /admin/accounts/{number}/active": Route(
        ADMINS, {"data": {"active": "1"}}, path="/admin/accounts/1/active"
    ),
    "GET /contests/new": Route(ORGANISERS),
    "POST /contests": Route({**ORGANISERS, "organiser": 422, "other_organiser": 422, "admin": 422}),
    "GET /contests/{name}": Route(EVERYBODY),
    "GET /contests/{name}/team": Route(SIGNED_IN),
    "POST /contests/{name}/team/make": Route(
        answers(visitor=401, others=409), {"data": {"name": "Page {role}"}}, last=True
    ),
    "POST /contests/{name}/team/join": Route(
        answers(visitor=401, others=422, member=409, rival=409), {"data": {"code": "no-such-code"}}
    ),
    "GET /contests/{name}/results": Route(EVERYBODY),
    "GET /contests/{name}/submit": Route(SIGNED_IN),
    "POST /contests/{name}/submit": Route(answers(visitor=401, others=409, member=200, rival=200), RELEASE),
    "GET /contests/{name}/submissions": Route(answers(visitor=401, others=403, member=200, rival=200)),
    f"GET {SUBMISSION}": Route(OWN),
    f"GET {SUBMISSION}/state": Route(OWN),
    f"POST {SUBMISSION}/comment": Route(NOT_THEIRS, {"data": {"comment": "mine"}}),
    f"POST {SUBMISSION}/pin": Route(NOT_THEIRS, {"data": {"pinned": "1"}}),
    "GET /contests/{name}/board": Route(EVERYBODY),
    f"GET {MANAGE}": Route(MANAGERS),
    f"POST {MANAGE}/state": Route(MANAGERS, {"data": {"state": "open"}}),
    f"POST {MANAGE}/phase": Route(MANAGERS, {"data": {"position": "0"}}),
    f"POST {MANAGE}/announce": Route(MANAGERS, {"data": {"text": "hello"}}),
    f"POST {MANAGE}/definition": Route(
        {**MANAGERS, "organiser": 422, "admin": 422}, {"data": {"definition": "no contest"}}
    ),
    f"POST {MANAGE}/run-all": Route(MANAGERS),
    f"POST {MANAGE}/submissions/{{number}}/run": Route(MANAGERS),
    f"POST {MANAGE}/submissions/{{number}}/refund": Route(MANAGERS),
    f"POST {MANAGE}/submissions/{{number}}/disqualify": Route(MANAGERS, {"data": {"why": "no"}}),
    f"POST {MANAGE}/submissions/{{number}}/qualify": Route(MANAGERS),
    # with another cookie the key of forms is another one
    "POST /sign-out": Route(EVERYBODY, last=True),
}
ROUTES = {**API_ROUTES, **PAGE_ROUTES}
