"""What can be wrong with a question about releases, told before any table is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from singleout.attacks.plan import KnownRecords, Names, chosen_attacks, given_columns, parts_of
from singleout.checks import is_whole
from singleout.errors import UsageError, name_hint
from singleout.read.source import Source
from singleout.roles.study import Study
from singleout.utility.catalogue import UTILITY_MEASURES
from singleout.utility.compare.evaluation import attack_parts
from singleout.utility.release_loss import RELEASE_LOSS

SINGLE = ("item", "amount", "number", "receipt", "category", "entry", "exit", "location")


def check_kinds(
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


def check_request(
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
        if not isinstance(name, str) or not any(_names_measure(name, each) for each in known):
            yield f"there is no metric {name!r}; {name_hint(str(name), known)}"
        elif name == RELEASE_LOSS.name and hierarchies is None:
            yield f"the metric {name!r} needs hierarchies; name them by --hierarchies"


def _names_measure(name: str, measure: str) -> bool:
    """A measure, the beginning of its name, or one of its columns."""
    return f"{measure}.".startswith(f"{name}.") or name.startswith(f"{measure}.")


def check_releases(releases: Sequence[Source]) -> None:
    """There is one, and none twice."""
    if not releases:
        raise UsageError("there is no release to compare with the original; name at least one")
    counts = Counter(map(_source_key, releases))
    for release in releases:
        if counts[_source_key(release)] > 1:
            raise UsageError(f"{release.name}: is named twice as a release; name each once")


def _source_key(release: Source) -> object:
    files = tuple(path.resolve() for path in release.files())
    return id(release.frame) if release.frame is not None else (files or release.place, release.table)


def one_per_release(what: str, given: Any, many: int) -> list[Any]:
    """A list has one for each release, or one for all."""
    if not isinstance(given, (list, tuple)):
        return [given] * many
    if len(given) not in (1, many):
        there = f"{len(given)} {what} for {many} {'release' if many == 1 else 'releases'}"
        raise UsageError(f"there are {there}; give one for each in their order, or one for all")
    return [*given] * (many if len(given) == 1 else 1)


def column_names(columns: Sequence[str] | None) -> tuple[str, ...] | None:
    """The columns that were named, each once; None for all."""
    if isinstance(columns, str):
        raise UsageError(f"columns: {columns!r} is one name; give a list of names")
    if columns is not None and not all(isinstance(name, str) for name in columns):
        raise UsageError("columns: a column is named by text")
    return None if columns is None else tuple(dict.fromkeys(columns))
