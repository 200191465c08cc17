"""Ways to a release that were gone on this very table: what each costs, and the verdict on what comes out."""

from __future__ import annotations

import math
import shlex
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.deidentify.apply.apply import apply
from singleout.deidentify.generalise.generalise import generalise
from singleout.deidentify.generalise.result import Generalisation
from singleout.engine.open_tables import open_apart
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion
from singleout.errors import SingleoutError
from singleout.investigation.remedies import Remedies
from singleout.policy.decision import Decision
from singleout.policy.judged_rule import JudgedRule
from singleout.read.source import Source
from singleout.roles.hierarchies.hierarchy import Hierarchy
from singleout.roles.hierarchies.suggestion import suggested_levels
from singleout.temporary_files import temporary_folder

# about a second each
MOST_RECORDS, MOST_VALUES = 200_000, 50_000
SUPPRESS = 0.05
Judge = Callable[[Path], Decision]


@dataclass(frozen=True)
class MeasuredWay:
    """`words` say what was done, `price` what it costs, `commands` do it again, `decision` is the verdict."""

    words: str
    price: str
    commands: tuple[str, ...]
    decision: Decision

    @property
    def reaches(self) -> bool:
        return self.decision.answer in ("conditions", "no_objection")


def needed_group(rules: Sequence[JudgedRule]) -> int:
    """How many must look alike by these rules, 2 where none says so.

    >>> needed_group(())
    2
    """
    asked = [rule.rule for rule in rules]
    sizes = [rule.at_least for rule in asked if rule.measure in ("k", "people.k")]
    risks = [rule.at_most for rule in asked if rule.measure in ("highest_risk", "people.highest_risk")]
    sizes += [1 / risk for risk in risks if risk]
    return max((math.ceil(round(size, 9)) for size in sizes if size), default=2)


@dataclass(frozen=True, eq=False)
class WayTrials:
    """One table, its columns that attackers may know, and who judges what is made of it."""

    origin: Source
    counter: Engine
    plan: CheckedQuestion
    released: tuple[str, ...]
    judge: Judge
    remarks: list[str]

    def ways(self, remedies: Remedies | None, decision: Decision) -> Iterator[MeasuredWay]:
        """What would reach the policy, as far as it can be tried; the advice first, where it may."""
        group = needed_group(decision.rules)
        if self.plan.records > MOST_RECORDS:
            self.remarks.append(
                f"ways to a release: not tried, for there are more than {MOST_RECORDS:,} records"
            )
            return
        if remedies and remedies.together and remedies.together.k >= group:
            yield from self._gone("the advice", lambda folder: self._advice(remedies, folder))
        yield from self._gone(f"groups of {group}", lambda folder: self._generalisation(group, folder))

    def _gone(self, what: str, go: Callable[[Path], MeasuredWay]) -> tuple[MeasuredWay, ...]:
        """A way that can't be gone leaves the others as they are."""
        with temporary_folder() as folder, open_apart():
            try:
                return (go(folder),)
            except SingleoutError as error:
                self.remarks.append(f"{what}: not tried: {error}")
                return ()

    def _advice(self, remedies: Remedies, folder: Path) -> MeasuredWay:
        recipe, out = remedies.recipe(self.plan.user, self.released), folder / "release.parquet"
        applied = apply(self.origin, tomllib.loads(recipe), out=out)
        changed = max((step.changed for step in applied.steps), default=0)
        return MeasuredWay(
            "the recipe below",
            f"a column is coarser in up to {changed:,} of {self.plan.records:,} records",
            (apply_command(self.origin.name),),
            self.judge(out),
        )

    def _generalisation(self, group: int, folder: Path) -> MeasuredWay:
        hierarchies, out = self._hierarchies(), folder / "release.parquet"
        keep = [name for name in self.released if name not in hierarchies]
        found = generalise(
            self.origin, hierarchies=hierarchies, k=group, suppress=SUPPRESS, out=out, alternatives=0,
            keep=[*([] if self.plan.user is None else [self.plan.user]), *keep],
            user=self.plan.user, columns=list(hierarchies),
        )  # fmt: skip
        who = "people" if self.plan.user else "records"
        return MeasuredWay(
            f"a generalisation of all columns to groups of {group} {who}, by suggested hierarchies",
            _generalisation_price(found),
            tuple(_generalise_commands(self.origin.name, list(hierarchies), group, self.plan.user, keep)),
            self.judge(out),
        )

    def _hierarchies(self) -> dict[str, Any]:
        found = {}
        for name in self.plan.columns:
            values = self.counter.values(name, self.plan.question((name,)))
            few = values if len(values) <= MOST_VALUES else ()
            found[name] = Hierarchy(name, suggested_levels(name, few)[0])
        return found


def _generalisation_price(found: Generalisation) -> str:
    gone = [each.name for each in found.attributes if each.level == each.height]
    lost = f"the loss is {found.loss:.3g} (0: nothing, 1: everything)"
    without = f", nothing is left of {', '.join(gone)}" if gone else ""
    return f"{lost}{without}, and {found.suppressed:,} of {found.records:,} records are left out"


def apply_command(table: str) -> str:
    """How the recipe of a report is applied."""
    options = "--recipe recipe.toml --out release.csv --truth who.csv"
    return f"singleout deidentify apply {shlex.quote(table)} {options}"


def _generalise_commands(
    table: str, columns: Sequence[str], group: int, user: str | None, keep: Sequence[str]
) -> Iterator[str]:
    quoted = shlex.quote(table)
    yield "mkdir -p hierarchies"
    for name in columns:
        out = shlex.quote(f"hierarchies/{name}.csv")
        yield f"singleout hierarchy {quoted} --column {shlex.quote(name)} --out {out}"
    kept = [*([] if user is None else [user]), *keep]
    options = "".join(
        f" {option} {shlex.quote(value)}"
        for option, value in (("--user", user), ("--keep", ",".join(kept)))
        if value
    )
    yield (
        f"singleout deidentify generalise {quoted} --hierarchies hierarchies --k {group} "
        f"--suppress {SUPPRESS}{options} --out release.csv"
    )
