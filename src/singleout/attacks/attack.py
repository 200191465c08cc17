"""Attacks a release with what is known of the original, and tells how many people are recognised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from os import PathLike
from typing import Any, Unpack

import pyarrow

from singleout.attacks.aligned_tables import Hierarchies, align_tables, compare_as_written
from singleout.attacks.attack_run import AttackRun, catalogue_index
from singleout.attacks.attacker_knowledge import check_shares
from singleout.attacks.attempt import Ties
from singleout.attacks.named_candidates import named_candidates
from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.attacks.periods import Periods, check_attacks, check_periods, period_remarks
from singleout.attacks.plan import KnownRecords, Names, chosen_attacks, given_columns, parts_of
from singleout.attacks.replayed_original import (
    RecipeGiven,
    columns_of_recipe,
    parts_by_recipe,
    replay_original,
)
from singleout.attacks.result import Reidentification
from singleout.checks import is_whole
from singleout.engine.job_options import JobOptions, takes_options
from singleout.engine.open_engine import thread_count
from singleout.engine.open_tables import share_open_tables
from singleout.errors import OutputError, UsageError
from singleout.files import check_table_target, real_path, write_batches
from singleout.progress import teller
from singleout.read.source import CsvFormat, Source, source
from singleout.read.truth_map import Truth
from singleout.roles.study import study_of

POINTS, DRAWS, NARROW = (1, 2, 3, 4), 10, (1, 5, 10)


@takes_options(JobOptions, after={"release_csv": "csv"})
@share_open_tables()
def attack(
    original: Any,
    release: Any = None,
    truth: Truth | Mapping[Any, Any] | str | PathLike[str] | None = None,
    *,
    periods: str | date | None = None,
    user: str | None = None,
    release_user: str | None = None,
    item: Names = None,
    place: Names = None,
    category: Names = None,
    time: Names = None,
    amount: str | None = None,
    pair: Names = None,
    columns: Sequence[str] | None = None,
    attacks: Sequence[str] | None = None,
    shares: Sequence[float] = (1.0,),
    one_to_one: bool = False,
    ties: Ties = "shared",
    weights: Mapping[str, float] | None = None,
    points: Sequence[int] = POINTS,
    worst: bool = False,
    draws: int = DRAWS,
    narrow: Sequence[int] = NARROW,
    granularity: Mapping[str, Sequence[str]] | None = None,
    tolerance: Mapping[str, str] | None = None,
    renamed: Mapping[str, str] | None = None,
    without_records: bool = False,
    hierarchies: Hierarchies = None,
    recipe: RecipeGiven = None,
    release_csv: CsvFormat | None = None,
    people: str | PathLike[str] | None = None,
    guesses: str | PathLike[str] | None = None,
    **options: Unpack[JobOptions],
) -> Reidentification:
    """How many people of a release can be recognised by somebody who knows the original, and by which attack?

    `truth` says who the people of the release are, as a file or a mapping of names; it scores guesses, and
    shows how columns compare, as somebody knows who knows how the release was made. `periods` is a date in
    place of a release: records before it are the original, those from it on the release, and the people who
    are in both are looked for, by their habits. `item`, `place`, `category`, `time`, `amount` and `pair` name
    the columns that attacks look at, `columns` all that the attacker knows of a record (default: all that
    both tables have). `attacks` chooses some by their
    name. `shares` are how much of each person's records is known; `one_to_one` adds guesses in which nobody
    is named twice. `points` are how many records of a person are known, drawn `draws` times or the most
    telling ones at `worst`, each column known at a `granularity` and within a `tolerance`; they leave at most
    `narrow` candidates. `ties` between equally good candidates share the credit, or the `first` or a `random`
    one is named; `weights` are how much columns count for `nearest`. `hierarchies` are those by which the
    release was generalised and `recipe` the steps that made it (or a diary of it), which an intruder knows:
    all that needs no draws and no keys is replayed on the original. `people` is a file for one line a name:
    who fell; `guesses` one for whom each attack names. Rates are counted over the people of the release;
    several names of one person are one. Ito et al. 2020 and n.d.

    >>> import pyarrow
    >>> shop = {"who": ["ann", "ann", "bob", "cid"], "goods": ["tea", "milk", "tea", "salt"]}
    >>> card = {"who": ["p", "q", "q", "r"], "goods": ["tea", "milk", "tea", "salt"]}
    >>> names = {"p": "bob", "q": "ann", "r": "cid"}
    >>> found = attack(pyarrow.table(shop), pyarrow.table(card), names, user="who", item="goods")
    >>> found.by_name("jaccard").rate
    1.0
    """
    missing, seed, threads, progress = (
        options["missing"], options["seed"], options["threads"], teller(options["progress"])
    )  # fmt: skip
    useless = {
        "--truth": truth, "--release-user": release_user, "--renamed": renamed,
        "--without-records": without_records,
    }  # fmt: skip
    check_periods(periods, release, useless)
    first = source(original, csv=options["csv"])
    tables = first, first if release is None else source(release, csv=release_csv)
    for target, other in ((people, guesses), (guesses, people)):
        if target is not None:
            _check_target(target, tables, (truth, options["study"], recipe, hierarchies, other))
    if not is_whole(seed):
        raise UsageError(f"the seed {seed!r} must be a whole number")
    known = study_of(options["study"])
    given: dict[str, Names] = {
        "item": item, "place": place, "category": category, "time": time, "amount": amount, "pair": pair,
    }  # fmt: skip
    asked_parts = parts_of(given, known)
    chosen_attacks(attacks, asked_parts)
    split = None
    if periods is not None:
        split = Periods.of(periods, asked_parts.time)
        check_attacks(attacks)
    known_shares = check_shares(shares)
    records = KnownRecords(points, worst, draws, narrow, granularity, tolerance)
    read = pair_tables(
        *tables, truth, user=user, release_user=release_user, columns=columns,
        also=(*given_columns(given), *([split.column] if split else [])), periods=split, renamed=renamed,
        beside=() if split else columns_of_recipe(recipe, hierarchies),
        study=known, missing=missing, without_records=without_records,
        engine=options["engine"], memory=options["memory"], threads=threads, progress=progress,
    )  # fmt: skip
    if split:
        read = compare_as_written(read)
    else:
        read = align_tables(replay_original(read, recipe, hierarchies), hierarchies, missing)
    parts = parts_of(given | parts_by_recipe(given, read), known, read.columns)
    looked_at = read.columns if columns is None else tuple(dict.fromkeys(columns))
    if split:
        # no day is in both periods: neither dates nor whole records can agree
        looked_at, parts = tuple(name for name in looked_at if name != split.column), replace(parts, time=())
        records = replace(records, points=())
    run = AttackRun(
        read=read, parts=parts, columns=looked_at, weights=weights or {}, drop=missing == "drop", ties=ties,
        seed=int(seed), threads=thread_count(threads), progress=progress,
        remarks=[*read.remarks, *period_remarks(read.histories, parts.time)],
        lists=None if guesses is None else [],
    )  # fmt: skip
    chosen = chosen_attacks(attacks, parts)
    chosen = run.needed_attacks(chosen) if attacks is None else chosen
    run.check(chosen, one_to_one)
    linked = [
        each
        for share in known_shares
        for each in run.linkage_attempts(chosen, share, one_to_one, wait=attacks is not None)
    ]
    seen, unicity = run.known_records(records)
    attempts = [*sorted(linked, key=lambda each: catalogue_index(each.name)), *seen]
    progress("done", 1, 1)
    result = Reidentification(
        original=read.original,
        release=read.release,
        engine=read.engine,
        user=read.user,
        missing=missing,
        seed=int(seed),
        people=read.histories.release.people,
        original_people=read.histories.original.people,
        made_up=int((read.truth < 0).sum()),
        attacks=(*attempts, *run.best(attempts, chosen)),
        unicity=tuple(unicity),
        remarks=tuple(run.remarks),
        names=_names(read),
        name_person=read.name_person,
        real=read.real_people,
        comparisons=read.comparisons,
    )
    # they say who is who, as a truth map does
    if people is not None:
        write_batches(people, result.people_table().to_batches(), private=True)
    if guesses is not None:
        write_batches(guesses, named_candidates(read, run.lists or ()).to_batches(), private=True)
    return result


def _check_target(target: str | PathLike[str], tables: Iterable[Source], files: Iterable[Any]) -> None:
    """Fail before the work if the list can't be written there, or would replace what is read."""
    check_table_target(target)
    read = {real_path(each) for each in files if isinstance(each, (str, PathLike))}
    if real_path(target) in read or any(table.holds(target) for table in tables):
        raise OutputError(f"{target}: belongs to what is read; name another file")


def _names(read: PairedTables) -> pyarrow.Table:
    """Each name of the release beside that in the original."""
    truth = read.truth[read.name_person]
    original = read.original_names.take(pyarrow.array(truth, mask=truth < 0))
    return pyarrow.table({"release_user": read.release_names, "original_user": original})
