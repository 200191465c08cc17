"""What else a table can be released as, and what that costs on this very data: dummies, or counts only."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from singleout.attacks.attacker_knowledge import in_words
from singleout.deidentify.dummies.dummies import dummies
from singleout.engine.columns import kind_of
from singleout.engine.job_options import ReadOptions
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion
from singleout.errors import SingleoutError
from singleout.investigation.coarser_values import coarsenings
from singleout.investigation.release_ways import file_in_commands, toml_text, write_command
from singleout.read.source import Source
from singleout.roles.person_column import NONE

# about half a second
MOST_RECORDS = 50_000
# of further columns only their number is told
MOST_TOLD = 6
# a column of fewer values is no list of things that people have sets of
LEAST_ITEMS = 10
SUBTRACTED = "whoever knows a total can subtract the others from it"


@dataclass(frozen=True)
class PricedAlternative:
    """`words` say what would be released, `price` what that costs, `keeps` whom it protects by its making.

    It was counted on the table, and not judged by the policy; `commands` make it.
    """

    words: str
    price: str
    keeps: str
    commands: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Alternatives:
    """A table that may not go out, and how many people must look alike by the policy."""

    origin: Source
    counter: Engine
    plan: CheckedQuestion
    left_out: tuple[str, ...]
    group: int
    options: ReadOptions
    remarks: list[str]

    def priced(self) -> Iterator[PricedAlternative]:
        item = self._item_column()
        if item is not None and self.plan.records <= MOST_RECORDS:
            try:
                yield self._dummies(item)
            except SingleoutError as error:
                self.remarks.append(f"dummies: their price was not measured: {error}")
        yield from self._counts()

    @property
    def _columns(self) -> list[str]:
        return [name for name in self.plan.columns if name not in self.left_out]

    def _item_column(self) -> str | None:
        """The column of most values that is neither a time nor measured: what people have sets of."""
        if self.plan.user is None or self.plan.people < 2 * self.group:
            return None
        many = {name: self._values(name) for name in self._columns if self._holds_things(name)}
        return max((name for name in many if many[name] >= LEAST_ITEMS), key=many.__getitem__, default=None)

    def _holds_things(self, name: str) -> bool:
        kind = kind_of(next(each.type for each in self.counter.columns() if each.name == name))
        examples = self.counter.look(name).examples
        times = (way.granularity in ("minute", "hour", "day", "month", "year") for way in coarsenings(
            name, examples, text=True, dates=False
        ))  # fmt: skip
        return kind == "text" and not any(times)

    def _values(self, name: str) -> int:
        return self.counter.sizes(self.plan.question((name,))).total_groups

    def _dummies(self, item: str) -> PricedAlternative:
        user = str(self.plan.user)
        found = dummies(self.origin, user=user, item=item, smallest=self.group, **self.options)
        kept = sum(each.size * each.items for each in found.clusters) - found.dummies
        others = [name for name in self._columns if name != item]
        lost = in_words([*others, f"how many records of a person have the same {item}"])
        # never less than it is
        recognised = math.ceil(1000 * found.bound) / 1000
        return PricedAlternative(
            f"only people's sets of {item}, each value of a person once, hidden among those of at least "
            f"{self.group} people (dummies)",
            f"{found.dummies:,} made-up records beside {kept:,} real ones; lost: {lost}",
            f"every record fits at least {found.smallest} people, and whoever knows these sets recognises at "
            f"most {recognised:.1%} of the people on average",
            tuple(self._dummies_commands(user, item)),
        )

    def _dummies_commands(self, user: str, item: str) -> Iterator[str]:
        table, columns = file_in_commands(self.origin.name), (shlex.quote(user), shlex.quote(item))
        who, what = toml_text(user), toml_text(item)
        yield write_command(f"user = {who}\ncolumns = [{who}, {what}]\n", "items.toml")
        yield f"singleout deidentify apply {table} --recipe items.toml --out items.csv"
        yield "awk '!seen[$0]++' items.csv > once.csv"
        yield (
            "singleout deidentify dummies once.csv --user {} --item {} ".format(*columns)
            + f"--smallest {self.group} --out release.csv --truth who.csv"
        )

    def _counts(self) -> Iterator[PricedAlternative]:
        """Of each column by itself, the values that so many people have."""
        columns = [name for name in self._columns if self._kept_values(name)]
        who = "people" if self.plan.user else "records"
        if not columns:
            return
        yield PricedAlternative(
            f"counts instead of records, a table for each column, of values that at least {self.group} {who} "
            "have",
            f"left: {in_words(self._left(columns))}; lost: what columns tell of each other, and which "
            "records are of one person",
            f"every count is of at least {self.group} {who}, if the rest, put under one name, is of as many "
            f"too: {SUBTRACTED}",
            tuple(self._count_commands(columns)),
        )

    def _left(self, columns: Sequence[str]) -> list[str]:
        more = len(columns) - MOST_TOLD
        others = [f"values of {more} more column{'' if more == 1 else 's'}"] if more > 0 else []
        return [*map(self._kept_counts, columns[:MOST_TOLD]), *others]

    def _kept_values(self, name: str) -> list[tuple[int, int]]:
        """How many records such values have, and how many values have so many."""
        sizes = self.counter.sizes(self.plan.question((name,)))
        return [(records, groups) for records, people, groups in sizes.rows() if people >= self.group]

    def _kept_counts(self, name: str) -> str:
        sizes, rows = self.counter.sizes(self.plan.question((name,))), self._kept_values(name)
        values, records = sum(groups for _, groups in rows), sum(many * groups for many, groups in rows)
        # never more than there is
        permille = 1000 * records // max(sizes.total_records, 1)
        return f"{values:,} of {sizes.total_groups:,} values of {name} ({permille / 10:g}% of the records)"

    def _count_commands(self, columns: Sequence[str]) -> Iterator[str]:
        table, user = file_in_commands(self.origin.name), shlex.quote(self.plan.user or NONE)
        names = shlex.quote(",".join(columns))
        yield (
            f"singleout assess {table} --user {user} --columns {names} --value-risks counts.csv --show-values"
        )
        yield f"# release of counts.csv only the lines of at least {self.group} people"


def protect_command(table: str, user: str | None, sensitive: Sequence[str], policy: str) -> str:
    """What searches for the change that keeps the policy and costs the least."""
    guarded = f" --sensitive {shlex.quote(','.join(sensitive))}" if sensitive else ""
    truth = "" if user is None else " --truth who.csv"
    return (
        f"singleout protect {file_in_commands(table)} --user {shlex.quote(user or NONE)}{guarded} --policy "
        f"{shlex.quote(policy)} --out release.csv{truth}"
    )
