"""Ways to a release that were gone on this very table: what each costs, and the verdict on what comes out."""

from __future__ import annotations

import json
import math
import shlex
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from singleout.deidentify.apply.apply import apply
from singleout.deidentify.generalise.generalise import generalise
from singleout.deidentify.generalise.result import Generalisation
from singleout.engine.job_options import ReadOptions
from singleout.engine.open_tables import open_apart
from singleout.engine.person_table import JOINED
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion
from singleout.errors import SingleoutError
from singleout.investigation.remedies import Remedies
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.decision import Decision
from singleout.read.source import Source
from singleout.risk.identifiers import Identifier
from singleout.roles.hierarchies.hierarchy import Hierarchy
from singleout.roles.hierarchies.suggestion import suggested_levels
from singleout.roles.person_column import NONE
from singleout.temporary_files import temporary_folder

# about a second each
MOST_RECORDS, MOST_VALUES = 200_000, 50_000
SUPPRESS = 0.05
JOINED_FILE = "joined.parquet"
NEW_NAMES = {"step": [{"step": "pseudonymise"}]}
BEST = "attack.best.rate"


@dataclass(frozen=True)
class IntrudersTable:
    """What an intruder has beside a release: its original and the recipe; guesses are scored by the truth."""

    original: Source
    truth: Path
    recipe: Any


class Judge(Protocol):
    """The verdict on a release, attacked from its original where that is given."""

    def __call__(self, release: Path, beside: IntrudersTable | None = None) -> Decision: ...


@dataclass(frozen=True)
class MeasuredWay:
    """`words` say what was done, `price` what it costs, `commands` do it again, with the `recipe`
    where they need one; `decision` is the verdict on what came out."""

    words: str
    price: str
    commands: tuple[str, ...]
    decision: Decision
    recipe: str = ""

    @property
    def reaches(self) -> bool:
        return may_go_out(self.decision)

    @property
    def recognised(self) -> float | None:
        """Of the people, the share whom somebody recognises who has the original and the recipe."""
        rules = (each for each in self.decision.rules if each.rule.measure == BEST)
        return next((each.answer.value for each in rules), None)


def may_go_out(decision: Decision) -> bool:
    return decision.answer in ("conditions", "no_objection")


def needed_group(rules: Sequence[Rule]) -> int:
    """How many must look alike by these rules, 2 where none says so.

    >>> needed_group(())
    2
    """
    sizes = [rule.at_least for rule in rules if rule.measure in ("k", "people.k")]
    risks = [rule.at_most for rule in rules if rule.measure in ("highest_risk", "people.highest_risk")]
    sizes += [1 / risk for risk in risks if risk]
    return max((math.ceil(round(size, 9)) for size in sizes if size), default=2)


def needed_values(rules: Sequence[Rule]) -> int:
    """How many sensitive values a group must have by these rules, 2 where none says so."""
    asked = [each.at_least for each in rules if each.measure in ("sensitive.distinct_l", "diversity")]
    return max((math.ceil(each) for each in asked if each), default=2)


@dataclass(frozen=True, eq=False)
class WayTrials:
    """One table, its columns that attackers may know, and who judges what is made of it."""

    origin: Source
    counter: Engine
    plan: CheckedQuestion
    released: tuple[str, ...]
    identifiers: tuple[Identifier, ...]
    options: ReadOptions
    judge: Judge
    remarks: list[str]

    def ways(self, remedies: Remedies | None, decision: Decision) -> Iterator[MeasuredWay]:
        """What would reach the policy, as far as it can be tried; the advice first, where it may."""
        asked = [each.rule for each in decision.rules]
        group, values = needed_group(asked), needed_values(asked)
        if self.plan.records > MOST_RECORDS:
            self.remarks.append(
                f"ways to a release: not tried, for there are more than {MOST_RECORDS:,} records"
            )
            return
        if remedies and remedies.together and remedies.together.k >= group:
            yield from self._gone("the advice", lambda folder: self._advice(remedies, folder))
        yield from self._gone(
            f"groups of {group}", lambda folder: self._generalisation(group, values, folder)
        )

    def _gone(self, what: str, go: Callable[[Path], MeasuredWay]) -> tuple[MeasuredWay, ...]:
        """A way that can't be gone leaves the others as they are."""
        with temporary_folder() as folder:
            try:
                return (go(folder),)
            except SingleoutError as error:
                self.remarks.append(f"{what}: not tried: {error}")
                return ()

    def _advice(self, remedies: Remedies, folder: Path) -> MeasuredWay:
        recipe, out = remedies.recipe(self.plan.user, self.released), folder / "release.parquet"
        truth = None if self.plan.user is None else folder / "who.csv"
        applied = apply(self.origin, tomllib.loads(recipe), out=out, truth=truth, **self.options)
        changed = [step for step in applied.steps if step.step != "pseudonymise" and step.changed]
        coarser = ", ".join(f"{', '.join(step.columns)} in {step.changed:,}" for step in changed)
        of_all = f"of {self.plan.records:,} record{'' if self.plan.records == 1 else 's'}"
        return MeasuredWay(
            "the recipe of the advice",
            f"values are coarser: {coarser} {of_all}" if coarser else "columns are left out",
            (apply_command(self.origin.name, self.plan.user),),
            self._judge(out, lambda: (out, truth, tomllib.loads(recipe))),
            recipe,
        )

    def _generalisation(self, group: int, values: int, folder: Path) -> MeasuredWay:
        hierarchies, out, diary = self._hierarchies(), folder / "coarse.parquet", folder / "diary.json"
        guarded = [name for name in self.released if name not in self.plan.columns]
        found = generalise(
            self.origin, hierarchies=hierarchies, k=group, suppress=SUPPRESS, out=out, diary=diary,
            alternatives=0, keep=[] if self.plan.user is None else [self.plan.user],
            sensitive=guarded or None, diverse=values if guarded else None, user=self.plan.user or NONE,
            columns=list(hierarchies), **self.options,
        )  # fmt: skip
        who = "people" if self.plan.user else "records"
        several = f", each with {values} values of {', '.join(guarded)}" if guarded else ""
        commands = GeneraliseCommands(self.origin.name, self.plan.user, group, tuple(guarded), values)
        return MeasuredWay(
            f"groups of {group} {who}{several}, in all columns and by suggested hierarchies (generalisation)",
            _generalisation_price(found),
            tuple(commands.lines(list(hierarchies))),
            self._judge(out, lambda: (*self._renamed(out, folder), diary)),
        )

    def _renamed(self, coarse: Path, folder: Path) -> tuple[Path, Path]:
        """People under fresh names, as the commands have it, and who is who."""
        out, truth = folder / "release.parquet", folder / "who.csv"
        apply(coarse, NEW_NAMES, user=self.plan.user, out=out, truth=truth)
        return out, truth

    def _judge(self, out: Path, finish: Callable[[], tuple[Path, Path | None, Any]]) -> Decision:
        """By counting first; what passes is finished, and attacked by somebody who knows the recipe.

        Where each record is its own person that tells no more than the groups do: of each somebody is right
        about one. The files are gone afterwards, so that nobody may keep them open.
        """
        with open_apart():
            decision = self.judge(out)
            if self.plan.user is None or not may_go_out(decision):
                return decision
            release, truth, recipe = finish()
            assert truth is not None
            return self.judge(release, IntrudersTable(self.origin, truth, recipe))

    def _hierarchies(self) -> dict[str, Any]:
        found = {}
        named = {each.column for each in self.identifiers}
        for name in (name for name in self.plan.columns if name not in named):
            values = self.counter.values(name, self.plan.question((name,)))
            few = values if len(values) <= MOST_VALUES else ()
            found[name] = Hierarchy(name, suggested_levels(name, few)[0])
        return found


def _generalisation_price(found: Generalisation) -> str:
    gone = [each.name for each in found.attributes if each.level == each.height]
    lost = f"the loss is {found.loss:.3g} (0: nothing, 1: everything)"
    without = f", nothing is left of {', '.join(gone)}" if gone else ""
    return f"{lost}{without}, and {found.suppressed:,} of {found.records:,} records are left out"


def toml_text(text: str) -> str:
    """In plain ASCII, which every shell and terminal passes on as it is.

    >>> toml_text("naïve 😀")
    '"na\\\\U000000efve \\\\U0001f600"'
    """
    plain = (
        each if each.isascii() and each.isprintable() and each not in '"\\' else f"\\U{ord(each):08x}"
        for each in text
    )
    return f'"{"".join(plain)}"'


def write_command(text: str, path: str) -> str:
    """How a small file of plain ASCII is written by a shell."""
    return f"printf '%b' {shlex.quote(text.encode('unicode_escape').decode())} > {path}"


def file_in_commands(table: str) -> str:
    """What a command reads: of two tables that were joined a file that has both."""
    return JOINED_FILE if JOINED in table else shlex.quote(table)


def join_command(table: str, user: str | None) -> tuple[str, ...]:
    """How that file is written, where there are two tables.

    >>> join_command("shop.csv", "customer")
    ()
    """
    history, joined, people = table.partition(JOINED)
    if not joined:
        return ()
    given = ", ".join(json.dumps(each, ensure_ascii=False) for each in (history, people))
    script = (
        f"import singleout, pyarrow.parquet; both = singleout.join_people({given}, "
        f"user={json.dumps(user, ensure_ascii=False)}); "
        f'pyarrow.parquet.write_table(both.source.frame, "{JOINED_FILE}")'
    )
    return (f"python -c {shlex.quote(script)}",)


def apply_command(table: str, user: str | None) -> str:
    """How the recipe of a report is applied."""
    truth = "" if user is None else " --truth who.csv"
    return (
        f"singleout deidentify apply {file_in_commands(table)} --recipe recipe.toml --out release.csv{truth}"
    )


@dataclass(frozen=True)
class GeneraliseCommands:
    """What somebody types to make the same release, people under fresh names."""

    table: str
    user: str | None
    group: int
    sensitive: tuple[str, ...]
    values: int

    def lines(self, columns: Sequence[str]) -> Iterator[str]:
        table = file_in_commands(self.table)
        yield "mkdir -p hierarchies"
        for name in columns:
            out = shlex.quote(f"hierarchies/{name}.csv")
            yield f"singleout hierarchy {table} --column {shlex.quote(name)} --out {out}"
        made = "release.csv" if self.user is None else "coarse.csv"
        yield (
            f"singleout deidentify generalise {table} --hierarchies hierarchies --k {self.group} "
            f"--suppress {SUPPRESS}{self._options()} --out {made}"
        )
        if self.user is not None:
            recipe = f'user = {toml_text(self.user)}\n[[step]]\nstep = "pseudonymise"\n'
            yield write_command(recipe, "names.toml")
            yield (
                "singleout deidentify apply coarse.csv --recipe names.toml --out release.csv --truth who.csv"
            )

    def _options(self) -> str:
        said = [("--user", self.user or NONE)]
        if self.sensitive:
            said += [("--sensitive", ",".join(self.sensitive)), ("--l-diversity", str(self.values))]
        if self.user is not None:
            said.append(("--fixed", self.user))
        return "".join(f" {option} {shlex.quote(value)}" for option, value in said)
