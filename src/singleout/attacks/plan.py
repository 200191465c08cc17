"""Which attacks to make on which columns, and what they need to be told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from singleout.attacks.catalogue import KINDS, Part
from singleout.attacks.unicity.known_points import MOST_DRAWS, MOST_POINTS
from singleout.checks import is_whole
from singleout.errors import UsageError, name_hint
from singleout.roles.known_column import KnownColumn
from singleout.roles.role import Role
from singleout.roles.study import Study

Names = str | Sequence[str] | None
MOST_NARROW = 10**12
# the parts for which the study has a role
BY_ROLE: dict[str, Role] = {"item": "item", "time": "time", "amount": "amount"}


@dataclass(frozen=True)
class AttackColumns:
    """The columns that play each part; a part that nobody plays is empty."""

    item: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    time: tuple[str, ...] = ()
    amount: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()

    def of(self, part: Part) -> tuple[str, ...]:
        found: tuple[str, ...] = getattr(self, part)
        return found

    @property
    def all_columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in fields(self) for name in getattr(self, part.name)))


def parts_of(
    given: Mapping[str, Names], study: Study | None, there: Collection[str] | None = None
) -> AttackColumns:
    """As given, or as the study's roles say of columns that are there.

    A pair is by default a category or an item with its amount.

    >>> parts_of({"item": "goods", "amount": "price"}, None).pair
    ('goods', 'price')
    """
    found = {name: _column_names(name, columns) for name, columns in given.items()}
    for part, role in BY_ROLE.items():
        column = study.first(role) if study else None
        if not found.get(part) and column is not None and (there is None or column in there):
            found[part] = (column,)
    parts = AttackColumns(**found)
    if len(parts.amount) > 1:
        raise UsageError(f"amount: {', '.join(parts.amount)} are several columns; name one to add up")
    if parts.pair and len(parts.pair) < 2:
        raise UsageError(f"pair: {parts.pair[0]!r} is one column; name at least two that belong together")
    kind = parts.category or parts.item
    if not parts.pair and kind and parts.amount and parts.amount[0] not in kind:
        found["pair"] = (*kind, *parts.amount)
    return AttackColumns(**found)


def given_columns(given: Mapping[str, Names]) -> tuple[str, ...]:
    """The columns that were named for a part."""
    return tuple(dict.fromkeys(name for part, names in given.items() for name in _column_names(part, names)))


def _column_names(part: str, columns: Names) -> tuple[str, ...]:
    if columns is None or isinstance(columns, str):
        return () if columns is None else (columns,)
    names = tuple(columns) if isinstance(columns, Iterable) else (columns,)
    if odd := [name for name in names if not isinstance(name, str)]:
        raise UsageError(f"{part}: a column is named by text, not by {odd[0]!r}")
    return tuple(dict.fromkeys(names))


def chosen_attacks(attacks: Sequence[Any] | None, parts: AttackColumns) -> tuple[str, ...]:
    """Those asked for, or all that have their columns; all mistakes are told at once."""
    if attacks is None:
        return tuple(name for name, kind in KINDS.items() if _is_playable(kind.part, parts))
    if isinstance(attacks, str):
        raise UsageError(f"attacks: {attacks!r} is one name; give a list of names")
    faults = []
    for name in attacks:
        if not isinstance(name, str):
            faults.append(f"an attack is named by text, not by {name!r}")
        elif name in ("combined", "best"):
            faults.append(f"{name!r} comes by itself with others; name these")
        elif name not in KINDS:
            faults.append(f"there is no attack {name!r}; {name_hint(str(name), KINDS)}")
        elif not _is_playable(part := KINDS[name].part, parts):
            faults.append(f"the attack {name!r} needs a column; name it by --{part}")
    if faults:
        raise UsageError("; ".join(faults))
    return tuple(name for name in KINDS if name in attacks)


def _is_playable(part: Part, parts: AttackColumns) -> bool:
    return part in ("nothing", "columns") or bool(parts.of(part))


@dataclass(frozen=True)
class KnownRecords:
    """How many records of a person are known, how they are chosen, and how well their columns are known.

    >>> KnownRecords(points=[0], draws=2.5)
    Traceback (most recent call last):
    singleout.errors.UsageError: points: 0 must be a whole number from 1 to 1,000; draws: 2.5 must be a \
whole number from 1 to 10,000
    """

    points: Sequence[int] = (1, 2, 3, 4)
    worst: bool = False
    draws: int = 10
    narrow: Sequence[int] = (1, 5, 10)
    granularity: Mapping[str, Sequence[str]] | None = None
    tolerance: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        faults = [
            *_whole_faults("points", self.points, MOST_POINTS),
            *_whole_faults("draws", (self.draws,), MOST_DRAWS),
            *_whole_faults("narrow", self.narrow, MOST_NARROW),
        ]
        by_column: dict[str, Any] = {"granularity": self.granularity, "tolerance": self.tolerance}
        for name, given in by_column.items():
            if given is not None and not isinstance(given, Mapping):
                faults.append(f"{name}: give a mapping from columns, not {given!r}")
        if faults:
            raise UsageError("; ".join(faults))

    def ways(self, columns: Sequence[str]) -> dict[str, list[KnownColumn]]:
        """How each column is known: at each granularity asked for, within its tolerance."""
        granularity, tolerance = self.granularity or {}, self.tolerance or {}
        strange = [name for name in dict.fromkeys((*granularity, *tolerance)) if name not in columns]
        if strange:
            told = (
                f"{name!r} is no column of a known record; {name_hint(name, columns)}" for name in strange
            )
            raise UsageError("; ".join(told))
        return {name: _ways(name, granularity.get(name), tolerance.get(name)) for name in columns}


def _whole_faults(what: str, numbers: Any, most: int) -> list[str]:
    if isinstance(numbers, str) or not isinstance(numbers, Iterable):
        return [f"{what}: {numbers!r} is no list of whole numbers"]
    odd = [each for each in numbers if not is_whole(each) or not 1 <= each <= most]
    return [f"{what}: {each!r} must be a whole number from 1 to {most:,}" for each in odd[:1]]


def _ways(name: str, granularities: Sequence[str] | None, tolerance: str | None) -> list[KnownColumn]:
    if isinstance(granularities, str):
        granularities = [granularities]
    listed = granularities or ["exact"]
    return [KnownColumn(name, None if each == "exact" else each, tolerance) for each in listed]
