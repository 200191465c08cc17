"""Finds out what the rules of a policy ask, each question once, by the job that knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from singleout.engine.opening import thread_count
from singleout.engine.protocol import Missing
from singleout.engine.session import about_zones, opened
from singleout.errors import SingleoutError, UsageError
from singleout.policy.asked_rule import Asked
from singleout.policy.asked_rules import OF_THE_DATA, asked_rules
from singleout.policy.attacker_columns import Knowing, Roles, roles_of
from singleout.policy.coarse_columns import CoarseColumns
from singleout.policy.counted_answers import NO_USER, Counted, NoneFound, Part, Parts
from singleout.policy.inquiry import Inquiry
from singleout.policy.job_answers import JobAnswers
from singleout.policy.policy import Policy
from singleout.policy.release_answers import ReleaseAnswers
from singleout.policy.result import Answer, Assumed, Judged
from singleout.policy.rule import Rule, label
from singleout.roles.known_column import KnownColumn
from singleout.utility.information_loss import AVERAGE_CLASS_SIZE, DISCERNIBILITY
from singleout.utility.query_workload import COUNTS, QUERIES, SUMS

LOSSES = (DISCERNIBILITY.name, AVERAGE_CLASS_SIZE.name)
SYNERGIES = ("highest_synergy", "mean_synergy", "synergy_share")
KNOWS_NOTHING = "{} knows no column of this table; say the columns' roles in a study file"
DOES_NOT_KNOW = "{} does not know {}"
NO_NUMBERS = "there are no numbers"
OF_RECORDS = ("k", "unique", "unique_share", "highest_risk", "average_risk")
COUNTS_RECORDS = "{} counts records, of which people have several here; {} counts people"
WHO = (
    "{}: column {!r} seems to name the person, and nobody said so, so that each record would count as a "
    "person; name it by {}, or in [data], or give the columns' roles in a study file"
)
NOT_LOOKED_AT = (
    "column {!r} is in the file, though its role says it is to be removed: rules without an attacker do not "
    "look at it"
)
Told = tuple[str, Part]


@dataclass(eq=False)
class Answering:
    """One table and one policy; what is opened stays open until the `stack` is left."""

    inquiry: Inquiry
    policy: Policy
    stack: ExitStack
    remarks: list[str] = field(default_factory=list)
    tables: dict[Missing, Counted] = field(default_factory=dict)

    def judged(self) -> tuple[Judged, ...]:
        """Every rule with its answer; an error is told with the rule that it comes from."""
        found = []
        for one in self.asked:
            try:
                answer = self._answer(one)
            except SingleoutError as error:
                told = f"{self.policy.called}: {label(one.number, one.rule)}{error}"
                raise type(error)(told) from error
            found.append(Judged(one.number, one.rule, one.found.path.measure, answer))
        self.remarks += (*self._of_records(), *self._not_looked_at())
        return tuple(found)

    def _not_looked_at(self) -> Iterator[str]:
        plain = [one for one in self.asked if one.family in OF_THE_DATA and not one.assumed]
        by_study = self.inquiry.own_study is not None and self.inquiry.own_columns is None
        if by_study and any(one.rule.columns is None for one in plain):
            yield from map(NOT_LOOKED_AT.format, self.roles.to_be_removed)

    def _of_records(self) -> Iterator[str]:
        """Ten alike records of one person hide nobody."""
        plan = self.first.plan
        for part in dict.fromkeys(one.part for one in self.asked if one.family == "classes"):
            if plan.user is not None and plan.people < plan.records and part in OF_RECORDS:
                yield COUNTS_RECORDS.format(part, f"people.{part}")

    def table(self, missing: Missing) -> Counted:
        """The table opened under a rule for missing values."""
        if missing not in self.tables:
            inquiry = self.inquiry
            counter, plan, _ = self.stack.enter_context(opened(inquiry.data, **inquiry.counting(missing)))
            self.remarks += plan.remarks
            threads = thread_count(inquiry.machine["threads"])
            self.tables[missing] = Counted(
                counter,
                plan,
                CoarseColumns(counter),
                inquiry.seed,
                threads,
                inquiry.progress,
                self._suppressed,
            )
        return self.tables[missing]

    @cached_property
    def first(self) -> Counted:
        """The table as the policy has it by default."""
        found = self.table(self.inquiry.missing or "value")
        self.inquiry = replace(self.inquiry, names=tuple(each.name for each in found.counter.columns()))
        return found

    @cached_property
    def roles(self) -> Roles:
        return roles_of(self.inquiry, self.first.counter)

    @cached_property
    def knowing(self) -> Knowing:
        self.remarks += (*self.roles.remarks, *about_zones(self.first.counter, self.inquiry.names))
        return Knowing(self.first.columns, self.roles, self.inquiry.own_columns)

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        plan = self.first.plan  # which tells the inquiry the names of columns
        found = asked_rules(self.policy, self.inquiry, plan, lambda: self.knowing)
        self._check_user(found)
        return found

    def _check_user(self, asked: Sequence[Asked]) -> None:
        """Records of one person that count as people make everybody look safer than they are."""
        inquiry = self.inquiry
        if inquiry.user or inquiry.own_study is not None or not any(one.about_people for one in asked):
            return
        if self.roles.user is not None:
            option = "--user" if inquiry.original is None else "--release-user"
            raise UsageError(WHO.format(inquiry.data.name, self.roles.user, option))

    @property
    def assumed(self) -> tuple[Assumed, ...]:
        """The attackers that rules were about."""
        return tuple({one.assumed.attacker.name: one.assumed for one in self.asked if one.assumed}.values())

    @cached_property
    def _jobs(self) -> JobAnswers:
        return JobAnswers(self.inquiry, self.asked, self.remarks)

    @cached_property
    def _beside(self) -> ReleaseAnswers:
        return ReleaseAnswers(self.inquiry, self.asked, self.remarks)

    def _suppressed(self) -> int:
        """Records of the original that the data lacks."""
        if self.inquiry.original is None:
            return 0
        with opened(self.inquiry.original, **self.inquiry.machine) as (_, plan, _):
            return max(0, plan.records - self.first.plan.records)

    def _answer(self, one: Asked) -> Answer:
        if one.assumed and not one.columns:
            return one.answer(None, KNOWS_NOTHING.format(one.assumed.attacker.title))
        by_family: dict[str, Callable[[Asked], Answer]] = {
            "attribute": self._attribute,
            "domain": lambda one: _worst(one, self._jobs.domain(one)),
            "prediction": self._jobs.prediction,
            "attack": self._beside.attack,
            "points": self._beside.points.answer,
            "utility": self._utility,
        }
        return by_family.get(one.family, self._counted)(one)

    def _counted(self, one: Asked) -> Answer:
        table = self.table(one.missing)
        columns = self._columns(table, one.columns or ())
        parts = self._parts(table, one, columns)
        if one.part == "suda_contribution":
            return _worst(one, [*_contributions(one, columns, parts)])
        found = _part(parts, one.part)
        return one.answer(found.value, found.reason, None, found.settings, found.estimated)

    def _parts(self, table: Counted, one: Asked, columns: tuple[str, ...]) -> Parts:
        allow = one.parameter("allow")
        suda = one.part in ("suda", "dis_suda", "suda_contribution")
        questions: dict[str, tuple[Any, ...]] = {
            "classes": (table.losses if one.part in LOSSES else table.classes,),
            "set": (table.one_set, allow),
            "combinations": (table.smallest_set, allow),
            "record": (table.suda, one.parameter("sampled")) if suda else (table.records, allow),
            "sensitive": (table.sensitive, one.parameter("sensitive")),
        }
        ask, *more = questions[one.family]
        if one.part in SYNERGIES:
            ask, more = table.synergy, [float(one.parameter("synergy"))]
        return table.once(ask, columns, *more)

    def _attribute(self, one: Asked) -> Answer:
        """One attribute, several as one, or each by itself where every one is asked for."""
        table, known = self.table(one.missing), {each.name: each for each in one.columns or ()}
        wanted = [(name,) for name in known] if one.found.every else [self._named(one)]
        told = []
        for names in wanted:
            if lacking := [name for name in names if name not in known]:
                whose = one.assumed.attacker.title if one.assumed else "the rule"
                told.append(("+".join(names), Part(None, DOES_NOT_KNOW.format(whose, ", ".join(lacking)))))
                continue
            columns = self._columns(table, [known[name] for name in names])
            told.append(("+".join(names), _part(table.once(table.attribute, columns), one.part)))
        return _worst(one, told)

    def _named(self, one: Asked) -> tuple[str, ...]:
        name = one.found.plain
        single = one.found.quoted or name in self.inquiry.names
        return (name,) if single else tuple(dict.fromkeys(name.split("+")))

    def _utility(self, one: Asked) -> Answer:
        found = self._beside.utility(one)
        told = [(", ".join(each.of), Part(each.value, each.reason)) for each in found]
        if one.found.path.measure in (*COUNTS, *SUMS):
            asked = f"{QUERIES:,} random queries, seed {self.inquiry.seed}"
            told = [(name, replace(part, estimated=asked)) for name, part in told]
        return _worst(one, told)

    @staticmethod
    def _columns(table: Counted, known: Sequence[KnownColumn]) -> tuple[str, ...]:
        return tuple(table.columns.column(each) for each in known)


def _contributions(one: Asked, columns: tuple[str, ...], parts: Parts) -> Iterator[Told]:
    for known, column in zip(one.columns or (), columns, strict=True):
        if one.found.every or known.name == one.found.plain:
            yield known.name, parts[f"contribution of {column}"]


def _part(parts: Parts, name: str) -> Part:
    """What counts people is not there where nobody said who they are."""
    if name.startswith("people") and name not in parts and not isinstance(parts, NoneFound):
        return Part(None, NO_USER)
    return parts[name]


def _worst(one: Asked, told: Sequence[Told]) -> Answer:
    """Of several the one farthest beyond the limit, or nearest to it; one that is unknown is worse."""
    if not told:
        return one.answer(None, NO_NUMBERS)
    several = one.found.every
    for name, part in told:
        if part.value is None:
            return one.answer(None, f"{name}: {part.reason}" if several else part.reason)
    name, part = max(told, key=lambda each: _beyond(one.rule, each[1].value or 0))
    return one.answer(part.value, part.reason, name if several else None, part.settings, part.estimated)


def _beyond(rule: Rule, value: float) -> float:
    """How far a value is on the wrong side of a limit."""
    ways = [
        rule.at_least - value if rule.at_least is not None else None,
        value - rule.at_most if rule.at_most is not None else None,
        abs(value - rule.equals) if rule.equals is not None else None,
    ]
    return max(float(each) for each in ways if each is not None)
