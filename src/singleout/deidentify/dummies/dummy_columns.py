"""Which columns of a made-up record go with its person, and which with its item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy
import pyarrow

from singleout.attacks.linkage.item_sets import ItemSets
from singleout.engine.codes.dictionary import Code, Codes
from singleout.errors import UsageError, name_hint
from singleout.recipe.record_table import Persons, RecordTable
from singleout.roles.role import Role

HARMLESS = {"time", "with_person"}
PARTS = ("item", "number", "with_item", "with_person", "time", "amount")
BY_ROLE: dict[str, Role] = {"item": "item", "time": "time", "amount": "amount"}
Origin = Literal["name", "goods", "person", "item", "number"]


@dataclass(frozen=True)
class DummyColumns:
    """What the columns of a history are; those without a part go with the person's record, like a receipt.

    `time` says which record is later, `amount` and `with_item` are the item's, `number` is how many of it.
    """

    user: str
    item: str
    time: tuple[str, ...] = ()
    amount: tuple[str, ...] = ()
    number: str | None = None
    with_item: tuple[str, ...] = ()
    with_person: tuple[str, ...] = ()

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """The columns of each part, by its name."""
        return {
            "user": (self.user,),
            "item": (self.item,),
            "time": self.time,
            "amount": self.amount,
            "number": () if self.number is None else (self.number,),
            "with_item": self.with_item,
            "with_person": self.with_person,
        }

    def check(self, names: tuple[str, ...]) -> None:
        """All that is wrong with the parts of a table with these columns, at once."""
        faults: list[str] = []
        taken: dict[str, str] = {}
        for part, columns in self.parts.items():
            for name in columns:
                if name not in names:
                    faults.append(f"{part}: there is no column {name!r}; {name_hint(name, names)}")
                elif (first := taken.setdefault(name, part)) != part and {first, part} != HARMLESS:
                    faults.append(f"{name!r} can't be both {first} and {part}; leave it out of one")
        if faults:
            raise UsageError("; ".join(faults))

    def origins(self, records: RecordTable, items: Codes, sets: ItemSets) -> dict[str, Origin]:
        """Where a dummy's value comes from, column by column.

        A column that has one value for every item, as a description has, is the item's, unless it has one
        for every person too, or no two people share an item to tell it by.
        """
        named: Mapping[str, Origin] = {
            self.user: "name",
            self.item: "goods",
            **dict.fromkeys((*self.time, *self.with_person), "person"),
            **dict.fromkeys((*self.amount, *self.with_item), "item"),
            **({} if self.number is None else {self.number: "number"}),
        }
        shared = bool((numpy.bincount(sets.items) > 1).any()) if len(sets.items) else False
        return {
            name: named[name]
            if name in named
            else ("item" if shared and _belongs_to_item(records, name, items) else "person")
            for name in records.names
        }


def columns_of(
    user: str,
    given: Mapping[str, tuple[str, ...]],
    roles: Mapping[str, Role],
    names: tuple[str, ...],
    draw_numbers: bool = False,
) -> DummyColumns:
    """The parts as given by name, or else as a study's roles say of columns that have none yet.

    >>> columns_of("who", {"item": ("goods",)}, {"at": "time"}, ("who", "goods", "at")).time
    ('at',)
    """
    found = {part: given.get(part, ()) for part in PARTS}
    for part, role in BY_ROLE.items():
        taken = {user, *(name for each in found.values() for name in each)}
        if not found[part]:
            found[part] = tuple(name for name in names if roles.get(name) == role and name not in taken)
    faults = [
        f"{part}: {', '.join(map(repr, found[part]))} are several columns; name one"
        for part in ("item", "number")
        if len(found[part]) > 1
    ]
    if not found["item"]:
        faults.append("say which column has what was bought, used or visited; name it by --item")
    if draw_numbers and not found["number"]:
        faults.append("draw_numbers: there is no column of numbers to draw from; name it by --number")
    if faults:
        raise UsageError("; ".join(faults))
    (item,), number = found.pop("item"), found.pop("number")
    parts = DummyColumns(user, item, number=number[0] if number else None, **found)
    parts.check(names)
    return parts


def item_codes(column: pyarrow.Array, name: str) -> Codes:
    """The items of the records as numbers in the order of their values; a missing one is an item, the last.

    >>> item_codes(pyarrow.array(["b", None, "a", "b"]), "goods").codes.tolist()
    [1, 2, 0, 1]
    """
    coded = _dictionary_array(unify_zeros(column), name)
    order = pyarrow.compute.sort_indices(coded.dictionary).to_numpy()
    rank = numpy.empty(len(order), dtype=numpy.uint32)
    rank[order] = numpy.arange(len(order), dtype=numpy.uint32)
    return Codes(rank[coded.indices.to_numpy()], len(order))


def unify_zeros(column: pyarrow.Array) -> pyarrow.Array:
    """−0.0 as 0.0: they are one item, and must be written as one."""
    if not pyarrow.types.is_floating(column.type):
        return column
    return pyarrow.compute.add(column, pyarrow.scalar(0.0, column.type))


def sets_of(records: RecordTable, items: Codes) -> ItemSets:
    """The items of each person."""
    from singleout.attacks.linkage import item_set_kernels as set_kernels
    from singleout.engine.codes import count_kernels as kernels

    by_person = kernels.order_by(records.person.astype(numpy.uint32), records.people)
    return ItemSets(*set_kernels.sets_of(*by_person, items.codes))


def _belongs_to_item(records: RecordTable, name: str, items: Codes) -> bool:
    column = records.column(name)
    if pyarrow.types.is_nested(column.type):
        return False
    codes = _dictionary_array(column, name).indices.to_numpy()
    decided = _determines(items.codes, items.count, codes)
    return decided and not _determines(records.person, records.people, codes)


def _determines(groups: Code | Persons, count: int, codes: Code) -> bool:
    """Whether all records of a group have the same code."""
    one = numpy.zeros(count, dtype=codes.dtype)
    one[groups] = codes
    return bool((one[groups] == codes).all())


def _dictionary_array(column: pyarrow.Array, name: str) -> pyarrow.DictionaryArray:
    """A missing value is one of the dictionary's."""
    try:
        coded = column.dictionary_encode("encode")
        pyarrow.compute.sort_indices(coded.dictionary[:1])
    except pyarrow.ArrowNotImplementedError as error:
        raise UsageError(f"column {name!r}: values of the type {column.type} can't be told apart") from error
    return coded
