"""Names of the original in a release are noticed, however many names one person has."""

from __future__ import annotations

import pyarrow

from singleout.attacks.paired_tables import pair_tables
from singleout.policy.release_clues import _kept_names


def test_two_names_of_one_person_hide_no_kept_names() -> None:
    original = pyarrow.table({"who": ["ann", "ann", "bob", "cid"], "goods": ["tea", "salt", "rice", "oil"]})
    release = pyarrow.table({"who": ["ann", "new", "bob", "cid"], "goods": ["tea", "salt", "rice", "oil"]})
    who = {"ann": "ann", "new": "ann", "bob": "bob", "cid": "cid"}
    (found,) = _kept_names(pair_tables(original, release, who, user="who"))
    assert "3 of 4 people are called as in the original" in found.words
