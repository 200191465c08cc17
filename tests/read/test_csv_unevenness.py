"""What a CSV file tells by how it is written is found, and nothing where all values are written alike."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.read.csv_sniffer import CsvLayout, sniff
from singleout.read.csv_unevenness import BLANK_LINES, EXTRA_FIELDS, LINE_ENDS, QUOTES, uneven_parts
from singleout.read.source import CsvFormat

LAYOUT = CsvLayout(("a", "b"), ",", '"', "utf-8", header=True, blank_lines=0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\nx,1\nx,2\n", ()),
        ('a,b\n"x",1\nx,2\n', (QUOTES,)),
        ('a,b\n"x",1\n"x",2\n', ()),
        ('"a","b"\nx,1\nx,2\n', ()),
        ('a,b\n"x,y",1\nx,2\n', ()),  # these are needed
        ('a,b\n"x",1\ny,2\n', ()),  # as each value has them, they tell no more than it
        ('a,b\n"x ""y""",1\n"x\ny",2\n', ()),
        ('a,b\n"x,y","1"\nz,1\n', (QUOTES,)),
        ('a,b\n"x\ny","1"\nz,1\n', (QUOTES,)),
        ('a,b\n"",1\n,2\n', (QUOTES,)),
        ('a,b\n5" wide,1\ny,2\n', (QUOTES,)),  # nobody can tell what is quoted
        ("a,b\nx,1\n\nx,2\n", (BLANK_LINES,)),
        ("\n\na,b\nx,1\nx,2\n\n\n", ()),
        ("a,b\r\nx,1\nx,2\r\n", (LINE_ENDS,)),
        ("a,b\nx,1,\nx,2\n", (EXTRA_FIELDS,)),
        ("a,b\nx,1,\nx,2,\n", ()),
        ('a,b\n"x","1",\n"x","2"\n', (EXTRA_FIELDS,)),
        ('a,b\n"x\ny\nz",1\nx,2\n', ()),
        ('a,b\n"x\ny,\nz",1\nx,2,\n', (EXTRA_FIELDS,)),
        ("a,b\r\nx,1\r\nx,2", ()),
        ('a,b\n"x\r\n\ny",1\n"\rz",2\n', ()),  # what is within quotes is a value
        ('a,b"\nx,1\n\nx,2\n', (QUOTES,)),  # a quote of the header hides nothing
    ],
)
def test_equal_values_stand_alike_or_it_is_told(text: str, told: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert uneven_parts(path, LAYOUT) == told


def test_a_blank_line_is_a_record_where_there_is_one_column(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text("a\nx\n\ny\n", encoding="utf-8")
    assert uneven_parts(path, sniff(path, CsvFormat(header=True))) == ()


FIELDS = st.lists(
    st.sampled_from(["x", "y", "", '"x"', '"y"', '""', '"x,y"', '"x""y"']), min_size=2, max_size=2
)


@given(records=st.lists(FIELDS, min_size=1, max_size=8))
def test_quotes_by_their_definition(
    records: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A value of a column with quotes here and without there, wherever in the file these are."""
    path = tmp_path_factory.mktemp("written") / "release.csv"
    path.write_text("\n".join(["a,b", *map(",".join, records), ""]), encoding="utf-8")
    both = [
        {f'"{field}"' for field in column if '"' not in field} & {*column}
        for column in zip(*records, strict=True)
    ]
    assert (QUOTES in uneven_parts(path, LAYOUT)) == any(both)


VALUES = st.text(st.sampled_from('ab,"\n é'), max_size=3).filter(lambda value: value == value.strip())


@given(
    rows=st.lists(st.tuples(VALUES, st.integers(0, 2).map(str)), min_size=1),
    how=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_one_writer_writes_alike(
    rows: list[tuple[str, str]], how: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("written") / "release.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=how, lineterminator="\n")  # type: ignore[arg-type]
        writer.writerows([("a", "b"), *rows])
    assert uneven_parts(path, LAYOUT) == ()
