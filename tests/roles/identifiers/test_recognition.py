"""Direct identifiers by name and by value: every kind is found, and ordinary columns are left alone."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal

import pyarrow
import pyarrow.compute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.roles.identifiers import check_digits as check
from singleout.roles.identifiers.column_names import FITTING, KIND_PHRASES, kinds_by_name
from singleout.roles.identifiers.identifier_kind import IDENTIFIER_KINDS, KIND_WORDS
from singleout.roles.identifiers.national_numbers import NATIONAL_NUMBERS, NationalNumber
from singleout.roles.identifiers.recognition import SiftedColumn, ValueOwners, recognise, unexplained
from singleout.roles.identifiers.value_forms import HARMLESS, REMARKABLE, SUSPICIOUS, VALUE_FORMS, sightings
from singleout.roles.identifiers.written_words import are_addresses, are_names, prose_share

# numbers of nobody: from the bodies that give them out, test numbers of card networks, or made up
NUMBERS = {
    "SSN or ITIN": ("219-09-9999", "000-09-9999"),
    "SSN with dots": ("219.09.9999", "000.09.9999"),
    "NINO": ("AB123456C", "GB123456C"),
    "NIR": ("255081416802538", "255081416802539"),
    "DNI": ("12345678Z", "12345678A"),
    "NIE": ("X1234567L", "X1234567A"),
    "Steuer-ID": ("86095742719", "86095742718"),
    "codice fiscale": ("RSSMRA85T10A562S", "RSSMRA85T10A562T"),
    "My Number": ("123456789018", "123456789019"),
    "CPF": ("529.982.247-25", "529.982.247-26"),
    "PESEL": ("44051401359", "44051401358"),
    "BSN": ("111222333", "111222334"),
    "SIN": ("130-692-544", "130-692-545"),
    "personnummer": ("811218-9876", "811218-9875"),
    "HETU": ("131052-308T", "131052-308U"),
    "national number": ("85.07.30-033.28", "85.07.30-033.29"),
    "AHV number": ("756.9217.0769.85", "756.9217.0769.84"),
    "fødselsnummer": ("01010750160", "01010750161"),
    "resident identity number": ("11010519491231002X", "110105194912310021"),
    "resident registration number": ("800101-1234567", "801301-1234567"),
    "Aadhaar": ("2345 6789 0124", "2345 6789 0125"),
}
SEEN = {
    "e-mail": (
        "ann@example.com", "ann.o'neil+x@mail.example.co.uk", "write to ann@example.com!",
        "ann%40example.com", "https://example.com/?u=ann%40example.com",
        "ann [at] example.com", "ann(at)example(dot)com",
        "ann&#64;example.com", "ann&#x40;example.com", "ann&commat;example.com",
        "YW5uQGV4YW1wbGUuY29t", "id YW5uLmxlZUBtYWlsLmV4YW1wbGUub3Jn, new", "Ym9iQGV4YW1wbGUuY29t",
        "Ym9iYnlAZXhhbXBsZS5jb20=", "Ym9iYnkxQGV4YW1wbGUuY29t", "Ym9iYnkxMkBleGFtcGxlLmNvbQ",
        "616e6e406578616d706c652e636f6d", "0x616E6E406578616D706C652E636F6D",
        "ann at example dot com", "write to ann.lee AT mail dot example DOT org",
    ),
    "URL": ("https://example.com/~ann", "see www.example.org/ann", "ftp://files.example.net"),
    "IP address": ("192.0.2.17", "from 198.51.100.7.", "2001:db8::8a2e:370:7334"),
    "device id": ("00:1B:44:11:3A:B7", "00-1b-44-11-3a-b7", "49-015420-323751-8"),
    "IBAN": ("DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "to GB29 NWBK 6016 1331 9268 19 PAID"),
    "card number": ("4111 1111 1111 1111", "5555-5555-5555-4444", "paid by 378282246310005 today"),
    "name": (
        "hiv (Mary Smith)", "hiv(Mary Smith)", "flu [smith, john]", "hiv - Mary Ann Smith", "hiv: Mary Smith",
        "грипп (Ольга Смирнова)", "TWFyeSBTbWl0aA==", "U21pdGgsIE1hcnk", "4d61727920536d697468",
    ),
    "phone": (
        "+49.171.1234567", "+44 20 7946 0018", "(555) 010-1234", "555-010-1234", "06 12 34 56 78",
        "Tel. 0171/1234567",
    ),
    "national number": ("her number is 219-09-9999", "RSSMRA85T10A562S", "756.9217.0769.85"),
}  # fmt: skip
HARMLESS_TEXTS = (
    "2024-01-31", "2024/01/31 10:15:00", "31.01.2024", "1/31/2024 9:05 PM", "2024-01-31T10:15:00.123+01:00",
    "12:30:05", "20240131101500", "1712345678", "1712345678901", "48.856614", "+48.856614", "-2.352222",
    "48.8566, 2.3522", "1,234,567.89", "12.50", "1e-7", "89073", "89073-1234", "SW1A 1AA", "85123A", "POST",
    "INV-2024-000123", "C536379", "4006381333931", "978-3-16-148410-0",
    "WHITE HANGING HEART T-LIGHT HOLDER", "3 x 20 cm", "1.2.3", "v1.2.3.4", "100-200", "10:20:30",
    "2009-2010", "x :: y", "3::4", "123e4567-e89b-12d3-a456-426614174000",
    "d41d8cd98f00b204e9800998ecf8427e", "25-29", "[70-80)", "V57", "250.83", "@home", "a@b",
    "tea (Earl Grey)", "loan (Grace Period)", "drug (Type Two)", "ward (Saint Mary)", "made at home.",
    "Gartenschlauch", "Internationalisierung", "YellowSubmarineLamp", "dGhlIGxhbXA=", "3q2+7wABAgMEBQYHCAk=",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709", "sold @ shop.example", "AT&#84;",
    "001-2024-000123", "LAMP (SET OF TWO)", "mail: Royal Mail", "see (a) and (b)", "sold at 5 dot 3",
)  # fmt: skip


def column(
    name: str, texts: Sequence[str], *, user: bool = False, people: int | None = None, shared_by: float = 1
) -> SiftedColumn:
    """All values as suspects: recognition must not depend on the sieve in front of it."""
    values = dict.fromkeys(texts)
    plain = [text for text in values if re.fullmatch("[0-9]{9,19}", text)]
    return SiftedColumn(
        name=name,
        records=len(texts),
        distinct=len(values),
        people=people or len(texts),
        owners=lambda: ValueOwners(len(values), shared_by, len(texts)),
        sample=list(values),
        suspects=[(text, texts.count(text)) for text in values if text not in plain],
        numbers=[(text, texts.count(text)) for text in plain],
        is_user=user,
    )


def kinds(name: str, texts: Sequence[str], **more: bool | int | float | None) -> list[str]:
    return [each.kind for each in recognise(column(name, texts, **more))]  # type: ignore[arg-type]


def sifted(text: str) -> bool:
    """Whether the sieve in front lets a text through."""
    array = pyarrow.array([text])
    match = pyarrow.compute.match_substring_regex
    return bool(
        match(array, REMARKABLE)[0].as_py()
        and match(array, SUSPICIOUS)[0].as_py()
        and not match(array, HARMLESS)[0].as_py()
    )


def test_every_kind_has_words() -> None:
    assert set(KIND_WORDS) == set(IDENTIFIER_KINDS)
    assert {*KIND_PHRASES, "name"} - {"free text"} == set(FITTING)
    assert {each.kind for each in VALUE_FORMS} == {*SEEN, "account name"}


@pytest.mark.parametrize("number", NATIONAL_NUMBERS, ids=lambda each: f"{each.country} {each.title}")
def test_check_digits_of_each_country(number: NationalNumber) -> None:
    right, wrong = NUMBERS[number.title]
    if number.form == "[0-9]{11}":
        right, wrong = (re.sub("[^0-9]", "", each) for each in (right, wrong))
    assert re.fullmatch(number.form, right)
    assert number.check(right)
    assert not (re.fullmatch(number.form, wrong) and number.check(wrong))


def test_check_digits_of_cards_and_accounts() -> None:
    assert check.luhn("378282246310005")
    assert check.luhn("6011111111111117")
    assert not check.luhn("378282246310006")
    assert check.iban("NL91ABNA0417164300")
    assert not check.iban("NL91ABNA0417164301")
    assert not check.iban("ZZ91ABNA0417164300")
    assert check.nir("180072A00412345"[:13] + f"{97 - int('1800719004123') % 97:02d}")
    assert check.cpf("52998224725")
    assert not check.cpf("11111111111")
    assert not check.bsn("000000000")


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SEEN.items() for text in texts])
def test_one_is_enough_also_inside_a_text(kind: str, text: str) -> None:
    assert kind in sightings([(text, 1)], [], 100)
    assert sifted(text)
    among = recognise(column("remark", [*["fine"] * 30, f"x {text}"]))
    assert [each.hidden for each in among if each.kind == kind] == [True]
    assert text not in repr(among)


@pytest.mark.parametrize("text", HARMLESS_TEXTS)
def test_ordinary_values_are_nobodys(text: str) -> None:
    assert sightings([(text, 1)], [], 1) == {}
    assert not kinds("value", [text] * 30)


def test_numbers_with_check_digits_need_company() -> None:
    """One number in ten passes by chance."""
    valid = [text for text in map(str, range(4000000000000000, 4000000000000300)) if check.luhn(text)]
    assert kinds("number", valid) == ["card number"]
    assert kinds("number", valid, user=True) == ["card number"]
    assert kinds("payment_card", valid[:1] * 3) == ["card number"]
    assert "card number" not in kinds("number", [*map(str, range(4000000000000000, 4000000000000300))])
    assert "card number" not in kinds("number", [valid[0], *map(str, range(10))])


@pytest.mark.parametrize("title", ["DNI", "Steuer-ID", "My Number", "PESEL", "BSN", "Aadhaar"])
def test_a_column_of_national_numbers(title: str) -> None:
    number = next(each for each in NATIONAL_NUMBERS if each.title == title)
    start = re.sub("[^0-9]", "", NUMBERS[title][0])[:-4]
    ends = (f"{start}{end:04d}" for end in range(10000))
    if title == "DNI":
        texts = [f"{end}{letter}" for end in range(12345670, 12345690) for letter in check.LETTERS_OF_DNI]
    else:
        texts = [*ends]
    valid = [text for text in texts if re.fullmatch(number.form, text) and number.check(text)][:40]
    assert len(valid) >= 10
    assert "national number" in kinds("x", valid)
    assert "national number" not in kinds("x", texts[:400])
    if title != "DNI":  # a customer number may have a check digit
        assert not kinds("customer", valid, user=True)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("name", "name"), ("PatientLastName", "name"), ("first_name", "name"), ("Nachname", "name"),
        ("prénom", "name"), ("apellidos", "name"), ("氏名", "name"), ("customer name 2", "name"),
        ("E-Mail", "e-mail"), ("emailAddress", "e-mail"), ("correo_electrónico", "e-mail"),
        ("phone", "phone"), ("MobileNo", "phone"), ("Telefon privat", "phone"), ("phone_home", "phone"),
        ("SSN", "national number"), ("national_id", "national number"), ("TaxID", "national number"),
        ("passport no", "national number"), ("codice fiscale", "national number"),
        ("credit_card_number", "card number"), ("IBAN", "IBAN"), ("home_address", "address"),
        ("Straße", "address"), ("住所", "address"), ("ip_address", "IP address"), ("client IP", "IP address"),
        ("mac address", "device id"), ("device_id", "device id"), ("licence plate", "device id"),
        ("url", "URL"), ("comments", "free text"), ("Bemerkung", "free text"),
    ],
)  # fmt: skip
def test_names_of_columns(name: str, kind: str) -> None:
    assert kinds_by_name(name) == (kind,)


@pytest.mark.parametrize(
    "name",
    [
        "station_name", "product name", "company_name", "file name", "phone_type", "email_verified",
        "mail_count", "address_type", "store_address", "tax", "identity", "national", "card", "device",
        "description", "goods",
        "customer", "user", "id", "age", "zip", "date", "time", "price", "number", "income", "workclass",
        "native-country", "hours-per-week", "encounter_id", "medical_specialty", "payer_code", "StockCode",
    ],
)  # fmt: skip
def test_names_that_say_nothing(name: str) -> None:
    assert set(kinds_by_name(name)) <= {"card number"}


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("email", ["yes", "no"]), ("phone", ["android", "ios"]), ("mobile", ["0", "1"]),
        ("name", ["1", "2", "17"]), ("surname", ["k3f9ab", "x8y2zz"]), ("email", ["REDACTED"]),
        ("name", ["*", "-"]), ("name", ["removed"]), ("address", ["12", "14"]), ("note", ["1", "2", "5"]),
        ("card_id", ["1234567890123456", "1234567890123457"]),
        ("comment", ["late", "early"]), ("phone", ["", " "]),
    ],
)  # fmt: skip
def test_values_may_contradict_the_name(name: str, texts: list[str]) -> None:
    assert kinds(name, texts * 4) == []


def test_names_addresses_and_sentences_by_their_words() -> None:
    people = ["Ann Smith", "Klee, Paul", "María García", "John F. Doe", "Otto Dix", "Lisa Meyer", "Ugo Rossi"]
    assert are_names(people)
    assert kinds("who", people * 3, user=True) == ["name"]
    assert are_names(["Ann", "Paul", "Maria", "John", "Lisa"])
    for others in (
        ["White Heart", "Red Lamp", "Blue Cup", "Green Box", "Old Chair", "Jack Plug"],
        ["Georgia", "Virginia", "Texas", "Ohio", "Utah", "Maine"],
        ["New York", "San Jose", "Santa Maria", "Los Angeles", "Las Vegas", "Baton Rouge"],
        ["Married-civ-spouse", "Never-married", "Divorced", "Widowed", "Separated"],
        ["Private", "Self emp", "State gov", "Local gov", "Without pay"],
    ):
        assert not are_names(others)
    assert are_addresses(
        ["12 Main Street", "Hauptstraße 5", "3 rue de la Paix", "Calle Mayor 7", "1丁目2番地"]
    )
    assert not are_addresses(["WHITE HEART", "SET OF 3 CAKE TINS", "12 PENCILS"])
    notes = [f"She came on day {day} and was sent home." for day in range(30)]
    assert prose_share(notes) == 1
    assert kinds("text", notes) == ["free text"]
    assert "free text" not in kinds("text", notes, shared_by=10)
    goods = [f"SET OF {number} CAKE TINS FOR THE KITCHEN IN WHITE" for number in range(30)]
    assert prose_share(goods) == 0


FULL_NAMES = {
    "small letters": "ann smith, peter jones, maria garcia, john doe, lisa meyer",
    "capital letters": "ANN SMITH, PETER JONES, MARIA GARCIA, JOHN DOE, LISA MEYER",
    "semicolons": "Smith;Ann, Jones;Peter, Garcia;Maria, Doe;John, Meyer;Lisa",
    "underscores": "Ann_Smith, Peter_Jones, maria_garcia, john_doe, Lisa_Meyer",
    "dots": "ann.smith, peter.jones, maria.garcia, john.doe, lisa.meyer",
    "no blanks": "AnnSmith, PeterJones, MariaGarcia, JohnDoe, LisaMeyer",
    "numbered": "Ann Smith (1), Peter Jones (2), Maria Garcia #3, John Doe 4, Lisa Meyer_5",
    "titles": "Dr. Ann Smith, Mr Peter Jones, Frau Maria Garcia, Herr John Doe, Mme Lisa Meyer",
    "only three": "Ann Smith, Peter Jones, Maria Garcia",
    "Polish": "Łukasz Nowak, Małgorzata Wójcik, Zbigniew Kowalczyk, Agnieszka Mazur, Paweł Krawczyk",
    "French": "Aurélie Petit, Benoît Leroy, Noémie Roux, Thierry Moreau, Gaëlle Fournier",
    "German": "Jörg Weber, Ute Schulz, Günther Koch, Silke Bauer, Thorsten Wolf",
    "Spanish": "Begoña Ruiz, Joaquín Romero, Rocío Navarro, Ignacio Torres, Nuria Vidal",
    "Italian": "Gianluca Ricci, Ilaria Greco, Davide Conti, Giorgia Costa, Enrico Mancini",
    "Icelandic": "Sigurður Jónsson, Hulda Björnsdóttir, Birna Einarsdóttir, Ari Gunnarsson, Una Pálsdóttir",
    "Vietnamese": "Nguyễn Văn Bình, Trần Thị Hoa, Lê Minh Tâm, Phạm Quốc Việt, Hoàng Thu Hà",
    "African": "Chinedu Okafor, Kwame Mensah, Wanjiku Ndegwa, Thabo Dlamini, Aminata Diallo",
    "Russian": "Андрей Волков, Ольга Смирнова, Артём Соколов, Юлия Попова, Сергей Лебедев",
    "Japanese": "佐藤健一, 鈴木 花子, 高橋美咲, 田中太郎, 渡辺さくら",
    "kana": "やまだ たろう, すずき はなこ, サトウ イチロウ, タナカ ケンジ, わたなべ ゆうこ",
    "Chinese": "王小明, 李娜, 张伟, 刘洋, 陈静",
    "Korean": "김민준, 이서연, 박지훈, 최수빈, 정예은",
    "Arabic": "محمد الحسن, فاطمة الزهراء, أحمد منصور, خالد سالم, مريم ناصر",
}


@pytest.mark.parametrize("writing", FULL_NAMES)
@pytest.mark.parametrize("is_user", [False, True])
def test_full_names_however_they_are_written(writing: str, is_user: bool) -> None:
    texts = FULL_NAMES[writing].split(", ")
    assert kinds("x", texts * 20, user=is_user, people=5, shared_by=20) == ["name"]


def test_names_in_json() -> None:
    people = [name.split() for name in FULL_NAMES["small letters"].title().split(", ")]
    texts = [f'{{"first": "{first}", "last": "{last}", "rank": {len(last)}}}' for first, last in people]
    assert kinds("x", texts * 20) == ["name"]


@pytest.mark.parametrize(
    "texts",
    [
        "white heart, red lamp, blue cup, green box, old chair, jack plug",
        "WHITE HEART, RED LAMP, ROSA LAMP, JACK PLUG, CARD HOLDER, TEA SET",
        "San Jose, San Francisco, Santa Maria, San Diego, Los Angeles",
        "Saint Helena, New Zealand, United States, Czech Republic, Costa Rica, South Africa",
        "max_speed, min_speed, mark_up, sort_key, last_seen",
        "creditCard, bankTransfer, cashPayment, giftCard, debitNote",
        "東京都, 山口県, 石川県, 千葉県, 宮崎県",
        "北京, 上海, 广州, 深圳, 武汉",
        "서울, 부산, 대구, 인천, 광주",
        "Red Lamp, Jean Jacket, Jack Plug, Rosa Rug, Mark Pen, Victoria Sponge, Charlotte Russe",
        "高橋商店, 鈴木自動車, 田中電機, 佐藤製薬, 山本食品",
        "type one, type two, type three, type four, type five",
        "Parkinson disease, Alzheimer disease, Down syndrome, Crohn disease, Huntington disease",
    ],
)
def test_words_of_things_are_no_names(texts: str) -> None:
    assert not are_names(texts.split(", "))
    assert kinds("x", texts.split(", ") * 20, shared_by=20) == []


GIVEN = (
    "Mary", "John", "Anna", "Peter", "Susan", "Hans", "Ingrid", "Klaus", "Giulia", "Piotr", "Emeka", "Olga",
    "Linda", "Robert",
)  # fmt: skip
SURNAMES = (
    "Smith", "Jones", "Taylor", "Wilson", "Evans", "Müller", "Fischer", "Weber", "Rossi", "Nowak", "Okafor",
    "Ivanov", "Wood", "Green",
)  # fmt: skip


@pytest.mark.parametrize("write", [str, str.lower, str.upper, lambda word: word[::-1]])
def test_family_names_alone_whatever_the_header(write: Callable[[str], str]) -> None:
    assert kinds("q7", [*map(write, SURNAMES)] * 50, shared_by=50) == ["name"]


RARE_NAMES = {
    "Thai": "ณัฐวุฒิ กิตติพงษ์ ปิยะ วรรณา ชูเกียรติ ดวงใจ ทองดี บุญมี พิมพ์ใจ รัตนา สายฝน อุไร",
    "Hindi": "हर्षिता निखिल तन्मय ईशान गौरी लक्ष्मी चेतन वरुण ओंकार यशस्वी फाल्गुनी झिलमिल",
    "Hebrew": "כהן לוי מזרחי פרץ ביטון דהן פרידמן מלכה אזולאי כץ אוחיון חדד",
    "Georgian": "თამარ ნინო გიორგი დავით ლევან მარიამ ანა ზურაბ ეკა ნათია ირაკლი სალომე",
    "Igbo": "Ekwueme Abara Onoh Ugwu Eneh Nwosu Ozo Agu Ani Odo Ibe Eze",
}


@pytest.mark.parametrize("script", RARE_NAMES)
def test_words_of_any_script_may_be_names(script: str) -> None:
    words = RARE_NAMES[script].split()
    assert unexplained(column("q7", words * 30)) == "words"
    assert unexplained(column("town", words * 30)) is None
    assert (
        unexplained(column("q7", words[:9] * 30)) == unexplained(column("q7", words[:1] * 30)) == "few words"
    )
    assert unexplained(column("town", words[:9] * 30)) is None


@pytest.mark.parametrize(
    "texts",
    [
        "yes, no, unknown",
        "Male, Female, diverse",
        "very low, low, medium, high",
        "strongly agree, agree, neither agree nor disagree",
        "18-25 years, 26+ years, <=50K, [50-60)",
        "red, green, blue",
        "はい, いいえ",
        "A1, B2, m/f",
        "economy, basic, business, premium",
        "mobile, desktop, tablet",
    ],
)
def test_a_few_words_that_sort_people_are_no_names(texts: str) -> None:
    values = texts.split(", ")
    assert unexplained(column("q7", values * 30)) is None
    assert unexplained(column("q7", [*values * 30, "Eneh"])) == "few words"


@pytest.mark.parametrize("named", ["Mrs EKWUEME", "Dr. Eneh", "herr van Abara", "mr onoh", "Prof. O. Ugwu"])
def test_names_behind_a_title(named: str) -> None:
    others = ["Mr Ani", "Mme Odo"]
    assert kinds("q7", [*others, named] * 30, shared_by=30) == ["name"]
    assert unexplained(column("q7", [*["flu", "gout", "mumps", "colds"] * 30, named])) == "full name"


def test_a_title_and_a_name_in_a_sentence_that_many_share() -> None:
    texts = ["came alone", "will call again", "spoke with mrs eneh on the phone"]
    assert unexplained(column("note", texts * 30)) == "full name"
    assert unexplained(column("note", [*texts[:2], "dear mr and mrs"] * 30)) != "full name"


def test_long_numbers_that_nobody_explains() -> None:
    numbers = [str(1_710_007_919 + 7919 * index) for index in range(5)]
    assert unexplained(column("v3", numbers * 30)) == "codes"
    assert unexplained(column("v3", [each[:8] for each in numbers] * 30)) is None
    assert unexplained(column("product", numbers * 30)) is None
    assert unexplained(column("salary", numbers * 30)) is None


def test_headers_that_say_nothing_explain_nothing() -> None:
    words = RARE_NAMES["Igbo"].split()
    for header in ("code", "customer_code", "answer", "label", "result"):
        assert unexplained(column(header, words * 30)) == "words"
    for header in ("country_code", "StockCode", "product code", "payer_code", "result of diagnosis"):
        assert unexplained(column(header, words * 30)) is None


def test_digests_that_were_cut_short_are_not_explained() -> None:
    digests = [hashlib.sha256(word.encode()).hexdigest() for word in RARE_NAMES["Igbo"].split()]
    for length in (6, 8, 16):
        cut = [each[:length] for each in digests]
        assert unexplained(column("q7", cut * 30)) == "digests"
        assert unexplained(column("q7", [each.upper() for each in cut] * 30)) == "digests"
        assert unexplained(column("goods", cut * 30)) is None
    for others in ("85123A 71053B 84406B 22752C 21730D 22633E 22632F 84879A 22745B 22748C", "beef cafe " * 5):
        assert unexplained(column("q7", others.split() * 30)) != "digests"
    assert unexplained(column("q7", [f"{number:08d}" for number in range(40)] * 30)) is None


@pytest.mark.parametrize("header", ["plan", "Tariff", "size", "customer_segment", "segment"])
def test_a_few_words_under_a_header_of_sorts(header: str) -> None:
    """As far as nothing else stands in the header, and while they are few and no full names."""
    few, many = ["Comfort", "Flex", "Family"], RARE_NAMES["Igbo"].split()
    told = "few words" if header == "customer_segment" else None
    assert unexplained(column(header, few * 30)) == told
    assert unexplained(column(header, many * 30)) == "words"
    assert unexplained(column(header, [*few * 30, "Ann Smith"])) == "full name"


@pytest.mark.parametrize("name", ["Ann Smith", "Smith, Ann", "ann smith", "Mary O'Brien"])
def test_one_full_name_among_other_values(name: str) -> None:
    assert unexplained(column("q7", [*["flu"] * 500, name])) == "full name"
    others = unexplained(column("q7", [*["flu"] * 500, "Grace Period", "Rosa Stone", "Jack Plug"]))
    assert others == "few words"


@pytest.mark.parametrize(
    "words",
    [
        "January February March April May June July August September October",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Germany France Italy Spain Poland Austria Belgium Denmark Jordan Chad Georgia",
        "DE FR IT ES PL AT BE DK SE NO FI GR",
        "red green blue black white yellow brown grey pink orange",
    ],
)
def test_months_countries_and_colours_are_no_names(words: str) -> None:
    texts = words.split()
    assert unexplained(column("q7", texts * 30)) is None
    assert kinds("q7", texts * 30, shared_by=30) == []
    assert unexplained(column("q7", [*texts, "Ekwueme", "Abara"] * 30)) == "words"


@pytest.mark.parametrize(
    "write",
    ["{{'n': {0} {1}}}", "{{'first': {0}, 'last': {1}}}", "{{n={0} {1}}}", "[{0} {1}]"],
)
def test_names_in_values_of_several_parts(write: str) -> None:
    people = [write.format(*pair) for pair in zip(GIVEN, SURNAMES, strict=True)]
    assert kinds("q7", people * 20, shared_by=20) == ["name"]


def test_names_in_greek_with_its_last_sigma() -> None:
    people = ["Γιώργος Ρήγας", "Νίκος Ζέρβας", "Κώστας Λάμπρου", "Γιάννης Ράπτης", "Σπύρος Βλάχος"]
    assert kinds("q7", people * 20, shared_by=20) == ["name"]
    families = ["Παπαδόπουλος", "Ιωαννίδης", "Θεοδωράκης", "Αντωνιάδης", "Καραμήτρου"]
    assert kinds("q7", [f"{each} Ξένια" for each in families] * 20, shared_by=20) == ["name"]


def test_hashes_also_of_what_many_share() -> None:
    for make in (hashlib.md5, hashlib.sha1, hashlib.sha256, hashlib.sha512):
        texts = [make(name.encode()).hexdigest() for name in SURNAMES]
        assert kinds("q7", texts * 50, shared_by=50) == ["hash"]
        assert kinds("q7", texts * 50, user=True) == []
    encoded = [base64.b64encode(hashlib.sha256(name.encode()).digest()).decode() for name in SURNAMES]
    assert kinds("q7", encoded * 50, shared_by=50) == ["hash"]
    assert kinds("q7", ["deadbeef", "0badcafe", "12345678"] * 50, shared_by=50) == []


@pytest.mark.parametrize(
    "plates",
    [
        "B-AB 123, M-X 7777, HH-CD 42, K-LM 1, S-Y 990",
        "AB12 CDE, BD51SMR, LK65 OPQ, YA19 XYZ, EF68 GHJ",
        "AB-123-CD, FR-456-GH, BB 001 ZZ, GA999XY, CW-120-KL",
        "1234 BCD, 9876 HJK, 5501LMN, 0007 FGT, 4455 ZZZ",
    ],
)
def test_number_plates(plates: str) -> None:
    assert kinds("q7", plates.split(", ") * 20, shared_by=20) == ["device id"]


@pytest.mark.parametrize(
    "codes", ["89073, 10115, 20095", "AB1, AB2, AB3, CD1, CD2", "1234 AB, 2345 CD, 3456 EF, 4567 GH, 5678 JK"]
)
def test_other_codes_are_no_plates(codes: str) -> None:
    assert kinds("q7", codes.split(", ") * 20, shared_by=20) == []


MANY = {
    "account name": "@ann_smith, @bob.jones, @carla99, @dot, @eve_x, @fritz",
    "e-mail": "ann at example.com, bob at example.com, eve at example.org, dot at a.example.net, cid at x.de",
    "phone": "0049 171 1234567, 0049 171 9876543, 0033 1 23 45 67 89, 0044 20 7946 0018, 0034 912 345 678",
    "phone with blanks": "555 010 1234, 555 010 1235, 555 010 1236, 555 010 1237, 555 010 1238",
    "national number": "219.09.9999, 219.09.9998, 219 09 9997, 219.09.9996, 219.09.9995",
}


@pytest.mark.parametrize("kind", MANY)
@pytest.mark.parametrize("is_user", [False, True])
def test_forms_that_count_if_most_values_have_them(kind: str, is_user: bool) -> None:
    texts = MANY[kind].split(", ")
    told = kind.removesuffix(" with blanks")
    assert kinds("x", texts * 20, user=is_user) == [told]
    assert kinds("x", [*texts[:1], *"abcdefghij"] * 20) == []
    assert all(map(sifted, texts))


@pytest.mark.parametrize("name", ["phone", "whatsapp", "Handynummer", "mob"])
def test_plain_digits_are_phones_by_the_name_of_the_column(name: str) -> None:
    digits = ["491711234567", "4917198765", "15550101234", "2079460018", "447700900123"]
    assert kinds(name, digits * 9) == ["phone"]
    assert kinds("x", digits * 9) == []


def test_near_unique_codes() -> None:
    codes = [f"t{number}" for number in range(21)]
    assert kinds("token", codes) == ["near-unique code"]
    assert kinds("token", codes[:20]) == []
    assert kinds("token", codes, user=True) == []
    assert kinds("encounter_id", [str(70000 + number) for number in range(40)]) == ["near-unique code"]
    for name, texts in (
        ("salary", [str(1000 + number) for number in range(40)]),
        ("seen", [f"2020-01-01 10:00:{number}" for number in range(10, 50)]),
        ("reading", [f"{number}.5" for number in range(40)]),
        ("zip", [str(89000 + number) for number in range(40)]),
        ("latitude", [str(number) for number in range(40)]),
        ("goods", [f"g{number % 10}" for number in range(40)]),
    ):
        assert kinds(name, texts) == []
    assert kinds("price_id", codes) == ["near-unique code"]


@pytest.mark.parametrize("name", ["value", "size", "x", "score", "share"])
def test_a_header_of_amounts_does_not_explain_codes(name: str) -> None:
    assert kinds(name, [f"K{number:06d}" for number in range(40)]) == ["near-unique code"]
    assert kinds(name, [f"{number + 100} kg" for number in range(40)]) == []
    assert kinds(name, [f"EUR {number},50" for number in range(40)]) == []


def test_a_column_may_hold_several_kinds() -> None:
    texts = [*(f"p{number}@example.com" for number in range(9)), "call +44 20 7946 0018"]
    assert {(each.kind, each.hidden) for each in recognise(column("contact", texts))} == {
        ("e-mail", False),
        ("phone", True),
    }


DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))
ORDINARY = st.one_of(
    st.integers(-(10**18), 10**18).map(str),
    st.integers(0, 10**6).map(str),
    st.decimals(-(10**9), 10**9, places=3).map(str),
    st.floats(-1e9, 1e9).map(repr),
    DAYS.map(str),
    DAYS.map(lambda day: f"{day:%d/%m/%Y} 10:15"),
    st.timedeltas(timedelta(0), timedelta(days=1)).map(lambda past: str(past)[:8]),
    st.sampled_from(["male", "female", "Private", "self-employed", "[70-80)", "Some-college", "A", "22633"]),
)
BY_FORM = {*SEEN} - {"near-unique code"}


@given(st.lists(ORDINARY, min_size=1, max_size=30))
def test_random_numbers_dates_and_categories_are_nobodys(texts: list[str]) -> None:
    assert not BY_FORM & {*kinds("value", texts)}


@given(st.lists(st.integers(10**15, 10**16 - 1), min_size=20, max_size=60, unique=True))
def test_long_random_numbers_are_no_card_numbers(numbers: list[int]) -> None:
    valid = sum(map(check.luhn, map(str, numbers)))
    assert ("card number" in kinds("value", [*map(str, numbers)])) <= (valid >= 5)


@given(st.sampled_from(HARMLESS_TEXTS), st.sampled_from([text for texts in SEEN.values() for text in texts]))
def test_what_is_harmless_hides_nothing(before: str, text: str) -> None:
    """The sieve must not take a text for a date because it begins with one."""
    assert sifted(f"{before} {text}")


@given(st.decimals(0, 10**6, places=2), st.integers(1, 16))
def test_the_last_digit_of_luhn_is_the_only_one(amount: Decimal, length: int) -> None:
    digits = f"{int(amount):0{length}d}"
    assert sum(check.luhn(digits + str(last)) for last in range(10)) == 1
