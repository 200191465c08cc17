"""Who is unique only once a history and a table of its people are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow
import pyarrow.compute

from singleout.engine.person_table import JoinedHistory
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import open_session
from singleout.measurement import Measure

UNIQUE_AFTER_JOIN = Measure(
    name="join.only_joined",
    title="unique only after the join",
    question="How many people does neither table single out, but both together do?",
    formula="people with a record whose values in both tables nobody else has, without those whom a record's "
    "own values or the person table's values single out already",
    unit="people",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    reference="Ito et al. n.d., the person table M beside the history T",
)


@dataclass(frozen=True)
class JoinUniqueness:
    """People who are alone by one record of the history, by the person table, by both, and by both only."""

    people: int
    by_history: int
    by_person_table: int
    by_both: int
    only_joined: int
    history_columns: tuple[str, ...]
    person_columns: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "definitions": {UNIQUE_AFTER_JOIN.name: UNIQUE_AFTER_JOIN.as_dict()}}


def join_uniqueness(joined: JoinedHistory, *, columns: Sequence[str] | None = None) -> JoinUniqueness:
    """Count whom the history, the person table and both together single out; of `columns` if they are given.

    A missing value is a value of its own.

    >>> trips = pyarrow.table({"who": ["ann", "bob", "cid"], "to": ["Ueno", "Ueno", "Mito"]})
    >>> cards = pyarrow.table({"who": ["ann", "bob", "cid"], "sex": ["f", "m", "f"]})
    >>> from singleout.engine.person_table import join_people
    >>> found = join_uniqueness(join_people(trips, cards, user="who"))
    >>> found.by_history, found.by_person_table, found.by_both, found.only_joined
    (1, 1, 3, 1)
    """
    own = tuple(name for name in joined.history_columns if columns is None or name in columns)
    theirs = tuple(name for name in joined.person_columns if columns is None or name in columns)
    with open_session(joined.source, user=joined.user) as (counter, plan, _):
        alone = [
            _people_alone(counter, plan.question(names)) if names else pyarrow.array([], pyarrow.string())
            for names in (own, theirs, (*own, *theirs))
        ]
        by_one = pyarrow.compute.unique(pyarrow.concat_arrays(alone[:2]))
        by_history, by_person_table, by_both = map(len, alone)
        only = by_both - len(by_one)
        return JoinUniqueness(plan.people, by_history, by_person_table, by_both, only, own, theirs)


def _people_alone(counter: Engine, question: Question) -> pyarrow.Array:
    """The names of people with a record whose class holds nobody else."""
    classes = pyarrow.Table.from_batches(list(counter.person_classes(question)))
    alone = classes.filter(pyarrow.compute.equal(classes["people"], 1))["person"]
    return pyarrow.compute.unique(alone.cast(pyarrow.string()).combine_chunks())
