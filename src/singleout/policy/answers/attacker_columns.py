"""What an attacker is taken to know of a table, column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from singleout.engine.column_profile import profiles
from singleout.engine.protocol import Engine
from singleout.errors import SingleoutError, UsageError, name_hint
from singleout.policy.answers.coarse_columns import CoarseColumns
from singleout.policy.check_settings import Inquiry
from singleout.policy.result import AssumedAttacker, ColumnKnowledge
from singleout.policy.rules.attacker import Attacker
from singleout.read.costs import UNITS
from singleout.risk.identifiers import Identifier
from singleout.roles.granularity import SHAPES
from singleout.roles.known_column import KnownColumn
from singleout.roles.person_column import NONE
from singleout.roles.role import MEANINGS
from singleout.roles.suggestion import Suggestion, suggest

SUGGESTED = "suggested by names and values"
SAY_THEM = (
    "what attackers know goes by the columns' roles, which were suggested by their names and values; say "
    "them in a study file"
)
BY_ITSELF = "column {!r}: {}; while it is in the file, every preset is taken to know it"
STILL_THERE = "known exactly: it is in the file, though its role says it is to be removed"
LONGER_THAN_A_DAY = UNITS[:3]
CLOCK = next(shape.look for shape in SHAPES if shape.kind == "times of day")


@dataclass(frozen=True, eq=False)
class Roles:
    """What the columns mean, and who said so."""

    by_column: Mapping[str, str]
    said_by: str
    remarks: tuple[str, ...] = ()

    @property
    def user(self) -> str | None:
        """The column that names the person, or seems to."""
        return next((column for column, role in self.by_column.items() if role == "user"), None)

    @property
    def removable_columns(self) -> tuple[str, ...]:
        return tuple(column for column, role in self.by_column.items() if role == "ignore")


def roles_of(inquiry: Inquiry, counter: Engine, identifiers: Sequence[Identifier]) -> Roles:
    """From the study, or else as `singleout roles --suggest` would have them."""
    study, user = inquiry.own_study, inquiry.user
    if study is not None:
        roles: dict[str, str] = {name: study.roles.get(name, "quasi-identifier") for name in inquiry.names}
        return Roles(_add_user(roles, user), f"the study {study.place}")
    suggestions = suggest(profiles(counter), identifiers)
    aside = tuple(
        BY_ITSELF.format(each.column, each.reason) for each in suggestions if _is_set_aside(each, user)
    )
    roles = {each.column: each.role for each in suggestions}
    if user == NONE:  # what a column names is nobody to be looked for, and may be known
        roles = {name: "quasi-identifier" if role == "user" else role for name, role in roles.items()}
    return Roles(_add_user(roles, user), SUGGESTED, (SAY_THEM, *aside))


def _add_user(roles: dict[str, str], user: str | None) -> dict[str, str]:
    return roles if user in (None, NONE) else {**roles, user: "user"}


def _is_set_aside(suggestion: Suggestion, user: str | None) -> bool:
    return suggestion.direct_identifier and suggestion.role == "ignore" and suggestion.column != user


@dataclass(eq=False)
class AttackerColumns:
    """Attackers beside one table, each looked at once; nobody knows more than what is `asked_about`."""

    columns: CoarseColumns
    roles: Roles
    asked_about: tuple[str, ...] | None = None
    found: dict[str, AssumedAttacker] = field(default_factory=dict)

    def of(self, attacker: Attacker) -> AssumedAttacker:
        if attacker.name not in self.found:
            self._check(attacker)
            columns = tuple(self._knowledge_by_column(attacker))
            self.found[attacker.name] = AssumedAttacker(attacker, columns, self.roles.said_by)
        return self.found[attacker.name]

    def _check(self, attacker: Attacker) -> None:
        """An own attacker may name columns that are not there."""
        names = self.roles.by_column
        named = [*(attacker.columns or ()), *(each for each in attacker.granularity if each not in MEANINGS)]
        lacking = [name for name in dict.fromkeys(named) if name not in names]
        if lacking:
            faults = "; ".join(f"there is no column {name!r}; {name_hint(name, names)}" for name in lacking)
            raise UsageError(f"attackers.{attacker.name}: {faults}")

    def _knowledge_by_column(self, attacker: Attacker) -> Iterator[ColumnKnowledge]:
        for column, role in self.roles.by_column.items():
            named = attacker.columns is not None and column in attacker.columns
            if role == "user":
                yield ColumnKnowledge(column, role, False, None, "is what is looked for")
            elif not named and self.asked_about is not None and column not in self.asked_about:
                yield ColumnKnowledge(
                    column, role, False, None, "not known: the columns that count leave it out"
                )
            elif named or (attacker.columns is None and role in (*attacker.roles, "ignore")):
                yield self._column_knowledge(column, role, attacker.coarseness(column, role))
            else:
                yield ColumnKnowledge(column, role, False, None, "not known")

    def _column_knowledge(self, column: str, role: str, granularity: str | None) -> ColumnKnowledge:
        if granularity is None:
            return ColumnKnowledge(
                column, role, True, None, STILL_THERE if role == "ignore" else "known exactly"
            )
        if granularity in LONGER_THAN_A_DAY and self._tells_the_clock(column):
            why = f"not known: it has times of day, where only the {granularity} is known"
            return ColumnKnowledge(column, role, False, None, why)
        known = KnownColumn(column, granularity)
        try:
            self.columns.column(known)
        except SingleoutError as error:
            why = str(error).partition(": ")[2].partition(";")[0]
            says = f"known exactly, for it can't be cut to {granularity!r}: {why}"
            return ColumnKnowledge(column, role, True, None, says)
        return ColumnKnowledge(column, role, True, granularity, f"known {_coarseness_words(known)}")

    def _tells_the_clock(self, column: str) -> bool:
        texts = [text for text in self.columns.counter.look(column).examples if text.strip()]
        return bool(texts) and all(CLOCK.fullmatch(text) for text in texts)


def _coarseness_words(known: KnownColumn) -> str:
    return known.words.removeprefix(f"{known.name} (").removesuffix(")")


def known_columns_of(assumed: AssumedAttacker) -> tuple[KnownColumn, ...]:
    """What is known, as jobs take it."""
    return tuple(KnownColumn(each.column, each.granularity) for each in assumed.columns if each.known)
