"""The study file: what each column means and may cost, written by hand or by `singleout roles --suggest`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from singleout.errors import InputError, UsageError, name_hint, printable_text, with_all_names
from singleout.read.costs import Costs, cost_mistakes, costs_of
from singleout.read.input_files import input_bytes
from singleout.roles.person_column import NONE
from singleout.roles.population_size import PopulationSize, population_mistakes
from singleout.roles.role import KNOWN_TO_ATTACKERS, ROLES, Role

TABLES = ("columns", "costs", "renamed", "population")
# where roles are from that no file says
ROLES_OF_A_CALL = "sensitive"
ONLY_NONE = 'user: write user = "none" if each record is its own person; a column is one by its role "user"'


@dataclass(frozen=True)
class Study:
    """Roles by column name; a column without a role counts as a quasi-identifier.

    `costs` are what an attacker pays to learn a column, for those who ask about a budget; `renamed` is what
    columns are called in a release of the table, for those who compare both. `each_record` says that each
    record is its own person (`user = "none"` in the file), so that no column has the role user;
    `population` is what the table is a sample of; `content` are the bytes of the file that it was read from.

    >>> Study({"town": "tim"})
    Traceback (most recent call last):
    singleout.errors.InputError: study: column 'town': 'tim' is no role; did you mean 'time' or 'item'?
    """

    roles: dict[str, Role]
    place: str = "study"
    costs: Costs = field(default_factory=Costs)
    renamed: dict[str, str] = field(default_factory=dict)
    each_record: bool = False
    population: PopulationSize | None = None
    content: bytes | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        mistakes = _role_mistakes(self.roles) + renaming_mistakes(self.renamed)
        if mistakes := mistakes + (_unit_mistakes(self.roles) if self.each_record else []):
            raise InputError(f"{self.place}: {'; '.join(mistakes)}")

    @property
    def user(self) -> str | None:
        return self.first("user")

    @property
    def is_as_written(self) -> bool:
        """Whether it says what the file does that it was read from: Python may change it."""
        return self.content is None or self == _study(self.content, self.place)

    def record_by_record(self) -> Study:
        """The same where each record is its own person, whatever this says: an attacker may know the user."""
        roles: dict[str, Role] = {name: role for name, role in self.roles.items() if role != "user"}
        return replace(self, roles=roles, each_record=True)

    def first(self, role: Role) -> str | None:
        """The first column with a role."""
        return next((name for name, given in self.roles.items() if given == role), None)

    @property
    def sensitive(self) -> tuple[str, ...]:
        return tuple(name for name, role in self.roles.items() if role == "sensitive")

    def known_to_attackers(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The columns an attacker may know something of, in the table's order."""
        return tuple(name for name in names if self.roles.get(name, "quasi-identifier") in KNOWN_TO_ATTACKERS)

    def check(self, names: tuple[str, ...]) -> None:
        if faults := self._faults(names) + unknown_names(self.renamed, names, "the table"):
            raise InputError(f"{self.place}: {with_all_names(faults, names)}")

    def check_pair(self, original: tuple[str, tuple[str, ...]], release: tuple[str, tuple[str, ...]]) -> None:
        """The same for a table and its release, each by what it is called and its columns."""
        faults = self._faults(original[1]) + unknown_names(self.renamed, original[1], original[0])
        if faults := faults + unknown_names(self.renamed.values(), release[1], release[0]):
            raise InputError(f"{self.place}: {'; '.join(faults)}")

    def _faults(self, names: tuple[str, ...]) -> list[str]:
        """What is said of columns that the table does not have, but for those that a release renamed."""
        unknown = [name for name in self.roles if name not in names]
        found = [f"the table has no column {name!r}; {name_hint(name, names)}" for name in unknown]
        return found + [f"costs: {fault}" for fault in self.costs.unknown(names)]


def read_study(path: str | PathLike[str]) -> Study:
    """Read and check a study file; all its mistakes are told at once."""
    name = str(path)
    try:
        return _study(input_bytes(path), name)
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or str(error)).lower()}") from error


def _study(read: bytes, name: str) -> Study:
    try:
        content = tomllib.loads(read.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # also of a number with too many digits
        raise InputError(f"{name}: is not TOML: {error}") from error
    mistakes = _mistakes(content)
    if mistakes:
        raise InputError(f"{name}: {'; '.join(mistakes)}")
    costs = costs_of(content.get("costs", {}), name)
    return Study(
        dict(content.get("columns", {})), name, costs, dict(content.get("renamed", {})), "user" in content,
        PopulationSize(**content["population"]) if "population" in content else None, read,
    )  # fmt: skip


def study_of(study: Study | str | PathLike[str] | None) -> Study | None:
    """A study, or the file that it is in."""
    found = read_study(study) if isinstance(study, (str, PathLike)) else study
    if found is not None and not isinstance(found, Study):
        raise UsageError(f"study: a {type(found).__name__} is no study; give a file's name or a Study")
    return found


def says_none(names: str | Sequence[str] | None) -> bool:
    """Whether somebody said that no column is sensitive."""
    return names == NONE or (names is not None and list(names) == [NONE])


def with_sensitive(study: Study | None, names: Sequence[str] | None) -> Study | None:
    """A study in which these columns are sensitive too, whatever it says of them.

    >>> with_sensitive(None, ["illness"]).known_to_attackers(("town", "illness"))
    ('town',)
    """
    if names is None or says_none(names):
        return study
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise UsageError(f"sensitive: {names!r} is no list of names; write it like ['diagnosis']")
    known = study or Study({}, ROLES_OF_A_CALL)
    if known.user in names:
        raise UsageError(f"{known.user!r} is the user column; it can't be sensitive too")
    return replace(known, roles={**known.roles, **dict.fromkeys(names, "sensitive")})


def with_weight(study: Study | None, weight: str | None, household: str | None) -> Study | None:
    """A study in which the weight is one, whatever it says of it; who lives together is no knowledge either.

    >>> with_weight(None, "w", "home").known_to_attackers(("town", "w", "home"))
    ('town',)
    """
    if weight is None and household is None:
        return study
    known = study or Study({}, "weight" if household is None else "weight and household")
    named: dict[str, Role] = {} if household is None else {household: "ignore"}
    roles = dict(known.roles)
    if weight is not None:
        named[weight] = "weight"
        roles = {name: role for name, role in roles.items() if role != "weight"}
    if known.user in named:
        raise UsageError(f"{known.user!r} is the user column; it can't be a weight or a household too")
    return replace(known, roles={**roles, **named})


def _mistakes(content: dict[str, Any]) -> list[str]:
    unknown = [name for name in content if name not in (*TABLES, "user")]
    found = [
        f"[{name}] is unknown here; write [columns], [costs], [renamed] or [population]" for name in unknown
    ]
    found += cost_mistakes(content.get("costs", {})) + renaming_mistakes(content.get("renamed", {}))
    found += population_mistakes(content["population"]) if "population" in content else []
    found += [ONLY_NONE] if content.get("user", NONE) != NONE else []
    columns = content.get("columns", {} if {"renamed", "user", "population"} & {*content} else None)
    if not isinstance(columns, dict):
        return [*found, 'a table [columns] with lines like date = "time" is missing']
    return found + _role_mistakes(columns) + (_unit_mistakes(columns) if "user" in content else [])


def _role_mistakes(columns: Mapping[Any, Any]) -> list[str]:
    found = []
    for name, role in columns.items():
        if not isinstance(name, str):
            found.append(f"column {name!r}: a column's name is a text")
        if isinstance(role, dict):
            found.append(f'column {name!r}: write a name with a dot in quotes, as in "a.b" = "time"')
        elif role not in ROLES:
            found.append(f"column {name!r}: {role!r} is no role; {name_hint(str(role), ROLES)}")
    for only in ("user", "weight"):
        named = [name for name, role in columns.items() if role == only]
        if len(named) > 1:
            found.append(f"only one column can be the {only}, not {' and '.join(map(repr, named))}")
    return found


def _unit_mistakes(columns: Mapping[Any, Any]) -> list[str]:
    """What else is said where each record is its own person."""
    users = [name for name, role in columns.items() if role == "user"]
    return [f'user = "none" says that no column names the person, and {name!r} is the user' for name in users]


def renaming_mistakes(renamed: Any) -> list[str]:
    """All that is wrong with a table [renamed], whatever the columns are.

    >>> renaming_mistakes({"goods": "article", "item": "article"})
    ["renamed: 'goods' and 'item' can't both be 'article' in the release"]
    """
    if not isinstance(renamed, Mapping):
        return ['a table [renamed] has lines like goods = "article"']
    found: list[str] = []
    originals: dict[str, str] = {}
    for name, other in renamed.items():
        if isinstance(other, dict):
            found.append(f'renamed: {name!r}: write a name with a dot in quotes, as in "a.b" = "c"')
        elif not isinstance(name, str) or not isinstance(other, str):
            found.append(f"renamed: {name!r}: {other!r}: a column's name is a text")
        elif (first := originals.setdefault(other, name)) != name:
            found.append(f"renamed: {first!r} and {name!r} can't both be {other!r} in the release")
    return found


def unknown_names(named: Iterable[str], names: Iterable[str], table: str) -> list[str]:
    """What is wrong with a table [renamed] that names columns which a table does not have."""
    known = tuple(names)
    lacking = [name for name in named if name not in known]
    return [f"renamed: {table} has no column {name!r}; {name_hint(name, known)}" for name in lacking]


def study_text(roles: dict[str, Role], reasons: dict[str, str]) -> str:
    """A study file with the reason for each role beside it."""
    width = max((len(_key(name)) for name in roles), default=0)
    lines = [
        f"{_key(name):<{width}} = {json.dumps(role)}  # {printable_text(reasons[name])}"
        for name, role in roles.items()
    ]
    return "\n".join(
        [
            "# What each column means. Roles: " + ", ".join(ROLES) + ".",
            "# These are suggestions: read each reason, and change what is wrong.",
            "[columns]",
            *lines,
            "",
        ]
    )


def _key(name: str) -> str:
    """A TOML key: JSON's escapes are TOML's too, but JSON leaves some alone that steer a terminal."""
    return "".join(map(_escaped, json.dumps(name, ensure_ascii=False)))


def _escaped(mark: str) -> str:
    """Half a character is left to whoever can't write it."""
    code = ord(mark)
    if mark.isprintable() or 0xD800 <= code <= 0xDFFF:
        return mark
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


# for a table of which it is known by then that each record is its own person
EACH_RECORD = Study({}, each_record=True)
