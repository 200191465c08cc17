"""Opens the data, turns the rules of a policy into questions, and answers each once, by the right job."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from singleout.attacks.paired_tables import is_same_table
from singleout.attacks.wilson_interval import CONFIDENCE
from singleout.engine.columns import known_columns
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import open_engine, thread_count
from singleout.engine.privacy_unit import other_person
from singleout.engine.protocol import Question
from singleout.engine.session import open_session, zone_remarks
from singleout.errors import InputError, SingleoutError, name_hint
from singleout.policy.answers.attacker_columns import SUGGESTED, AttackerColumns, Roles, roles_of
from singleout.policy.answers.coarse_columns import CoarseColumns
from singleout.policy.answers.count_answers import NO_USER, CountedTable, Part, Parts, UnknownParts
from singleout.policy.answers.job_answers import JobAnswers
from singleout.policy.answers.policy_questions import OF_THE_DATA, asked_rules
from singleout.policy.answers.population_answers import OF_A_SAMPLE, population_answer
from singleout.policy.answers.release_answers import ReleaseAnswers
from singleout.policy.answers.rule_question import RuleQuestion, is_kept_by_look_alikes
from singleout.policy.check_settings import Inquiry
from singleout.policy.name_origin import NameOrigin, name_origin
from singleout.policy.result import AssumedAttacker, JudgedIdentifier
from singleout.policy.rules.policy import Policy
from singleout.policy.rules.policy_keys import FILE_CONTENTS, TOP_KEYS
from singleout.policy.rules.rule import Rule, label
from singleout.policy.verdict.rule_verdict import Answer, RuleVerdict, value_words
from singleout.risk.identifiers import Identifier, identifiers
from singleout.roles.coordinates import are_coordinates
from singleout.roles.hierarchies.hierarchy import read_hierarchies
from singleout.roles.known_column import KnownColumn
from singleout.roles.person_column import NONE
from singleout.roles.study import EACH_RECORD
from singleout.utility.information_loss import AVERAGE_CLASS_SIZE, DISCERNIBILITY
from singleout.utility.query_workload import COUNTS, QUERIES, SUMS

LOSSES = (DISCERNIBILITY.name, AVERAGE_CLASS_SIZE.name)
SYNERGIES = ("highest_synergy", "mean_synergy", "synergy_share")
KNOWS_NOTHING = "{} knows no column of this table; say the columns' roles in a study file"
DOES_NOT_KNOW = "{} does not know {}"
NO_NUMBERS = "there are no numbers"
OF_RECORDS = ("k", "unique", "unique_share", "highest_risk", "average_risk")
COUNTS_RECORDS = "{} counts records, of which people have several here; {} counts people"
NOT_LOOKED_AT = (
    "column {!r} is in the file, though its role says it is to be removed: rules without an attacker do not "
    "look at it"
)
CEILING_OF_LOOK_ALIKES = (
    "records have no names, so that no attack was made: it is the most that anybody reaches, who of records "
    "that are alike in all columns is right about one"
)
TOO_FEW_ALIKE = (
    "records have no names, so that no attack was made, and who of records that are alike in all columns is "
    "right about one may reach {:.4g}"
)
MAY_HAVE_SEVERAL = (
    "records have no names to look for, and column {!r} of the original seems to name people who have "
    "several; name it by --user, and say by --truth who is who"
)
NamedPart = tuple[str, Part]
COUNTED = ("classes", "attribute", "set", "combinations", "record", "sensitive", "inference", *OF_A_SAMPLE)
HIDES = (
    "under the missing rule {} it would pass, but where a missing value is a value of its own it is {}, and "
    "what is missing of people tells too; ask with the rule value"
)
MAY_LOSE_PEOPLE = (
    "column {!r} of the original seems to name people who have several records, and the release does not say "
    "whose each is, so that records would count as people; name it by --user, or give an original without it "
    "if it names nobody"
)
LOST_PEOPLE = (
    "people of the original have several records, and the release does not say whose each is, so that "
    "records would count as people; name the column by --release-user"
)


@dataclass(frozen=True, eq=False)
class CountedTables:
    """The table under each rule for missing values, opened once; all stay open until the `stack` is left."""

    inquiry: Inquiry
    stack: ExitStack
    remarks: list[str]
    by_rule: dict[Missing, CountedTable] = field(default_factory=dict)

    @property
    def default(self) -> CountedTable:
        """The table as the policy has it by default."""
        return self.under(self.inquiry.missing or "value")

    def under(self, missing: Missing) -> CountedTable:
        if missing not in self.by_rule:
            self.by_rule[missing] = self._open(missing)
        return self.by_rule[missing]

    def _open(self, missing: Missing) -> CountedTable:
        inquiry = self.inquiry
        option = "--user" if inquiry.original is None else "--release-user"
        session = open_session(inquiry.data, user_option=option, **inquiry.count_options(missing))
        counter, plan, _ = self.stack.enter_context(session)
        self.remarks.extend(plan.remarks)
        return CountedTable(
            counter,
            plan,
            CoarseColumns(counter),
            inquiry.seed,
            thread_count(inquiry.machine["threads"]),
            inquiry.progress,
            self._suppressed_records,
            inquiry.said.get("hierarchies"),
        )

    def _suppressed_records(self) -> int:
        """Records of the original that the data lacks."""
        if self.inquiry.original is None:
            return 0
        machine = self.inquiry.machine
        with open_session(self.inquiry.original, study=EACH_RECORD, **machine) as (_, plan, _):
            return max(0, plan.records - self.default.plan.records)


def rule_answers(inquiry: Inquiry, policy: Policy, stack: ExitStack) -> RuleAnswers:
    """The steps before the first answer: open the table, learn its columns and roles, read the rules."""
    remarks: list[str] = []
    tables = CountedTables(inquiry, stack, remarks)
    table = tables.default
    inquiry = replace(inquiry, names=tuple(column.name for column in table.counter.columns()))
    found = identifiers(table.counter, table.plan.user)
    _check_allowed(policy, inquiry)
    if (given := inquiry.said.get("hierarchies")) is not None:
        read_hierarchies(given, (*inquiry.names, *inquiry.original_names), inquiry.data.files())
    roles = _roles(inquiry, policy, table, found)
    if _has_attackers(policy):
        remarks += (*roles.remarks, *zone_remarks(table.counter, inquiry.names))
    attackers = AttackerColumns(table.columns, roles, inquiry.own_columns)
    rules = asked_rules(policy, inquiry, table.plan, attackers)
    return RuleAnswers(inquiry, policy, tables, roles, rules, remarks, found)


def _check_allowed(policy: Policy, inquiry: Inquiry) -> None:
    for key in TOP_KEYS:
        there = (*inquiry.names, *([FILE_CONTENTS] if key == "allow_unjudged" else []))
        lacking = [name for name in getattr(policy, key) if name not in there]
        if lacking:
            faults = "; ".join(
                f"there is no column {each!r}; {name_hint(each, inquiry.names)}" for each in lacking
            )
            raise InputError(f"{policy.called}: {key}: {inquiry.data.name}: {faults}")


def _has_attackers(policy: Policy) -> bool:
    return any(rule.attacker for rule in policy.rules)


def _roles(inquiry: Inquiry, policy: Policy, table: CountedTable, found: tuple[Identifier, ...]) -> Roles:
    """Suggested, which costs a look at every column, only where something depends on them."""
    if inquiry.own_study is None and inquiry.user and not _has_attackers(policy):
        return Roles({}, SUGGESTED)
    return roles_of(inquiry, table.counter, found)


@dataclass(frozen=True, eq=False)
class RuleAnswers:
    """The rules of a policy beside an open table; `remarks` grow with the answers."""

    inquiry: Inquiry
    policy: Policy
    tables: CountedTables
    roles: Roles
    rules: tuple[RuleQuestion, ...]
    remarks: list[str]
    identifiers: tuple[Identifier, ...]

    @property
    def judged_identifiers(self) -> tuple[JudgedIdentifier, ...]:
        allowed = self.policy.allow_identifiers
        return tuple(JudgedIdentifier(each, each.column in allowed) for each in self.identifiers)

    @property
    def told_columns(self) -> tuple[str, ...]:
        """Those that name people, allowed or not, that the policy lets pass unseen, and empty ones."""
        look = self.tables.default.counter.look
        set_aside = [name for name in self.inquiry.names if name not in self.tables.default.plan.columns]
        empty = [name for name in set_aside if look(name).missing == look(name).records]
        return (*(each.column for each in self.identifiers), *self.policy.allow_unjudged, *empty)

    def judge(self) -> tuple[RuleVerdict, ...]:
        """Every rule with its answer; an error is told with the rule that it comes from."""
        judged_rules = []
        for one in self.rules:
            try:
                answer = self._answer(one)
            except SingleoutError as error:
                message = f"{self.policy.called}: {label(one.number, one.rule)}{error}"
                raise type(error)(message) from error
            judged_rules.append(RuleVerdict(one.number, one.rule, one.found.path.measure, answer))
        self.remarks.extend((*self._record_count_remarks(), *self._removed_column_remarks()))
        return tuple(judged_rules)

    @property
    def attackers(self) -> tuple[AssumedAttacker, ...]:
        """Those that rules were about."""
        return tuple({one.assumed.attacker.name: one.assumed for one in self.rules if one.assumed}.values())

    def _removed_column_remarks(self) -> Iterator[str]:
        plain = [one for one in self.rules if one.family in OF_THE_DATA and not one.assumed]
        by_study = self.inquiry.own_study is not None and self.inquiry.own_columns is None
        if by_study and any(one.rule.columns is None for one in plain):
            yield from map(NOT_LOOKED_AT.format, self.roles.removable_columns)

    def _record_count_remarks(self) -> Iterator[str]:
        """Ten alike records of one person hide nobody."""
        plan = self.tables.default.plan
        for part in dict.fromkeys(one.part for one in self.rules if one.family == "classes"):
            if plan.user is not None and plan.people < plan.records and part in OF_RECORDS:
                yield COUNTS_RECORDS.format(part, f"people.{part}")

    @cached_property
    def _jobs(self) -> JobAnswers:
        return JobAnswers(self.inquiry, self.rules, self.remarks)

    @cached_property
    def _release_answers(self) -> ReleaseAnswers:
        return ReleaseAnswers(self.inquiry, self.rules, self.remarks)

    def _answer(self, one: RuleQuestion) -> Answer:
        """A rule for missing values that hides somebody does not pass by that."""
        answer = self._plain_answer(one)
        if one.missing == "value" or one.family not in COUNTED or not _passes(one, answer):
            return answer
        strict = self._plain_answer(replace(one, missing="value"))
        if _passes(one, strict):
            return answer
        number = "unknown" if strict.value is None else value_words(strict.value, one.rule)
        return one.answer(None, HIDES.format(one.missing, number))

    def _plain_answer(self, one: RuleQuestion) -> Answer:
        if one.assumed and not one.columns:
            return one.answer(None, KNOWS_NOTHING.format(one.assumed.attacker.title))
        if one.family in COUNTED and self._lost_people is not None:
            return one.answer(None, self._lost_people)
        by_family: dict[str, Callable[[RuleQuestion], Answer]] = {
            "attribute": self._attribute,
            "domain": lambda one: _worst_answer(one, self._jobs.domain(one)),
            "prediction": self._jobs.prediction,
            "attack": self._attack,
            "points": self._release_answers.points.answer,
            "utility": self._utility,
            **dict.fromkeys(OF_A_SAMPLE, self._sample),
        }
        return by_family.get(one.family, self._counted_answer)(one)

    def _attack(self, one: RuleQuestion) -> Answer:
        """By attacks, which need to know who is who; else by what no attack exceeds."""
        if not (self._has_no_names and is_kept_by_look_alikes(one.rule, one.found)):
            return self._release_answers.attack(one)
        if self._original_person is not None:
            return one.answer(None, MAY_HAVE_SEVERAL.format(self._original_person))
        table = self.tables.under("value")
        ceiling = table.ask_once(table.classes, self.inquiry.names)["average_risk"]
        if ceiling.value is None or not one.rule.allows(ceiling.value):
            return one.answer(None, ceiling.reason or TOO_FEW_ALIKE.format(ceiling.value))
        return one.answer(ceiling.value, CEILING_OF_LOOK_ALIKES)

    @property
    def are_by_look_alikes(self) -> bool:
        """Whether a rule about attacks was answered by records that are alike, and no attack was made."""
        return self._has_no_names and any(
            one.family == "attack" and is_kept_by_look_alikes(one.rule, one.found) for one in self.rules
        )

    @property
    def _has_no_names(self) -> bool:
        """Whether each record is a person of its own, and nobody said which record is whose."""
        inquiry, original = self.inquiry, self.inquiry.original
        if original is None or is_same_table(original, inquiry.data) or inquiry.said.get("truth") is not None:
            return False
        return self.tables.default.plan.user is None and inquiry.original_user in (None, NONE)

    @cached_property
    def _original_person(self) -> str | None:
        """A column of the original that looks as if it named people, whom the release may not name."""
        assert self.inquiry.original is not None
        with open_engine(self.inquiry.original, self.inquiry.machine["engine"]) as counter:
            return other_person(counter, None)

    @cached_property
    def _lost_people(self) -> str | None:
        """Why records may be several of one person: those of the original have some, and the release does not
        say whose each is."""
        inquiry = self.inquiry
        if inquiry.original is None or inquiry.person is not None:
            return None
        user, machine = inquiry.original_user, inquiry.machine
        if user in (None, NONE):
            seems = self._original_person
            # a release that has it too is told of it in another way
            lost = seems is not None and inquiry.new_names.get(seems, seems) not in inquiry.names
            return MAY_LOSE_PEOPLE.format(seems) if lost else None
        if inquiry.user is not None:
            return None
        with open_session(inquiry.original, user=user, **machine) as (_, plan, _):
            return LOST_PEOPLE if plan.people < plan.records else None

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Columns of exact places."""
        counter = self.tables.default.counter
        named = (name for name in self.inquiry.names if name != self.tables.default.plan.user)
        return tuple(name for name in named if are_coordinates(name, counter.look(name).examples))

    @cached_property
    def other_person(self) -> str | None:
        table = self.tables.default
        return other_person(table.counter, table.plan.user)

    @property
    def nameless_records(self) -> int:
        """Records of the data that lack the name of their person."""
        table = self.tables.default
        return 0 if table.plan.user is None else table.counter.look(table.plan.user).missing

    @cached_property
    def released_names(self) -> frozenset[str]:
        """What people are called in the data."""
        table = self.tables.default
        if table.plan.user is None:
            return frozenset()
        every = table.counter.values(table.plan.user, Question((table.plan.user,)))
        return frozenset(name for name in every if name is not None)

    @property
    def name_origin(self) -> NameOrigin:
        told = self.inquiry.said.get("recipe") is not None
        return name_origin(self.inquiry, self.released_names) if told else "unknown"

    @cached_property
    def kept_names(self) -> int:
        """People of the release who are called as somebody of the original."""
        inquiry, user = self.inquiry, self.tables.default.plan.user
        if inquiry.original is None or user is None or inquiry.original_user in (None, NONE):
            return 0
        return len(self.released_names & self._old_names)

    @cached_property
    def _old_names(self) -> frozenset[str]:
        """What people are called in the original, where it names them."""
        inquiry, old = self.inquiry, self.inquiry.original_user
        assert inquiry.original is not None
        assert old is not None
        with open_engine(inquiry.original, inquiry.machine["engine"]) as other:
            every = other.values(old, Question(known_columns(other, [old])))
        return frozenset(name for name in every if name is not None)

    def named_people(self) -> Iterator[tuple[str, frozenset[str]]]:
        """The names of people in each table that has any, after what it is called in words."""
        inquiry, user = self.inquiry, self.tables.default.plan.user
        if user is not None:
            yield user, self.released_names
        if inquiry.original_user not in (None, NONE) and inquiry.original_user in inquiry.original_names:
            yield f"{inquiry.original_user} of the original", self._old_names

    def _counted_answer(self, one: RuleQuestion) -> Answer:
        table = self.tables.under(one.missing)
        columns = self._columns(table, one.columns or ())
        if one.family in ("sensitive", "inference"):
            guarded = [
                (name, self._sensitive_part(table, one, (*columns, *self._others(one, columns, name)), name))
                for name in one.sensitive
            ]
            return _worst_answer(one, guarded)
        parts = self._parts(table, one, columns)
        if one.part == "suda_contribution":
            return _worst_answer(one, [*_contributions(one, columns, parts)])
        part = _part(parts, one.part)
        return one.answer(part.value, part.reason, None, part.settings, part.estimated)

    def _others(self, one: RuleQuestion, columns: tuple[str, ...], guarded: str) -> tuple[str, ...]:
        """Other sensitive columns count as known, unless the rule or its attacker says what is."""
        if one.rule.columns is not None or one.assumed is not None:
            return ()
        return tuple(name for name in self.inquiry.sensitive if name not in (*columns, guarded))

    @staticmethod
    def _sensitive_part(
        table: CountedTable, one: RuleQuestion, columns: tuple[str, ...], guarded: str
    ) -> Part:
        if one.family == "inference":
            return _inferred_part(one, table.ask_once(table.inference, columns, guarded))
        near = one.part == "t_hierarchical"
        return _part(table.ask_once(table.sensitive, columns, guarded, one.parameter("l"), near), one.part)

    def _parts(self, table: CountedTable, one: RuleQuestion, columns: tuple[str, ...]) -> Parts:
        allow = one.parameter("allow")
        suda = one.part in ("suda", "dis_suda", "suda_contribution")
        questions: dict[str, tuple[Any, ...]] = {
            "classes": (table.losses if one.part in LOSSES else table.classes,),
            "set": (table.one_set, allow),
            "combinations": (table.smallest_set, allow),
            "record": (table.suda, one.parameter("sampled")) if suda else (table.records, allow),
        }
        ask, *more = questions[one.family]
        if one.part in SYNERGIES:
            ask, more = table.synergy, [float(one.parameter("synergy"))]
        return table.ask_once(ask, columns, *more)

    def _sample(self, one: RuleQuestion) -> Answer:
        """Who lacks a value is somebody of the population too, whatever the rule for missing values is."""
        table = self.tables.under("value")
        return population_answer(one, table, self._columns(table, one.columns or ()), self.inquiry)

    def _attribute(self, one: RuleQuestion) -> Answer:
        """One attribute, several as one, or each by itself where every one is asked for."""
        table, known = self.tables.under(one.missing), {each.name: each for each in one.columns or ()}
        wanted = [(name,) for name in known] if one.found.every else [self._attribute_names(one)]
        parts = []
        for names in wanted:
            if lacking := [name for name in names if name not in known]:
                whose = one.assumed.attacker.title if one.assumed else "the rule"
                parts.append(("+".join(names), Part(None, DOES_NOT_KNOW.format(whose, ", ".join(lacking)))))
                continue
            columns = self._columns(table, [known[name] for name in names])
            found = table.ask_once(table.attribute, columns)
            parts.append(("+".join(names), _attribute_part(one, found)))
        return _worst_answer(one, parts)

    def _attribute_names(self, one: RuleQuestion) -> tuple[str, ...]:
        name = one.found.plain_name
        single = one.found.is_quoted or name in self.inquiry.names
        return (name,) if single else tuple(dict.fromkeys(name.split("+")))

    def _utility(self, one: RuleQuestion) -> Answer:
        findings = self._release_answers.utility(one)
        parts = [(", ".join(each.of), Part(each.value, each.reason)) for each in findings]
        if one.found.path.measure in (*COUNTS, *SUMS):
            estimate = f"{QUERIES:,} random queries, seed {self.inquiry.seed}"
            parts = [(name, replace(part, estimated=estimate)) for name, part in parts]
        return _worst_answer(one, parts)

    @staticmethod
    def _columns(table: CountedTable, known: Sequence[KnownColumn]) -> tuple[str, ...]:
        return tuple(table.columns.column(each) for each in known)


def _passes(one: RuleQuestion, answer: Answer) -> bool:
    return answer.value is not None and one.rule.allows(answer.value)


def _contributions(one: RuleQuestion, columns: tuple[str, ...], parts: Parts) -> Iterator[NamedPart]:
    for known, column in zip(one.columns or (), columns, strict=True):
        if one.found.every or known.name == one.found.plain_name:
            yield known.name, parts[f"contribution of {column}"]


def _attribute_part(one: RuleQuestion, parts: Parts) -> Part:
    """Of what is estimated from a sample, the end of its interval that is on the safe side."""
    if one.part != "sampling.risk":
        return _part(parts, one.part)
    mean, low, high = (parts[f"sampling.{each}"] for each in ("mean", "low", "high"))
    if mean.value is None or low.value is None or high.value is None:
        return mean
    value, note = one.safe_value(mean.value, low.value, high.value)
    return replace(mean, value=value, reason=note)


def _inferred_part(one: RuleQuestion, parts: Parts) -> Part:
    """The end of the interval that is on the safe side of the limit."""
    mean, low, high = (parts[f"{one.part}{end}"] for end in ("", ".low", ".high"))
    if mean.value is None or low.value is None or high.value is None:
        return mean
    value, note = one.safe_value(mean.value, low.value, high.value, CONFIDENCE)
    return replace(mean, value=value, reason=note)


def _part(parts: Parts, name: str) -> Part:
    """What counts people is not there where nobody said who they are."""
    if name.startswith("people") and name not in parts and not isinstance(parts, UnknownParts):
        return Part(None, NO_USER)
    return parts[name]


def _worst_answer(one: RuleQuestion, parts: Sequence[NamedPart]) -> Answer:
    """Of several the one farthest beyond the limit, or nearest to it; one that is unknown is worse."""
    if not parts:
        return one.answer(None, NO_NUMBERS)
    several = one.every
    broken = [
        (name, part) for name, part in parts if part.value is not None and not one.rule.allows(part.value)
    ]
    for name, part in parts if not broken else ():
        if part.value is None:
            return one.answer(None, f"{name}: {part.reason}" if several else part.reason)
    name, part = max(broken or parts, key=lambda each: _excess(one.rule, each[1].value or 0))
    return one.answer(part.value, part.reason, name if several else None, part.settings, part.estimated)


def _excess(rule: Rule, value: float) -> float:
    """How far a value is on the wrong side of a limit."""
    distances = [
        rule.at_least - value if rule.at_least is not None else None,
        value - rule.at_most if rule.at_most is not None else None,
        abs(value - rule.equals) if rule.equals is not None else None,
    ]
    return max(float(each) for each in distances if each is not None)
