"""What a column's name says it holds, in several languages, and what its values must look like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from singleout.roles.identifiers.identifier_kind import IdentifierKind
from singleout.roles.identifiers.word_list import phrase_list, word_list

PEOPLE = word_list(
    """
    person people customer client patient member user employee student passenger subject guest
    visitor owner holder contact teacher doctor physician nurse driver staff worker resident citizen
    applicant beneficiary respondent participant insured policyholder cardholder child parent mother
    father spouse partner kontakt kunde kunden patienten mitarbeiter cliente client paciente employe
    persona personne full real legal own first last given family middle maiden birth second
    preferred display login nick
    """
)
# in front of a word these say that it is of no person
THINGS = word_list(
    """
    store shop branch company firm business organisation organization merchant vendor supplier
    manufacturer product item goods article brand model file host domain server database table
    column field event campaign station stop line route city town country region state county street
    place site school hospital clinic department team class category group project job job title
    bank airline hotel restaurant game movie film song album book author species drug medicine test
    variable sensor process package module
    """
)
# what words of a column may be about, that are no names of people
SUBJECTS = THINGS | word_list(
    """
    occupation profession work workclass employer industry sector education degree qualification major
    subject course diagnosis diagnoses disease illness condition symptom treatment therapy procedure
    specialty speciality medication drugs ingredient allergy ward icd atc goods items products description
    descr colour color material shape pattern type types kind kinds sort genre style status reason cause
    purpose method mode language nationality nation ethnicity race religion party marital relationship
    relation animal pet breed plant food dish cuisine meal fruit drink sport hobby activity club weekday
    month season origin destination airport carrier terminal currency unit level grade rank role position
    occupancy faculty area zone borough quarter district province municipality commune parish village
    neighbourhood neighborhood location where place places countries cities towns states regions zip
    postcode continent territory shops stores make maker label tag tags topic theme keyword code codes
    payment tender channel device platform browser os vehicle fuel crop mineral instrument tool service
    offence crime accident damage weather outcome result results answer option choice response
    beruf ausbildung krankheit diagnose farbe stadt ort land bundesland gemeinde artikel ware waren
    staatsangehorigkeit religionszugehorigkeit sprache branche metier maladie couleur ville pays commune
    produit langue profesion enfermedad ciudad pais producto color idioma professione malattia citta paese
    prodotto lingua profissao doenca cidade produto cor
    point points stations stops locations articles sku good stock payer
    職業 病名 都市 商品 国 県 市 職種 职业 疾病 城市 国家 商品
    """
)
# what these are of, other words of a header must say
SAYING_NOTHING = word_list(
    """
    code codes label tag tags keyword answer option choice response result results field column variable list
    """
)
# a header of these alone: a few words below it are sorts of people or things, names they would hardly be
SORTING = word_list(
    "plan plans tariff tariffs tier size sizes segment subscription membership priority severity frequency "
    "format gender sex sentiment smoker smoking"
)
# behind a word these say nothing new
NEUTRAL = word_list(
    "number no nr num nbr numero nummer nro id value text raw home work private privat business primary "
    "secondary main line full 1 2 3"
)
KIND_PHRASES: Mapping[IdentifierKind, frozenset[str]] = {
    "e-mail": phrase_list(
        """
        email, e mail, mail, email address, e mail address, mail address, courriel, adresse mail,
        correo, correo electronico, e post, epost, sahkoposti, メール, メールアドレス, 邮箱, электронная
        почта
        """
    ),
    "phone": phrase_list(
        """
        phone, telephone, mobile, cellphone, mobile phone, cell phone, tel, fax, msisdn, telefon, handy,
        telefono, telefone, telefoon, celular, movil, portable, puhelin, 電話, 電話番号, 电话, 手机,
        телефон, cell, mob, gsm, whatsapp, telephone number, phonenumber, phoneno, mobilenumber, mobileno,
        telefonnummer, telefonnr, handynummer, mobilnummer, rufnummer, numer telefonu,
        numero de telefono, numero de telephone, so dien thoai, 携帯, 携帯電話
        """
    ),
    "national number": phrase_list(
        """
        ssn, socsec, social security, socialsecurity, social insurance, national insurance, nino, nhs,
        passport, national,
        identity card, id card, identity, tax, tax payer, taxpayer, tin, itin, nir, insee, securite
        sociale, dni, nie, nif, steuer, steueridentifikation, personalausweis, codice fiscale, cpf, rg,
        curp, pesel, bsn, burgerservice, personnummer, fodselsnummer, hetu, cpr, ahv, aadhaar, my,
        マイナンバー, 个人番号, 身份证, driving licence, driving license, drivers license, driver
        license, medical record, mrn, health insurance
        """
    ),
    "card number": phrase_list(
        """
        credit card, debit card, payment card, card pan, cc, card, carte bancaire, kreditkarte, tarjeta,
        cartao
        """
    ),
    "IBAN": phrase_list(
        """
        iban, bank account
        """
    ),
    "address": phrase_list(
        """
        address, addr, street, street address, postal address, mailing address, adresse, anschrift,
        strasse, rue, direccion, calle, indirizzo, endereco, rua, adres, straat, adress, gata, osoite,
        住所, 地址, адрес
        """
    ),
    "URL": phrase_list(
        """
        url, uri, website, web site, homepage, web page, profile link, site web, pagina web
        """
    ),
    "IP address": phrase_list(
        """
        ip, ip address, ipv4, ipv6, ip addr
        """
    ),
    "device id": phrase_list(
        """
        imei, imsi, idfa, gaid, aaid, adid, advertising, android, device, mac, mac address, serial,
        device serial, udid, iccid, vin, license plate, licence plate, number plate, kennzeichen,
        immatriculation, matricula, targa
        """
    ),
    "free text": phrase_list(
        """
        comment, comments, remark, remarks, note, notes, free text, freetext, message, feedback, memo,
        bemerkung, bemerkungen, kommentar, notiz, commentaire, commentaires, remarque, comentario,
        comentarios, observaciones, nota, note libere, opmerking, コメント, 備考, 备注
        """
    ),
}
# words that mean something else unless a word for a number follows
NEED_A_NUMBER = phrase_list(
    "national, identity, tax, my, rg, steuer, advertising, android, device, serial, "
    "national insurance, social insurance, health insurance, securite sociale, medical record"
)
NUMBER_WORDS = word_list("number no nr num nbr numero nummer nro id")
NAME_PHRASES = word_list(
    """
    name names surname surnames forename firstname lastname fullname username nickname nom prenom
    nombre nombres apellido apellidos vorname nachname familienname cognome nome sobrenome apelido
    naam voornaam achternaam namn fornamn efternamn navn fornavn etternavn nimi etunimi sukunimi
    imie nazwisko jmeno prijmeni soyad имя фамилия фио 氏名 名前 姓名 姓 名字
    """
)
# what at least half of the values must look like for the name to be believed
FITTING: Mapping[IdentifierKind, re.Pattern[str]] = {
    "name": re.compile(r"\D*[^\W\d_]{2}\D*(?:[(#_ ]*[0-9]{1,3}\)?)?", re.DOTALL),
    "e-mail": re.compile(r".*(?:@|%40|\bat\b).*|[0-9a-fA-F]{16,}", re.DOTALL | re.IGNORECASE),
    "phone": re.compile(r"(?:\D*\d){3,}\D*"),
    "national number": re.compile(r"(?:\D*\d){5,}.*", re.DOTALL),
    "card number": re.compile(r"(?:\D*\d){12,}\D*"),
    "IBAN": re.compile(r".*(?:\D*\d){5,}.*", re.DOTALL),
    "address": re.compile(r".*[^\W\d_]{3}.*", re.DOTALL),
    "URL": re.compile(r"\S+[./]\S+"),
    "IP address": re.compile(r".*[0-9A-Fa-f]+[.:][0-9A-Fa-f*]*[.:].*"),
    "device id": re.compile(r"(?=(?:.*\d){2})[\w:.-]{6,}"),
}
FLAGS = word_list("yes no true false y n t f 0 1 ja nein oui non si on off")
REDACTED = word_list(
    "redacted removed anonymous anonymised anonymized deleted unknown withheld hidden masked suppressed none "
    "null na n/a nan missing undisclosed confidential"
)


def words_of(name: str) -> tuple[str, ...]:
    """A name in small letters without accents, word by word.

    >>> words_of("CustomerEMail_2"), words_of("Prénom"), words_of("e-mail")
    (('customer', 'e', 'mail', '2'), ('prenom',), ('e', 'mail'))
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)", " ", name)
    plain = "".join(each for each in unicodedata.normalize("NFKD", spaced) if not unicodedata.combining(each))
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain).casefold().replace("ß", "ss")))


def kinds_by_name(name: str) -> tuple[IdentifierKind, ...]:
    """What a column is called after; values must bear it out.

    >>> kinds_by_name("PatientLastName"), kinds_by_name("station_name"), kinds_by_name("phone_type")
    (('name',), (), ())
    """
    words = words_of(name)
    kinds = tuple(dict.fromkeys(_kinds(words)))
    # an e-mail address is no street, nor is that of a computer
    return tuple(each for each in kinds if each != "address" or len(kinds) == 1)


def _kinds(words: Sequence[str]) -> Iterator[IdentifierKind]:
    if _is_persons_name(words):
        yield "name"
    core = list(words)
    while len(core) > 1 and core[-1] in NEUTRAL:
        core.pop()
    numbered = any(word in NUMBER_WORDS for word in words[len(core) :])
    for kind, phrases in KIND_PHRASES.items():
        for phrase in phrases:
            if _ends_with(core, phrase) and (numbered or phrase not in NEED_A_NUMBER):
                yield kind


def _ends_with(core: Sequence[str], phrase: str) -> bool:
    parts = phrase.split()
    if list(core[-len(parts) :]) != parts:
        return False
    before = core[-len(parts) - 1] if len(core) > len(parts) else ""
    return before not in THINGS


def _is_persons_name(words: Sequence[str]) -> bool:
    core = [word for word in words if not word.isdigit()]
    if not core or core[-1] not in NAME_PHRASES:
        return False
    before = core[:-1]
    if core[-1] in ("name", "names", "nom", "nombre", "nome", "naam", "namn", "navn"):
        return not before or before[-1] in PEOPLE
    return not any(word in THINGS for word in before)
