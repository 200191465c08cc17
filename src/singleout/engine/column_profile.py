"""What a column looks like: enough to suggest its role."""

from __future__ import annotations

from dataclasses import dataclass, field

from singleout.engine.protocol import Column, Engine, Question


@dataclass(frozen=True)
class Profile:
    """`distinct` counts values that are there; `examples` are raw values: never print them."""

    name: str
    type: str
    records: int
    missing: int
    distinct: int
    examples: tuple[str, ...] = field(default=(), repr=False)


def profiles(engine: Engine) -> tuple[Profile, ...]:
    return tuple(profile(engine, column) for column in engine.columns())


def profile(engine: Engine, column: Column) -> Profile:
    look = engine.look(column.name)
    distinct = engine.sizes(Question((column.name,))).total_groups - (look.missing > 0)
    return Profile(column.name, column.type, look.records, look.missing, distinct, look.examples)
