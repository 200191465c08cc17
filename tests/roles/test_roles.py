"""What columns mean: suggestions with reasons, and the study file that says it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from singleout import assess, read_study, sample, suggest_roles
from singleout.cli.main import main
from singleout.errors import InputError
from singleout.read.source import CsvFormat
from singleout.roles.role import ROLES
from singleout.roles.study import Study, study_text

AWKWARD = [
    "a.b",
    'say "hi"',
    "it's",
    "line\nbreak",
    "tab\t",
    "日本 🎉",
    "",
    "#",
    "[x]",
    "a = b",
    "\\",
    "\x7f",
    "\x01",
]


def roles(data: Any) -> dict[str, str]:
    return {each.column: each.role for each in suggest_roles(data)}


def write_study(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.csv"
    path.write_text("who,town,illness\na,Ulm,flu\na,Bonn,flu\nb,Ulm,cold\n")
    return path


def test_shop() -> None:
    assert roles(sample("shop")) == {
        "customer": "user",
        "receipt": "quasi-identifier",
        "date": "time",
        "time": "time",
        "goods": "item",
        "price": "amount",
        "number": "amount",
    }


def test_card() -> None:
    found = roles(sample("card"))
    assert found["user"] == "user"
    assert found["date"] == "time"
    assert found["fare"] == "amount"
    assert found["entraining_point"] == found["alighting_point"] == "item"
    assert found["usage"] == "quasi-identifier"


def test_online_retail(real_data: Path) -> None:
    found = {
        each.column: each for each in suggest_roles(real_data / "online_retail" / "online_retail.parquet")
    }
    assert found["CustomerID"].role == "user"
    assert found["CustomerID"].reason == "its name says so; 4,372 people with 93.1 records each"
    assert found["InvoiceDate"].role == "time"
    assert found["StockCode"].role == "item"
    assert found["Quantity"].role == found["UnitPrice"].role == "amount"
    assert found["Country"].role == "quasi-identifier"


def test_diabetes(real_data: Path) -> None:
    found = {each.column: each for each in suggest_roles(real_data / "diabetes" / "diabetic_data.csv.gz")}
    assert found["patient_nbr"].role == "user"
    assert found["encounter_id"].direct_identifier
    assert "101,766 different values in 101,766 records" in found["encounter_id"].reason
    assert {found[name].role for name in ("race", "gender", "age")} == {"quasi-identifier"}
    assert {found[name].role for name in ("diag_1", "diag_2", "readmitted")} == {"sensitive"}
    assert found["examide"].reason == "the same value in 101,766 records"


def test_adult(real_data: Path) -> None:
    """It has no header and nobody in it has a number: fifteen columns that others may know.

    That the words of two of them are occupations and countries of birth, nothing says.
    """
    found = roles(real_data / "adult" / "adult.data")
    columns = {f"column{place}": "quasi-identifier" for place in range(1, 16)}
    assert found == columns | {"column7": "ignore", "column14": "ignore"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", lambda place: f"t{place}"),
        ("invoice_number", lambda place: place),
        ("email", lambda place: f"p{place % 39}@example.org"),
        ("contact", lambda place: f"p{place % 39}@example.org"),
        ("LastName", lambda place: ["Smith", "Jones", "Lee"][place % 3]),
        ("phone", lambda place: 555 + place % 39),
        ("name", lambda place: ["Ann", "Bob"][place % 2]),
    ],
)
def test_direct_identifiers_are_called_out(name: str, value: Callable[[int], Any]) -> None:
    table = pyarrow.table({name: [value(place) for place in range(40)], "age": [30, 31] * 20})
    found = suggest_roles(table)[0]
    assert found.direct_identifier
    assert found.role == "ignore"
    assert found.reason.startswith("direct identifier: ")
    assert found.reason.endswith("; remove it before release")


@pytest.mark.parametrize("name", ["email", "contact"])
def test_an_address_that_repeats_is_the_persons_and_called_out_all_the_same(name: str) -> None:
    table = pyarrow.table({name: [f"p{place % 3}@example.org" for place in range(40)], "age": [30, 31] * 20})
    found = suggest_roles(table)[0]
    assert (found.role, found.direct_identifier, found.kind) == ("user", True, "e-mail")
    assert "direct identifier: " in found.reason


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("price", [place % 4 + 0.5 for place in range(40)], "amount"),
        ("number", [1, 2, 3, 4] * 10, "amount"),
        ("station_name", ["Ulm", "Bonn"] * 20, "item"),
        ("seen", ["2020-01-01", "2020/2/3 10:00", "1.2.2020", "08:45"] * 10, "time"),
        ("nothing", [None] * 40, "ignore"),
        ("diagnosis", ["flu", "cold"] * 20, "sensitive"),
        ("UserID", ["a", "b"] * 20, "user"),
        ("user", ["a"] * 40, "user"),
        ("user", ["yes", "no"] * 20, "quasi-identifier"),
        ("cust_no", ["a", "b"] * 20, "user"),
        ("device", [f"{place % 8:016x}f" for place in range(40)], "user"),
        ("account_type", ["a", "b"] * 20, "quasi-identifier"),
    ],
)
def test_roles_by_name_and_values(name: str, values: list[Any], role: str) -> None:
    table = pyarrow.table({name: pyarrow.array(values), "age": [30, 31] * 20})
    found = suggest_roles(table)[0]
    assert found.role == role
    assert not found.direct_identifier


@pytest.mark.parametrize(
    ("name", "value", "role"),
    [
        ("seen", lambda place: f"2020-01-01 10:00:{place}", "time"),
        ("salary", lambda place: 1000 + place, "sensitive"),
        ("price", lambda place: place + 0.5, "amount"),
        ("UserID", lambda place: place, "user"),
    ],
)
def test_what_is_unique_is_called_out_whatever_it_means(
    name: str, value: Callable[[int], Any], role: str
) -> None:
    for size, unique in ((20, False), (40, True)):
        table = pyarrow.table({name: [value(place) for place in range(size)], "age": [30, 31] * (size // 2)})
        found, other = suggest_roles(table)
        assert (found.role, found.direct_identifier) == (role, unique)
        said = "; nearly every record has its own value, which identifies by itself"
        assert found.reason.endswith(said) == unique
        assert not other.direct_identifier


def test_suggestions_are_a_sequence_and_a_table(small: Path, tmp_path: Path) -> None:
    found = suggest_roles(small)
    assert [each.column for each in found] == ["who", "town", "illness"]
    assert (len(found), found[2].role, found[-1], found[1:]) == (3, "sensitive", found[2], tuple(found)[1:])
    assert found[0] in found
    assert found == suggest_roles(small)
    rows = [vars(each) for each in found]
    assert found.to_arrow().to_pylist() == found.to_frame().to_dict("records") == rows
    html = found._repr_html_()
    assert html.startswith("<table><caption>What each column probably means</caption>")
    assert html.count("<tr>") == 4
    assert read_study(write_study(tmp_path, found.study_text())).roles == {
        each.column: each.role for each in found
    }


def test_suggestions_tell_what_was_guessed(small: Path) -> None:
    assert suggest_roles(small).remarks == (
        "the first line is taken as the column names; say --header no if it is a record",
    )
    assert suggest_roles(small, csv=CsvFormat(header=True)).remarks == ()


@pytest.mark.parametrize(
    ("columns", "user"),
    [
        ({"customer": ["a", "b", "a"], "customer_id": [1, 2, 3]}, "customer_id"),
        ({"client": ["x", "x", "x"], "customer": ["a", "b", "a"], "card": [1, 2, 3]}, "customer"),
        ({"customer_id": [1, 2, 3], "client_id": [7, 7, 8]}, "client_id"),
    ],
)
def test_there_is_one_user(columns: dict[str, list[Any]], user: str) -> None:
    assert [name for name, role in roles(pyarrow.table(columns)).items() if role == "user"] == [user]


def test_a_study_file_survives_awkward_names(tmp_path: Path) -> None:
    given = dict(zip(AWKWARD, [role for role in ROLES if role not in ("user", "weight")] * 4, strict=False))
    text = study_text(given, dict.fromkeys(AWKWARD, "because"))
    assert read_study(write_study(tmp_path, text)).roles == given


def test_suggest_writes_a_study_that_assess_reads(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study.toml"
    table = tmp_path / "t.parquet"
    names = ["customer", *[name for name in AWKWARD if name]]
    pyarrow.parquet.write_table(pyarrow.table([["a", "b", "a"]] * len(names), names=names), table)
    assert main(["roles", str(table), "--suggest", "--out", str(study)]) == 0
    assert capsys.readouterr() == ("", "")
    assert read_study(study).user == "customer"
    found = assess(table, study=study)
    assert (found.user, [each.name for each in found.attributes]) == ("customer", names[1:])
    assert main(["roles", str(small), "--suggest"]) == 0
    assert read_study(write_study(tmp_path, capsys.readouterr().out)).roles["illness"] == "sensitive"


def test_suggest_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text('user,"my\ntoken"\n' + "".join(f"u{place % 5},t{place}\n" for place in range(30)))
    assert main(["roles", str(path), "--suggest", "--json"]) == 0
    out, err = capsys.readouterr()
    columns = json.loads(out)["columns"]
    assert [each["column"] for each in columns] == ["user", "my\ntoken"]
    assert [each["role"] for each in columns] == ["user", "ignore"]
    assert [each["direct_identifier"] for each in columns] == [False, True]
    guess = "the first line is taken as the column names; say --header no if it is a record"
    assert json.loads(out)["remarks"] == [guess]
    assert " ".join(err.split()) == f"note: {guess} note: my token: {columns[1]['reason']}"
    assert max(map(len, err.splitlines())) <= 80


def test_suggestions_show_no_raw_values() -> None:
    table = pyarrow.table({"user": ["secret1", "secret2"], "town": ["secret3", "secret4"]})
    assert "secret" not in repr(suggest_roles(table))


def test_check(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = write_study(tmp_path, '[columns]\nwho = "user"\nillness = "sensitive"\n')
    assert main(["roles", str(small), "--check", str(study)]) == 0
    assert capsys.readouterr() == ("user: who\nan attacker may know: town\n", "")
    assert main(["roles", str(small), "--check", str(study), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"user": "who", "known_to_attackers": ["town"]}


def test_a_study_decides_what_is_assessed(small: Path) -> None:
    study = Study({"who": "user", "illness": "sensitive"})
    found = assess(small, study=study)
    assert (found.user, [each.name for each in found.attributes]) == ("who", ["town"])
    found = assess(small, study=study, columns=["illness"])
    assert [each.name for each in found.attributes] == ["illness"]


BAD_STUDIES = {
    'town = "tim"': "column 'town': 'tim' is no role; did you mean 'time'",
    'town = "x"\nwho = "y"': "'x' is no role; there are 'user', ",
    "town = 3": "column 'town': 3 is no role",
    'twon = "time"': "the table has no column 'twon'; did you mean 'town'",
    'who = "user"\ntown = "user"': "only one column can be the user, not 'who' and 'town'",
    'a.b = "time"': "column 'a': write a name with a dot in quotes",
    'who = "user"\ntown = "ignore"\nillness = "sensitive"': "no column is left that an attacker may know",
}


@pytest.mark.parametrize("text", BAD_STUDIES)
@pytest.mark.parametrize("words", [["assess", "--study"], ["roles", "--check"]])
def test_bad_studies(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: list[str]
) -> None:
    study = write_study(tmp_path, f"[columns]\n{text}\n")
    assert main([words[0], str(small), words[1], str(study)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"error: {study}: " if "no column is left" not in err else "error: ")
    assert BAD_STUDIES[text] in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[columns", "is not TOML: "),
        (b"\xff", "is not TOML: "),
        (b"", 'a table [columns] with lines like date = "time" is missing'),
        (b'[colums]\nwho = "user"\n', "[colums] is unknown here; write [columns]"),
        (b"columns = 3\n", "a table [columns] with lines like"),
    ],
)
def test_files_that_are_no_study(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def test_a_study_that_can_not_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(InputError, match=str(path)):
            read_study(path)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = write_study(tmp_path, '[columns]\na = "x"\nb = "user"\nc = "user"\n[more]\n')
    with pytest.raises(InputError) as caught:
        read_study(path)
    for said in ("'x' is no role", "only one column can be the user", "[more] is unknown here"):
        assert said in str(caught.value)


def test_a_study_made_in_python_is_checked_like_a_file() -> None:
    roles: dict[Any, Any] = {"a": "x", "b": "user", "c": "user", 3: "time", "d": ["time"]}
    with pytest.raises(InputError) as caught:
        Study(roles)
    assert str(caught.value).startswith("study: ")
    for said in (
        "column 'a': 'x' is no role",
        "only one column can be the user, not 'b' and 'c'",
        "column 3: a column's name is a text",
        "column 'd': ['time'] is no role",
    ):
        assert said in str(caught.value)


def test_all_columns_that_a_table_lacks_are_told_at_once(small: Path) -> None:
    with pytest.raises(InputError) as caught:
        assess(small, study=Study({"towns": "time", "who": "user", "ilness": "sensitive"}))
    assert str(caught.value) == (
        "study: the table has no column 'towns'; did you mean 'town'?; "
        "the table has no column 'ilness'; did you mean 'illness'? There are 'who', 'town', 'illness'"
    )


def test_a_study_file_says_what_columns_cost(small: Path, tmp_path: Path) -> None:
    text = '[columns]\nwho = "user"\n[costs]\ntown = 0.1\nillness = {month = 1, "first 2" = 0.5}\n'
    study = read_study(write_study(tmp_path, text))
    assert [(price.attribute, price.granularity, price.cost) for price in study.costs.prices] == [
        ("town", None, Fraction(1, 10)),
        ("illness", "month", 1),
        ("illness", "first 2", Fraction(1, 2)),
    ]
    assert assess(small, study=study).user == "who"
    assert read_study(write_study(tmp_path, '[columns]\nwho = "user"\n')).costs.prices == ()


def test_all_mistakes_in_costs_are_told_at_once(small: Path, tmp_path: Path) -> None:
    path = write_study(
        tmp_path, '[columns]\na = "x"\n[costs]\nage = -1\ntown = inf\na.b = 1\n"" = 1\nd = {}\n[more]\n'
    )
    with pytest.raises(InputError) as caught:
        read_study(path)
    for said in (
        "'x' is no role",
        "costs: 'age': cost: -1 is no amount; write a number, 0 or more",
        "costs: 'town': cost: inf is no amount",
        "costs: 'a' at 'b': granularity: there are year,",
        "costs: '': attribute: '' is no name",
        "costs: 'd': cost: {} is no amount",
        "[more] is unknown here; write [columns], [costs], [renamed] or [population]",
    ):
        assert said in str(caught.value)
    with pytest.raises(InputError, match=r"a table \[costs\] has lines like age = 2"):
        read_study(write_study(tmp_path, "costs = 3\n[columns]\n"))
    study = read_study(write_study(tmp_path, '[columns]\ntwon = "time"\n[costs]\nilness = 1\n'))
    with pytest.raises(InputError, match=r"no column 'twon'; did .*; costs: .* no column 'ilness'; did you"):
        assess(small, study=study)


def test_a_study_file_says_what_a_release_calls_the_columns(small: Path, tmp_path: Path) -> None:
    text = '[columns]\nwho = "user"\n[renamed]\ntown = "place"\n"a.b" = "c"\n'
    study = read_study(write_study(tmp_path, text))
    assert study.renamed == {"town": "place", "a.b": "c"}
    with pytest.raises(
        InputError, match=r"study.toml: renamed: the table has no column 'a.b'; there are 'who'"
    ):
        assess(small, study=study)
    assert assess(small, study=Study({"who": "user"}, renamed={"town": "place"})).user == "who"
    assert read_study(write_study(tmp_path, '[columns]\nwho = "user"\n')).renamed == {}


def test_all_mistakes_in_renamed_are_told_at_once(tmp_path: Path) -> None:
    path = write_study(
        tmp_path, '[columns]\na = "x"\n[renamed]\na = "c"\nb = "c"\nd = 3\ne.f = "g"\nh = "i"\n'
    )
    with pytest.raises(InputError) as caught:
        read_study(path)
    for said in (
        "'x' is no role",
        "renamed: 'a' and 'b' can't both be 'c' in the release",
        "renamed: 'd': 3: a column's name is a text",
        'renamed: \'e\': write a name with a dot in quotes, as in "a.b" = "c"',
    ):
        assert said in str(caught.value)
    assert "'h'" not in str(caught.value)
    with pytest.raises(InputError, match=r'a table \[renamed\] has lines like goods = "article"'):
        read_study(write_study(tmp_path, "renamed = 3\n[columns]\n"))
    with pytest.raises(InputError, match="study: renamed: 'a' and 'b' can't both be 'c'"):
        Study({}, renamed={"a": "c", "b": "c"})
