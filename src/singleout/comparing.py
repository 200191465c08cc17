"""Compares releases with their original: what is lost, what is still at risk, and which of them is best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from singleout.comparison import Comparison, Outcome
from singleout.engine.protocol import Missing
from singleout.errors import UsageError, nearest
from singleout.grouping import PeopleTable, read_people
from singleout.measurement import Better
from singleout.planning import KnownRecords, Names, chosen_attacks, given_columns, is_whole, parts_of
from singleout.progress import Progress, about, silent
from singleout.read.source import CsvFormat, Source, source
from singleout.read.truth import Truth
from singleout.roles.hierarchy import read_hierarchies
from singleout.roles.study import Study, study_of
from singleout.utility.catalogue import UTILITY_MEASURES
from singleout.utility.ranking import Contender, Ranking, ranked
from singleout.utility.release_loss import RELEASE_LOSS
from singleout.weighing import Weighing, attack_parts, meaning_of, side_of, unknown_columns

SINGLE = ("item", "amount", "number", "receipt", "category", "entry", "exit", "location")
NOT_RANKED = "not ranked by what is unknown of the original itself: {}"
NO_RISK = "{} has no privacy rank and no overall rank: {}"
NOBODY_KNOWN = "it is not known who is who"
NO_ATTACK = "none of the attacks can be made on it"


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
    privacy: bool = True,
    attacks: Sequence[str] | None = None,
    points: Sequence[int] = (),
    study: Study | str | PathLike[str] | None = None,
    missing: Missing = "value",
    seed: int = 0,
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
    release_csv: CsvFormat | None = None,
    progress: Progress = silent,
) -> Comparison:
    """What is lost in a release, and who can still be recognised in it? Of several, which is best?

    `truth` says who the people of a release are: one map, or a list of one for each; without it people keep
    their names. `item`, `time`, `amount` (a price or a fare), `number` (how many at that price), `receipt`,
    `category`, `entry`, `exit`, `routes`, `location` and `groups` (of people) name the columns that metrics
    and attacks are about; `groups` may be columns of a `people_table`, beside that of the release. `columns`
    are compared, and known to attackers (default: all that both tables have). A column that a release lacks
    makes its metrics unknown, with the reason. `metrics` and `attacks` choose some by name; `hierarchies`
    add the loss of generalised columns; `privacy=False` makes no attack; `points` are numbers of known
    records to attack with too. Several releases are ranked beside the untouched original. Papers 2 and 3.

    >>> import pyarrow
    >>> shop = pyarrow.table({"who": ["ann", "ann", "bob"], "goods": ["tea", "milk", "tea"]})
    >>> card = pyarrow.table({"who": ["p", "q"], "goods": ["tea", "milk"]})
    >>> found = compare(shop, card, truth={"p": "bob", "q": "ann"}, user="who", item="goods")
    >>> found.outcomes[0].records, found.outcomes[0].attack("jaccard").rate
    (2, 1.0)
    """
    _check_kinds(
        texts={"user": user, "release_user": release_user}, switches=(without_records, privacy),
        lists={"columns": columns, "metrics": metrics, "attacks": attacks}, renamed=renamed,
    )  # fmt: skip
    tables = source(original, csv=csv), [source(each, csv=release_csv) for each in releases]
    _check_releases(tables[1])
    truths = _one_each("truth maps", truth, len(releases))
    of_people = _one_each("people tables", release_people_table, len(releases))
    if people_table is None and release_people_table is not None:
        raise UsageError("a people table of the release was named and none of the original; name both")
    known = study_of(study)
    named: dict[str, Names] = {
        "item": item, "time": time, "amount": amount, "number": number, "receipt": receipt,
        "category": category, "entry": entry, "exit": exit, "routes": routes, "location": location,
        "groups": groups,
    }  # fmt: skip
    _check_asked(named, known, metrics, hierarchies, privacy, attacks, points, seed)
    user = user or (known.user if known else None)
    side = side_of("the original", tables[0], engine)
    people = _people("the people table", people_table, groups, user, engine)
    meaning = meaning_of(named, known, side)
    if faults := unknown_columns(meaning, _listed(columns), side, people, user):
        raise UsageError("; ".join(faults))
    found, remarks = ({}, ()) if hierarchies is None else _hierarchies(hierarchies, side.names, tables, user)
    weighing = Weighing(
        original=tables[0], side=side, meaning=meaning, named=named, user=user, release_user=release_user,
        renamed=renamed, without_records=without_records, columns=_listed(columns), people=people,
        hierarchies=found, metrics=None if metrics is None else tuple(metrics), privacy=privacy,
        attacks=None if attacks is None else tuple(attacks), points=points, study=known, missing=missing,
        seed=int(seed), engine=engine, memory=memory, threads=threads,
    )  # fmt: skip
    return _compared(weighing, tables[1], truths, of_people, remarks, progress)


def _compared(
    weighing: Weighing,
    releases: Sequence[Source],
    truths: Sequence[Any],
    of_people: Sequence[Any],
    remarks: tuple[str, ...],
    progress: Progress,
) -> Comparison:
    names = _names(releases)
    several = len(releases) > 1
    untouched, made = None, None
    if several:
        untouched, _ = weighing.itself(about(weighing.original.name, progress))
        remarks = (*remarks, *untouched.remarks)
        made = [each.name for each in untouched.privacy]
    outcomes = []
    for name, release, truth, table in zip(names, releases, truths, of_people, strict=True):
        side = side_of("the release", release, weighing.engine)
        people = _people(
            "the people table of the release", table, weighing.meaning.groups, weighing.user_of_release,
            weighing.engine,
        )  # fmt: skip
        told = about(name, progress) if several else progress
        outcome, read = weighing.beside(release, side, truth, people, made, told)
        outcomes.append(replace(outcome, release=name))
    progress("done", 1, 1)
    ranking = _ranked(weighing.original.name, untouched, outcomes) if untouched else None
    if ranking and ranking.left_out:
        remarks = (*remarks, NOT_RANKED.format(", ".join(ranking.left_out)))
    if several and weighing.privacy:
        remarks = (*remarks, *_without_risk(outcomes))
    return Comparison(
        original=read.original,
        original_records=read.histories.original.records,
        original_people=read.histories.original.people,
        engine=read.engine,
        user=read.user,
        missing=weighing.missing,
        seed=weighing.seed,
        outcomes=tuple(outcomes),
        untouched=untouched,
        ranking=ranking,
        remarks=remarks,
    )


def _ranked(name: str, untouched: Outcome, outcomes: Sequence[Outcome]) -> Ranking:
    better: dict[str, Better] = {each.name: each.better for each in untouched.utility}
    original = Contender(name, _values(untouched), untouched.highest_rate)
    return ranked(
        original, [Contender(each.release, _values(each), each.highest_rate) for each in outcomes], better
    )


def _without_risk(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Whose privacy can't be ranked, and why."""
    for each in outcomes:
        if each.highest_rate is None:
            yield NO_RISK.format(each.release, NOBODY_KNOWN if each.made_up is None else NO_ATTACK)


def _values(outcome: Outcome) -> dict[str, float | None]:
    return {each.name: each.value for each in outcome.utility}


def _check_kinds(
    texts: Mapping[str, Any], switches: Sequence[Any], lists: Mapping[str, Any], renamed: Any
) -> None:
    """What Python lets through and no command line does."""
    faults = [
        f"{name}: {value!r} is no text that names a column"
        for name, value in texts.items()
        if value is not None and not isinstance(value, str)
    ]
    for name, value in lists.items():
        if value is not None and not (isinstance(value, Iterable) and not isinstance(value, (str, bytes))):
            faults.append(f"{name}: {value!r} is no list of names")
    if renamed is not None and not isinstance(renamed, Mapping):
        faults.append(f"renamed: {renamed!r} is no mapping; write it like {{'goods': 'article'}}")
    if not all(isinstance(each, bool) for each in switches):
        faults.append("without_records and privacy are True or False")
    if faults:
        raise UsageError("; ".join(faults))


def _check_asked(
    named: Mapping[str, Names],
    study: Study | None,
    metrics: Any,
    hierarchies: Any,
    privacy: bool,
    attacks: Sequence[str] | None,
    points: Sequence[int],
    seed: int,
) -> None:
    """All that can be wrong with a question, before the tables are read."""
    if not is_whole(seed):
        raise UsageError(f"the seed {seed!r} must be a whole number")
    if odd := [part for part in SINGLE if named[part] is not None and not isinstance(named[part], str)]:
        raise UsageError(f"{odd[0]}: {named[odd[0]]!r} is not one column; name one by its text")
    given_columns(named)
    KnownRecords(points=points)
    if not privacy and (attacks is not None or len(points)):
        raise UsageError("attacks were named and privacy is not asked for; ask for it, or name none")
    if attacks is not None:
        chosen_attacks(attacks, parts_of(attack_parts(named), study))
    if faults := [*_metric_faults(metrics, hierarchies)]:
        raise UsageError("; ".join(faults))


def _metric_faults(metrics: Any, hierarchies: Any) -> Iterator[str]:
    if metrics is None:
        return
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        yield f"metrics: {metrics!r} is no list of names; give one"
        return
    known = [*(each.name for each in UTILITY_MEASURES), RELEASE_LOSS.name]
    for name in metrics:
        if not isinstance(name, str) or not any(_within(name, each) for each in known):
            yield f"there is no metric {name!r}; {nearest(str(name), known)}"
        elif name == RELEASE_LOSS.name and hierarchies is None:
            yield f"the metric {name!r} needs hierarchies; name them by --hierarchies"


def _within(name: str, measure: str) -> bool:
    """A measure, the beginning of its name, or one of its columns."""
    return f"{measure}.".startswith(f"{name}.") or name.startswith(f"{measure}.")


def _check_releases(releases: Sequence[Source]) -> None:
    if not releases:
        raise UsageError("there is no release to compare with the original; name at least one")
    places = Counter(map(_place, releases))
    for release in releases:
        if places[_place(release)] > 1:
            raise UsageError(f"{release.name}: is named twice as a release; name each once")


def _place(release: Source) -> object:
    files = tuple(path.resolve() for path in release.files())
    return id(release.frame) if release.frame is not None else (files or release.place, release.table)


def _names(releases: Sequence[Source]) -> list[str]:
    """Tables in memory have no names of their own, and are numbered."""
    often = Counter(each.name for each in releases)
    return [
        each.name if often[each.name] == 1 else f"{each.name} {place}"
        for place, each in enumerate(releases, 1)
    ]


def _one_each(what: str, given: Any, many: int) -> list[Any]:
    """A list has one for each release, or one for all."""
    if not isinstance(given, (list, tuple)):
        return [given] * many
    if len(given) not in (1, many):
        there = f"{len(given)} {what} for {many} {'release' if many == 1 else 'releases'}"
        raise UsageError(f"there are {there}; give one for each in their order, or one for all")
    return [*given] * (many if len(given) == 1 else 1)


def _people(
    called: str, table: Any, groups: Names, user: str | None, engine: str | None
) -> PeopleTable | None:
    if table is None:
        return None
    if not groups:
        raise UsageError(f"{called} is there for the groups of people; name its columns by --groups")
    return read_people(source(table), called, user, engine)


def _hierarchies(
    place: Any, names: Sequence[str], tables: tuple[Source, Sequence[Source]], user: str | None
) -> tuple[Any, tuple[str, ...]]:
    files = [path for table in (tables[0], *tables[1]) for path in table.files()]
    found, remarks = read_hierarchies(place, [name for name in names if name != user], files)
    return found, remarks


def _listed(columns: Sequence[str] | None) -> tuple[str, ...] | None:
    if isinstance(columns, str):
        raise UsageError(f"columns: {columns!r} is one name; give a list of names")
    if columns is not None and not all(isinstance(name, str) for name in columns):
        raise UsageError("columns: a column is named by text")
    return None if columns is None else tuple(dict.fromkeys(columns))
