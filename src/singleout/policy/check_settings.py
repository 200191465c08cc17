"""What a check is told: the data, the original beside it, all settings, the caller's before the policy's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

from singleout.checks import is_whole
from singleout.engine.job_options import CountOptions
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import open_engine
from singleout.errors import InputError, UsageError, name_hint
from singleout.policy.rules.policy import Policy
from singleout.policy.rules.policy_keys import DATA_KEYS, FILES, RIGHT, key_fault
from singleout.progress import Progress
from singleout.read.source import ANY_URL, SPARK_URL, CsvFormat, Source, source, without_secrets
from singleout.roles.known_column import KnownColumn
from singleout.roles.person_column import NONE
from singleout.roles.population_size import PopulationSize, population_size
from singleout.roles.study import Study, says_none, study_of, with_sensitive, with_weight

NO_USER_IN_RELEASE = (
    "{}: has no column {!r}, so that in what is counted of it alone each record is its own person"
)
AnyPath = str | PathLike[str]
Names = str | Sequence[str] | None


class PolicyData(TypedDict, total=False):
    """What `check` takes beside a policy, which may say it in [data]; what is said here goes before it."""

    user: str | None
    columns: Sequence[str] | None
    study: Study | AnyPath | None
    sensitive: Names
    missing: str | None
    original: Any
    truth: Any
    release_user: str | None
    renamed: Mapping[str, str] | None
    without_records: bool | None
    item: Names
    time: Names
    amount: str | None
    place: Names
    category: Names
    pair: Names
    number: str | None
    receipt: str | None
    entry: str | None
    exit: str | None
    routes: Names
    location: str | None
    groups: Names
    people_table: Any
    release_people_table: Any
    hierarchies: Any
    recipe: Any
    domains: Sequence[Any] | None
    population: int | None
    sampled: float | None
    reference: Any
    reference_user: str | None
    weight: str | None
    household: str | None
    seed: int | None


class Machine(TypedDict):
    """What every job wants to know besides."""

    engine: str | None
    memory: str | None
    threads: int | None


@dataclass(frozen=True, eq=False)
class Inquiry:
    """`data` is judged; `study` and `said` speak of the original's columns where there is an original.

    `names` are the columns of the data, empty until it is opened; `user` and `own_study` are what is said of
    them in its own names; `original_names` are those of the original.
    """

    data: Source
    original: Source | None
    said: Mapping[str, Any]
    study: Study | None
    names: tuple[str, ...]
    user: str | None
    own_study: Study | None
    machine: Machine
    progress: Progress
    original_names: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def seed(self) -> int:
        return int(self.said.get("seed") or 0)

    @property
    def people_tables(self) -> dict[str, Source]:
        """Tables of one row a person, by the setting that names each."""
        named = {name: self.said.get(name) for name in ("people_table", "release_people_table")}
        return {name: source(given) for name, given in named.items() if given is not None}

    @property
    def population(self) -> PopulationSize | None:
        """How many people the data is a sample of, where somebody said so."""
        said = population_size(self.said.get("population"), self.said.get("sampled"))
        return said or (self.study.population if self.study else None)

    @property
    def original_user(self) -> str | None:
        """The user column by its name in the original, or in the data if there is none."""
        found: str | None = self.said.get("user") or (self.study.user if self.study else None)
        return found

    @property
    def columns(self) -> tuple[str, ...] | None:
        """What attackers may know, where that was said."""
        found = self.said.get("columns")
        return None if found is None else tuple(found)

    @property
    def own_columns(self) -> tuple[str, ...] | None:
        """The same by the names that the data has for them."""
        found = self.columns
        return None if found is None else tuple(self.new_names.get(name, name) for name in found)

    @property
    def person(self) -> str | None:
        """The column that names people; None where each record is its own person."""
        named = self.own_study.user if self.own_study else None
        return None if self.user == NONE != named else self.user

    @property
    def sensitive(self) -> tuple[str, ...]:
        """What must not be learned about people, by the names that the data has."""
        return tuple(self.own_study.sensitive) if self.own_study else ()

    @property
    def sensitive_gone(self) -> tuple[str, ...]:
        """What must not be learned, and the release lacks altogether, by the names of the original."""
        named = tuple(self.study.sensitive) if self.study else ()
        return () if self.sensitive else named

    @property
    def nothing_sensitive(self) -> bool:
        """Whether somebody said that there is no such column."""
        return says_none(self.said.get("sensitive"))

    @property
    def missing(self) -> Missing | None:
        found: Missing | None = self.said.get("missing")
        return found

    @property
    def new_names(self) -> dict[str, str]:
        """What the data calls the original's columns."""
        if self.original is None:
            return {}
        return {**(self.study.renamed if self.study else {}), **(self.said.get("renamed") or {})}

    def partner(self, name: str) -> str | None:
        """The original's column that a column of the data is; another one may have taken its name."""
        new = self.new_names
        old = {new: old for old, new in new.items()}
        if name not in old and (name in new or name == self.original_user != self.user):
            return None
        found = old.get(name, name)
        return found if found in self.original_names else None

    def shared_columns(self, columns: Sequence[KnownColumn]) -> tuple[KnownColumn, ...]:
        """Those that the original has too, by its names; all of them where there is no original."""
        if self.original is None:
            return tuple(columns)
        paired = ((each, self.partner(each.name)) for each in columns)
        return tuple(replace(each, name=name) for each, name in paired if name is not None)

    @property
    def unpaired(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Columns of the data that the original lacks, and the other way round: they may be the same ones."""
        new = self.new_names
        people = {self.user, self.original_user, self.said.get("release_user")}
        added = [name for name in self.names if self.partner(name) is None]
        gone = [name for name in self.original_names if new.get(name, name) not in self.names]
        return tuple(name for name in added if name not in people), tuple(
            name for name in gone if name not in people
        )

    def count_options(self, missing: Missing) -> CountOptions:
        """How the data is opened to count."""
        return {
            "user": self.user,
            "columns": self.own_columns,
            "study": self.own_study,
            "missing": missing,
            "engine": self.machine["engine"],
            "memory": self.machine["memory"],
            "threads": self.machine["threads"],
        }

    def settings(self, *names: str) -> dict[str, Any]:
        """What was said under these names, for a job that takes them."""
        return {name: self.said[name] for name in names if self.said.get(name) is not None}


NO_REFERENCE = (
    "reference_user names the people of a table of everybody, and there is none; name it by --reference"
)


def inquiry_of(
    data: Any,
    policy: Policy,
    said: Mapping[str, Any],
    machine: Machine,
    csv: CsvFormat | None,
    original_csv: CsvFormat | None,
    progress: Progress,
) -> Inquiry:
    """What the caller says goes before what the policy says; files of the policy are where it is."""
    settings = {
        **policy.data,
        **files_of(policy),
        **{name: value for name, value in said.items() if value is not None},
    }
    _check(settings)
    _check_files(settings)
    origin = source(data, csv=csv)
    beside = settings.get("original")
    original = None if beside is None else source(beside, csv=original_csv)
    if original is None and original_csv is not None:
        raise UsageError("original_csv says how an original is read, and there is none; leave it out")
    study = with_sensitive(study_of(settings.get("study")), _sensitive(settings.get("sensitive")))
    study = with_weight(study, settings.get("weight"), settings.get("household"))
    if study is not None and settings.get("user") == NONE != study.user:
        study = study.record_by_record()
    inquiry = Inquiry(origin, original, settings, study, (), None, study, machine, progress)
    if original is None:
        own = _drop_removed(study, origin, machine["engine"])
        return replace(inquiry, user=inquiry.original_user, own_study=own)
    names, others = (_names(each, machine["engine"]) for each in (origin, original))
    return _use_own_names(replace(inquiry, names=names, original_names=others))


def _sensitive(said: Names) -> Sequence[str] | None:
    if said is None or says_none(said):
        return None
    return [said] if isinstance(said, str) else said


def _check_files(said: Mapping[str, Any]) -> None:
    """Whether a rule needs them or not, files that are named must be there."""
    named = {
        name: said.get(name)
        for name in ("truth", "hierarchies", "recipe", "people_table", "release_people_table", "reference")
    }
    faults = [
        f"{name}: {without_secrets(str(path))}: no such file or folder"
        for name, path in named.items()
        if isinstance(path, str | PathLike) and "::" not in str(path) and not Path(path).exists()
    ]
    if faults:
        raise InputError("; ".join(faults))


def _drop_removed(study: Study | None, origin: Source, engine: str | None) -> Study | None:
    """What is to be removed may be gone."""
    if study is None or "ignore" not in study.roles.values():
        return study
    names = _names(origin, engine)
    kept = {name: role for name, role in study.roles.items() if role != "ignore" or name in names}
    return replace(study, roles=kept)


def _names(origin: Source, engine: str | None) -> tuple[str, ...]:
    with open_engine(origin, engine) as counter:
        return tuple(column.name for column in counter.columns())


def _use_own_names(inquiry: Inquiry) -> Inquiry:
    """A release may lack columns of its original, and call others by new names."""
    renaming, said_user = inquiry.new_names, inquiry.said.get("release_user")
    user = said_user or (inquiry.original_user and renaming.get(inquiry.original_user, inquiry.original_user))
    remarks: tuple[str, ...] = ()
    if user not in (None, NONE) and said_user is None and user not in inquiry.names:
        user, remarks = None, (NO_USER_IN_RELEASE.format(inquiry.data.name, user),)
    study = inquiry.study
    if study is not None:
        _check_sensitive(study, inquiry)
        roles = {renaming.get(name, name): role for name, role in study.roles.items()}
        kept = {name: role for name, role in roles.items() if name in inquiry.names}
        study = replace(study, roles=kept, renamed={})
    return replace(inquiry, user=user, own_study=study, remarks=remarks)


def _check_sensitive(study: Study, inquiry: Inquiry) -> None:
    """What the release lacks may be gone; what neither table has is a mistake."""
    there = {*inquiry.names, *inquiry.original_names}
    for name in study.sensitive:
        if name not in there:
            hint = name_hint(name, sorted(there))
            raise InputError(f"{inquiry.data.name}: sensitive: there is no column {name!r}; {hint}")


def files_of(policy: Policy) -> dict[str, str]:
    """Files that a policy names by a relative path are looked for where the policy is."""
    return {name: _resolve_path(policy.folder, policy.data[name]) for name in FILES if name in policy.data}


def _resolve_path(folder: Path, path: str) -> str:
    address = path.rpartition("::")[0] or path
    if ANY_URL.match(address) or SPARK_URL.match(address):
        return path
    return str(folder / path)


def _check(said: Mapping[str, Any]) -> None:
    """What Python lets through and no policy does; a study, a table or a mapping may come as what it is."""
    faults = []
    for name, value in said.items():
        if name not in DATA_KEYS:
            raise TypeError(f"{name!r} is no parameter; {name_hint(name, DATA_KEYS)}")
        given_as_it_is = name in FILES or name in ("domains", "truth")
        listed = list(value) if isinstance(value, tuple) else value
        if not given_as_it_is and not (name == "seed" and is_whole(value)):
            faults += key_fault(name, listed, DATA_KEYS)
    domains = said.get("domains")
    if domains is not None and (isinstance(domains, str) or not isinstance(domains, Sequence)):
        faults.append(f"domains: {domains!r} is wrong; {RIGHT['names']}")
    if said.get("reference_user") is not None and said.get("reference") is None:
        faults.append(NO_REFERENCE)
    if faults:
        raise UsageError("; ".join(faults))
