"""A command as a script and a person at a terminal see it: its document, its page, its one line of error."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from rich.cells import cell_len

from singleout.cli.main import main

Captured = pytest.CaptureFixture[str]


def only_json(text: str) -> Any:
    """The document, if there is exactly one and nothing else."""
    document, end = json.JSONDecoder().raw_decode(text)
    assert text[end:] == "\n"
    return document


def document_of(capsys: Captured, words: Sequence[str]) -> Any:
    """What --json prints, while nothing is said beside it."""
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return only_json(out)


def page_of(monkeypatch: pytest.MonkeyPatch, capsys: Captured, words: Sequence[str]) -> str:
    """What a terminal of 80 columns shows, as one line of words; remarks stay apart."""
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*words]) == 0
    out, err = capsys.readouterr()
    assert re.fullmatch(r"(note: .*\n( .*\n)*)*", err)
    assert [line for line in out.splitlines() if cell_len(line) > 80] == []
    return " ".join(out.split())


def error_of(capsys: Captured, words: Sequence[str], code: int = 2) -> str:
    """The one line of a command that fails."""
    try:
        ended = main([*words])
    except SystemExit as leaving:
        ended = int(leaving.code or 0)
    out, err = capsys.readouterr()
    assert (ended, out) == (code, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err.removeprefix("error: ").rstrip("\n")
