"""Characters that steer a terminal or turn words around are shown, not obeyed, wherever a name is told."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from singleout.cli.main import main

# escape, C1 control sequence, right-to-left override, isolate, zero width, soft hyphen
STEERING = "\x1b\x9b\u202e\u2066\u200b\xad"
NAME = f"go{STEERING}ods"
SHOWN = "go\\x1b\\x9b\\u202e\\u2066\\u200b\\xadods"
FILE_SHOWN = "a\\x1b\\x9b\\u202e\\u2066\\u200b\\xadb.parquet"
TABLE = pyarrow.table({
    "who": [1, 1, 2, 3, 4], NAME: ["x", f"y{STEERING}", "y", "y", "x"], "ill": list("abbab"),
})  # fmt: skip


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    name = f"a{STEERING}b.parquet"
    for each in (name, f"2{name}"):
        pyarrow.parquet.write_table(TABLE, each)
    return name


def check_shown(text: str) -> None:
    hidden = {each for each in text if unicodedata.category(each) in ("Cc", "Cf")} - {"\n"}
    assert hidden == set()


def words_for(file: str) -> dict[str, list[str]]:
    asked = ["--user", "who", "--sensitive", "ill"]
    return {
        "assess": ["assess", file, *asked, "--show-values"],
        "check": ["check", file, *asked, "--policy", "public"],
        "attack": ["attack", file, file, "--user", "who", "--item", NAME],
        "compare": ["compare", file, file, f"2{file}", "--user", "who", "--item", NAME],
    }


@pytest.mark.parametrize("command", ["assess", "check", "attack", "compare"])
def test_names_are_shown_not_obeyed(command: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = words_for(file)[command]
    main([*words, "--html", "out.html"])
    out, err = capsys.readouterr()
    page = Path("out.html").read_text(encoding="utf-8")
    for text in (out, err, page):
        check_shown(text)
    assert FILE_SHOWN in page
    assert FILE_SHOWN in out.replace("\n", "").replace(" ", "")
    assert (SHOWN in page) == (command != "check")  # which names its columns in the terminal only
    if "--show-values" in words:
        words.remove("--show-values")
    main([*words, "--json"])
    document = capsys.readouterr().out
    check_shown(document)
    told = json.loads(document)
    assert (told.get("source") or told["original"]) == file  # a program reads what is there


def test_nor_in_what_continuous_integration_shows(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = words_for(file)["check"]
    assert main([*words, "--junit", "out.xml"]) == 1
    capsys.readouterr()
    text = Path("out.xml").read_text(encoding="utf-8")
    check_shown(text)
    assert SHOWN in text
