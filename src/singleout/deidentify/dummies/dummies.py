"""Hides each person's item set among those of others by dummy records, and returns one value."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from os import PathLike
from typing import Any, Unpack

from singleout.attacks.plan import Names, given_columns
from singleout.deidentify.delivery import Delivery
from singleout.deidentify.dummies.clustering import (
    check_cluster_goal,
    cluster_goal,
    edited_clusters,
    find_clusters,
)
from singleout.deidentify.dummies.clusters import EDITS, Edit
from singleout.deidentify.dummies.dummy_columns import DummyColumns, columns_of
from singleout.deidentify.dummies.release import Crowd, DummiesAnswer
from singleout.deidentify.dummies.result import Concealment
from singleout.deidentify.input_tables import subject_of
from singleout.deidentify.release_table import Order
from singleout.deidentify.seeds import seed_of
from singleout.engine.job_options import ReadOptions, takes_options
from singleout.engine.open_engine import is_local, thread_count
from singleout.errors import UsageError, name_hint
from singleout.progress import Audience, silent, teller
from singleout.read.source import source
from singleout.roles.study import study_of

OptionalPath = str | PathLike[str] | None


@takes_options(ReadOptions, after={"seed": "study", "progress": "csv"})
def dummies(
    data: Any,
    *,
    item: str | None = None,
    clusters: int | None = None,
    smallest: int | None = None,
    bound: float | None = None,
    method: str = "search",
    edit: Edit = "add",
    user: str | None = None,
    time: Names = None,
    amount: Names = None,
    number: str | None = None,
    with_item: Names = None,
    with_person: Names = None,
    spread: bool = False,
    draw_numbers: bool = False,
    out: OptionalPath = None,
    truth: OptionalPath = None,
    dummies: OptionalPath = None,
    people_table: Any = None,
    people_out: OptionalPath = None,
    diary: OptionalPath = None,
    order: Order = "shuffled",
    columns: Sequence[str] | None = None,
    seed: int | str = 0,
    progress: Audience = silent,
    **options: Unpack[ReadOptions],
) -> Concealment:
    """How many dummy records hide each person's item set among others, and which are they?

    People are put into `clusters`, or into as many as a `smallest` cluster or a `bound` on the share of
    people recognised allows, by a `method`: simple, 1 and 2 of Ito et al. 2020, or search, which needs
    the fewest dummies. In the release all people of a cluster have the same items in the column `item`:
    by the `edit` "add" all that any of them has, by "remove" those that all of them have, by "any"
    whatever takes the fewest records added and removed. A dummy record has the person's latest values by
    `time` or, with `spread`, those of a random record; the item's latest `amount` and columns
    `with_item`; and the `number` 1 or, with `draw_numbers`, one that the item had. Columns that the item
    decides are the item's too, unless they are named in `with_person`. `out` gets the `columns` of real
    and dummy records under fresh pseudonyms, in an `order` that tells nothing, `people_out` the
    `people_table` under the same ones. `truth` says who is who, `dummies` which records are made up: both
    are secret. `diary` gets what was done. Names are drawn by the data and the `seed`; the seed "secret"
    is one that nobody can guess. Without `out` nothing is made but the count.

    >>> import pyarrow
    >>> shop = pyarrow.table({"who": ["u1", "u1", "u2", "u3"], "goods": ["tea", "milk", "tea", "salt"]})
    >>> found = dummies(shop, user="who", item="goods", clusters=1)
    >>> found.dummies, found.bound
    (5, 0.3333333333333333)
    """
    workers, chosen = thread_count(options["threads"]), seed_of(seed)
    delivery = Delivery(
        out=out, people_out=people_out, truth=truth, secret=dummies, diary=diary, order=order, seed=chosen,
        threads=workers,
    )  # fmt: skip
    _check(people_table, people_out, spread=spread, draw_numbers=draw_numbers)
    check_cluster_goal(method, clusters, smallest, bound)
    if edit not in EDITS:
        raise UsageError(f"edit: {edit!r} is none; there are {', '.join(EDITS)}")
    known = study_of(options["study"])
    history = source(data, csv=options["csv"])
    persons = None if people_table is None else source(people_table)
    delivery.check_against([each for each in (history, persons) if each is not None], [options["study"]])
    progress = teller(progress)
    progress("reading records", 0, 1)
    reading: ReadOptions = {**options, "study": known, "csv": None}
    subject = subject_of(
        history, user=user, people_table=persons, sort=not is_local(history), need_user=True, **reading
    )
    named: dict[str, Names] = {
        "item": item, "number": number, "with_item": with_item, "with_person": with_person,
        "time": time, "amount": amount,
    }  # fmt: skip
    listed = {part: given_columns({part: names}) for part, names in named.items()}
    roles = known.roles if known else {}
    parts = columns_of(str(subject.user), listed, roles, subject.columns, draw_numbers)
    released = _released_columns(subject.columns, parts, columns)
    crowd = Crowd.of(subject, parts, spread=spread, draw_numbers=draw_numbers)
    goal = cluster_goal(len(crowd.people), method, clusters, smallest, bound)
    crowd.maker.check()
    started = clock.perf_counter()
    found = find_clusters(crowd.sets, method, goal.clusters, goal.smallest, chosen, workers, progress)
    found = edited_clusters(found, edit)
    spent = clock.perf_counter() - started
    asked = {"clusters": clusters, "smallest": smallest, "bound": bound}
    answer = DummiesAnswer(crowd, found, method, asked, released, chosen, workers, spent, progress)
    return answer.deliver(delivery)


def _released_columns(there: tuple[str, ...], parts: DummyColumns, columns: Names) -> tuple[str, ...]:
    """The columns of the release in their order; person and item are always among them."""
    if columns is None:
        return there
    chosen = given_columns({"columns": columns})
    if unknown := [
        f"there is no column {name!r}; {name_hint(name, there)}" for name in chosen if name not in there
    ]:
        raise UsageError(f"columns: {'; '.join(unknown)}")
    return tuple(name for name in there if name in (*chosen, parts.user, parts.item))


def _check(people_table: Any, people_out: OptionalPath, **switches: Any) -> None:
    faults = [
        f"{name}: {value!r} is neither True nor False"
        for name, value in switches.items()
        if not isinstance(value, bool)
    ]
    if (people_table is None) != (people_out is None):
        faults.append(
            "people_table and people_out belong together: the person table, and where it is released"
        )
    if faults:
        raise UsageError("; ".join(faults))
