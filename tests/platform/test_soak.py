"""What was accepted is evaluated, once and the same, whatever is killed meanwhile: a small soak."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from singleout.platform.store.database import database_address
from tests.support.contest_soak import small_disk, soak
from tests.support.postgres_server import new_schema, postgres_server, restart_postgres

SUBMISSIONS, SIZE, SECONDS = 8, 200_000, 12


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_that_was_accepted_is_lost(kind: str, tmp_path: Path) -> None:
    wanted: dict[str, Any] = {"submissions": SUBMISSIONS, "size": SIZE, "seconds": SECONDS}
    if kind == "sqlite":
        with small_disk(64) as (folder, is_small):
            found = soak(folder, database_address(None, folder), small_disk=is_small, **wanted)
    else:
        with postgres_server() as server:
            address = database_address(new_schema(server), tmp_path)
            found = soak(tmp_path, address, restart=lambda: restart_postgres(server), **wanted)
    assert (found.lost, found.changed, found.different) == (0, 0, 0)
    assert found.accepted == found.scored == SUBMISSIONS
    assert sum(found.faults.values()) > 0
