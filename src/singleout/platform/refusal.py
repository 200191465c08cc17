"""What the platform says no with: a code for scripts and translations, a sentence, and a status of HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from singleout.errors import SingleoutError

FilePath = str | PathLike[str]

STATUS = {
    "bad_request": 400,
    "not_signed_in": 401,
    "wrong_password": 401,
    "not_allowed": 403,
    "bad_form_key": 403,
    "not_found": 404,
    "name_taken": 409,
    "already_in_a_team": 409,
    "team_full": 409,
    "not_in_a_team": 409,
    "not_open": 409,
    "wrong_state": 409,
    "original_failed": 409,
    "link_used": 410,
    "too_large": 413,
    "bad_name": 422,
    "bad_password": 422,
    "bad_code": 422,
    "own_release": 422,
    "bad_text": 422,
    "bad_contest": 422,
    "bad_metric": 422,
    "bad_file": 422,
    "quota_used_up": 429,
    "too_many_failures": 429,
    "too_often": 429,
    "own_fault": 500,
    "busy": 503,
    "not_stored": 503,
}


class RefusalError(SingleoutError):
    """Somebody asked for what the rules of the platform or of a contest don't allow."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]


class ContestFaultError(SingleoutError):
    """What is wrong with every release of a contest, the untouched original too."""


def without_paths(message: str, files: Iterable[tuple[FilePath, str, str]]) -> str:
    """Where files lie on the server is nobody's business: each is called as it is to be told.

    With each file go how it is to be called, and what already stands before its path in messages.

    >>> files = [("/srv/people.csv", "the people", "table"), ("/srv/their_people.csv", "yours", "table")]
    >>> without_paths("table /srv/their_people.csv: is empty", files)
    'yours: is empty'
    """
    files = sorted(files, key=lambda each: -len(Path(each[0]).name))
    for path, called, before in files:
        message = message.replace(f"{before} {path}", called).replace(str(path), called)
    # after all paths, and the longest first: one name may be the end of another
    for path, called, _ in files:
        message = message.replace(Path(path).name, called)
    return message
