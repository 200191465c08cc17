"""Files are kept under the digest of their content, once, and are never found by a name."""

from __future__ import annotations

import io
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.errors import InputError
from singleout.platform.refusal import RefusalError
from singleout.platform.store.files import FileShelf, shown_name


def test_the_same_content_is_kept_once(shelf: FileShelf, tmp_path: Path) -> None:
    first, second = (shelf.put(io.BytesIO(b"tea"), name) for name in ("a.csv", "b.csv"))
    assert first.digest == second.digest == sha256(b"tea").hexdigest()
    assert (first.name, second.name, first.size) == ("a.csv", "b.csv", 3)
    files = [each for each in (tmp_path / "files").rglob("*") if each.is_file()]
    assert len(files) == 1
    assert b"".join(shelf.pieces(first.digest)) == b"tea"


def test_what_nobody_was_told_of_is_taken_away_by_its_maker_only(shelf: FileShelf, tmp_path: Path) -> None:
    def kept() -> list[Path]:
        return [each for each in (tmp_path / "files").rglob("*") if each.is_file()]

    first = shelf.put(io.BytesIO(b"tea"), "a.csv")
    shelf.take_away(first)
    shelf.take_away(first)
    assert kept() == []
    first, second = (shelf.put(io.BytesIO(b"tea"), "a.csv") for _ in range(2))
    for each in (first, second):  # the second may be somebody's submission already
        shelf.take_away(each)
    assert [each.name for each in kept()] == [first.digest]


class KilledError(BaseException):
    """Whatever comes after it does not happen."""


def test_who_is_killed_while_taking_it_away_loses_nobody_elses_file(
    shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (shelf.put(io.BytesIO(b"tea"), "a.csv") for _ in range(2))

    def kill(*_: object, **__: object) -> None:
        raise KilledError

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(Path, "stat", kill)
        shelf.take_away(first)
    assert b"".join(shelf.pieces(second.digest)) == b"tea"
    assert b"".join(shelf.pieces(second.digest)) == b"tea"


def test_what_was_changed_on_disk_is_not_taken(shelf: FileShelf, tmp_path: Path) -> None:
    kept = shelf.put(io.BytesIO(b"tea"), "a.csv")
    (file,) = (each for each in (tmp_path / "files").rglob("*") if each.is_file())
    file.write_bytes(b"salt")
    with pytest.raises(InputError, match="was changed"):
        shelf.write_to(kept.digest, tmp_path / "copy")


@pytest.mark.parametrize("digest", ["../../etc/passwd", "", "a" * 63, "A" * 64, "a" * 64])
def test_only_digests_lead_to_files(shelf: FileShelf, digest: str) -> None:
    with pytest.raises(InputError):
        list(shelf.pieces(digest))


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_shown_names_are_names(name: str) -> None:
    shown = shown_name(name)
    assert shown
    assert "/" not in shown
    assert shown.isprintable()
    assert len(shown) <= 200


def test_a_full_disk_is_told_and_leaves_nothing(
    shelf: FileShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("obstore.put", full)
    with pytest.raises(RefusalError, match="can't be stored now") as refusal:
        shelf.put(io.BytesIO(b"tea"), "a.csv")
    assert refusal.value.status == 503
    assert [each for each in (tmp_path / "files").rglob("*") if each.is_file()] == []
