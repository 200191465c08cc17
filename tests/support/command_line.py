"""A command as a script and a person at a terminal see it: its document, its page, its one line of error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.csv
import pyarrow.parquet
import pytest
from rich.cells import cell_len

from singleout.cli.main import main

Captured = pytest.CaptureFixture[str]
# the people of small originals, whom no output names
SECRETS = ("ann", "bob", "cid", "dot")


def folder_with(files: Mapping[str, str], place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of small files that the command is called in."""
    for name, text in files.items():
        (place / name).write_text(text)
    monkeypatch.chdir(place)
    return place


def as_parquet(folder: Path, *names: str) -> None:
    """Beside CSV files the same tables with typed columns."""
    nulls = pyarrow.csv.ConvertOptions(strings_can_be_null=True)
    for name in names:
        table = pyarrow.csv.read_csv(folder / f"{name}.csv", convert_options=nulls)
        pyarrow.parquet.write_table(table, folder / f"{name}.parquet")


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


def is_what_python_returns(document: Any, found: Any) -> bool:
    """And names nobody and nothing of the data."""
    text = json.dumps(document)
    assert not any(f'"{name}"' in text for name in (*SECRETS, "tea", "2011-01-30"))
    return bool(document == json.loads(json.dumps(found.to_dict())))


def same_on_any_threads(capsys: Captured, words: Sequence[str]) -> None:
    """The same text, to the letter."""
    told = []
    for threads in ("1", "2", "2"):
        assert main([*words, "--threads", threads, "--json"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == told[2]


def pages(monkeypatch: pytest.MonkeyPatch, capsys: Captured, command: str) -> Callable[..., str]:
    """What a command shows for some words."""

    def show(*words: str) -> str:
        return page_of(monkeypatch, capsys, [command, *words])

    return show


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


def complaint(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line of a command that fails."""
    try:
        code = main(words)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert "Traceback" not in err
    return err


def named_safely(capsys: Captured, folder: Path, words: Sequence[str]) -> None:
    """The column goods of o.csv and r.csv gets a name that steers a terminal, and is the item."""
    steering = "go\x1b[31mods"
    for name in ("o.csv", "r.csv"):
        (folder / name).write_text((folder / name).read_text().replace("goods", steering, 1))
    assert main([*words, "--item", steering]) == 0
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert "go\\x1b[31mods" in out


def error_without_a_trace(capsys: Captured, folder: Path, words: Sequence[str]) -> str:
    """The one line of a command that fails; it names nobody, and all files stay as they were."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    said = error_of(capsys, words)
    assert not any(re.search(rf"\b{name}\b", said) for name in (*SECRETS, "tea", "eve"))
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    return said
