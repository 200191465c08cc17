"""The truth map: read from a file or a mapping, with every mistake told by its line and never by a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

from singleout.errors import InputError, UsageError
from singleout.read.truth_map import Truth, read_truth, truth_of

SECRET = "Miss Terious"


def written(folder: Path, text: str) -> Path:
    path = folder / "map.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\r\n"])
def test_a_map_is_read_however_it_is_separated(tmp_path: Path, delimiter: str, start: str) -> None:
    rows = [["release_user", "original_user"], ["p1", "ann"], ["p2", ""], [], ["p3", "ann"]]
    text = start + "\r\n".join(delimiter.join(row) for row in rows)
    found = read_truth(written(tmp_path, text))
    first = text.count("\n", 0, text.index("release_user")) + 1
    assert found.release == ("p1", "p2", "p3")
    assert found.original == ("ann", None, "ann")
    assert found.lines == (first + 1, first + 2, first + 4)
    assert (found.made_up, found.place, found.unit) == (1, str(tmp_path / "map.csv"), "line")


def test_further_columns_order_and_case_of_the_header_do_not_matter(tmp_path: Path) -> None:
    text = 'note,Original_User, release_user \n"a\nb",o;1,r;1\n,"o ""2""",007\n'
    found = read_truth(written(tmp_path, text))
    assert (found.release, found.original, found.lines) == (("r;1", "007"), ("o;1", 'o "2"'), (2, 4))


HEADER = "release_user,original_user\n"
MISTAKES = {
    f"release,original\n{SECRET},b\n": "line 1: the header should be release_user,original_user",
    f"{SECRET},b\n": "line 1: the header should be release_user,original_user",
    f"release_user,release_user,original_user\n{SECRET},a,b\n": "line 1: the header should be",
    "\n\n": "line 1: the header should be release_user,original_user",
    HEADER: "names nobody; write a line for each person of the release",
    f"{HEADER}{SECRET},a\nb,b\n\n{SECRET},c\n": "lines 2 and 5 name the same release_user; keep one",
    f"{HEADER},{SECRET}\n ,b\n": "line 2: the release_user is empty; name one, or leave the line out; line 3",
    f"{HEADER}{SECRET}\nb,c\nb,c,d\n": "line 2 has 1 cells where the header has 2; line 4 has 3 cells where",
    f'{HEADER}a,"{SECRET}\nb,c\n': "line 2: a quote is not closed",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_told_by_line_and_never_by_name(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_truth(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert MISTAKES[text] in said
    assert SECRET not in said
    assert "\n" not in said


def test_all_mistakes_are_told_at_once_or_how_many(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_truth(written(tmp_path, f"{HEADER}a,b\na,b\n,c\nd\na,e\n"))
    for said in ("lines 2 and 3 name", "line 4: the release_user", "line 5 has 1", "lines 2 and 6 name"):
        assert said in str(caught.value)
    with pytest.raises(InputError, match=r"; and 5 more mistakes$"):
        read_truth(written(tmp_path, HEADER + ",x\n" * 25))


def test_a_map_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_truth(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is empty"):
        read_truth(written(tmp_path, ""))


def test_a_mapping_takes_texts_and_numbers() -> None:
    found = truth_of({"p1": "ann", 2: numpy.int64(7), 3.5: None, "p4": ""})
    assert found == Truth(("p1", "2", "3.5", "p4"), ("ann", "7", None, None), (1, 2, 3, 4), "truth", "entry")


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({1: "a", "1": "b"}, "truth: entries 1 and 2 name the same release_user; keep one"),
        ({"": "a"}, "truth: entry 1: the release_user is empty; name one, or leave the entry out"),
        ({"a": ["b"]}, "truth: entry 1: a name is a text or a number, or None for a made-up person"),
        ({"a": "b", None: "c"}, "truth: entry 2: a name is"),
        ({"a": float("nan")}, "truth: entry 1: a name is"),
        ({True: "a"}, "truth: entry 1: a name is"),
    ],
)
def test_mistakes_in_a_mapping(mapping: dict[Any, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        truth_of(mapping)
    assert str(caught.value).startswith(said)


def test_an_empty_mapping_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="truth: names nobody; give an entry for each person of the release"):
        truth_of({})


def test_lines_are_listed_up_to_three() -> None:
    found = Truth(("x",) * 6, (None,) * 6, (2, 3, 5, 7, 1100, 1300))
    assert found.where([4]) == "line 1,100"
    assert found.where([0, 1]) == "lines 2 and 3"
    assert found.where([0, 1, 2]) == "lines 2, 3 and 5"
    assert found.where(range(6)) == "lines 2, 3, 5 and 3 more"
