"""What a passed policy takes for granted: columns that no rule looked at, fresh names, nothing sensitive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.policy.answers.job_answers import domains_of
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.check_settings import Inquiry
from singleout.policy.verdict.decision import Observation, question_of

LEAVE_OUT = "{} {} left out of what is released, for no rule looked at {}"
NOT_GUARDED = "sensitive columns that no rule asks about"
LEARNED = (
    "no rule asks what can be learned of {}, which must not be learned; ask for it in a rule (sensitive = "
    '"*" asks of every such column), or do not call it sensitive'
)
EACH_RECORD, BY_COLUMN = "each record is its own person", "{} says whose records they are"
NO_UNIT = "whose records they are"
NOBODY_SAID = (
    "nobody said whose records they are, and {0} looks like the column that names people; say --user {0}, or "
    "--user none if each record is its own person"
)
OTHER_PERSON = "{}, though {} looks like the column that names people"
FRESH_NAMES = "the names in {} are made up for this release (pseudonyms), and nobody else can look them up"
KEPT_NAMES = "{:,} names in {} are replaced by pseudonyms, for they are those of the original"
NOT_SAMPLED = (
    "nobody can know who is in the data, for rules about the population, a reference or weights take that "
    "for granted; for who does, the risk is that of the data itself"
)
COORDINATES = (
    "nobody is found by the places in {}, which are given to ten metres or less: no home, and no way of one "
    "person alone"
)
OTHER_CONTENTS = "what is released is this table alone, and not the file of {}, which also holds {}"
OTHER_PEOPLE = "the table of people beside it is judged together with it, for no rule looked at that table"
OTHER_FILES = "nobody gets it together with the other files checked here, for each was looked at by itself"
UNASKED = "columns that no rule looked at"
UNSEEN = (
    "no rule looked at {}, so that it is not known what somebody finds by that; ask for it in a rule, leave "
    'it out of the file, or, if it is left out of what is released, give it the role "ignore" in a study file'
)
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


def release_conditions(
    inquiry: Inquiry,
    rules: Sequence[RuleQuestion],
    kept_names: int,
    other_person: str | None,
    other_contents: Sequence[str] = (),
    coordinates: Sequence[str] = (),
) -> Iterator[str]:
    """Each is a clause of its own, for a list.

    `kept_names` are people called as in the original, `other_person` is a column that looks like the one that
    names people, though nobody said so; `other_contents` are what the file holds besides the table,
    `coordinates` columns of exact places.
    """
    about_people = _about_people(rules)
    others = [name for name in _unasked_columns(inquiry, rules) if _is_set_aside(name, inquiry, rules)]
    if others and about_people:
        several = len(others) > 1
        yield LEAVE_OUT.format(in_words(others), "are" if several else "is", "them" if several else "it")
    if coordinates:
        yield COORDINATES.format(in_words(coordinates))
    yield from _other_tables(inquiry, other_contents)
    if other_person is not None and _is_unit_said(inquiry):
        unit = EACH_RECORD if inquiry.person is None else BY_COLUMN.format(inquiry.person)
        yield OTHER_PERSON.format(unit, other_person)
    if kept_names:
        yield KEPT_NAMES.format(kept_names, inquiry.person)
    elif inquiry.person is not None and (inquiry.original is None or inquiry.said.get("truth") is None):
        yield FRESH_NAMES.format(inquiry.person)
    if any(one.family in ("population", "reference", "weighted") for one in rules):
        yield NOT_SAMPLED
    if not inquiry.sensitive and not inquiry.nothing_sensitive:
        yield NOTHING_SENSITIVE


def _other_tables(inquiry: Inquiry, other_contents: Sequence[str]) -> Iterator[str]:
    if other_contents:
        yield OTHER_CONTENTS.format(inquiry.data.name, in_words(other_contents))
    if inquiry.said.get("release_people_table") is not None:
        yield OTHER_PEOPLE


def unseen_columns(
    inquiry: Inquiry, rules: Sequence[RuleQuestion], identifiers: Sequence[str] = ()
) -> Iterator[Observation]:
    """Columns of the data that no rule about people looked at, and of which nobody said why not.

    Of `identifiers` it was told before that they forbid the release, or that the policy allows them.
    """
    if not _about_people(rules):
        yield Observation(UNASKED, NOBODY_ASKED, "singling out", False)
        return
    unasked = [name for name in _unasked_columns(inquiry, rules) if name not in identifiers]
    unseen = [name for name in unasked if not _is_set_aside(name, inquiry, rules)]
    if unseen:
        yield Observation(UNASKED, UNSEEN.format(in_words(unseen)), "singling out", False)
    if apart := _columns_apart(inquiry, rules):
        yield Observation(APART, UNSEEN_TOGETHER.format(in_words(apart)), "singling out", False)


def unknown_unit(inquiry: Inquiry, other_person: str | None) -> Iterator[Observation]:
    """Records that may be one person's count as those of several."""
    if other_person is not None and not _is_unit_said(inquiry):
        yield Observation(NO_UNIT, NOBODY_SAID.format(other_person), "singling out", False)


def _is_unit_said(inquiry: Inquiry) -> bool:
    """A column of people was named, or that each record is its own person."""
    study = inquiry.own_study
    return inquiry.user is not None or bool(study and (study.user or study.each_record))


def unguarded_columns(inquiry: Inquiry, rules: Sequence[RuleQuestion]) -> Iterator[Observation]:
    """What somebody called sensitive, and nobody looked at."""
    guarded = {name for one in _about_people(rules) for name in one.sensitive}
    if unasked := [name for name in inquiry.sensitive if name not in guarded]:
        yield Observation(NOT_GUARDED, LEARNED.format(in_words(unasked)), "inference", False)


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


def _is_set_aside(name: str, inquiry: Inquiry, rules: Sequence[RuleQuestion]) -> bool:
    """Whether somebody who knows this table said so: by its role, or by naming the columns that count."""
    study = inquiry.own_study
    if inquiry.own_columns is not None and name not in inquiry.own_columns:
        return True
    if study is None or name not in study.roles:
        return False
    assumed = [one.assumed for one in rules if one.assumed and one.rule.columns is None]
    known = [each for one in assumed for each in one.columns if each.column == name]
    return study.roles[name] == "ignore" or (bool(known) and not any(each.known for each in known))


def _columns_of(one: RuleQuestion, inquiry: Inquiry) -> tuple[str, ...]:
    """What a rule looked at; attacks by themselves take all that both tables have."""
    old = {new: name for name, new in inquiry.new_names.items()}
    shared = tuple(name for name in inquiry.names if old.get(name, name) in inquiry.original_names)
    if one.family == "attribute" and not one.found.every:
        named = one.found.plain_name
        return (named,) if named in inquiry.names else tuple(named.split("+"))
    if one.family == "domain":
        return tuple(name for each in domains_of(inquiry) for name in each.all_columns)
    if one.names is None:
        return shared if one.family in ("attack", "points") else inquiry.names
    if one.family in ("attack", "points") and inquiry.original is not None:
        return tuple(inquiry.new_names.get(name, name) for name in one.names)
    return one.names
