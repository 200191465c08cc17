"""What somebody who decides about a release with dummy records has to know beside the numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from singleout.deidentify.dummies.clusters import Clusters
from singleout.deidentify.dummies.dummy_records import DummyMaker
from singleout.engine.codes.dictionary import Code
from singleout.recipe.record_table import Persons, RecordTable

SHOWN = 8
# from such a share on a value goes with the item more than by chance
MOSTLY = 0.5


def remarks(
    maker: DummyMaker, clusters: Clusters, released: tuple[str, ...], people: RecordTable | None
) -> Iterator[str]:
    """What the numbers do not say: who stays alone, what is not protected, which dummies can be told."""
    yield from _about_people(clusters)
    if clusters.removed:
        yield (
            f"{clusters.removed:,} real records are left out: what is counted in the release is too low, and "
            "what is added makes up for none of it"
        )
    yield from _about_data(maker)
    yield from _about_other_columns(maker, released, people)
    if clusters.dummies:
        yield from _about_visible_dummies(maker, released)


def _about_people(clusters: Clusters) -> Iterator[str]:
    alone = int((clusters.sizes == 1).sum())
    if alone:
        many = "1 person is" if alone == 1 else f"{alone:,} people are"
        yield f"{many} alone in a cluster, without a dummy: whoever knows their items recognises them"


def _about_data(maker: DummyMaker) -> Iterator[str]:
    columns = maker.columns
    missing = maker.records.column(columns.item).null_count
    if missing:
        many = "1 record misses" if missing == 1 else f"{missing:,} records miss"
        yield f"{many} the item: a missing item is an item like any other"
    if not columns.time:
        yield "no time column was named: a person's latest record is the last in the data"
    for name in maker.order.as_text:
        yield f"column {name!r}: not all values are dates, times or numbers; the latest is the last as text"
    if maker.draw_numbers:
        lacking = int((maker.drawable_rows.sizes == 0).sum())
        if lacking:
            yield f"items without any record of both number and amount, whose dummies have 1: {lacking:,}"


def _about_other_columns(
    maker: DummyMaker, released: tuple[str, ...], people: RecordTable | None
) -> Iterator[str]:
    beside = [name for name in released if maker.origins[name] not in ("name", "goods")]
    note = f"released as they are: {_name_list(beside)}" if beside else "the bound is about item sets only"
    yield (
        f"{note}; whoever knows more than item sets, such as when or how often somebody bought, may "
        "recognise more people than the bound says: try it with singleout attack"
    )
    others = [name for name in people.names if name != people.user] if people else []
    if others:
        yield f"of the person table, released as they are and not covered by the bound: {_name_list(others)}"


def _about_visible_dummies(maker: DummyMaker, released: tuple[str, ...]) -> Iterator[str]:
    """Dummies that can be told from real records would give the item sets back."""
    for name in released:
        usual = _usual_share_of_item(maker, name)
        if usual >= MOSTLY:
            yield (
                f"column {name!r}: {usual:.0%} of records have the usual value of their item, dummies that "
                "of the person's record, by which they can be told; name it by --amount or --with-item"
            )
    yield "a dummy gives a person an item once: what somebody has in several records is surely real"
    if not maker.spread and any(maker.origins[name] == "person" for name in released):
        yield (
            "all dummies of a person stand at the latest record, where somebody who looks may tell them from "
            "real ones; --spread puts them at random records"
        )
    if maker.columns.number in released and not maker.draw_numbers:
        yield "all dummies have the number 1; --draw-numbers gives them numbers that their items had"


def _usual_share_of_item(maker: DummyMaker, name: str) -> float:
    """The share of records with their item's most frequent value, where dummies have the person's; else 0.

    0 also where the person, or the time, tells it better than the item.
    """
    if maker.origins[name] != "person" or name in maker.columns.time:
        return 0.0
    values = maker.records.column(name).dictionary_encode("encode").indices.to_numpy().astype(numpy.int64)
    usual = _usual_share(maker.items.codes, values)
    return usual if usual > _usual_share(maker.records.person, values) else 0.0


def _usual_share(groups: Code | Persons, values: Persons) -> float:
    """The share of records that have the most frequent value of their group."""
    width = int(values.max(initial=0)) + 1
    keys, counts = numpy.unique(groups.astype(numpy.int64) * width + values, return_counts=True)
    most = numpy.zeros(int(groups.max(initial=0)) + 1, dtype=numpy.int64)
    numpy.maximum.at(most, keys // width, counts)
    return float(most.sum() / max(1, len(values)))


def _name_list(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
