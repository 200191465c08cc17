"""A contest as data: what is submitted, how it is measured, when, how often, and who may see what."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

from singleout.attacks.catalogue import KINDS
from singleout.attacks.plan import chosen_attacks, parts_of
from singleout.checks import is_number, is_whole
from singleout.errors import InputError, UsageError, name_hint
from singleout.platform.attack_rules import ATTACK_KINDS, AttackRules
from singleout.platform.toml_text import toml_document
from singleout.roles.role import Role
from singleout.roles.study import Study
from singleout.utility.catalogue import METRICS, OF_COLUMNS, UTILITY_MEASURES
from singleout.utility.compare.evaluation import attack_parts
from singleout.utility.compare.request import SINGLE

Family = Literal["utility", "privacy"]
Audience = Literal["everybody", "participants", "organiser"]
PhaseKind = Literal["announced", "open", "frozen", "shuffled", "published", "attack", "scored", "closed"]
TruthRule = Literal["names", "map", "either"]
UncertainRule = Literal["last", "measured"]
FAMILIES: tuple[Family, ...] = get_args(Family)
AUDIENCES: tuple[Audience, ...] = get_args(Audience)
PHASE_KINDS: tuple[PhaseKind, ...] = get_args(PhaseKind)
UNCERTAIN_RULES: tuple[UncertainRule, ...] = get_args(UncertainRule)
TRUTH_RULES: tuple[TruthRule, ...] = get_args(TruthRule)
SEVERAL = ("time", "routes", "groups")
PARTS = (*SINGLE, *SEVERAL)
# what the command line calls otherwise
OPTIONS = {"location": "place"}
TEMPLATES = ("payment-card", "purchase-history", "single-table")
WITHOUT_BETTER = tuple(each.name for each in UTILITY_MEASURES if each.better == "neither")
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
DIGEST = re.compile(r"[0-9a-f]{64}")
# what `compare` calls attacks by known records and with one-to-one guesses
MADE_NAMES = re.compile(r"(?:worst_)?points_[0-9]+|.*_one_to_one")
LONGEST_TITLE, LONGEST_ABOUT = 200, 20_000
MOST_ROWS, MOST_COLUMNS, MOST_MEGABYTES = 50_000_000, 1_000, 2_000


def is_attack_name(name: str) -> bool:
    """Whether scores are called so, also those that the library makes beside what it is asked for.

    >>> is_attack_name("jaccard"), is_attack_name("worst_points_4"), is_attack_name("points_kept")
    (True, True, False)
    """
    return name in (*KINDS, "best", "guesses", "combined") or MADE_NAMES.fullmatch(name) is not None


@dataclass(frozen=True)
class ContestMetric:
    """A metric that counts, by its name in the library; attacks count by their maximum, without weights.

    One that somebody uploaded is pinned by the digest of its text, and says itself which way it is better.
    """

    name: str
    family: Family
    weight: float = 1.0
    digest: str | None = None
    better: str | None = None

    def faults(self) -> Iterator[str]:
        if not _is_text(self.name):
            yield f"name {self.name!r} must be a text"
        elif self.digest is not None or self.better is not None:
            yield from self._uploaded_faults()
        elif self.family not in FAMILIES:
            yield f"family {self.family!r} is none; {name_hint(str(self.family), FAMILIES)}"
        elif self.family == "privacy":
            if self.name not in KINDS:
                yield f"there is no attack {self.name!r}; {name_hint(str(self.name), KINDS)}"
            if self.weight != 1:
                yield "the attack that recognises most counts; an attack has no weight"
        elif not _is_one_metric(self.name):
            yield f"there is no metric {self.name!r}; {name_hint(str(self.name), _metric_names())}"
        elif self.name in WITHOUT_BETTER:
            yield f"the metric {self.name!r} has no better way, and can't be ranked by; name another"
        if not is_number(self.weight) or not 0 < self.weight < 1e6:
            yield f"weight {self.weight!r} must be a number above 0"

    def _uploaded_faults(self) -> Iterator[str]:
        if not isinstance(self.digest, str) or not DIGEST.fullmatch(self.digest):
            yield "an uploaded metric is pinned by the digest of its text, 64 hexadecimal digits"
        if self.better not in ("lower", "higher"):
            yield "an uploaded metric says what is better: lower or higher"
        if self.family not in FAMILIES:
            yield f"family {self.family!r} is none; {name_hint(str(self.family), FAMILIES)}"
        elif self.family == "privacy" and (self.better, self.weight) != ("lower", 1):
            yield "a risk is better lower, and has no weight: the highest counts"
        if is_attack_name(self.name) or _is_one_metric(self.name):
            yield f"{self.name!r} is one of singleout's own metrics, which have no digest"


@dataclass(frozen=True)
class Phase:
    """A part of the contest; it begins at `starts`, or by hand if that is None."""

    name: str
    kind: PhaseKind
    starts: datetime | None = None

    @property
    def accepts(self) -> bool:
        """Whether submissions are taken."""
        return self.kind == "open"

    def faults(self) -> Iterator[str]:
        if not isinstance(self.name, str) or not self.name.strip():
            yield "a phase has a name"
        if self.kind not in PHASE_KINDS:
            yield f"{self.kind!r} is no kind of phase; {name_hint(str(self.kind), PHASE_KINDS)}"
        if self.starts is not None and (not isinstance(self.starts, datetime) or self.starts.tzinfo is None):
            yield "starts is a time with its zone, like 2026-12-01T09:00:00Z"


@dataclass(frozen=True)
class Quota:
    """How often a team may submit; what fails to be read costs `failures` of its own."""

    a_day: int = 10
    in_all: int = 100
    failures_a_day: int = 20


@dataclass(frozen=True)
class SubmissionLimits:
    """How large a submission may be."""

    rows: int = 5_000_000
    columns: int = 100
    megabytes: int = 50


@dataclass(frozen=True)
class Visibility:
    """Who may see the board, the values of each metric, and the original."""

    board: Audience = "everybody"
    values: Audience = "participants"
    original: Audience = "participants"


@dataclass(frozen=True)
class Contest:
    """What an organiser says of a contest; all that is wrong with it is told at once.

    `user` is the column that names people, None if each record is its own person. `parts` are columns by what
    they mean, as the options of `compare`; `roles` those of a study. `truth` is how the platform learns who
    is who in a submission: people keep their `names`, or a `map` is sent with it. A rate that is only the
    least, for not all columns could be compared, is `uncertain`: it ranks last, as in `compare`, or as it was
    measured, as in the papers; it is marked either way.
    """

    name: str
    title: str
    metrics: tuple[ContestMetric, ...]
    about: str = ""
    user: str | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    phases: tuple[Phase, ...] = (Phase("Submissions", "open"), Phase("Closed", "closed"))
    quota: Quota = Quota()
    limits: SubmissionLimits = SubmissionLimits()
    public: Visibility = Visibility()
    attack: AttackRules = field(default_factory=AttackRules)
    most_members: int = 10
    truth: TruthRule = "either"
    uncertain: UncertainRule = "last"
    points: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise UsageError(f"contest: {'; '.join(faults)}")

    def _faults(self) -> Iterator[str]:
        yield from self._text_faults()
        yield from _part_faults(self.parts)
        yield from self._metric_faults()
        yield from self._phase_faults()
        yield from _number_faults(
            "quota", self.quota, {"a_day": 10_000, "in_all": 100_000, "failures_a_day": 10_000}
        )
        limits = {"rows": MOST_ROWS, "columns": MOST_COLUMNS, "megabytes": MOST_MEGABYTES}
        yield from _number_faults("limits", self.limits, limits)
        for each in fields(self.public):
            if (audience := getattr(self.public, each.name)) not in AUDIENCES:
                hint = name_hint(str(audience), AUDIENCES)
                yield f"public.{each.name}: {audience!r} is no audience; {hint}"
        yield from self.attack.faults()
        if not is_whole(self.most_members) or not 1 <= self.most_members <= 1000:
            yield f"most_members: {self.most_members!r} must be a whole number from 1 to 1,000"

    def _text_faults(self) -> Iterator[str]:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            yield "name: write it in small letters, digits and hyphens, like card-2026"
        if not isinstance(self.title, str) or not 0 < len(self.title.strip()) <= LONGEST_TITLE:
            yield f"title: write one of at most {LONGEST_TITLE} characters"
        if not isinstance(self.about, str) or len(self.about) > LONGEST_ABOUT:
            yield f"about: write a text of at most {LONGEST_ABOUT:,} characters"
        if self.user is not None and (not isinstance(self.user, str) or not self.user):
            yield "user: name the column that names people, or leave it out if each record is its own person"
        if self.truth not in TRUTH_RULES:
            yield f"truth: {self.truth!r} is none; {name_hint(str(self.truth), TRUTH_RULES)}"
        elif self.user is None and self.truth == "names":
            yield 'truth: records without a user column have no names; write truth = "map"'
        if self.uncertain not in UNCERTAIN_RULES:
            yield f"uncertain: {self.uncertain!r} is none; {name_hint(str(self.uncertain), UNCERTAIN_RULES)}"
        if not is_whole(self.seed):
            yield f"seed: {self.seed!r} must be a whole number"
        points = self.points if isinstance(self.points, tuple) else (None,)
        if not all(is_whole(each) and 0 < each <= 20 for each in points):
            yield "points: write whole numbers from 1 to 20"
        yield from self._role_faults()

    def _role_faults(self) -> Iterator[str]:
        if not _is_table(self.roles):
            yield 'a table [roles] has lines like age = "quasi-identifier"'
            return
        try:
            _ = self.study
        except InputError as fault:
            yield str(fault)

    def _metric_faults(self) -> Iterator[str]:
        if not isinstance(self.metrics, tuple) or not self.metrics:
            yield "metrics: name at least one"
            return
        for number, each in enumerate(self.metrics, 1):
            yield from (f"metric {number}: {fault}" for fault in each.faults())
        names = [each.name for each in self.metrics]
        if not all(map(_is_text, names)):
            return
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            yield f"metrics: {name!r} is named twice; keep one"
        for family in FAMILIES:
            if not self.of_family(family):
                yield f"metrics: name at least one of family {family!r}; ranks need both"
        yield from self._needed_parts()

    def _needed_parts(self) -> Iterator[str]:
        """Metrics and attacks whose columns nobody named."""
        if [*_part_faults(self.parts)] or not _is_table(self.roles):
            return
        for name in self.of_family("utility"):
            measured = next((each for each in METRICS if _measures(each.measures, name)), None)
            for part in measured.needs if measured else ():
                if part not in self.parts:
                    yield f"the metric {name!r} needs a column; name it in [parts] as {part}"
        try:
            known = [each for each in self.of_family("privacy") if each in KINDS]
            named = {part: self.parts.get(part) for part in PARTS}
            chosen_attacks(known, parts_of(attack_parts(named), self.study))
        except (UsageError, InputError) as fault:
            yield str(fault).replace("--", "[parts] ")

    def _phase_faults(self) -> Iterator[str]:
        if not isinstance(self.phases, tuple) or not self.phases:
            yield "phases: write at least one"
            return
        for number, each in enumerate(self.phases, 1):
            yield from (f"phase {number}: {fault}" for fault in each.faults())
        starts = [each.starts for each in self.phases if isinstance(each.starts, datetime)]
        if any(each.tzinfo is None for each in starts):
            return
        if starts != sorted(starts):
            yield "phases: each starts after the one before it"
        if not any(each.kind == "open" for each in self.phases):
            yield "phases: one of them has to be of kind 'open', or nobody can submit"
        yield from self._attack_faults()

    def _attack_faults(self) -> Iterator[str]:
        kinds = [each.kind for each in self.phases]
        of_attack = [each for each in kinds if each in ATTACK_KINDS]
        if not of_attack:
            return
        if "attack" not in of_attack:
            yield f"phases: {of_attack[0]!r} belongs to an attack phase; add one of kind 'attack'"
        if of_attack != sorted(of_attack, key=ATTACK_KINDS.index):
            yield f"phases: those of an attack come in this order: {', '.join(ATTACK_KINDS)}"
        if "open" in kinds[kinds.index(of_attack[0]) :]:
            yield "phases: nothing is submitted after releases are shuffled; 'open' comes before"
        if kinds[-1] not in ("scored", "closed"):
            yield "phases: an attack phase ends; add one of kind 'scored' or 'closed' after it"

    @property
    def has_attack(self) -> bool:
        """Whether participants attack each other's releases."""
        return any(each.kind == "attack" for each in self.phases)

    def of_family(self, family: Family) -> tuple[str, ...]:
        """The names of the library's metrics of a family, in their order."""
        return tuple(each.name for each in self.metrics if each.family == family and each.digest is None)

    def adopted(self, family: Family) -> tuple[str, ...]:
        """The names of uploaded metrics that rank too."""
        return tuple(each.name for each in self.metrics if each.family == family and each.digest is not None)

    @property
    def pinned(self) -> dict[str, str]:
        """The digest of each uploaded metric that ranks."""
        return {each.name: each.digest for each in self.metrics if each.digest is not None}

    @property
    def weights(self) -> dict[str, float]:
        """Of the metrics of utility."""
        return {each.name: float(each.weight) for each in self.metrics if each.family == "utility"}

    @property
    def study(self) -> Study | None:
        """What the roles say; None if there are none."""
        if not self.roles:
            return None
        return Study(dict(self.roles), "roles", each_record=self.user is None)

    @property
    def parameters(self) -> dict[str, Any]:
        """What the values of all metrics depend on, beside the data: part of the key of an evaluation."""
        parts = {name: self.parts[name] for name in PARTS if name in self.parts}
        return {
            "user": self.user, "parts": parts, "roles": dict(self.roles), "points": list(self.points),
            "seed": self.seed, "attacks": list(self.of_family("privacy")),
        }  # fmt: skip

    def phase_at(self, now: datetime) -> int:
        """The index of the phase that the dates say; phases without a date begin by hand only."""
        begun = [index for index, each in enumerate(self.phases) if each.starts and each.starts <= now]
        return begun[-1] if begun else 0

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON and TOML; `contest_of` reads it."""
        found: dict[str, Any] = {"name": self.name, "title": self.title, "about": self.about}
        found |= {} if self.user is None else {"user": self.user}
        found |= {
            "truth": self.truth,
            "uncertain": self.uncertain,
            "points": list(self.points),
            "seed": self.seed,
        }
        found |= {"most_members": self.most_members}
        for name in ("parts", "roles"):
            found[name] = {
                key: list(value) if isinstance(value, (list, tuple)) else value
                for key, value in getattr(self, name).items()
            }
        for name in ("quota", "limits", "public", *(["attack"] if self.has_attack else [])):
            part = getattr(self, name)
            found[name] = {each.name: getattr(part, each.name) for each in fields(part)}
        found["phase"] = [_phase_dict(each) for each in self.phases]
        found["metric"] = [
            {"name": each.name, "family": each.family}
            | ({} if each.weight == 1 else {"weight": float(each.weight)})
            | ({} if each.digest is None else {"digest": each.digest, "better": each.better})
            for each in self.metrics
        ]
        return found

    def to_toml(self) -> str:
        return toml_document(self.as_dict())


def _phase_dict(phase: Phase) -> dict[str, Any]:
    starts = {} if phase.starts is None else {"starts": phase.starts.astimezone(UTC).isoformat()}
    return {"name": phase.name, "kind": phase.kind, **starts}


def _metric_names() -> list[str]:
    return [each.name for each in UTILITY_MEASURES]


def _is_one_metric(name: Any) -> bool:
    """A metric that is asked of several columns is named with one of them, so that it is one number."""
    if not isinstance(name, str):
        return False
    of_columns = [each.name for each in OF_COLUMNS]
    if any(name.startswith(f"{each}.") and name != f"{each}." for each in of_columns):
        return True
    return name in _metric_names() and name not in of_columns


def _measures(measures: Any, name: Any) -> bool:
    return any(name == each.name or str(name).startswith(f"{each.name}.") for each in measures)


def _part_faults(parts: Any) -> Iterator[str]:
    if not isinstance(parts, Mapping):
        yield 'a table [parts] has lines like amount = "price"'
        return
    for part, columns in parts.items():
        if part not in PARTS:
            yield f"parts: there is no part {part!r}; {name_hint(str(part), PARTS)}"
        elif part in SINGLE and not isinstance(columns, str):
            yield f'parts: {part} is one column, as in {part} = "name"'
        elif part in SEVERAL and not _are_names(columns):
            yield f'parts: {part} is a column or a list of columns, as in {part} = ["name"]'


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _are_names(columns: Any) -> bool:
    return isinstance(columns, str) or (
        isinstance(columns, (list, tuple)) and all(isinstance(each, str) for each in columns)
    )


def _number_faults(called: str, part: Any, most: Mapping[str, int]) -> Iterator[str]:
    for name, highest in most.items():
        if not is_whole(value := getattr(part, name)) or not 1 <= value <= highest:
            yield f"{called}.{name}: must be a whole number from 1 to {highest:,}"


TABLES: dict[str, type[Any]] = {
    "quota": Quota, "limits": SubmissionLimits, "public": Visibility, "attack": AttackRules,
}  # fmt: skip


def contest_of(content: Mapping[str, Any]) -> Contest:
    """A contest from what TOML or JSON said; all its mistakes are told at once."""
    plain = ("name", "title", "about", "truth", "uncertain", "seed", "most_members", "parts", "roles")
    known = (*plain, "user", "points", "quota", "limits", "public", "attack", "phase", "metric")
    faults = [f"{key!r} is unknown here; {name_hint(key, known)}" for key in content if key not in known]
    found: dict[str, Any] = {key: content[key] for key in plain if key in content}
    if isinstance(parts := found.get("parts"), Mapping):
        found["parts"] = {_part_called(each, parts): columns for each, columns in parts.items()}
    found["user"] = content.get("user") or None
    points = content.get("points", ())
    found["points"] = tuple(points) if isinstance(points, list) else points
    for key, kind in TABLES.items():
        found[key] = _record(kind, content.get(key, {}), key, faults)
    found["phases"] = tuple(_phases(content, faults))
    found["metrics"] = tuple(_records(ContestMetric, content.get("metric", []), "metric", faults))
    if not found["phases"]:
        del found["phases"]
    try:
        contest = Contest(**{"name": "", "title": "", **found})
    except UsageError as wrong:
        raise UsageError("; ".join([str(wrong), *faults])) from wrong
    if faults:
        raise UsageError(f"contest: {'; '.join(faults)}")
    return contest


def _part_called(name: str, parts: Mapping[str, Any]) -> str:
    """A part may be named as its option of `compare`, where it is not named twice."""
    own = next((part for part, option in OPTIONS.items() if option == name), name)
    return name if own in parts else own


def _phases(content: Mapping[str, Any], faults: list[str]) -> Iterator[Phase]:
    for each in _records(Phase, content.get("phase", []), "phase", faults):
        if isinstance(each.starts, str):
            try:
                yield replace(each, starts=datetime.fromisoformat(each.starts))
            except ValueError:
                faults.append(
                    f"phase {each.name!r}: starts is a time with its zone, like 2026-12-01T09:00:00Z"
                )
        else:
            yield each


def _records(kind: type[Any], content: Any, name: str, faults: list[str]) -> Iterator[Any]:
    if not isinstance(content, list):
        faults.append(f"write each {name} as [[{name}]]")
        return
    for number, each in enumerate(content, 1):
        if (record := _record(kind, each, f"{name} {number}", faults)) is not None:
            yield record


def _record(kind: type[Any], content: Any, called: str, faults: list[str]) -> Any:
    if not isinstance(content, Mapping):
        faults.append(f"{called}: write a table")
        return kind() if kind in TABLES.values() else None
    known = [each.name for each in fields(kind)]
    faults += [
        f"{called}: {key!r} is unknown here; {name_hint(str(key), known)}"
        for key in content
        if key not in known
    ]
    try:
        return kind(**{key: value for key, value in content.items() if key in known})
    except TypeError:
        lacking = [each for each in known[:2] if each not in content]
        faults.append(f"{called}: {' and '.join(lacking)} is missing")
        return None


@lru_cache(maxsize=64)
def read_contest(text: str) -> Contest:
    """A contest from its TOML text; the same text is read once, for every page asks."""
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"contest: is not TOML: {error}") from error
    return contest_of(content)


ATTACK_PHASES = (
    Phase("Freeze", "frozen"), Phase("Shuffle", "shuffled"), Phase("Publication", "published"),
    Phase("Attack", "attack"), Phase("Scores", "scored"),
)  # fmt: skip


def with_attack_phase(contest: Contest) -> Contest:
    """The same contest, whose releases are attacked by the other teams after the last submission.

    >>> [each.kind for each in with_attack_phase(template("payment-card")).phases]
    ['open', 'frozen', 'shuffled', 'published', 'attack', 'scored', 'closed']
    """
    last_open = max(index for index, each in enumerate(contest.phases) if each.kind == "open")
    after = [each for each in contest.phases[last_open + 1 :] if each.kind == "closed"]
    return replace(contest, phases=(*contest.phases[: last_open + 1], *ATTACK_PHASES, *after))


def template(name: str) -> Contest:
    """A contest to start from.

    >>> template("payment-card").of_family("privacy")
    ('records', 'amount', 'categories', 'places', 'dates', 'pairs')
    """
    if name not in TEMPLATES:
        raise UsageError(f"there is no template {name!r}; {name_hint(name, TEMPLATES)}")
    shelf = files("singleout.platform") / "built_in"
    return read_contest((shelf / f"{name}.toml").read_text(encoding="utf-8"))
