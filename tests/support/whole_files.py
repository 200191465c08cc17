"""The whole public data sets, where they lie beside the project, and what is left out where they do not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"
ABSENT = "whole public files are not beside the project"
WHERE = "docs/data.md says where they are published"


def whole_files() -> Path:
    """The folder of the data sets; the test is left out where there is none."""
    if not DATA.is_dir():
        pytest.skip(f"{ABSENT}; {WHERE}")
    return DATA


def left_out(skipped: Iterable[pytest.TestReport]) -> str | None:
    """How many of these tests were left out for want of data, in one line; None where none was."""
    many = sum(ABSENT in str(report.longrepr) for report in skipped)
    if not many:
        return None
    tests = "1 test" if many == 1 else f"{many} tests"
    return f"left out: {tests} over whole public files, which are not beside the project ({WHERE})"
