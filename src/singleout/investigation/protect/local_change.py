"""Local recoding and blank cells: for tables, in which different records may have different levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.attacks.attacker_knowledge import in_words
from singleout.deidentify.generalise.local_generalisation import generalise_locally
from singleout.deidentify.suppress.suppress import MOST_COST, suppress
from singleout.errors import GoalError
from singleout.investigation.protect.ladder import Ladder
from singleout.investigation.protect.record_change import LocalGoal, RecordChange
from singleout.investigation.release_ways import needed_group, needed_values
from singleout.policy.rules.rule import Rule
from singleout.read.source import Source
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.roles.hierarchies.hierarchy import Hierarchy
from singleout.roles.person_column import NONE
from singleout.temporary_files import temporary_folder

SUPPRESS = 0.05


def local_changes(
    rules: Sequence[Rule], known: Sequence[str], sensitive: Sequence[str], lose: float
) -> Iterator[RecordChange]:
    """Where a rule asks for groups of look-alikes: each as fine as it may be, or with the fewest blanks.

    Rules that name no columns are about those that are `known`.
    """
    group = needed_group(rules)
    asking = [rule for rule in rules if rule.measure.split(".")[-1] in ("k", "highest_risk")]
    if not asking:
        return
    asked = tuple(dict.fromkeys(name for rule in asking for name in rule.columns or known))
    guarded = tuple(sensitive)
    values = needed_values(rules) if guarded else None
    goal = LocalGoal(group, values, guarded, min(SUPPRESS, lose), asked)
    yield RecordChange(
        "local", f"each record as fine as groups of {group} allow (local recoding)", local=goal
    )
    words = f"the fewest cells blank, so that groups of {group} look alike"
    yield RecordChange("cells", words, local=LocalGoal(group, known=asked))


@dataclass(frozen=True, eq=False)
class LocalRecoding:
    """A table and how its columns become coarser."""

    origin: Source
    user: str | None
    ladders: Sequence[Ladder]
    hierarchies: Mapping[str, Hierarchy]
    machine: Mapping[str, Any]

    def recipe(self, change: RecordChange, columns: Sequence[str]) -> tuple[Recipe, float]:
        """What was done with each record, and the detail that is lost by it, as a mean over columns."""
        goal = change.local
        assert goal is not None
        held = [name for name in self.fixed if name in goal.known and name not in goal.sensitive]
        left = (self.user, *goal.sensitive, *(name for name in self.fixed if name not in held))
        columns = [name for name in columns if name not in left]
        with temporary_folder() as folder:
            diary = folder / "diary.json"
            made = self._cells if change.kind == "cells" else self._levels
            lost = made(goal, columns, held, diary)
            recipe = recipe_of(diary)
        return recipe, lost / max(len(self.ladders), 1)

    @property
    def fixed(self) -> list[str]:
        """Columns that have to stay as they are."""
        return [each.column for each in self.ladders if each.fixed]

    def _levels(self, goal: LocalGoal, columns: Sequence[str], held: Sequence[str], diary: Path) -> float:
        hierarchies = {name: self._hierarchy(name) for name in columns}
        found = generalise_locally(
            self.origin, hierarchies=hierarchies, k=goal.k, suppress=goal.suppress,
            diverse=goal.diverse, sensitive=list(goal.sensitive) or None, diary=diary,
            levels=dict.fromkeys(held, 0), user=self.user or NONE, columns=list(columns), **self.machine,
        )  # fmt: skip
        return sum(each.loss for each in found.attributes)

    def _cells(self, goal: LocalGoal, columns: Sequence[str], held: Sequence[str], diary: Path) -> float:
        found = suppress(
            self.origin, k=goal.k, columns=list(columns), importance=dict.fromkeys(held, MOST_COST),
            diary=diary, user=self.user or NONE, **self.machine,
        )  # fmt: skip
        if lost := [name for name in held if found.cells_by_column[name]]:
            raise GoalError(f"cells of {in_words(lost)} would have to be blank, which is to stay as it is")
        return sum(found.cells_by_column.values()) / max(found.records, 1)

    def _hierarchy(self, name: str) -> Any:
        """The given one, or the rules of the ladder; values are not listed, so that a recipe names none."""
        if name in self.fixed:
            return [{"type": "raw"}]
        if name in self.hierarchies:
            return self.hierarchies[name]
        (ladder,) = (each for each in self.ladders if each.column == name)
        rules = [_rule(rung.step) for rung in ladder.rungs if rung.step is not None]
        return [{"type": "raw"}, *rules, {"type": "suppress"}]


def _rule(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """A step as the level of a hierarchy.

    >>> _rule({"step": "round", "columns": ["age"], "to": 10, "how": "down"})
    {'type': 'interval', 'width': 10}
    """
    if step["step"] == "round":
        return {"type": "interval", "width": step["to"]}
    level: Mapping[str, Any] = step["levels"][step["level"]]
    return level
