"""What coarser values would do to the risk: tried on the data, not read off a list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from singleout.roles.person_column import NONE


@dataclass(frozen=True)
class Trial:
    """One column made coarser, all else as it is, and what that does to the risk.

    `granularity` is as in costs and tolerances ('month', 'hour', 'first 3', 'round 10'), None: the column is
    left out. `words` say it for people, as in 'date to the month'. `values` and `risk` (of Ito et al. 2019)
    are of the column itself, 0 where it is left out; `average_risk`, `k`, `unique` and `people_alone` are
    of all columns together, counted in people where the records have a user, else in records, and then
    without `people_alone`. `recipe` is the step of a recipe that does it.
    """

    column: str
    granularity: str | None
    words: str
    values: int
    risk: float
    average_risk: float
    k: int
    unique: int
    people_alone: int | None
    recipe: str

    @property
    def alone(self) -> int:
        """People who stand out; where each record is its own person, records."""
        return self.unique if self.people_alone is None else self.people_alone


@dataclass(frozen=True)
class Remedies:
    """The trials by column, riskiest column first, the finest of each first, and the advice.

    `before` is the untouched table. `chosen` is for each tried column above the limit the finest trial whose
    own risk is at most `limit`, else the coarsest that keeps the column, or, where none does, leaving it out.
    Where no column is above it by itself, but the average of all together is, it is the coarsest trial that
    keeps each column. `together` is what all chosen ones do at once, None where nothing would be left. The
    `identifiers` are columns that name people: nothing but leaving them out is tried, and chosen always. The
    column, values and risk of `before` and `together` are those of the attribute that is riskiest then.
    """

    limit: float
    before: Trial | None
    trials: tuple[Trial, ...]
    chosen: tuple[Trial, ...]
    together: Trial | None
    remarks: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def of(self, column: str) -> tuple[Trial, ...]:
        return tuple(each for each in self.trials if each.column == column)

    @property
    def best(self) -> Trial | None:
        """Of all trials by themselves, the one that leaves the fewest alone."""
        return min(self.trials, key=lambda each: (each.alone, each.average_risk), default=None)

    def recipe(self, user: str | None, columns: Sequence[str]) -> str:
        """The chosen ones as a recipe that releases just these columns, people under fresh names."""
        left_out = [each.column for each in self.chosen if each.granularity is None]
        kept = [name for name in columns if name not in left_out]
        if not self.chosen or not kept:
            return ""
        head = f"columns = {_toml_list([*([] if user is None else [user]), *kept])}\n"
        head = f"user = {_toml_text(user or NONE)}\n{head}"
        names = [] if user is None else ['[[step]]\nstep = "pseudonymise"\n']
        return "\n".join([head, *(each.recipe for each in self.chosen), *names])


def _toml_list(names: Sequence[str]) -> str:
    """As TOML has it: JSON's escapes are its own too, but for the one control character JSON leaves alone."""
    return f"[{', '.join(map(_toml_text, names))}]"


def _toml_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
