"""Hides each person's item set among those of others by dummy records, and returns one value."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy
import pyarrow

from singleout.attacks.attempt import attempted
from singleout.attacks.item_sets import ItemSets, SetPair
from singleout.attacks.set_linkage import OverlapLinkage
from singleout.concealment import Cluster, Concealment, Expected, Recognised
from singleout.deidentify import expected_dummies as expected
from singleout.deidentify.clustering import check_wanted, clustered, wanted
from singleout.deidentify.clusters import Clusters, Places
from singleout.deidentify.dummies import Making, lacking
from singleout.deidentify.dummy_columns import DummyColumns, columns_of, item_codes, sets_of
from singleout.deidentify.dummy_remarks import remarks
from singleout.deidentify.pseudonyms import fresh
from singleout.deidentify.record_table import Records
from singleout.deidentify.release import Order
from singleout.deidentify.same_sets import SameSets
from singleout.deidentify.seeds import SEED_0, seed_of
from singleout.delivering import Delivery, Goods
from singleout.engine.opening import thread_count
from singleout.errors import UsageError, nearest
from singleout.planning import Names, given_columns
from singleout.progress import Progress, silent
from singleout.read.source import CsvFormat, source
from singleout.roles.study import Study, study_of
from singleout.subject import NOT_LOCAL, Subject, subject_of

Place = str | PathLike[str] | None
COMMAND = "deidentify dummies"
NOT_TOLD = ("clusters", "out", "written")


def dummies(
    data: Any,
    *,
    item: str | None = None,
    clusters: int | None = None,
    smallest: int | None = None,
    bound: float | None = None,
    method: str = "search",
    user: str | None = None,
    time: Names = None,
    amount: Names = None,
    number: str | None = None,
    with_item: Names = None,
    with_person: Names = None,
    spread: bool = False,
    draw_numbers: bool = False,
    out: Place = None,
    truth: Place = None,
    dummies: Place = None,
    people_table: Any = None,
    people_out: Place = None,
    diary: Place = None,
    order: Order = "shuffled",
    columns: Sequence[str] | None = None,
    study: Study | str | PathLike[str] | None = None,
    seed: int | str = 0,
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
    progress: Progress = silent,
) -> Concealment:
    """How many dummy records hide each person's item set among others, and which are they?

    People are put into `clusters`, or into as many as a `smallest` cluster or a `bound` on the share of
    people recognised allows, by a `method`: simple, 1 and 2 of paper 2, or search, which needs the fewest
    dummies. In the release all people of a cluster have all items that any of them has in the column `item`.
    A dummy record has the person's latest values by `time` or, with `spread`, those of a random record; the
    item's latest `amount` and columns `with_item`; and the `number` 1 or, with `draw_numbers`, one that the
    item had. Columns that the item decides are the item's too, unless they are named in `with_person`. `out`
    gets the `columns` of real and dummy records under fresh pseudonyms, in an `order` that tells nothing,
    `people_out` the `people_table` under the same ones. `truth` says who is who, `dummies` which records are
    made up: both are secret. `diary` gets what was done. Names are drawn by the data and the `seed`; the seed
    "secret" is one that nobody can guess. Without `out` nothing is made but the count.

    >>> shop = pyarrow.table({"who": ["u1", "u1", "u2", "u3"], "goods": ["tea", "milk", "tea", "salt"]})
    >>> found = dummies(shop, user="who", item="goods", clusters=1)
    >>> found.dummies, found.bound
    (5, 0.3333333333333333)
    """
    workers, chosen = thread_count(threads), seed_of(seed)
    delivery = Delivery(
        out=out, people_out=people_out, truth=truth, secret=dummies, diary=diary, order=order, seed=chosen,
        threads=workers,
    )  # fmt: skip
    _check(people_table, people_out, spread=spread, draw_numbers=draw_numbers)
    check_wanted(method, clusters, smallest, bound)
    known = study_of(study)
    history = source(data, csv=csv)
    persons = None if people_table is None else source(people_table)
    delivery.check_against([each for each in (history, persons) if each is not None], [study])
    progress("reading records", 0, 1)
    subject = subject_of(
        history, user=user, people_table=persons, study=known, engine=engine, memory=memory,
        threads=threads, sort=history.kind in NOT_LOCAL, need_user=True,
    )  # fmt: skip
    named: dict[str, Names] = {
        "item": item, "number": number, "with_item": with_item, "with_person": with_person,
        "time": time, "amount": amount,
    }  # fmt: skip
    listed = {part: given_columns({part: names}) for part, names in named.items()}
    roles = known.roles if known else {}
    parts = columns_of(str(subject.user), listed, roles, subject.columns, draw_numbers)
    released = _released(subject.columns, parts, columns)
    crowd = Crowd.of(subject, parts, spread=spread, draw_numbers=draw_numbers)
    goal = wanted(len(crowd.people), method, clusters, smallest, bound)
    crowd.making.check()
    started = clock.perf_counter()
    found = clustered(crowd.sets, method, goal.clusters, goal.smallest, chosen, workers, progress)
    spent = clock.perf_counter() - started
    asked = {"clusters": clusters, "smallest": smallest, "bound": bound}
    answer = Answer(crowd, found, method, asked, released, chosen, workers, spent, progress)
    return answer.delivered(delivery)


@dataclass(frozen=True, eq=False)
class Crowd:
    """The people who have records, by their numbers, with their item sets, and how records are made up."""

    subject: Subject
    making: Making
    people: Places
    sets: ItemSets

    @classmethod
    def of(cls, subject: Subject, parts: DummyColumns, *, spread: bool, draw_numbers: bool) -> Crowd:
        history = subject.history
        items = item_codes(history.column(parts.item), parts.item)
        sets = sets_of(history, items)
        people = numpy.flatnonzero(sets.sizes)
        origins = parts.origins(history, items, sets)
        making = Making(history, items, parts, origins, spread, draw_numbers)
        return cls(subject, making, people, sets.of(people))

    @property
    def buyers(self) -> Places:
        """How many people have each item."""
        return numpy.bincount(self.sets.items, minlength=self.making.items.count)


@dataclass(frozen=True, eq=False)
class Answer:
    """The clusters that were found, put into one result and a release."""

    crowd: Crowd
    clusters: Clusters
    method: str
    asked: Mapping[str, Any]
    released: tuple[str, ...]
    seed: int
    threads: int
    seconds: float
    progress: Progress

    def delivered(self, delivery: Delivery) -> Concealment:
        """Write what was asked for; without any file only the result is made."""
        result = self._result()
        if not delivery.targets:
            return result
        goods = Goods(pyarrow.table({})) if delivery.out is None else self._goods()
        told = {} if delivery.diary is None else self._told(result)
        found = delivery.deliver(replace(goods, told=told))
        out = None if delivery.out is None else str(delivery.out)
        return replace(result, written=dict(found.records), out=out)

    def _goods(self) -> Goods:
        """The release with everything that belongs to it."""
        subject, making, people = self.crowd.subject, self.crowd.making, self.crowd.people
        self.progress("making dummy records", 0, 1)
        place, item = lacking(self.clusters)
        draws = (self.seed, COMMAND, self._parameters())
        records = making.with_dummies(people[place], item, subject.generator(*draws, "records"))
        names = fresh(len(subject.names), subject.generator(*draws, "names"))
        there = pyarrow.array(people)
        check = SameSets(
            names.take(there), self.clusters.of, self.released,
            making.columns.user, making.columns.item, len(records), self.threads,
        ).check  # fmt: skip
        self.progress("writing the release", 0, 1)
        release = _renamed(records, names).select(list(self.released))
        persons = None if subject.people is None else _renamed(subject.people, names)
        made_up = numpy.arange(len(records)) >= len(subject.history)
        return Goods(release, persons, (names.take(there), subject.names.take(there)), made_up, check=check)

    def _parameters(self) -> dict[str, Any]:
        """What was asked for, and which columns play which part."""
        making = self.crowd.making
        parts = {name: list(columns) for name, columns in making.columns.parts.items()}
        draws = {"spread": making.spread, "draw_numbers": making.draw_numbers}
        return {"method": self.method, **self.asked, **parts, **draws, "released": list(self.released)}

    def _told(self, result: Concealment) -> dict[str, Any]:
        """What the diary says beside what was written."""
        counted = {key: value for key, value in result.to_dict().items() if key not in NOT_TOLD}
        inputs = self.crowd.subject.inputs()
        return {
            "command": COMMAND,
            "inputs": inputs,
            "parameters": self._parameters(),
            **counted,
        }

    def _result(self) -> Concealment:
        making, subject, clusters = self.crowd.making, self.crowd.subject, self.clusters
        people, records, items = len(self.crowd.people), len(making.records), making.items.count
        buyers = self.crowd.buyers
        return Concealment(
            source=subject.source,
            engine=subject.engine,
            user=making.columns.user,
            item=making.columns.item,
            method=self.method,
            wanted=self.asked,
            seed=self.seed,
            people=people,
            records=records,
            items=items,
            clusters=_listed(clusters),
            expected=Expected(
                expected.uniform(people, records, items, clusters.count),
                expected.by_popularity(buyers, expected.balanced(people, clusters.count)),
            ),
            comprehensive=expected.comprehensive(people, records, items, clusters.count),
            comprehensive_by_popularity=expected.comprehensive_by_popularity(buyers, people, clusters.count),
            jaccard=self._recognised(),
            columns={name: making.words(name) for name in self.released},
            written={},
            out=None,
            seconds=self.seconds,
            remarks=(
                *subject.remarks,
                *([] if self.seed else [SEED_0]),
                *remarks(making, clusters, self.released, subject.people),
            ),
        )

    def _recognised(self) -> Recognised:
        """Algorithm 1 on the sets as they will be: nobody has to wait for the release."""
        clusters = self.clusters
        sets = SetPair(clusters.sets, clusters.unions.of(clusters.of), self.crowd.making.items.count)
        link = OverlapLinkage(sets, "jaccard", self.threads)
        people = numpy.arange(clusters.sets.people)
        found, _ = attempted("jaccard", "the item set", 1.0, link, people, len(people), self.progress)
        return Recognised(found.rate, found.identified)


def _listed(clusters: Clusters) -> tuple[Cluster, ...]:
    """From the largest cluster to the smallest."""
    numbers = zip(
        clusters.sizes.tolist(),
        clusters.unions.sizes.tolist(),
        clusters.dummies_of_each.tolist(),
        strict=True,
    )
    return tuple(Cluster(*each) for each in sorted(numbers, reverse=True))


def _renamed(records: Records, names: pyarrow.Array) -> pyarrow.Table:
    """The table with everybody's new name in its user column."""
    codes = pyarrow.array(records.person.astype(numpy.int32))
    place = records.names.index(str(records.user))
    column = pyarrow.DictionaryArray.from_arrays(codes, names)
    return records.table.set_column(place, str(records.user), column)


def _released(there: tuple[str, ...], parts: DummyColumns, columns: Names) -> tuple[str, ...]:
    """The columns of the release in their order; person and item are always among them."""
    if columns is None:
        return there
    chosen = given_columns({"columns": columns})
    if unknown := [
        f"there is no column {name!r}; {nearest(name, there)}" for name in chosen if name not in there
    ]:
        raise UsageError(f"columns: {'; '.join(unknown)}")
    return tuple(name for name in there if name in (*chosen, parts.user, parts.item))


def _check(people_table: Any, people_out: Place, **switches: Any) -> None:
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
