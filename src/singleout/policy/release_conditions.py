"""What a passed policy takes for granted: columns that no rule looked at, fresh names, nothing sensitive."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from singleout.attacks.attack_run import ONE_TO_ONE
from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.catalogue import KINDS, Part
from singleout.attacks.plan import parts_of
from singleout.policy.answers.job_answers import domains_of
from singleout.policy.answers.release_answers import OF_ATTACKS
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.check_settings import Inquiry
from singleout.policy.name_origin import NameOrigin
from singleout.policy.rules.policy_keys import FILE_CONTENTS
from singleout.policy.verdict.decision import Observation, question_of
from singleout.roles.identifiers.recognition import Unexplained
from singleout.roles.study import Study
from singleout.roles.suggestion import is_sensitive_name

# the sum of all votes may find less than one of them
SINGLE = (*KINDS, "combined")
ALLOWED_UNJUDGED = "somebody answers for {}, which no rule looked at: the policy allows it (allow_unjudged)"
NOT_GUARDED = "sensitive columns that no rule asks about"
LEARNED = (
    "no rule asks what can be learned of {}, which must not be learned; ask for it in a rule (sensitive = "
    '"*" asks of every such column), or do not call it sensitive'
)
NOT_SPOKEN_OF = "what may be sensitive"
MAY_BE_SENSITIVE = (
    "nobody said whether {} may be learned about people; say --sensitive {}, or --sensitive none"
)
EACH_RECORD, BY_COLUMN = "each record is its own person", "{} says whose records they are"
NO_UNIT = "whose records they are"
NOBODY_SAID = (
    "nobody said whose records they are, and {0} looks like the column that names people; say --user {0}, or "
    "--user none if each record is its own person"
)
NAMELESS = "records that name nobody"
NOBODYS = (
    "{:,} of {:,} records have no value in {}, and attacks take them for those of somebody whom nobody looks "
    "for; leave them out of the file, or give each the name of its person"
)
BY_PLACE = "order of the records"
UNSORTED = (
    "the records have no names and stand in no order of what is released, so that nobody knows whether their "
    "places tell who is who; sort them by all columns, as singleout deidentify apply does"
)
UNCOUNTED = "how many people look alike"
ALL_OF_ONE = (
    "rules count records, of which people have several here, and all that look alike may be one person's; "
    "ask for people too, as by people.k"
)
OTHER_PERSON = "{}, though {} looks like the column that names people"
NAMES: dict[NameOrigin, str] = {
    "unknown": "the names in {} were drawn at random for this release (pseudonyms), or made with a key that "
    "nobody else has, and nobody else can look them up: how they were made was not seen",
    "drawn": "nobody else has all of the original and the seed by which the names in {} were drawn "
    "(pseudonyms): both together repeat them",
    "keyed": "nobody else has the key by which the names in {} were made (pseudonyms)",
}
SHUFFLED = (
    "the records stand in an order that was drawn at random: it is not one of what is released, and another "
    "order may tell who is who"
)
SOME_ATTACKS = (
    "nobody makes another attack than {}, for no rule asks for the best one (attack.best.rate), which may "
    "recognise more"
)
KEPT_NAMES = "{:,} names in {} are replaced by pseudonyms, for they are those of the original"
MADE_UP = (
    "{:,} people of the release were made up, as the truth map says, which names nobody for them: rules "
    "about attacks do not count them"
)
NOT_SAMPLED = (
    "nobody can know who is in the data, for rules about the population, a reference or weights take that "
    "for granted; for who does, the risk is that of the data itself"
)
BY_CHANCE = (
    "the people of the data were drawn by chance from {}, each as likely as any other, for rules about the "
    "population take that for granted: of whole families, one place or a chosen group, more may be unique "
    "among all than these rules find"
)
ONE_RECORD = (
    "nobody knows more than one record of a person, for rules about {} take that for granted of people with "
    "several: who knows more finds more"
)
SAMPLED: dict[str, str] = {"population": "the population", "reference": "a reference", "weighted": "weights"}
BY_WEIGHTS = (
    "the weights of look-alikes add up to all who look like them, for rules by weights take that for "
    "granted: weights that are too large make risks look too small"
)
OF_THE_SAME = (
    "the table of everybody names nobody twice, and nobody of whom it is known that they can't be in the "
    "data: who knows that its people come from a smaller group, such as one clinic, tells them from fewer"
)
EACH_OF_REFERENCE = (
    "in the table of everybody each record is a person of its own, unless it names people in a column called "
    "as that of the data: nobody said so by --reference-user, and one person's records would look like many "
    "people"
)
COORDINATES = (
    "nobody is found by the places in {}, which are given to ten metres or less: no home, and no way of one "
    "person alone"
)
TABLE_ALONE = "what is released is this table alone, and not the file of {}, which"
OTHER_CONTENTS = f"{TABLE_ALONE} also holds {{}}"
MORE_THAN_VALUES = (
    f"{TABLE_ALONE} keeps more than its values, such as the numbers of records (rowid), comments and types"
)
# a table that is named in a database is what is released, not its file
DATABASES = ("sqlite", "duckdb")
MORE_IN_FILE = "what else the file holds"
UNSEEN_CONTENTS = (
    "the file of {} also holds {}, which no rule looked at; release a file that has the table alone, such as "
    "CSV that one program wrote afresh, or, if somebody answers for it, say so in the policy: "
    'allow_unjudged = ["other contents"]'
)
OTHER_PEOPLE = "the table of people beside it is judged together with it, for no rule looked at that table"
OTHER_FILES = "nobody gets it together with the other files checked here, for each was looked at by itself"
UNASKED = "columns that no rule looked at"
UNSEEN = (
    "no rule looked at {}, which is in the file; what somebody finds by that is not known: leave it out of "
    "the file, ask for it in a rule, or, if somebody answers for it, say so in the policy: "
    "allow_unjudged = {}"
)
MAY_NAME = "words or codes that may name people"
UNEXPLAINED: dict[Unexplained, str] = {
    "words": "many different words in {} may be names of people, and nothing says what they are",
    "full name": "a value of {} looks like a person's full name or has one in it, and nothing says what it "
    "is",
    "sentences": "sentences in {} may tell of people or name them, and nothing says what they are",
    "digests": "codes in {} may be digests of names that were cut short, and nothing says what they are",
}
# judged as other columns are, but for what nobody can see: whom a code stands for
CODES = (
    "the codes in {}, of which nothing says what they are, are no names, and nobody who gets the table can "
    "look up for whom they stand; {}"
)
SAY_WHAT = (
    "say it by a header that does (such as town), by a role in a study file, or in the policy: "
    "allow_identifiers = {}"
)
SAY_CODES = "say it by a header that does (such as product), or in the policy: allow_identifiers = {}"
APART = "columns that no rule looked at together"
UNSEEN_TOGETHER = (
    "no rule looked at {} all together, so that it is not known what somebody finds who knows them at once; "
    "ask for it in a rule that has all of these columns"
)
MERGED_VALUES = "values that were read as one"
MERGED = (
    "the file writes values of {} apart that were read as one (--types, --missing-text, in JSON null and "
    "nothing), so that people may be told apart by more than was counted; write them alike in the file, or "
    "read them as they are"
)
NOBODY_ASKED = "no rule asks whether people are recognised, or what is learned of them"
NOTHING_SENSITIVE = (
    "no column holds what must not be learned about people, for none was named as sensitive; name them by "
    "--sensitive, or say --sensitive none"
)

NOTHING_ELSE_SENSITIVE = (
    "no column but {}, which the release lacks, holds what must not be learned about people; name others by "
    "--sensitive"
)


def release_conditions(
    inquiry: Inquiry,
    rules: Sequence[RuleQuestion],
    kept_names: int,
    names: NameOrigin,
    other_person: str | None,
    other_contents: Sequence[str] = (),
    coordinates: Sequence[str] = (),
    allowed: Sequence[str] = (),
    ordered: bool = True,
    made_up: int = 0,
    codes: Sequence[str] = (),
    several: bool = False,
) -> Iterator[str]:
    """Each is a clause of its own, for a list.

    `kept_names` are people called as in the original, `names` says how the names of the others were made,
    `other_person` is a column that looks like the one that names people, though nobody said so;
    `other_contents` are what the file holds besides the table (of a database, or where the policy allows
    it: else they do not pass), `coordinates` columns of exact places;
    `allowed` are those that the policy lets pass though nobody looked; records that are not `ordered` by
    what is released may stand in another order that tells something; `made_up` are people without an
    original; `codes` are columns of which nothing says for what theirs stand. People have `several` records.
    """
    others = [name for name in _unasked_columns(inquiry, rules) if name in allowed]
    if others and _about_people(rules):
        yield ALLOWED_UNJUDGED.format(in_words(others))
    if coordinates:
        yield COORDINATES.format(in_words(coordinates))
    if codes:
        yield CODES.format(in_words(codes), SAY_CODES.format(json.dumps([*codes], ensure_ascii=False)))
    seen = inquiry.data.kind in DATABASES or FILE_CONTENTS in allowed
    yield from _other_tables(inquiry, other_contents if seen else ())
    if other_person is not None and _is_unit_said(inquiry):
        unit = EACH_RECORD if inquiry.person is None else BY_COLUMN.format(inquiry.person)
        yield OTHER_PERSON.format(unit, other_person)
    yield from _who_people_are(inquiry, kept_names, names, made_up)
    if not ordered:
        yield SHUFFLED
    if single := _single_attacks(rules):
        yield SOME_ATTACKS.format(in_words(single))
    if any(one.family in SAMPLED for one in rules):
        yield NOT_SAMPLED
        if several:
            yield from _one_record(rules)
        yield from _sampled_how(inquiry, {one.family for one in rules})
    if inquiry.said.get("reference_user") is None and any(one.family == "reference" for one in rules):
        yield EACH_OF_REFERENCE
    yield from _nothing_sensitive(inquiry)


def _nothing_sensitive(inquiry: Inquiry) -> Iterator[str]:
    """Nobody named a column of the release that must not be learned, nor said that there is none."""
    if gone := inquiry.sensitive_gone:
        yield NOTHING_ELSE_SENSITIVE.format(in_words(gone))
    elif not inquiry.sensitive and not inquiry.nothing_sensitive:
        yield NOTHING_SENSITIVE


def _one_record(rules: Sequence[RuleQuestion]) -> Iterator[str]:
    """Of known records, only a rule about the population may take more."""
    asked = {one.family for one in rules if one.family != "population" or one.parameter("points") is None}
    if families := [words for family, words in SAMPLED.items() if family in asked]:
        yield ONE_RECORD.format(in_words(families))


def _sampled_how(inquiry: Inquiry, families: Set[str]) -> Iterator[str]:
    """What numbers about everybody rest on, and no table shows."""
    if "population" in families and inquiry.population is not None:
        yield BY_CHANCE.format(inquiry.population)
    if "weighted" in families:
        yield BY_WEIGHTS
    if "reference" in families:
        yield OF_THE_SAME


def _who_people_are(inquiry: Inquiry, kept_names: int, names: NameOrigin, made_up: int) -> Iterator[str]:
    if kept_names:
        yield KEPT_NAMES.format(kept_names, inquiry.person)
    elif inquiry.person is not None:
        yield NAMES[names].format(inquiry.person)
    if made_up:
        yield MADE_UP.format(made_up)


def _other_tables(inquiry: Inquiry, other_contents: Sequence[str]) -> Iterator[str]:
    if other_contents:
        yield OTHER_CONTENTS.format(inquiry.data.name, in_words(other_contents))
    elif inquiry.data.kind in DATABASES:
        yield MORE_THAN_VALUES.format(inquiry.data.name)
    if inquiry.said.get("release_people_table") is not None:
        yield OTHER_PEOPLE


def unseen_contents(
    inquiry: Inquiry, other_contents: Sequence[str], allowed: Sequence[str]
) -> Iterator[Observation]:
    """Sheets, notes, labels and pictures go out with the file, unless somebody answers for them."""
    if other_contents and inquiry.data.kind not in DATABASES and FILE_CONTENTS not in allowed:
        words = UNSEEN_CONTENTS.format(inquiry.data.name, in_words(other_contents))
        yield Observation(MORE_IN_FILE, words, "singling out", False)


def unseen_columns(
    inquiry: Inquiry, rules: Sequence[RuleQuestion], told: Sequence[str] = ()
) -> Iterator[Observation]:
    """Columns of the data that no rule about people looked at, whatever their role: they are in the file.

    Those that are `told` elsewhere name people, are empty, or are allowed by the policy.
    """
    if not _about_people(rules):
        yield Observation(UNASKED, NOBODY_ASKED, "singling out", False)
        return
    if unseen := [name for name in _unasked_columns(inquiry, rules) if name not in told]:
        listed = json.dumps(unseen, ensure_ascii=False)
        yield Observation(UNASKED, UNSEEN.format(in_words(unseen), listed), "singling out", False)
    if apart := _columns_apart(inquiry, rules):
        yield Observation(APART, UNSEEN_TOGETHER.format(in_words(apart)), "singling out", False)


def unexplained_values(
    inquiry: Inquiry, unexplained: Mapping[str, Unexplained], allowed: Sequence[str]
) -> Iterator[Observation]:
    """Of which nobody said that they are no names: by a role, or in the policy, which `allowed` them."""
    roles = inquiry.own_study.roles if inquiry.own_study else {}
    said = {name for name, role in roles.items() if role != "ignore"} | {*allowed}
    for what, words in UNEXPLAINED.items():
        if columns := [name for name, each in unexplained.items() if each == what and name not in said]:
            listed = json.dumps(columns, ensure_ascii=False)
            told = f"{words.format(in_words(columns))}; {SAY_WHAT.format(listed)}"
            yield Observation(MAY_NAME, told, "singling out", False)


def unknown_unit(inquiry: Inquiry, other_person: str | None) -> Iterator[Observation]:
    """Records that may be one person's count as those of several."""
    if other_person is not None and not _is_unit_said(inquiry):
        yield Observation(NO_UNIT, NOBODY_SAID.format(other_person), "singling out", False)


def nameless_records(
    inquiry: Inquiry, nameless: int, records: int, rules: Sequence[RuleQuestion]
) -> Iterator[Observation]:
    """Whoever finds such a record by its values has found its person too."""
    if nameless and any(one.family in ("attack", "points") for one in rules):
        words = NOBODYS.format(nameless, records, inquiry.person)
        yield Observation(NAMELESS, words, "linkability", False)


def unsorted_records(are_by_look_alikes: bool, are_sorted: bool) -> Iterator[Observation]:
    """Look-alikes hide each other only where nothing else tells which is which."""
    if are_by_look_alikes and not are_sorted:
        yield Observation(BY_PLACE, UNSORTED, "linkability", False)


def uncounted_people(records: int, people: int, rules: Sequence[RuleQuestion]) -> Iterator[Observation]:
    """Classes of records hide nobody where one person has them all."""
    singling_out = [one for one in rules if question_of(one.rule) == "singling out"]
    of_records = [
        one for one in singling_out if one.family == "classes" and not one.part.startswith("people")
    ]
    if people < records and singling_out == of_records != []:
        yield Observation(UNCOUNTED, ALL_OF_ONE, "singling out", False)


def _is_unit_said(inquiry: Inquiry) -> bool:
    """A column of people was named, or that each record is its own person."""
    study = inquiry.own_study
    return inquiry.user is not None or bool(study and (study.user or study.each_record))


def unguarded_columns(inquiry: Inquiry, rules: Sequence[RuleQuestion]) -> Iterator[Observation]:
    """What somebody called sensitive, and nobody looked at."""
    guarded = {name for one in _about_people(rules) for name in one.sensitive}
    if unasked := [name for name in inquiry.sensitive if name not in guarded]:
        yield Observation(NOT_GUARDED, LEARNED.format(in_words(unasked)), "inference", False)


def undeclared_columns(inquiry: Inquiry) -> Iterator[Observation]:
    """A diagnosis that nobody called sensitive: everybody in a group may have the same one."""
    if inquiry.sensitive or inquiry.nothing_sensitive:
        return
    if words := undeclared_words(inquiry.names, inquiry.person, inquiry.own_study):
        yield Observation(NOT_SPOKEN_OF, words, "inference", False)


def undeclared_words(names: Iterable[str], person: str | None, study: Study | None) -> str | None:
    """What has to be said of columns that look sensitive, where nobody named a sensitive one."""
    roles = study.roles if study else {}
    said = {person, *(name for name, role in roles.items() if role != "ignore")}
    odd = [name for name in names if name not in said and is_sensitive_name(name)]
    return MAY_BE_SENSITIVE.format(in_words(odd), shlex.quote(",".join(odd))) if odd else None


def merged_values(columns: Sequence[str]) -> Iterator[Observation]:
    """What was counted is coarser than what is in the file."""
    if columns:
        yield Observation(MERGED_VALUES, MERGED.format(in_words(columns)), "singling out", False)


def _about_people(rules: Sequence[RuleQuestion]) -> list[RuleQuestion]:
    return [one for one in rules if question_of(one.rule) is not None]


def _unasked_columns(inquiry: Inquiry, rules: Sequence[RuleQuestion]) -> list[str]:
    asked = {name for one in _about_people(rules) for name in _columns_of(one, inquiry)}
    return [name for name in inquiry.names if name not in {*asked, inquiry.person, *inquiry.sensitive}]


def _columns_apart(inquiry: Inquiry, rules: Sequence[RuleQuestion]) -> list[str]:
    """What rules looked at, but none at all of it; what attackers know at once is for the policy to say."""
    about_people = _about_people(rules)
    seen = [({*_columns_of(one, inquiry)} - {inquiry.person}, _is_each_alone(one)) for one in about_people]
    every = set[str]().union(*(columns for columns, _ in seen))
    whole = (columns == every for columns, alone in seen if not alone)
    if len(every) < 2 or any(one.assumed for one in about_people) or any(whole):
        return []
    return [name for name in inquiry.names if name in every]


def _is_each_alone(one: RuleQuestion) -> bool:
    return one.family == "attribute" and one.found.every


def _columns_of(one: RuleQuestion, inquiry: Inquiry) -> tuple[str, ...]:
    """What a rule looked at; the best attack takes all that both tables have, others what they compare."""
    shared = tuple(name for name in inquiry.names if inquiry.partner(name) is not None)
    if one.family == "attribute" and not one.found.every:
        named = one.found.plain_name
        return (named,) if named in inquiry.names else tuple(named.split("+"))
    if one.family == "domain":
        return tuple(name for each in domains_of(inquiry) for name in each.all_columns)
    if one.family == "attack" and (part := _part_looked_at(one)) is not None:
        own = () if part == "nothing" else parts_of(inquiry.settings(*OF_ATTACKS), inquiry.study).of(part)
        return tuple(inquiry.new_names.get(name, name) for name in own)
    if one.names is None:
        return shared if one.family in ("attack", "points") else inquiry.names
    if one.family in ("attack", "points") and inquiry.original is not None:
        known = {inquiry.new_names.get(name, name) for name in one.names}
        return tuple(name for name in shared if name in known)
    return one.names


def _part_looked_at(one: RuleQuestion) -> Part | None:
    """The part of the columns that an attack of its own looks at; None: all of them."""
    kind = KINDS.get(one.found.name.removesuffix(ONE_TO_ONE))
    return None if kind is None or kind.part == "columns" else kind.part


def _single_attacks(rules: Sequence[RuleQuestion]) -> list[str]:
    """Attacks that rules ask for by their names, where none asks for the best of all."""
    asked = [one for one in rules if one.family == "attack" and one.part != "bound"]
    names = [one.found.name.removesuffix(ONE_TO_ONE) for one in asked]
    return [] if "best" in names else [name for name in dict.fromkeys(names) if name in SINGLE]
