"""Temporary files tell whose they are: those of dead processes go, those of others stay."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from singleout.files import files_together, whole_file, write_text
from singleout.temporary_files import (
    Leftover,
    draft_path,
    folder_path,
    leftovers,
    remove_leftovers,
    remove_own,
    temporary_folder,
)

NAMES = (
    "from pathlib import Path; from singleout import temporary_files as t; print(t.draft_path(Path('{}')))"
)


def dead_name(target: Path) -> Path:
    """What a process that has ended called its draft."""
    code = NAMES.format(target)
    return Path(
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.decode().strip()
    )


def test_what_dead_processes_left_is_removed_when_somebody_writes_there(tmp_path: Path) -> None:
    dead, own, others = dead_name(tmp_path / "a.csv"), draft_path(tmp_path / "b.csv"), tmp_path / ".x.part"
    for path in (dead, own, others):
        path.write_text("ann,31")
    assert leftovers([tmp_path]) == (Leftover(dead, True),)
    write_text(tmp_path / "c.csv", "x")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([own.name, ".x.part", "c.csv"])


def test_a_process_removes_what_is_its_own_and_nothing_else(tmp_path: Path) -> None:
    dead, own, others = dead_name(tmp_path / "a.csv"), draft_path(tmp_path / "b.csv"), tmp_path / ".x.part"
    remove_leftovers(tmp_path)
    for path in (dead, own, others):
        path.write_text("ann,31")
    remove_own()
    assert sorted(tmp_path.iterdir()) == sorted([dead, others])


def test_folders_of_dead_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = tmp_path / dead_name(Path("x")).name.removeprefix(".x.").removesuffix(".part")
    dead = dead.with_name(f"singleout-{dead.name}")
    dead.mkdir()
    (dead / "recoded.csv").write_text("ann,31")
    with temporary_folder() as folder:
        assert [*tmp_path.iterdir()] == [folder]
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert leftovers([tmp_path]) == ()
    assert [*tmp_path.iterdir()] == []


def test_nothing_of_another_machine_is_touched(tmp_path: Path) -> None:
    mark = "-".join(folder_path().name.split("-")[1:])
    foreign = tmp_path / f"singleout-{'0' * 8 if mark[:8] != '0' * 8 else '1' * 8}{mark[8:]}"
    foreign.mkdir()
    (found,) = leftovers([tmp_path])
    assert not found.removable
    assert not found.remove()
    remove_leftovers(tmp_path)
    assert foreign.exists()


def test_a_link_is_never_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "letter.txt").write_text("dear")
    link = dead_name(tmp_path / "a.csv")
    link.symlink_to(kept)
    assert leftovers([tmp_path]) == (Leftover(link, False),)
    remove_leftovers(tmp_path)
    Leftover(link, True).remove()
    assert (kept / "letter.txt").read_text() == "dear"


def test_a_process_with_the_number_of_a_dead_one_is_another(tmp_path: Path) -> None:
    own = draft_path(tmp_path / "a.csv")
    host, process, start, token = own.name.removeprefix(".a.csv.").removesuffix(".part").split("-")
    if not int(start):
        pytest.skip("this system does not tell when processes started")
    reused = tmp_path / f".a.csv.{host}-{process}-{int(start) + 1}-{token}.part"
    for path in (own, reused):
        path.touch()
    assert leftovers([tmp_path]) == (Leftover(reused, True),)


def test_folders_that_can_not_be_listed_have_no_leftovers(tmp_path: Path) -> None:
    assert leftovers([tmp_path / "none", Path("/dev/null")]) == ()


def test_files_appear_together(tmp_path: Path) -> None:
    first, second, other = (tmp_path / name for name in ("a.txt", "b.txt", "c.txt"))
    first.write_text("before")
    with files_together([first, second, None]):
        write_text(first, "1", private=True)
        write_text(other, "3")
        assert (first.read_text(), other.read_text()) == ("before", "3")
        write_text(second, "2")
        assert not second.exists()
    assert [each.read_text() for each in (first, second)] == ["1", "2"]
    assert [stat.S_IMODE(each.stat().st_mode) & 0o077 for each in (first, second)] == [0, 0o044 & ~umask()]
    assert len(list(tmp_path.iterdir())) == 3


def test_none_appears_if_one_fails(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("before")
    with pytest.raises(ZeroDivisionError), files_together([first, second]):
        write_text(first, "1")
        with whole_file(second) as draft:
            draft.write_text(str(1 / 0))
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]
    assert first.read_text() == "before"


def test_none_appears_if_the_last_can_not_be_moved(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    with pytest.raises(Exception, match=r"b\.txt: .*nothing was written"), files_together([first, second]):
        write_text(first, "1")
        write_text(second, "2")
        second.mkdir()
    assert [each.name for each in tmp_path.iterdir()] == ["b.txt"]


def test_inside_another_the_outer_decides(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    with files_together([first]):
        with files_together([first, second]):
            write_text(first, "1")
            write_text(second, "2")
        assert (first.exists(), second.exists()) == (False, False)
    assert (first.read_text(), second.read_text()) == ("1", "2")


def umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
