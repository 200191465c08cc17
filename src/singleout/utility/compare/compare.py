"""Compares releases with their original: what is lost, what is still at risk, and which of them is best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Unpack

from singleout.attacks.plan import Names
from singleout.engine.job_options import JobOptions, takes_options
from singleout.engine.open_tables import share_open_tables
from singleout.errors import UsageError
from singleout.measurement import Better
from singleout.progress import Progress, progress_about, teller
from singleout.read.source import CsvFormat, Source, source
from singleout.read.truth_map import Truth
from singleout.roles.hierarchies.hierarchy import read_hierarchies
from singleout.roles.study import EACH_RECORD, study_of
from singleout.utility.compare.evaluation import (
    ReleaseEvaluation,
    meaning_of,
    original_of,
    side_of,
    unknown_columns,
)
from singleout.utility.compare.people_groups import PeopleTable, read_people
from singleout.utility.compare.ranking import Contender, Ranking, rank_releases
from singleout.utility.compare.request import (
    check_kinds,
    check_releases,
    check_request,
    column_names,
    one_per_release,
)
from singleout.utility.compare.result import Comparison, Outcome

NOT_RANKED = "not ranked by what is unknown of the original itself: {}"
NO_RISK = "{} has no privacy rank and no overall rank: {}"
NOBODY_KNOWN = "it is not known who is who"
NO_ATTACK = "none of the attacks can be made on it"


@takes_options(JobOptions, after={"release_csv": "csv"})
@share_open_tables()
def compare(
    original: Any,
    *releases: Any,
    truth: Truth | Mapping[Any, Any] | str | PathLike[str] | Sequence[Any] | None = None,
    user: str | None = None,
    release_user: str | None = None,
    renamed: Mapping[str, str] | None = None,
    without_records: bool = False,
    item: str | None = None,
    time: Names = None,
    amount: str | None = None,
    number: str | None = None,
    receipt: str | None = None,
    category: str | None = None,
    entry: str | None = None,
    exit: str | None = None,  # noqa: A002
    routes: Names = None,
    location: str | None = None,
    groups: Names = None,
    people_table: Any = None,
    release_people_table: Any = None,
    columns: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    hierarchies: Any = None,
    recipe: Any = None,
    privacy: bool = True,
    attacks: Sequence[str] | None = None,
    points: Sequence[int] = (),
    release_csv: CsvFormat | None = None,
    **options: Unpack[JobOptions],
) -> Comparison:
    """What is lost in a release, and who can still be recognised in it? Of several, which is best?

    `truth` says who the people of a release are: one map, or a list of one for each; without it people keep
    their names. `item`, `time`, `amount` (a price or a fare), `number` (how many at that price), `receipt`,
    `category`, `entry`, `exit`, `routes`, `location` and `groups` (of people) name the columns that metrics
    and attacks are about; `groups` may be columns of a `people_table`, beside that of the release. `columns`
    are compared, and known to attackers (default: all that both tables have). A column that a release lacks
    makes its metrics unknown, with the reason. `metrics` and `attacks` choose some by name; `hierarchies`
    add the loss of generalised columns, and with the `recipe` of a release (one, or a list of one for each)
    tell attackers how it was made; `privacy=False` makes no attack; `points` are numbers of known
    records to attack with too. Several releases are ranked beside the untouched original. Ito et al. 2020
    and n.d.

    >>> import pyarrow
    >>> shop = pyarrow.table({"who": ["ann", "ann", "bob"], "goods": ["tea", "milk", "tea"]})
    >>> card = pyarrow.table({"who": ["p", "q"], "goods": ["tea", "milk"]})
    >>> found = compare(shop, card, truth={"p": "bob", "q": "ann"}, user="who", item="goods")
    >>> found.outcomes[0].records, found.outcomes[0].attack("jaccard").rate
    (2, 1.0)
    """
    check_kinds(
        texts={"user": user, "release_user": release_user}, switches=(without_records, privacy),
        lists={"columns": columns, "metrics": metrics, "attacks": attacks}, renamed=renamed,
    )  # fmt: skip
    engine = options["engine"]
    tables = source(original, csv=options["csv"]), [source(each, csv=release_csv) for each in releases]
    check_releases(tables[1])
    truths = one_per_release("truth maps", truth, len(releases))
    recipes = one_per_release("recipes", recipe, len(releases))
    of_people = one_per_release("people tables", release_people_table, len(releases))
    if people_table is None and release_people_table is not None:
        raise UsageError("a people table of the release was named and none of the original; name both")
    known = study_of(options["study"])
    named: dict[str, Names] = {
        "item": item, "time": time, "amount": amount, "number": number, "receipt": receipt,
        "category": category, "entry": entry, "exit": exit, "routes": routes, "location": location,
        "groups": groups,
    }  # fmt: skip
    check_request(named, known, metrics, hierarchies, privacy, attacks, points, options["seed"])
    side, user = original_of(tables[0], user, known, engine)
    if user is None:
        known = (known or EACH_RECORD).record_by_record()
    people = _people("the people table", people_table, groups, user, engine)
    meaning = meaning_of(named, known, side)
    if faults := unknown_columns(meaning, column_names(columns), side, people, user):
        raise UsageError("; ".join(faults))
    column_hierarchies, remarks = (
        ({}, ()) if hierarchies is None else _hierarchies(hierarchies, side.names, tables, user)
    )
    evaluation = ReleaseEvaluation(
        original=tables[0], side=side, meaning=meaning, named=named, user=user, release_user=release_user,
        renamed=renamed, without_records=without_records, columns=column_names(columns), people=people,
        hierarchies=column_hierarchies, recipe=None, metrics=None if metrics is None else tuple(metrics),
        privacy=privacy,
        attacks=None if attacks is None else tuple(attacks), points=points, study=known,
        missing=options["missing"], seed=int(options["seed"]), engine=engine, memory=options["memory"],
        threads=options["threads"],
    )  # fmt: skip
    return _comparison(
        evaluation, tables[1], truths, recipes, of_people, remarks, teller(options["progress"])
    )


def _comparison(
    evaluation: ReleaseEvaluation,
    releases: Sequence[Source],
    truths: Sequence[Any],
    recipes: Sequence[Any],
    of_people: Sequence[Any],
    remarks: tuple[str, ...],
    progress: Progress,
) -> Comparison:
    names = _names(releases)
    several = len(releases) > 1
    untouched = None
    if several:
        untouched, _ = evaluation.evaluate_original(progress_about(evaluation.original.name, progress))
        remarks = (*remarks, *untouched.remarks)
    outcomes = []
    lists = (names, releases, truths, recipes, of_people)
    for name, release, truth, recipe, table in zip(*lists, strict=True):
        side = side_of("the release", release, evaluation.engine)
        people = _people(
            "the people table of the release", table, evaluation.meaning.groups, evaluation.user_of_release,
            evaluation.engine,
        )  # fmt: skip
        release_progress = progress_about(name, progress) if several else progress
        informed = replace(evaluation, recipe=recipe)
        outcome, read = informed.evaluate_release(release, side, truth, people, release_progress)
        outcomes.append(replace(outcome, release=name))
    progress("done", 1, 1)
    ranking = _ranking(evaluation.original.name, untouched, outcomes) if untouched else None
    if ranking and ranking.left_out:
        remarks = (*remarks, NOT_RANKED.format(", ".join(ranking.left_out)))
    if several and evaluation.privacy:
        remarks = (*remarks, *_unranked_remarks(outcomes))
    return Comparison(
        original=read.original,
        original_records=read.histories.original.records,
        original_people=read.histories.original.people,
        engine=read.engine,
        user=read.user,
        missing=evaluation.missing,
        seed=evaluation.seed,
        outcomes=tuple(outcomes),
        untouched=untouched,
        ranking=ranking,
        remarks=remarks,
    )


def _ranking(name: str, untouched: Outcome, outcomes: Sequence[Outcome]) -> Ranking:
    better: dict[str, Better] = {each.name: each.better for each in untouched.utility}
    original = Contender(name, _values(untouched), untouched.highest_rate)
    contenders = [
        Contender(each.release, _values(each), each.highest_rate, each.compared) for each in outcomes
    ]
    return rank_releases(original, contenders, better)


def _unranked_remarks(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Whose privacy can't be ranked, and why."""
    for each in outcomes:
        if each.highest_rate is None:
            yield NO_RISK.format(each.release, NOBODY_KNOWN if each.made_up is None else NO_ATTACK)


def _values(outcome: Outcome) -> dict[str, float | None]:
    return {each.name: each.value for each in outcome.utility}


def _names(releases: Sequence[Source]) -> list[str]:
    """Tables in memory have no names of their own, and are numbered."""
    often = Counter(each.name for each in releases)
    return [
        each.name if often[each.name] == 1 else f"{each.name} {number}"
        for number, each in enumerate(releases, 1)
    ]


def _people(
    called: str, table: Any, groups: Names, user: str | None, engine: str | None
) -> PeopleTable | None:
    if table is None:
        return None
    if not groups:
        raise UsageError(f"{called} is there for the groups of people; name its columns by --groups")
    return read_people(source(table), called, user, engine)


def _hierarchies(
    hierarchies: Any, names: Sequence[str], tables: tuple[Source, Sequence[Source]], user: str | None
) -> tuple[Any, tuple[str, ...]]:
    files = [path for table in (tables[0], *tables[1]) for path in table.files()]
    by_column, remarks = read_hierarchies(hierarchies, [name for name in names if name != user], files)
    return by_column, remarks
