"""What a JSON file tells by how it is written, and how programs write it, which tells nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest

from singleout.policy.check import check
from singleout.read.json_unevenness import BETWEEN, CHARACTERS, LAYOUTS, NUMBERS, uneven_records

PLAIN = '{"town": "Köln/a", "age": 30, "price": 1.5}'


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (PLAIN, []),
        ('{"town": "x", "age": 0, "price": null}', []),
        ('{"town": "with \\"age\\": 3.0", "age": 30, "price": -2.5}', []),
        ('{"town": "{}", "age": 30, "price": 10}', []),
        ('{"age": 30, "price": 1.5}', []),
        ('{"age": 30, "town": "Köln/a", "price": 1.5}', [LAYOUTS]),
        ('{"town":"Köln/a", "age": 30, "price": 1.5}', [LAYOUTS]),
        ('{"town": "Köln/a", "age": 30, "price": 1.5 }', [LAYOUTS]),
        ('{"town": "K\\u00f6ln/a", "age": 30, "price": 1.5}', [CHARACTERS]),
        ('{"town": "Köln\\/a", "age": 30, "price": 1.5}', [CHARACTERS]),
        ('{"to\\u0077n": "Köln/a", "age": 30, "price": 1.5}', [CHARACTERS]),
        ('{"town": "Köln/a", "age": 30, "price": 1.50}', [NUMBERS]),
        ('{"town": "Köln/a", "age": 30, "price": 15e-1}', [NUMBERS]),
        ('{"town": "Köln/a", "age": 30.0, "price": 1.5}', [NUMBERS]),
        (f"\n{PLAIN}", [BETWEEN]),
        (f" {PLAIN}", [BETWEEN]),
    ],
)
@pytest.mark.parametrize("form", ["lines", "array"])
def test_what_differs_in_one_record_is_told(tmp_path: Path, other: str, told: list[str], form: str) -> None:
    path, records = tmp_path / "table.json", [PLAIN, PLAIN, other, PLAIN]
    path.write_text("\n".join(records) if form == "lines" else f"[{','.join(records)}]")
    assert [*uneven_records(path)] == told
    verdict = check(path, {"rule": [{"measure": "k", "at_least": 1}]}, user="none", sensitive="none")
    assert ("what else the file holds" in [each.topic for each in verdict.observations]) == bool(told)


@pytest.mark.parametrize("ascii_alone", [True, False])
@pytest.mark.parametrize("indent", [None, 2])
def test_what_one_program_wrote_is_even(tmp_path: Path, ascii_alone: bool, indent: int | None) -> None:
    rows = [{"town": 'Kö"ln\n/\\😀', "price": price} for price in (35.0, 1.5, 1e300, 35.0)]
    path = tmp_path / "table.json"
    path.write_text(json.dumps(rows, ensure_ascii=ascii_alone, indent=indent))
    assert uneven_records(path) == ()
    for lines in (True, False):
        pandas.DataFrame(rows).to_json(path, orient="records", lines=lines)
        assert uneven_records(path) == ()


def test_a_record_that_is_longer_than_a_piece_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("singleout.read.json_unevenness.PIECE", 5)
    path = tmp_path / "table.json"
    path.write_text("\n".join([PLAIN] * 3))
    assert uneven_records(path) == ()
    path.write_text("\n".join([PLAIN, PLAIN.replace(", ", ","), PLAIN]))
    assert uneven_records(path) == (LAYOUTS,)
