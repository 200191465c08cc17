"""Every value of a table is looked at for direct identifiers, on every engine, and none is told."""

from __future__ import annotations

from hashlib import md5
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import assess, sample, suggest_roles
from singleout.engine.open_engine import open_engine
from singleout.read.source import source
from singleout.risk import identifiers as scan
from singleout.risk.identifiers import Identifier, identifiers
from tests.support.home import Home
from tests.support.people_table import CANARIES, IDENTIFIERS, people_table, safe_table


def found(data: Any, user: str | None = None) -> tuple[Identifier, ...]:
    with open_engine(source(data)) as counter:
        return identifiers(counter, user)


def kinds(data: Any, user: str | None = None) -> dict[str, str]:
    return {each.column: each.kind for each in found(data, user)}


def test_every_engine_finds_the_same(home: Home) -> None:
    with home.open(people_table()) as counter:
        told = identifiers(counter)
    assert {each.column: each.kind for each in told} == IDENTIFIERS
    assert {each.column: (each.records, each.of_records, each.hidden) for each in told} == {
        "name": (40, 40, False),
        "mail": (40, 40, False),
        "phone": (40, 40, False),
        "remark": (1, 40, True),
    }
    assert not any(canary in repr(told) for canary in CANARIES)


def test_value_counts_are_those_of_the_records(home: Home) -> None:
    table = pyarrow.table({"a": ["x", "x", None, "y", ""], "n": [7, 7, 8, 8, 8]})
    with home.open(table) as counter:
        for column, want in (("a", {"x": 2, "y": 1, "": 1}), ("n", {"7": 2, "8": 3})):
            rows = [row for batch in counter.value_counts(column) for row in batch.to_pylist()]
            assert {row["text"]: row["records"] for row in rows} == want
            assert all(row["draw"] == md5(row["text"].encode()).hexdigest()[:4] for row in rows)


def test_an_ordinary_table_has_none() -> None:
    assert found(safe_table()) == ()
    assert found(pyarrow.table({"a": pyarrow.array([None, None], pyarrow.string())})) == ()


@pytest.mark.parametrize(("name", "user"), [("shop", "customer"), ("card", "user")])
def test_samples(name: str, user: str) -> None:
    """A receipt is one customer's, and its number leads to the name in the shop's books."""
    told = {"receipt": "near-unique code"} if name == "shop" else {}
    assert kinds(sample(name), user) == told
    assert kinds(sample(name)) == {}


@pytest.mark.parametrize(
    ("file", "user", "told"),
    [
        ("online_retail/online_retail.parquet", "CustomerID", {"InvoiceNo": "near-unique code"}),
        ("online_retail/online_retail.parquet", None, {}),
        ("adult/adult.data", None, {}),
        ("arx_adult/adult.csv", None, {}),
        ("diabetes/diabetic_data.csv.gz", "patient_nbr", {"encounter_id": "near-unique code"}),
        ("diabetes/diabetic_data.csv.gz", None, {"encounter_id": "near-unique code"}),
    ],
)
def test_real_data(real_data: Path, file: str, user: str | None, told: dict[str, str]) -> None:
    assert kinds(real_data / file, user) == told


def test_the_user_may_be_a_pseudonym_but_no_name() -> None:
    table = people_table()
    assert "sex" not in kinds(table, "mail")
    for column in ("name", "mail", "phone"):
        assert kinds(table, column)[column] == IDENTIFIERS[column]
    codes = pyarrow.table({"who": [f"c{place}" for place in range(40)], "x": ["a", "b"] * 20})
    assert kinds(codes) == {"who": "near-unique code"}
    assert kinds(codes, "who") == {}


def test_a_second_number_of_each_person() -> None:
    people = [place % 50 for place in range(500)]
    history = pyarrow.table(
        {
            "who": people,
            "account": [f"acc{1000 + person}" for person in people],
            "order": [place // 2 * 50 + person for place, person in enumerate(people)],
            "goods": [f"g{place % 7}" for place in range(500)],
            "paid": [place + 0.25 for place in range(500)],
        }
    )
    assert kinds(history, "who") == {"account": "near-unique code", "order": "near-unique code"}
    missing = history.append_column("badge", [[f"b{person}" if person < 30 else None for person in people]])
    assert kinds(missing, "who")["badge"] == "near-unique code"


def test_many_suspects_are_counted_by_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MOST_SUSPECTS", 10)
    (mail,) = (each for each in found(people_table()) if each.column == "mail")
    assert (mail.kind, mail.hidden) == ("e-mail", False)
    codes = [f"000-00-{place:04d}" for place in range(50)]  # suspicious, and nobody's
    assert kinds(pyarrow.table({"ref": codes})) == {"ref": "near-unique code"}
    for place in range(0, 50, 7):  # whichever are looked at first, one hidden behind the others is found
        hidden = [*codes[:place], "write to ann@example.com", *codes[place:]]
        assert kinds(pyarrow.table({"ref": hidden})) == {"ref": "e-mail"}


def test_numbers_of_any_type_and_text_around() -> None:
    cards = [4111111111111111, 5555555555554444, 4012888888881881, 5105105105105100, 4222222222222220]
    for values in (cards, [str(card) for card in cards], [f" {card} " for card in cards]):
        assert kinds(pyarrow.table({"x": values, "y": [1] * 5})) == {"x": "card number"}
    phones = pyarrow.array([5550100123.0, None, 5550100124.0])
    assert kinds(pyarrow.table({"phone": phones, "y": [1.5, 2.5, 3.5]})) == {"phone": "phone"}


def test_several_lines_hide_nothing() -> None:
    table = pyarrow.table({"x": ["one\ntwo\nann@example.com\n", "four"]})
    assert kinds(table) == {"x": "e-mail"}


def test_assess_and_roles_tell_the_same() -> None:
    table = people_table()
    told = {each.column: each.kind for each in assess(table).identifiers}
    assert told == IDENTIFIERS
    assert {each.column: each.kind for each in suggest_roles(table) if each.kind} == IDENTIFIERS
    assert all(each.direct_identifier for each in suggest_roles(table) if each.kind)


CARDS = (4111111111111111, 5555555555554444, 4012888888881881, 5105105105105100, 4222222222222220)


def test_whole_numbers_beside_a_missing_value_are_no_measures() -> None:
    """In pandas one missing value makes a column of whole numbers one of fractions."""
    cards = pyarrow.array([None, *map(float, CARDS)], pyarrow.float64())
    assert kinds(pyarrow.table({"x": cards})) == {"x": "card number"}
    codes = pyarrow.array([None, *(70000.0 + place for place in range(60))])
    assert kinds(pyarrow.table({"ref": codes})) == {"ref": "near-unique code"}
    slipped = pyarrow.array([0.5, *(70000.0 + place for place in range(60))])
    assert kinds(pyarrow.table({"ref": slipped})) == {"ref": "near-unique code"}
    measures = pyarrow.array([None, *(place + 0.5 * (place % 2) for place in range(60))])
    assert kinds(pyarrow.table({"ref": measures})) == {}
    for text in ("{}.0", "{}.00", "{}.", " {} "):
        assert kinds(pyarrow.table({"x": [text.format(card) for card in CARDS]})) == {"x": "card number"}
    short = [f"{card:.15e}" for card in CARDS]
    assert kinds(pyarrow.table({"x": short})) == {"x": "card number"}


def test_records_without_a_person_hide_no_codes() -> None:
    people = [*range(50)] * 4
    account = [f"acc{person}" for person in people]
    history = pyarrow.table({"who": [*people, *[None] * 200], "account": account * 2})
    assert kinds(history, "who") == {"account": "near-unique code"}
    nobody = pyarrow.table({"who": pyarrow.array([None] * 60, pyarrow.int64()), "x": [*map(str, range(60))]})
    assert kinds(nobody, "who") == {}


def test_no_more_suspects_are_kept_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MOST_SUSPECTS", 50)
    monkeypatch.setattr(scan, "SAMPLE", 30)
    kept = []
    add = scan._LowestDraws.add

    def watch(self: scan._LowestDraws, batch: pyarrow.RecordBatch) -> None:
        for start in range(0, batch.num_rows, 7):
            add(self, batch.slice(start, 7))
        kept.append((self.most, self.count, self.rows.num_rows if self.rows else 0))

    monkeypatch.setattr(scan._LowestDraws, "add", watch)
    (mail,) = found(pyarrow.table({"x": [f"p{place}@example.com" for place in range(500)]}))
    assert (mail.kind, mail.hidden) == ("e-mail", False)
    assert "at least 50 of 500 records" in mail.reason
    assert (50, 500, 50) in kept
    assert all(rows <= most for most, _, rows in kept)


def test_the_lowest_draws_are_the_same_however_they_come() -> None:
    texts = [f"t{place}" for place in range(400)]
    draws = [md5(text.encode()).hexdigest()[:4] for text in texts]
    want = sorted(zip(draws, texts, strict=True))[:40]
    for size in (1, 7, 400):
        lowest = scan._LowestDraws(40)
        for start in range(0, 400, size):
            rows = {"text": texts[start : start + size], "draw": draws[start : start + size]}
            lowest.add(pyarrow.RecordBatch.from_pydict(rows | {"records": [1] * len(rows["text"])}))
        assert lowest.count == 400
        assert lowest.rows is not None
        assert lowest.rows["text"].to_pylist() == [text for _, text in want]


def test_a_header_that_names_somebody() -> None:
    """One column a person, or a first record that was taken for the header."""
    table = pyarrow.table({"ann@example.com": [1.5, 2.5, None], "John Smith": [True, False, True]})
    assert [(each.column, each.kind, each.records, each.of_records) for each in found(table)] == [
        ("ann@example.com", "e-mail", 2, 2),
        ("John Smith", "name", 3, 3),
    ]


def test_what_is_invisible_hides_nothing() -> None:
    """Zero-width blanks and soft hyphens between the letters of a name or an address."""
    mails = [f"p{place % 4}\u200b@exa\u00admple.com" for place in range(40)]
    people = [("Hans", "Graf"), ("Tina", "Klein"), ("Fred", "Fox"), ("Anna", "Schmidt")]
    names = ["{}\u200b {}\ufeff".format(*people[place % 4]) for place in range(40)]
    assert kinds(pyarrow.table({"note": mails})) == {"note": "e-mail"}
    assert kinds(pyarrow.table({"note": names})) == {"note": "name"}


def test_wide_letters_and_digits() -> None:
    wide = str.maketrans("0123456789+@", "０１２３４５６７８９＋＠")
    mails = [f"p{place % 4}@example.com".translate(wide) for place in range(40)]
    phones = [f"+44 20 7946 00{place % 4}8".translate(wide) for place in range(40)]
    assert kinds(pyarrow.table({"a": mails, "b": phones})) == {"a": "e-mail", "b": "phone"}


def test_names_that_come_again_and_again() -> None:
    """Each is shared by many records, so that none is near-unique."""
    people = ["ann smith", "peter jones", "maria garcia", "john doe", "lisa meyer"]
    table = pyarrow.table({"x": people * 20, "y": ["hiv (Mary Smith)", *["flu"] * 99]})
    assert [(each.column, each.kind, each.hidden, each.records) for each in found(table)] == [
        ("x", "name", False, 100),
        ("y", "name", True, 1),
    ]
    assert kinds(table, "x")["x"] == "name"


NAMING = [
    "call Ann Miller back",
    "asked for Mrs Smith",
    "paid by John Brown, in cash",
    "spoke to Dr. Weber twice",
]


@pytest.mark.parametrize("remark", NAMING)
def test_a_name_in_a_sentence_is_found(remark: str) -> None:
    table = pyarrow.table({"remark": ["ok"] * 90 + ["late"] * 9 + [remark]})
    with open_engine(source(table)) as counter:
        (found,) = identifiers(counter)
    assert (found.kind, found.hidden, found.records) == ("name", True, 1)
    assert not any(word in found.reason for word in ("Ann", "Smith", "Brown", "Weber"))


@pytest.mark.parametrize(
    "text",
    ["Sent to San Jose again", "Victoria Station at noon", "WHITE HANGING HEART", "Blue Paul Smith Jacket"],
)
def test_places_and_descriptions_are_no_names(text: str) -> None:
    table = pyarrow.table({"remark": ["ok"] * 90 + ["late"] * 9 + [text]})
    with open_engine(source(table)) as counter:
        assert identifiers(counter) == ()


def test_what_comes_again_is_a_description() -> None:
    """A book that many have bought tells nobody's name."""
    table = pyarrow.table({"goods": ["a book by Stephen King"] * 30 + ["a pen"] * 70})
    with open_engine(source(table)) as counter:
        assert identifiers(counter) == ()
