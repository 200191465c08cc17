"""A rule beside a table: its measure, the columns it is asked of, and what is known of people there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from singleout.attacks.attack import DRAWS
from singleout.attacks.unicity.draw_interval import CONFIDENCE
from singleout.engine.missing_values import Missing
from singleout.policy.result import AssumedAttacker
from singleout.policy.rules.attacker import ONE, Attacker, points_in_words, share_in_words
from singleout.policy.rules.measure_paths import EVERY, Family, FoundMeasure
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.rule_verdict import Answer
from singleout.result_table import cell_text
from singleout.risk.combinations.request import SAMPLED
from singleout.roles.known_column import KnownColumn

# what a rule's measure takes where the rule does not say it
DEFAULTS: Mapping[str, Any] = {
    "allow": 1, "synergy": 1.0, "sampled": SAMPLED, "known": 1, "times": 1, "narrow": 1, "draws": DRAWS,
    "l": 2,
}  # fmt: skip
IS_AN_END = "it is the {} end of the {:g} % interval, whose mean is {}"
COUNT_RECORDS = "how many are known counts in points.* and attack.*"


@dataclass(frozen=True)
class RuleQuestion:
    """A rule, its measure, and what it is asked of; `columns` is None for what a job takes by itself.

    `sensitive` are the columns that it asks what can be learned of, where it is about such.
    """

    number: int
    rule: Rule
    found: FoundMeasure
    columns: tuple[KnownColumn, ...] | None
    assumed: AssumedAttacker | None
    missing: Missing
    sensitive: tuple[str, ...] = ()

    @property
    def part(self) -> str:
        return self.found.path.part

    @property
    def family(self) -> Family:
        return self.found.path.family

    @property
    def every(self) -> bool:
        """Whether the worst of several is asked for."""
        return self.found.every or self.parameter("sensitive") == EVERY

    @property
    def names(self) -> tuple[str, ...] | None:
        return None if self.columns is None else tuple(each.name for each in self.columns)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(each.words for each in self.columns or ())

    def parameter(self, name: str) -> Any:
        """What the rule says, or else what its measure takes unsaid."""
        return self.rule.parameters.get(name, DEFAULTS.get(name))

    def answer(
        self,
        value: float | int | None,
        reason: str | None = None,
        of: str | None = None,
        settings: Mapping[str, Any] | None = None,
        estimated: str | None = None,
    ) -> Answer:
        known = None if self.assumed is None else self._records(self.assumed.attacker)
        own = self.found.path.own_key
        settings = {**({own: self.parameter(own)} if own else {}), **(settings or {})}
        estimate = None if value is None else estimated
        return Answer(value, reason, self.words, of, self.missing, settings, estimate, known)

    def safe_value(
        self, mean: float, low: float, high: float, confidence: float = CONFIDENCE
    ) -> tuple[float, str | None]:
        """The end of an estimate's interval that is on the safe side of the limit, and a note of it.

        The upper end under at_most, the lower one where at_least is asked for alone, else the mean.
        """
        if self.rule.equals is not None or low == high:
            return mean, None
        if self.rule.at_most is not None:
            return high, IS_AN_END.format("upper", 100 * confidence, cell_text(mean))
        return low, IS_AN_END.format("lower", 100 * confidence, cell_text(mean))

    @property
    def share(self) -> float:
        """Of everybody's records, those that are known where whole people are compared."""
        said = self.parameter("share")
        return float(said or (self.assumed.attacker.share if self.assumed else 1))

    @property
    def points(self) -> int | None:
        """How many records of a person are known, None for all of the share."""
        if self.found.few_records:
            return int(self.found.name.rpartition("_")[2])
        found: int | None = self.parameter("points")
        return self.assumed.attacker.points if self.assumed and found is None else found

    @property
    def worst(self) -> bool:
        """Whether the most telling records are known, not random ones."""
        if self.found.few_records:
            return self.found.name.startswith("worst")
        return bool(self.parameter("worst"))

    def _records(self, attacker: Attacker) -> str:
        """Which records the attacker is taken to know where this is asked."""
        if self.family == "inference":
            return share_in_words(1)
        if self.family not in ("points", "attack"):
            return f"{ONE}, whichever it is ({COUNT_RECORDS})"
        if self.points is not None and (self.family == "points" or self.found.few_records):
            return points_in_words(self.points, self.worst)
        share = share_in_words(self.share)
        few = self.found.name == "best" and attacker.points
        return f"{share}, or {points_in_words(few)}" if few else share


def is_kept_by_look_alikes(rule: Rule, found: FoundMeasure) -> bool:
    """Whether groups of look-alikes may keep this limit of an attack, whoever is in them."""
    return found.path.part in ("rate", "bound") and rule.at_most is not None and rule.at_least is None
