"""The clusters that were found, put into one result and, if it is asked for, a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.attacks.attempt import run_linkage
from singleout.attacks.linkage.item_sets import ItemSets, SetPair
from singleout.attacks.linkage.set_linkage import OverlapLinkage
from singleout.deidentify.delivery import Delivery, Goods, named_people
from singleout.deidentify.dummies import expected_dummies as expected
from singleout.deidentify.dummies.clusters import Clusters, Indices
from singleout.deidentify.dummies.dummy_columns import DummyColumns, item_codes, sets_of
from singleout.deidentify.dummies.dummy_records import DummyMaker, lacked_items
from singleout.deidentify.dummies.remarks import remarks
from singleout.deidentify.dummies.result import Cluster, Concealment, Expected, RecognitionRate
from singleout.deidentify.input_tables import Subject
from singleout.deidentify.release import Release
from singleout.deidentify.release_reader import reread
from singleout.deidentify.seeds import SEED_0
from singleout.engine.codes.numbering import distinct_keys
from singleout.errors import OutputError
from singleout.progress import Progress
from singleout.read.source import Kind
from singleout.recipe.pseudonyms import random_pseudonyms
from singleout.recipe.record_table import RecordTable


@dataclass(frozen=True, eq=False)
class SameSets:
    """What a release must be found to be: `names` are its people's, `cluster` is where each of them is."""

    names: pyarrow.Array
    cluster: Indices
    columns: tuple[str, ...]
    user: str
    item: str
    records: int
    threads: int = 1

    def check(self, draft: Path, kind: Kind) -> None:
        """An OutputError if records or people are missing, or if somebody of a cluster stands out."""
        users, items = reread(draft, kind, self.columns, (self.user, self.item), self.threads)
        if (found := len(users.codes)) != self.records:
            raise OutputError(f"the release is read back with {found:,} records and not {self.records:,}")
        if users.count != len(self.names):
            raise OutputError(
                f"the release is read back with {users.count:,} people and not {len(self.names):,}"
            )
        # codes are in the order of their values: the person with the first name has the first
        cluster = self.cluster[numpy.argsort(self.names.to_numpy(zero_copy_only=False))]
        owner, item = numpy.divmod(
            distinct_keys(users.codes.astype(numpy.int64) * items.count + items.codes), items.count
        )
        mine = numpy.bincount(owner, minlength=users.count)
        together = distinct_keys(cluster[owner] * items.count + item) // items.count
        if (mine != numpy.bincount(together)[cluster]).any():
            raise OutputError("people of a cluster have different items when the release is read back")


COMMAND = "deidentify dummies"
NOT_TOLD = ("clusters", "out", "written")


@dataclass(frozen=True, eq=False)
class Crowd:
    """The people who have records, by their numbers, with their item sets, and how records are made up."""

    subject: Subject
    maker: DummyMaker
    people: Indices
    sets: ItemSets

    @classmethod
    def of(cls, subject: Subject, parts: DummyColumns, *, spread: bool, draw_numbers: bool) -> Crowd:
        history = subject.history
        items = item_codes(history.column(parts.item), parts.item)
        sets = sets_of(history, items)
        people = numpy.flatnonzero(sets.sizes)
        origins = parts.origins(history, items, sets)
        maker = DummyMaker(history, items, parts, origins, spread, draw_numbers)
        return cls(subject, maker, people, sets.of(people))

    @property
    def buyers(self) -> Indices:
        """How many people have each item."""
        return numpy.bincount(self.sets.items, minlength=self.maker.items.count)


@dataclass(frozen=True, eq=False)
class DummiesAnswer:
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

    def deliver(self, delivery: Delivery) -> Concealment:
        """Write what was asked for; without any file only the result is made."""
        release = Release(self._goods, delivery, self.crowd.subject.origins[0])
        result = self._result(release)
        if not delivery.targets:
            return result
        goods = Goods(pyarrow.table({})) if delivery.out is None else release.goods
        diary = {} if delivery.diary is None else self._diary(result)
        written = delivery.deliver(replace(goods, told=diary))
        out = None if delivery.out is None else str(delivery.out)
        return replace(result, written=dict(written.records), out=out)

    def _goods(self) -> Goods:
        """The release with everything that belongs to it."""
        subject, maker, people = self.crowd.subject, self.crowd.maker, self.crowd.people
        self.progress("making dummy records", 0, 1)
        index, item = lacked_items(self.clusters)
        draws = (self.seed, COMMAND, self._parameters())
        records = maker.with_dummies(people[index], item, subject.generator(*draws, "records"))
        made_up = numpy.arange(len(records)) >= len(subject.history)
        if self.clusters.edit != "add":
            kept = made_up | self._kept_records(len(records))
            records, made_up = records.only(kept), made_up[kept]
        names = random_pseudonyms(len(subject.names), subject.generator(*draws, "names"))
        there = pyarrow.array(people)
        check = SameSets(
            names.take(there), self.clusters.of, self.released,
            maker.columns.user, maker.columns.item, len(records), self.threads,
        ).check  # fmt: skip
        self.progress("writing the release", 0, 1)
        release = _table_with_names(records, names).select(list(self.released))
        persons = None if subject.people is None else _table_with_names(subject.people, names)
        return Goods(
            release,
            persons,
            truth=(names.take(there), subject.names.take(there)),
            secret=made_up,
            check=check,
            origin=subject.origins[0],
            uuids=subject.uuids,
            people_origin=None if persons is None else subject.origins[1],
            changed=named_people(subject.user),
        )

    def _kept_records(self, many: int) -> NDArray[numpy.bool_]:
        """Which of the real records, the first, have an item that their person keeps."""
        maker, clusters = self.crowd.maker, self.clusters
        cluster = numpy.full(maker.records.people, -1, dtype=numpy.int64)
        cluster[self.crowd.people] = clusters.of
        owner = numpy.repeat(numpy.arange(clusters.count), clusters.unions.sizes)
        released = owner * clusters.width + clusters.unions.items
        keys = cluster[maker.records.person] * clusters.width + maker.items.codes
        kept = numpy.zeros(many, dtype=numpy.bool_)
        kept[: len(keys)] = numpy.isin(keys, released)
        return kept

    def _parameters(self) -> dict[str, Any]:
        """What was asked for, and which columns play which part."""
        maker = self.crowd.maker
        parts = {name: list(columns) for name, columns in maker.columns.parts.items()}
        draws = {"spread": maker.spread, "draw_numbers": maker.draw_numbers}
        # what was drawn before there were edits stays as it was
        edit = {} if self.clusters.edit == "add" else {"edit": self.clusters.edit}
        return {
            "method": self.method,
            **self.asked,
            **edit,
            **parts,
            **draws,
            "released": list(self.released),
        }

    def _diary(self, result: Concealment) -> dict[str, Any]:
        """What the diary says beside what was written."""
        counted = {key: value for key, value in result.to_dict().items() if key not in NOT_TOLD}
        inputs = self.crowd.subject.inputs()
        return {
            "command": COMMAND,
            "inputs": inputs,
            "parameters": self._parameters(),
            **counted,
            "seed": int(self.seed),
        }

    def _result(self, release: Release) -> Concealment:
        maker, subject, clusters = self.crowd.maker, self.crowd.subject, self.clusters
        people, records, items = len(self.crowd.people), len(maker.records), maker.items.count
        buyers = self.crowd.buyers
        return Concealment(
            source=subject.source,
            engine=subject.engine,
            user=maker.columns.user,
            item=maker.columns.item,
            method=self.method,
            edit=clusters.edit,
            wanted=self.asked,
            seed=self.seed,
            people=people,
            records=records,
            items=items,
            clusters=_sorted_clusters(clusters),
            expected=Expected(
                expected.uniform_dummies(people, records, items, clusters.count),
                expected.popularity_dummies(buyers, expected.balanced_sizes(people, clusters.count)),
            ),
            comprehensive=expected.uniform_balance(people, records, items, clusters.count),
            comprehensive_by_popularity=expected.popularity_balance(buyers, people, clusters.count),
            jaccard=self._recognition(),
            columns={name: maker.words(name) for name in self.released},
            written={},
            out=None,
            seconds=self.seconds,
            remarks=(
                *subject.remarks,
                *([] if self.seed else [SEED_0]),
                *remarks(maker, clusters, self.released, subject.people),
            ),
            release=release,
        )

    def _recognition(self) -> RecognitionRate:
        """Algorithm 1 on the sets as they will be: nobody has to wait for the release."""
        clusters = self.clusters
        sets = SetPair(clusters.sets, clusters.unions.of(clusters.of), self.crowd.maker.items.count)
        link = OverlapLinkage(sets, "jaccard", self.threads)
        people = numpy.arange(clusters.sets.people)
        attempt, _ = run_linkage("jaccard", "the item set", 1.0, link, people, len(people), self.progress)
        return RecognitionRate(attempt.rate, attempt.identified)


def _sorted_clusters(clusters: Clusters) -> tuple[Cluster, ...]:
    """From the largest cluster to the smallest."""
    numbers = zip(
        clusters.sizes.tolist(),
        clusters.unions.sizes.tolist(),
        clusters.dummies_of_each.tolist(),
        clusters.removed_of_each.tolist(),
        strict=True,
    )
    return tuple(Cluster(*each) for each in sorted(numbers, reverse=True))


def _table_with_names(records: RecordTable, names: pyarrow.Array) -> pyarrow.Table:
    """The table with everybody's new name in its user column."""
    codes = pyarrow.array(records.person.astype(numpy.int32))
    index = records.names.index(str(records.user))
    column = pyarrow.DictionaryArray.from_arrays(codes, names)
    return records.table.set_column(index, str(records.user), column)
