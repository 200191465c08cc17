"""A table is opened once for a command, and closed; what one part adds or changes is not seen by another."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import csv, parquet

import singleout
from singleout.engine import open_engine as opening
from singleout.engine import open_tables
from singleout.engine.databases import duckdb, duckdb_tables
from singleout.engine.open_engine import open_engine
from singleout.engine.open_tables import open_beside, share_open_tables, shared_tables
from singleout.engine.protocol import Question
from singleout.errors import InputError, UsageError
from singleout.read.csv_sniffer import sniff
from singleout.read.source import source

POLICY = {
    "data": {"user": "who", "item": "goods", "domains": ["goods=goods"]},
    "rule": [
        {"measure": "k", "at_least": 1},
        {"measure": "k", "missing": "drop", "at_least": 1},
        {"measure": "people.k", "columns": ["goods"], "at_least": 1},
        {"measure": "attribute.*.risk", "at_most": 1},
        {"measure": "points.unique", "attacker": "neighbour", "at_most": 1},
        {"measure": "domain.goods.information", "at_most": 9},
        {"measure": "combinations.smallest_risky_set", "at_least": 1},
        {"measure": "discernibility", "at_most": 1},
        {"measure": "attack.best.rate", "at_most": 1},
        {"measure": "counts.median_error", "at_most": 1},
    ],
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Two records a person, goods that repeat and days that do not."""
    path = tmp_path / "shop.csv"
    who = [f"p{number % 20}" for number in range(40)]
    goods = [f"{number % 7:02}x" for number in range(40)]
    days = [f"2024-{1 + number % 12:02}-{1 + number % 28:02}" for number in range(40)]
    csv.write_csv(pyarrow.table({"who": who, "day": days, "goods": goods}), path)
    return path


@pytest.fixture
def release(shop: Path) -> Path:
    path = shop.with_name("release.csv")
    table = csv.read_csv(shop).to_pydict()
    csv.write_csv(pyarrow.table({**table, "day": [day[:7] for day in map(str, table["day"])]}), path)
    return path


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was opened and sniffed."""
    times: Counter[str] = Counter()
    table_of = duckdb_tables.Loader.table_of

    def open_file(loader: Any, given: Any) -> str:
        times[f"opened {Path(given.place).name}"] += 1
        return table_of(loader, given)

    def sniff_file(path: Path, wish: Any) -> Any:
        times[f"sniffed {path.name}"] += 1
        return sniff(path, wish)

    monkeypatch.setattr(duckdb_tables.Loader, "table_of", open_file)
    monkeypatch.setattr(duckdb_tables, "sniff", sniff_file)
    return times


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[duckdb.DuckDbEngine]:
    """Every engine that opened a table."""
    found: list[duckdb.DuckDbEngine] = []
    begin = duckdb.DuckDbEngine.__init__

    def keep(engine: duckdb.DuckDbEngine, *settings: Any) -> None:
        found.append(engine)
        begin(engine, *settings)

    monkeypatch.setattr(duckdb.DuckDbEngine, "__init__", keep)
    return found


def once(*names: str) -> dict[str, int]:
    return {f"{done} {name}": 1 for name in names for done in ("opened", "sniffed")}


def is_closed(engine: duckdb.DuckDbEngine) -> bool:
    try:
        engine.rows("SELECT 1")
    except InputError:
        return not (engine._folder and engine._folder.exists()) and not engine.joined
    return False


def test_a_report_opens_its_table_once(shop: Path, opened: Counter[str]) -> None:
    """What it makes of the table and judges is opened by itself, for it is gone afterwards."""
    singleout.investigate(shop, user="who")
    assert {name: many for name, many in opened.items() if ".parquet" not in name} == once("shop.csv")


def test_a_gate_opens_each_table_once(shop: Path, release: Path, opened: Counter[str]) -> None:
    verdict = singleout.check(release, POLICY, original=shop)
    assert [each.rule.measure for each in verdict.rules if each.answer.value is None] == []
    assert opened == once("release.csv", "shop.csv")


def test_a_comparison_and_an_attack_open_each_table_once(
    shop: Path, release: Path, opened: Counter[str]
) -> None:
    singleout.compare(shop, release, user="who", item="goods")
    assert opened == once("release.csv", "shop.csv")
    opened.clear()
    singleout.attack(shop, release, user="who", item="goods")
    assert opened == once("release.csv", "shop.csv")
    opened.clear()
    singleout.attack(shop, shop, user="who", item="goods")
    assert opened == once("shop.csv")


def test_a_search_opens_the_original_once(shop: Path, opened: Counter[str]) -> None:
    """However many recipes are tried on it; what it makes is opened by itself, and gone afterwards."""
    policy = {"rule": [{"measure": "attack.points_1.rate", "at_most": 0.01}]}
    found = singleout.protect(shop, policy, user="who", item="goods", tries=4)
    assert len(found.trials) >= 4
    assert {name: many for name, many in opened.items() if ".parquet" not in name} == once("shop.csv")


def test_what_is_opened_beside_is_closed_and_the_rest_stays(
    shop: Path, release: Path, opened: Counter[str]
) -> None:
    with share_open_tables():
        with open_engine(source(shop)) as first, open_beside():
            with open_beside(), open_engine(source(shop)) as again, open_engine(source(release)):
                assert again.columns() == first.columns()
            with open_engine(source(release)):
                pass
        with open_engine(source(shop)) as again:
            assert again.rows("SELECT 1") == [(1,)]
    assert (opened["opened shop.csv"], opened["opened release.csv"]) == (1, 2)


def test_outside_a_command_each_opening_is_its_own(shop: Path, opened: Counter[str]) -> None:
    singleout.assess(shop, user="who")
    singleout.assess(shop, user="who")
    assert opened["opened shop.csv"] == 2
    assert shared_tables() is None


@pytest.mark.parametrize("codes_from", [1, 500_000])
@pytest.mark.parametrize("missing", ["value", "drop"])
def test_the_same_is_found_as_when_every_part_opens_its_own(
    shop: Path, release: Path, monkeypatch: pytest.MonkeyPatch, codes_from: int, missing: Any
) -> None:
    monkeypatch.setattr(duckdb, "CODES_FROM", codes_from)

    def found() -> list[Any]:
        return [
            singleout.report_on(singleout.investigate(shop, user="who", missing=missing)).to_html(),
            singleout.check(release, POLICY, original=shop).to_dict(),
            singleout.compare(shop, release, user="who", item="goods", missing=missing).to_dict(),
        ]

    shared = found()
    monkeypatch.setattr(opening, "shared_tables", lambda: None)
    assert shared == found()


def test_added_columns_are_not_seen_by_others(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same name for different columns: neither SQL nor codes, nor kept counts, may mix them up."""
    for codes_from in (1, 500_000):
        monkeypatch.setattr(duckdb, "CODES_FROM", codes_from)
        with share_open_tables():
            with open_engine(source(shop)) as one, open_engine(source(shop)) as other:
                one.shorten("short", "day", 4)
                other.shorten("short", "day", 7)
                asked = Question(("short", "goods"), "who")
                assert one.sizes(Question(("short",))).total_groups == 1
                assert other.sizes(Question(("short",))).total_groups == 12
                assert one.sizes(asked).rows() != other.sizes(asked).rows()
                assert one.look("short").examples != other.look("short").examples
                assert one.people_alone(asked) <= other.people_alone(asked)
            with open_engine(source(shop)) as third:
                assert [column.name for column in third.columns()] == ["who", "day", "goods"]
        with open_engine(source(shop)) as alone:
            alone.shorten("short", "day", 7)
            expected = alone.sizes(asked).rows()
        with share_open_tables(), open_engine(source(shop)) as one, open_engine(source(shop)) as other:
            one.shorten("short", "day", 4)
            one.sizes(asked)
            other.shorten("short", "day", 7)
            assert other.sizes(asked).rows() == expected


def test_one_reads_piece_by_piece_while_another_asks(shop: Path) -> None:
    table = csv.read_csv(shop)
    with share_open_tables(), open_engine(source(table)) as one, open_engine(source(table)) as other:
        batches = one.labels(Question(("goods",), "who"))
        first = next(batches)
        assert other.sizes(Question(("goods",))).total_records == 40
        assert first.num_rows + sum(batch.num_rows for batch in batches) == 40


def replace_file(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(b"00x", b"zzz"))
    other.replace(path)


@pytest.mark.parametrize("part", ["remedies", "pairs of columns", "known records", "domains"])
def test_a_file_that_is_replaced_during_a_report_is_refused(shop: Path, part: str) -> None:
    replaced: list[str] = []

    def replace_once(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        if doing.startswith(part) and not replaced:
            replaced.append(part)
            replace_file(shop)

    with pytest.raises(InputError, match="changed while it was read"):
        singleout.investigate(shop, user="who", progress=replace_once)
    assert replaced


def test_a_replaced_file_is_neither_joined_nor_passed_over(shop: Path) -> None:
    with pytest.raises(InputError, match="changed while it was read"), share_open_tables():
        open_engine(source(shop)).close()
        replace_file(shop)
        open_engine(source(shop))
    with pytest.raises(InputError, match="changed while it was read"), share_open_tables():
        open_engine(source(shop)).close()
        replace_file(shop)
    with share_open_tables(), open_engine(source(shop)) as afresh:
        assert "zzz" in afresh.look("goods").examples


def test_a_change_explains_what_failed(shop: Path) -> None:
    with pytest.raises(InputError, match="changed while it was read"), share_open_tables():
        open_engine(source(shop)).close()
        replace_file(shop)
        raise InputError("something odd")


@pytest.mark.parametrize("end", [None, InputError, UsageError, KeyboardInterrupt])
def test_nothing_is_left_open(
    shop: Path, engines: list[duckdb.DuckDbEngine], end: type[BaseException] | None
) -> None:
    def run() -> None:
        with share_open_tables():
            one = open_engine(source(shop))
            one.sizes(Question(("goods",), "who"))
            with share_open_tables(), open_engine(source(csv.read_csv(shop))) as table:
                table.look("goods")
            assert shared_tables() is not None
            if end is not None:
                raise end("no")

    if end is None:
        run()
    else:
        with pytest.raises(end):
            run()
    assert len(engines) == 2
    assert all(map(is_closed, engines))
    assert shared_tables() is None


@pytest.mark.parametrize(
    "command",
    [
        lambda shop: singleout.investigate(shop, user="who"),
        lambda shop: singleout.check(shop, POLICY, original=shop),
        lambda shop: singleout.compare(shop, shop, user="who"),
        lambda shop: singleout.attack(shop, shop, user="who", item="goods"),
    ],
)
def test_commands_close_what_they_opened(
    shop: Path, engines: list[duckdb.DuckDbEngine], command: Callable[[Path], Any]
) -> None:
    command(shop)
    assert engines
    assert all(map(is_closed, engines))


def test_a_thread_opens_its_own(shop: Path, opened: Counter[str]) -> None:
    def look() -> None:
        with open_engine(source(shop)) as engine:
            engine.look("goods")

    with share_open_tables():
        look()
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        look()
    assert opened["opened shop.csv"] == 2


def test_frames_are_told_apart_by_what_they_are() -> None:
    """Two tables in memory have the same name."""
    tables = [pyarrow.table({"a": [1, 1]}), pyarrow.table({"a": [1, 2]})]
    with share_open_tables():
        for number in (0, 1, 0, 1):
            with open_engine(source(tables[number])) as engine:
                assert engine.sizes(Question(("a",))).total_groups == number + 1


def test_the_same_file_read_another_way_is_another_table(shop: Path, opened: Counter[str]) -> None:
    with share_open_tables():
        for header in (True, False, True):
            with open_engine(source(shop, csv=singleout.CsvFormat(header=header))) as engine:
                assert engine.look(engine.columns()[0].name).records == (40 if header else 41)
    assert opened["opened shop.csv"] == 2


def test_tables_that_nobody_looks_at_make_room(
    shop: Path, release: Path, opened: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "IDLE_SHARE", 1 << 60)
    asked = Question(("goods",), "who")
    with share_open_tables():
        with open_engine(source(shop)) as engine:
            before = engine.sizes(asked).rows()
            open_engine(source(release)).close()
            assert engine.sizes(asked).rows() == before
        open_engine(source(release)).close()
        assert opened["opened release.csv"] == 1
        open_engine(source(shop)).close()
        assert opened["opened shop.csv"] == 1
        with open_engine(source(release, csv=singleout.CsvFormat(header=True))):
            pass
        with open_engine(source(shop)) as again:
            assert again.sizes(asked).rows() == before
        assert opened["opened shop.csv"] == 2


def test_a_table_that_made_room_is_refused_when_it_was_replaced(
    shop: Path, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "IDLE_SHARE", 1 << 60)
    with pytest.raises(InputError, match="changed while it was read"), share_open_tables():
        open_engine(source(shop)).close()
        open_engine(source(release)).close()
        replace_file(shop)
        open_engine(source(shop))


def test_each_job_has_the_memory_and_threads_that_it_asks_for(shop: Path) -> None:
    def settings(engine: Any) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = engine.rows("SELECT current_setting('threads')")
        return found

    with share_open_tables(), open_engine(source(shop), threads=2, memory="2GB") as outer:
        with open_engine(source(shop), threads=1, memory="200MB") as inner:
            assert settings(inner) == settings(outer) == [(1,)]
        assert settings(outer) == [(2,)]


def test_large_parquet_files_are_coded_once(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = tmp_path / "shop.parquet", Counter[str]()
    parquet.write_table(csv.read_csv(shop), path)
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    read_column = duckdb.DuckDbEngine._read_column

    def count(engine: duckdb.DuckDbEngine, name: str) -> Iterator[pyarrow.RecordBatch]:
        read[name] += engine.source_name == str(path)
        return read_column(engine, name)

    monkeypatch.setattr(duckdb.DuckDbEngine, "_read_column", count)
    singleout.investigate(path, user="who")
    # once by first appearance, once in the order of the values
    assert {name: read[name] for name in ("who", "day", "goods")} == dict.fromkeys(("who", "day", "goods"), 2)
