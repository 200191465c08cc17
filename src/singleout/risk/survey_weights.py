"""Survey weights, checked: how many people of the population each person of a table stands for."""

from __future__ import annotations

import math

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.columns import known_columns
from singleout.engine.protocol import Engine
from singleout.errors import InputError
from singleout.roles.population_size import MOST

RIGHT_WEIGHT = "a weight is how many people somebody stands for, a number above 0"
TOO_MANY = f"the weights in {{!r}} add up to more than {MOST:,} people; {RIGHT_WEIGHT}"
UNLIKE = (
    "the weights in {!r} go from {:,.6g} to {:,.6g}, so that some people were likelier to be drawn than "
    "others, and it takes all to be as likely"
)
FEWER = (
    "the weights in {!r} add up to {:,.0f} people, and the population is said to have {:,}; one of both is "
    "wrong, and of too many people too few would seem to be unique"
)
# how many times as large a weight may be, or a sum of weights as a number of people: they vary by chance
NEAR = 1.1
Floats = NDArray[numpy.float64]


def weights_of(column: pyarrow.ChunkedArray, name: str) -> Floats:
    """One a record, or an error that says what is wrong with them."""
    try:
        numbers = column.cast(pyarrow.float64())
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError) as error:
        raise InputError(f"the weight {name!r} holds something that is no number; {RIGHT_WEIGHT}") from error
    if numbers.null_count:
        some = f"{numbers.null_count:,} of {len(numbers):,} records"
        raise InputError(f"the weight {name!r} is missing in {some}; {RIGHT_WEIGHT}")
    weights: Floats = numbers.to_numpy()
    odd = int((~(numpy.isfinite(weights) & (weights > 0))).sum())
    if odd:
        some = f"{odd:,} of {len(weights):,} records"
        raise InputError(f"the weight {name!r} is 0, negative or endless in {some}; {RIGHT_WEIGHT}")
    if (weights > MOST).any():
        raise InputError(TOO_MANY.format(name))
    return weights


def weights_of_people(
    weights: Floats, person: NDArray[numpy.int64], name: str
) -> tuple[Floats, NDArray[numpy.int64], NDArray[numpy.int64]]:
    """One a person, the first record of each, and each record's person by its number among these."""
    _, first, number = numpy.unique(person, return_index=True, return_inverse=True)
    own = weights[first]
    if (weights != own[number]).any():
        raise InputError(f"the weight {name!r} differs between records of one person; {RIGHT_WEIGHT}")
    total = math.fsum(own.tolist())
    if total > MOST:
        raise InputError(TOO_MANY.format(name))
    if total < len(own) * (1 - 1e-9):
        raise InputError(
            f"the weights in {name!r} add up to {total:,.1f}, fewer than the {len(own):,} people of the "
            f"table; {RIGHT_WEIGHT}"
        )
    return own, first, number


def codes_of(column: pyarrow.ChunkedArray, alone: bool = False) -> NDArray[numpy.int64]:
    """A number for each value; a missing one is one more value, or each its own where it stands `alone`."""
    codes = column.combine_chunks().dictionary_encode(null_encoding="encode")
    numbers = codes.indices.to_numpy().astype(numpy.int64)
    if alone and column.null_count:
        missing = column.combine_chunks().is_null().to_numpy(zero_copy_only=False)
        numbers[missing] = len(codes.dictionary) + numpy.arange(missing.sum())
    return numpy.asarray(numbers)


def sampled_share(counter: Engine, user: str | None, weight: str) -> float:
    """Which share of the population the table has, if its weights are right: people / their sum."""
    own = _own_weights(counter, user, weight)
    return min(1.0, len(own) / math.fsum(own.tolist()))


def drawn_unlike(counter: Engine, user: str | None, weight: str, people: int) -> str | None:
    """Why by its weights the table is none of people who were drawn from so many, each as likely."""
    own = _own_weights(counter, user, weight)
    low, high, total = float(own.min()), float(own.max()), math.fsum(own.tolist())
    if high > low * NEAR:
        return UNLIKE.format(weight, low, high)
    return FEWER.format(weight, total, people) if total * NEAR < people else None


def _own_weights(counter: Engine, user: str | None, weight: str) -> Floats:
    names = known_columns(counter, [each for each in (weight, user) if each is not None])
    table = counter.records(names)
    weights = weights_of(table[weight], weight)
    person = numpy.arange(len(weights)) if user is None else codes_of(table[user])
    return weights_of_people(weights, person, weight)[0]
