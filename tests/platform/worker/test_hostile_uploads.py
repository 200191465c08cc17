"""Tables that somebody sends to do harm: none ends the platform, and each gets a sentence for its author."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from singleout.platform.guess_table import check_guesses
from singleout.platform.scorer import table_ending, validate
from singleout.platform.settings import ProcessLimits
from singleout.platform.store.files import FileShelf, shown_name
from singleout.platform.web.text_catalogue import catalogue
from singleout.platform.worker.evaluation_process import evaluate
from tests.support.small_platform import small_contest, stored

LIMITS = ProcessLimits(validation_seconds=600, memory_megabytes=4_000, disk_megabytes=200)
ORIGINAL = "who,age,city\n" + "".join(f"p{each},{each},Oslo\n" for each in range(50))
HEADER = b"who,age,city\n"
BOMB = 100_000_000
LONGEST_ANSWER = 10_000


def zipped() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.csv", "w") as file:
        for _ in range(BOMB // 10_000_000):
            file.write(bytes(10_000_000))
    return target.getvalue()


def zstandard() -> bytes:
    return bytes(pyarrow.compress(bytes(BOMB), "zstd", asbytes=True))


def parquet(table: pyarrow.Table, **how: Any) -> bytes:
    target = io.BytesIO()
    pyarrow.parquet.write_table(table, target, **how)
    return target.getvalue()


def many_records() -> bytes:
    """Twenty million records in a few kilobytes."""
    target = io.BytesIO()
    piece = pyarrow.table({name: pyarrow.array(["x"] * 1_000_000) for name in ("who", "age", "city")})
    with pyarrow.parquet.ParquetWriter(target, piece.schema, compression="zstd") as writer:
        for _ in range(20):
            writer.write_table(piece)
    return target.getvalue()


def one_cell_of_a_gigabyte() -> bytes:
    cell = pyarrow.array([b"0" * (1 << 30)], pyarrow.large_binary())
    table = pyarrow.table({"who": ["a"], "age": [1], "city": cell.cast(pyarrow.large_string())})
    return parquet(table, compression="zstd")


def nested() -> bytes:
    kind: pyarrow.DataType = pyarrow.int8()
    for _ in range(60):
        kind = pyarrow.struct([("in", kind)])
    return parquet(pyarrow.table({"who": ["a"], "age": [1], "city": pyarrow.nulls(1, kind)}))


def good_parquet() -> bytes:
    return parquet(pyarrow.table({"who": ["a"], "age": [1], "city": ["Oslo"]}))


def named(name: str) -> bytes:
    return f'who,age,"{name}"\na,1,x\n'.encode()


UPLOADS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip bomb": (lambda: gzip.compress(bytes(BOMB), 1, mtime=0), "gz"),
    "zip bomb": (zipped, ""),
    "zstd bomb": (zstandard, ""),
    "Parquet bomb of records": (many_records, "at most 5,000,000"),
    "Parquet bomb of one cell": (one_cell_of_a_gigabyte, ""),
    "nested Parquet": (nested, ""),
    "damaged Parquet": (lambda: good_parquet()[:-20] + b"PAR1", ""),
    "cut Parquet": (lambda: good_parquet()[:50], ""),
    "Parquet by its first bytes only": (lambda: b"PAR1" + ORIGINAL.encode(), ""),
    "Parquet behind a CSV header": (lambda: HEADER + good_parquet(), ""),
    "10,000 columns": (lambda: (",".join(f"c{i}" for i in range(10_000)) + "\n").encode(), "10,000 columns"),
    "a huge cell": (lambda: HEADER + b"a,1," + b"x" * 40_000_000 + b"\n", ""),
    "a huge line of commas": (lambda: HEADER + b"," * 5_000_000 + b"\n", ""),
    "a million empty lines": (lambda: b"\n" * 1_000_000, ""),
    "an open quote": (lambda: HEADER + b'"' + b"a,1,x\n" * 100_000, ""),
    "nothing": (lambda: b"", ""),
    "NUL bytes": (lambda: bytes(100_000), ""),
    "no UTF-8": (lambda: HEADER + b"\xff\xfe\xfa,1,\xff\n", ""),
    "a web page": (lambda: b"<html><script>alert(1)</script></html>", "missing"),
    "a program": (lambda: b"\x7fELF\x02\x01\x01" + bytes(2_000), ""),
    "a picture that is a table": (lambda: b"GIF89a," + ORIGINAL.encode(), "fields"),
    "PDF": (lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", ""),
    "SQL as a column": (lambda: named('city""; DROP TABLE x; --'), "missing"),
    "a path as a column": (lambda: named("../../etc/passwd"), "missing"),
    "a terminal's orders as a column": (lambda: named("\x1b[2J\x07city"), "missing"),
    "a page's orders as a column": (lambda: named("<img src=x onerror=alert(1)>"), "missing"),
    "a formula as a column": (lambda: named("=cmd|' /C calc'!A0"), "missing"),
    "a name turned around": (lambda: named("\u202eytic"), "missing"),
    "a name of a megabyte": (lambda: named("c" * 1_000_000), "missing"),
    "a name twice": (lambda: b"who,age,city,city\na,1,x,y\n", ""),
    "no names": (lambda: b",,\na,1,x\n", ""),
    "wrong types": (lambda: HEADER + b"p1,very old,Oslo\n", "is no number"),
    "nobody": (lambda: HEADER + b",1,Oslo\n", "nobody is named"),
}  # fmt: skip


ODD_NAMES = [each for each in UPLOADS if "column" in each or "name" in each]
ENGLISH = re.compile("[a-z]{2,} [a-z]{2,} [a-z]{2,}")
# these are read by a process with limits, as all are on the platform; the others here, which is quicker
HEAVY = ("Parquet bomb of records", "Parquet bomb of one cell", "a huge cell")


def answers(kind: str, content: bytes, folder: Path) -> list[str]:
    """What the author is told."""
    original, release = folder / "original.csv", folder / f"release{table_ending(content[:16])}"
    original.write_text(ORIGINAL)
    release.write_bytes(content)
    contest = small_contest(user="who", parts={"amount": "age"}, truth="names", roles={})
    if kind not in HEAVY:
        return [each.text for each in validate(contest, original, release)]
    absent = dict.fromkeys(("truth", "people", "release_people"))
    files = {"original": str(original), "release": str(release), **absent}
    request = {
        "kind": "validate", "scorer": "singleout.platform.scorer", "definition": contest.to_toml(),
        "files": files,
    }  # fmt: skip
    answer = evaluate(request, folder, LIMITS, lambda _progress: True)
    assert not answer.by_platform, answer
    return [answer.fault] if answer.fault else [each["text"] for each in answer.result or []]


@pytest.mark.parametrize("kind", UPLOADS)
def test_a_hostile_table_ends_in_a_sentence_for_its_author(kind: str, tmp_path: Path) -> None:
    make, told = UPLOADS[kind]
    said = answers(kind, make(), tmp_path)
    assert said and all(said), "it was accepted"
    whole = "\n".join(said)
    assert told in whole
    assert str(tmp_path) not in whole and "Traceback" not in whole
    assert len(whole) < LONGEST_ANSWER
    in_japanese = [catalogue("ja").told(each) for each in said]
    # what stays in English are names that somebody chose
    assert [each for each in in_japanese if 'lang="en"' in each] == []
    assert kind in ODD_NAMES or [each for each in in_japanese if ENGLISH.search(each)] == []


@pytest.mark.parametrize("kind", [each for each in UPLOADS if each not in HEAVY])
def test_hostile_guesses_end_in_a_sentence_for_their_author(kind: str, tmp_path: Path) -> None:
    """The same files, sent as guesses."""
    content = UPLOADS[kind][0]()
    people, guesses = tmp_path / "people.csv", tmp_path / f"guesses{table_ending(content[:16])}"
    people.write_text(ORIGINAL)
    guesses.write_bytes(content)
    problems, found = check_guesses(small_contest(user="who", roles={}), people, people, guesses)
    whole = "\n".join(each.text for each in problems)
    assert problems and not found and len(whole) < LONGEST_ANSWER
    assert str(tmp_path) not in whole and "Traceback" not in whole


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd", "..\\..\\windows\\system32", "/etc/shadow", "a\0b.csv", "\x1b[2J.csv",
        "\u202efdp.csv", "x" * 100_000, "", ".", "con", "<script>alert(1)</script>.csv", "a\nb.csv",
        "\ud800.csv", "%2e%2e%2fpasswd", "$(reboot).csv", "'; DROP TABLE files; --.csv",
    ],
)  # fmt: skip
def test_a_hostile_name_is_shown_and_never_used(name: str, shelf: FileShelf, tmp_path: Path) -> None:
    before = {each for each in tmp_path.rglob("*") if each.is_file()}
    file = stored(shelf, b"a\n1\n", name)
    (kept,) = {each for each in tmp_path.rglob("*") if each.is_file()} - before
    assert kept.name == file.digest
    shown = shown_name(name)
    assert 0 < len(shown) <= 200 and shown.isprintable() and "/" not in shown
