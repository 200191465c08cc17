"""The built-in samples by name: generated tables of any size, for trying things out and for benchmarks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from os import PathLike
from typing import overload

import pyarrow

from singleout.errors import UsageError, name_hint
from singleout.files import check_table_target, write_batches
from singleout.read import sample_card as card
from singleout.read import sample_cardholders as holders
from singleout.read import sample_shop as shop


@dataclasses.dataclass(frozen=True)
class SampleKind:
    """What a sample is, and how it is made."""

    name: str
    about: str
    user: str
    people: int
    schema: pyarrow.Schema
    batches: Callable[[int, int], Iterator[pyarrow.RecordBatch]]
    people_table: str | None = None


SAMPLES = {
    each.name: each
    for each in (
        SampleKind("shop", "a purchase history", "customer", shop.PEOPLE, shop.SCHEMA, shop.shop_batches),
        SampleKind(
            "card",
            "a payment card history",
            "user",
            card.PEOPLE,
            card.SCHEMA,
            card.card_batches,
            "cardholders",
        ),
        SampleKind(
            "cardholders",
            "the people of the payment cards",
            "user",
            card.PEOPLE,
            holders.SCHEMA,
            holders.holder_batches,
        ),
    )
}


@overload
def sample(name: str, *, people: int | None = None, seed: int = 0, out: None = None) -> pyarrow.Table: ...
@overload
def sample(name: str, *, people: int | None = None, seed: int = 0, out: str | PathLike[str]) -> int: ...
def sample(
    name: str, *, people: int | None = None, seed: int = 0, out: str | PathLike[str] | None = None
) -> pyarrow.Table | int:
    """A generated table: returned as an Arrow table, or written to `out` and its records counted.

    >>> sample("shop").num_rows
    38087
    """
    if name not in SAMPLES:
        raise UsageError(f"there is no sample {name!r}; {name_hint(name, SAMPLES)}")
    chosen = SAMPLES[name]
    if out is not None:
        check_table_target(out)
    batches = chosen.batches(chosen.people if people is None else people, seed)
    if out is None:
        return pyarrow.Table.from_batches(batches, schema=chosen.schema)
    return write_batches(out, batches)
