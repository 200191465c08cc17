"""A metric's header: what it declares, and what is wrong with it, told at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import UsageError
from singleout.platform.contest import template
from singleout.platform.uploaded_metric import (
    MOST_BYTES,
    UploadedMetric,
    check_visible,
    header_text,
    metric_parameters,
    read_metric,
)

GOOD = ('name = "kept"', 'family = "utility"', 'better = "higher"', "range = [0, 1]")


def text(*lines: str, mark: str = "--") -> bytes:
    return "\n".join([*(f"{mark} {each}" for each in ("/// metric", *lines, "///")), "SELECT 1"]).encode()


def test_a_header_declares_name_family_direction_and_range() -> None:
    found = read_metric(text(*GOOD, 'title = "what is kept"'), "KEPT.SQL")
    assert (found.name, found.family, found.better, found.language) == ("kept", "utility", "higher", "sql")
    assert (found.lowest, found.highest, found.title, found.secret) == (0, 1, "what is kept", False)
    assert read_metric(text(*GOOD[:3], "range = [0, inf]", mark="#"), "kept.R").highest == float("inf")
    assert read_metric(text(*GOOD, 'tables = "pandas"', mark="#"), "kept.py").tables == "pandas"


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ("-- \u202e1 TCELES", r"line 8 has U\+202E"),
        ("\u200b", r"U\+200B"),
        ("\x1b[8m", r"U\+001B"),
        ("\x0c", r"U\+000C"),
        ("\u2028DROP", r"U\+2028"),
    ],
)
def test_what_an_organiser_could_not_see_is_refused(more: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        check_visible(read_metric(text(*GOOD) + b"\n" + more.encode(), "kept.sql"))


def test_letters_that_can_be_seen_are_taken_and_no_others_in_a_title() -> None:
    content = text(*GOOD, 'title = "残り\u3000é 😀"') + "\t-- 値\u00a0".encode()
    check_visible(read_metric(content, "kept.sql"))
    with pytest.raises(UsageError, match="letters that can be seen"):
        check_visible(read_metric(text(*GOOD, r'title = "\u202eevil"'), "kept.sql"))


def test_a_version_is_its_text() -> None:
    first, again = (read_metric(text(*GOOD), "kept.sql") for _ in range(2))
    assert first.digest == again.digest
    assert read_metric(text(*GOOD) + b" ", "kept.sql").digest != first.digest
    windows = text(*GOOD).replace(b"\n", b"\r\n")
    assert read_metric(b"\xef\xbb\xbf" + windows, "kept.sql").digest == first.digest


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (GOOD[1:], "lacks name"),
        ((), "lacks name, family, better, range"),
        (('name = "Kept it"', *GOOD[1:]), "small letters"),
        (('name = "records_kept"', *GOOD[1:]), "singleout's own"),
        (('name = "best"', *GOOD[1:]), "singleout's own"),
        ((*GOOD, "colour = 1"), "'colour' is unknown"),
        ((GOOD[0], 'family = "use"', *GOOD[2:]), "family: 'use' is none"),
        ((*GOOD[:2], 'better = "up"', GOOD[3]), "better: 'up' is none"),
        ((*GOOD[:3], "range = [1, 0]"), "range:"),
        ((*GOOD[:3], "range = [nan, 1]"), "range:"),
        ((*GOOD[:3], "range = 1"), "range:"),
        ((*GOOD[:3], f"range = [0, 1{'0' * 400}]"), "range:"),
        ((*GOOD[:3], f"range = [0, {'1' * 5000}]"), "not TOML"),
        ((GOOD[0], 'family = "privacy"', *GOOD[2:]), "a metric of privacy is a risk"),
        ((*GOOD, 'tables = "pandas"'), "only a Python metric"),
        ((*GOOD, "secret = 1"), "secret: write true or false"),
        ((*GOOD, "name"), "not TOML"),
    ],
)
def test_what_is_wrong_with_a_header_is_told(lines: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        read_metric(text(*lines), "kept.sql")


@pytest.mark.parametrize(
    ("content", "name", "wrong"),
    [
        (b"SELECT 1", "a.sql", "begin with a header"),
        (b"-- /// metric\nSELECT 1", "a.sql", "begin with a header"),
        (b"-- /// metric\nname = 1\n-- ///", "a.sql", "each line of the header"),
        (text(*GOOD), "a.exe", "ends in .sql, .py or .R"),
        (text(*GOOD), "../../etc/passwd", "ends in .sql, .py or .R"),
        (b"\xff\xfe", "a.sql", "no text in UTF-8"),
        (text(*GOOD) + b"\0", "a.sql", "NUL"),
        (b"x" * (MOST_BYTES + 1), "a.sql", "at most"),
        (b"-- /// metric\n-- a = " + b"[" * 50_000 + b"\n-- ///", "a.sql", "not TOML"),
    ],
)  # fmt: skip
def test_what_is_no_metric_is_refused(content: bytes, name: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        read_metric(content, name)


@given(st.binary(max_size=300), st.sampled_from(["a.sql", "a.py", "a.R"]))
def test_any_file_is_read_or_refused(content: bytes, name: str) -> None:
    try:
        read_metric(content, name)
    except UsageError:
        return


def test_values_outside_of_the_range_are_no_values() -> None:
    metric = UploadedMetric("kept", "utility", "higher", 0, 1, "sql", "")
    assert metric.judged(0.5, None) == (0.5, None)
    assert metric.judged(1.5, None) == (None, "it gave 1.5, outside its range 0 to 1")
    assert metric.judged(None, "no luck") == (None, "no luck")


def test_values_of_secret_metrics_are_rounded_and_never_told_in_a_reason() -> None:
    metric = UploadedMetric("kept", "utility", "higher", 0, 1, "sql", "", secret=True)
    assert metric.judged(0.123456, None) == (0.12, None)
    assert metric.judged(1.23456, None) == (None, "it gave a value, outside its range 0 to 1")


def test_a_form_makes_a_header_that_can_be_read() -> None:
    said = header_text("python", name="kept", family="utility", better="higher", range="[0, 1]")
    assert read_metric(said.encode(), "kept.py").name == "kept"


def test_metrics_are_told_what_the_contest_calls_its_columns() -> None:
    told = metric_parameters(template("purchase-history"))
    assert told["user"] == "customer" and told["seed"] == 0
    assert all(isinstance(each, str | int) for each in told.values())
