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
    last: int = 0  # higher ones come later: they make somebody of their asker that others don't expect


# this contest has no attack phase; the attack's own test has the answers of one that has
UNPUBLISHED = answers(visitor=401, others=403, member=404, rival=404, organiser=404, admin=404)
GUESSES = {"files": {"guesses": ("g.csv", b"release_user,original_user\nx,a\n")}, "data": {"target": "1"}}
RELEASE = {"files": {"release": ("r.csv", b"customer,goods\nx,tea\n")}}
METRIC_TEXT = """-- /// metric
-- name = "{}"
-- family = "utility"
-- better = "higher"
-- range = [0, 1]
-- ///
SELECT 1
"""
METRIC = {"files": {"metric": ("m.sql", METRIC_TEXT.format("tried").encode())}}
UPLOADERS = {"member": 201, "rival": 201, "organiser": 201, "admin": 201}
# the member's metric: for their team and who manages the contest
OWN_METRIC = answers(visitor=404, others=404, member=200, organiser=200, admin=200)
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
        answers(visitor=401, others=201, member=409, rival=409), {"json": {"name": "New {role}"}}, last=1
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
    "GET /api/contests/{name}/published": Route(TEAMS),
    "GET /api/contests/{name}/published/{number}/release": Route(UNPUBLISHED),
    "GET /api/contests/{name}/published/{number}/recipe": Route(UNPUBLISHED),
    "POST /api/contests/{name}/guesses": Route(answers(visitor=401, others=409), GUESSES),
    "GET /api/contests/{name}/matrix": Route(MANAGERS),
    "GET /api/contests/{name}/archive": Route(MANAGERS),
    "GET /api/workers": Route(ADMINS),
    "GET /api/contests/{name}/metrics": Route(EVERYBODY),
    "POST /api/contests/{name}/metrics": Route(answers(visitor=401, others=403, **UPLOADERS), METRIC),
    "GET /api/contests/{name}/metrics/{number}": Route(OWN_METRIC, path="/api/contests/{name}/metrics/1"),
    "POST /api/contests/{name}/metrics/{number}/adopt": Route(
        answers(visitor=401, others=403, organiser=409, admin=409),
        path="/api/contests/{name}/metrics/1/adopt",
    ),
    "POST /api/contests/{name}/metrics/{number}/approve": Route(
        answers(visitor=401, others=403, organiser=409, admin=409),
        path="/api/contests/{name}/metrics/1/approve",
    ),
}
# what a browser sees: a form that was taken leads on
SIGNED_IN_FORM = answers(visitor=401, others=303)
MANAGERS_FORM = answers(visitor=401, others=403, organiser=303, admin=303)
MEMBER_FORM = answers(visitor=401, others=404, member=303, organiser=403, admin=403)
MANAGE = "/contests/{name}/manage"
PAGE_ROUTES = {
    "GET /": Route(EVERYBODY),
    "GET /static/{name}": Route(EVERYBODY, path="/static/icon.svg"),
    "GET /sign-up": Route(EVERYBODY),
    "POST /sign-up": Route(answers(visitor=422, others=422), {"data": {"name": "", "password": ""}}),
    "GET /sign-in": Route(EVERYBODY),
    "POST /sign-in": Route(answers(visitor=401, others=401), {"data": {"name": "x", "password": "y"}}),
    "POST /sign-out": Route(answers(visitor=303, others=303), last=2),
    "GET /admin-link/{secret}": Route(EVERYBODY, path="/admin-link/wrong"),
    "POST /admin-link/{secret}": Route(answers(visitor=410, others=410), path="/admin-link/wrong"),
    "GET /account": Route(SIGNED_IN),
    "POST /account/password": Route(
        answers(visitor=401, others=401), {"data": {"old": "wrong", "new": "another password"}}
    ),
    "POST /account/tokens": Route(SIGNED_IN, {"data": {"name": "laptop"}}),
    "POST /account/tokens/{token_id}/revoke": Route(
        answers(visitor=401, others=404), path="/account/tokens/9999/revoke"
    ),
    "GET /admin": Route(ADMINS),
    "POST /admin/accounts/{number}/role": Route(
        answers(visitor=401, others=403, admin=404), {"data": {"role": "admin"}}, "/admin/accounts/9999/role"
    ),
    "POST /admin/accounts/{number}/password": Route(
        answers(visitor=401, others=403, admin=404), path="/admin/accounts/9999/password"
    ),
    "POST /admin/accounts/{number}/active": Route(
        answers(visitor=401, others=403, admin=404), path="/admin/accounts/9999/active"
    ),
    "GET /contests/new": Route(
        answers(visitor=401, others=403, organiser=200, other_organiser=200, admin=200)
    ),
    "POST /contests": Route(
        answers(visitor=401, others=403, organiser=422, other_organiser=422, admin=422),
        {"data": {"definition": "no contest"}},
    ),
    "GET /contests/{name}": Route(EVERYBODY),
    "GET /contests/{name}/board": Route(EVERYBODY),
    "GET /contests/{name}/results": Route(EVERYBODY),
    "GET /contests/{name}/team": Route(SIGNED_IN),
    "POST /contests/{name}/team/make": Route(
        answers(visitor=401, others=303, member=409, rival=409), {"data": {"name": "Page {role}"}}, last=1
    ),
    "POST /contests/{name}/team/join": Route(
        answers(visitor=401, others=422, member=409, rival=409), {"data": {"code": "no-such-code"}}
    ),
    "GET /contests/{name}/submit": Route(answers(visitor=401, others=303, member=200, rival=200)),
    "POST /contests/{name}/submit": Route(answers(visitor=401, others=409, member=303, rival=303), RELEASE),
    "GET /contests/{name}/attack": Route(answers(visitor=401, others=303, member=200, rival=200)),
    "POST /contests/{name}/attack": Route(answers(visitor=401, others=409), GUESSES),
    "GET /contests/{name}/matrix": Route(EVERYBODY),
    "GET /contests/{name}/submissions": Route(answers(visitor=401, others=403, member=200, rival=200)),
    "GET /contests/{name}/submissions/{number}": Route(OWN),
    "GET /contests/{name}/submissions/{number}/state": Route(OWN),
    "POST /contests/{name}/submissions/{number}/comment": Route(MEMBER_FORM, {"data": {"comment": "x"}}),
    "POST /contests/{name}/submissions/{number}/pin": Route(MEMBER_FORM, {"data": {"pinned": "0"}}),
    "POST /contests/{name}/data": Route(
        answers(visitor=401, others=403, organiser=422, admin=422), {"data": {"x": ""}}
    ),
    "GET /contests/{name}/metrics": Route(EVERYBODY),
    "POST /contests/{name}/metrics": Route(
        answers(visitor=401, others=403, **dict.fromkeys(UPLOADERS, 303)), METRIC
    ),
    "GET /contests/{name}/metrics/{number}": Route(OWN_METRIC, path="/contests/{name}/metrics/1"),
    "GET /contests/{name}/metrics/{number}/state": Route(OWN_METRIC, path="/contests/{name}/metrics/1/state"),
    "POST /contests/{name}/metrics/{number}/{action}": Route(
        MANAGERS_FORM, path="/contests/{name}/metrics/1/run"
    ),
    f"GET {MANAGE}": Route(MANAGERS),
    f"POST {MANAGE}/state": Route(MANAGERS_FORM, {"data": {"state": "open"}}),
    f"POST {MANAGE}/phase": Route(MANAGERS_FORM, {"data": {"position": "0"}}),
    f"POST {MANAGE}/announce": Route(MANAGERS_FORM, {"data": {"text": "hello"}}),
    f"POST {MANAGE}/definition": Route(
        answers(visitor=401, others=403, organiser=422, admin=422), {"data": {"definition": "no contest"}}
    ),
    f"POST {MANAGE}/grant": Route(
        answers(visitor=401, others=403, organiser=404, admin=404), {"data": {"team": "9999", "amount": "1"}}
    ),
    f"POST {MANAGE}/run-all": Route(MANAGERS_FORM),
    f"POST {MANAGE}/submissions/{{number}}/run": Route(MANAGERS_FORM),
    f"POST {MANAGE}/submissions/{{number}}/refund": Route(MANAGERS_FORM),
    f"POST {MANAGE}/submissions/{{number}}/disqualify": Route(MANAGERS_FORM, {"data": {"why": "x"}}),
    f"POST {MANAGE}/submissions/{{number}}/qualify": Route(MANAGERS_FORM),
}
ROUTES = {**API_ROUTES, **PAGE_ROUTES}
