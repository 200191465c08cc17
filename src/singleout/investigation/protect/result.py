"""The change that keeps a policy and costs the least: what `protect` found, and reports are written from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from singleout.deidentify.seeds import told_seed
from singleout.investigation.protect.objective import NEED_LOST, PROTECT_MEASURES
from singleout.investigation.protect.recipe_file import recipe_text
from singleout.investigation.protect.trial import RecipeTrial
from singleout.measurement import Measure
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.decision import Decision
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.result_table import Heading, ResultTable, TableResult, html_list, table_size

# what some people tell of them is an estimate for all
KNOWN_RECORDS = "attack.points_"


@dataclass(frozen=True)
class ChangeReason:
    """One change of the chosen recipe, and what was measured without it."""

    words: str
    reason: str

    def to_dict(self) -> dict[str, str]:
        return vars(self).copy()


@dataclass(frozen=True)
class SearchProof:
    """How far the answer is known to be the best of its space.

    Of the `recipes` that change no records but by making columns coarser, `broken` are as fine as one that
    breaks a rule, and `unknown` are neither that nor tried. `inferred` are those of the broken that were not
    tried, and of which no group of look-alikes but an attack on a coarser one tells: it is no proof, for an
    attack may find less where there is more to see. All three are None where there are too many to count.
    Records may be changed in so many `ways` too, each with as many recipes, of which `changing` were tried.
    `ended` says why the search ended before it was done.
    """

    tried: int
    recipes: int
    broken: int | None
    unknown: int | None
    inferred: int | None
    ways: int
    changing: int
    ended: str | None

    @property
    def is_best(self) -> bool:
        """Whether every recipe of the space was tried or breaks a rule on groups of look-alikes; never where
        records may be changed too, which is tried in part."""
        return self.unknown == 0 and self.inferred == 0 and not self.ways and self.ended is None

    @property
    def words(self) -> str:
        if self.broken is None:
            known = (
                f"{self.recipes:,} recipes make columns coarser, and {self.tried:,} of the space were tried"
            )
        else:
            known = (
                f"of {self.recipes:,} recipes that only make columns coarser {self.broken:,} are as fine as "
                f"one that breaks a rule{self._inferred_words}, and {self.unknown:,} are unknown; "
                f"{self.tried:,} were tried in all"
            )
        if self.ways:
            tried = f"{self.changing:,} were" if self.changing > 1 else f"{self.changing or 'none'} was"
            known += (
                f"; records can be changed too, in {self.ways:,} ways with as many recipes each, of which "
                f"{tried} tried"
            )
        return known if self.ended is None else f"{known}; the search ended early: {self.ended}"

    @property
    def _inferred_words(self) -> str:
        if not self.inferred:
            return ""
        return f" ({self.inferred:,} of them by what attacks and the like found of a coarser one, no proof)"

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "is_best": self.is_best, "words": self.words}


@dataclass(frozen=True, repr=False)
class Protection(TableResult):
    """What `protect` found: whether the policy is `reached`, by which recipe, at what cost.

    `chosen` is the recipe of the release, or of the nearest that was found; its `rules` are the gate's answer
    on the very file, and its `decision` is what the gate says in all, with what passing takes for granted and
    what was not tried. `front` has the recipes that no other beats in both privacy and use, `trials` all that
    were tried, the original first. `privacy_rule` is the rule that the front is about. `written` names the
    files, by what is in them.
    """

    source: str
    policy: str
    user: str | None
    seed: int
    records: int
    people: int
    reached: bool
    chosen: RecipeTrial | None
    reasons: tuple[ChangeReason, ...]
    trials: tuple[RecipeTrial, ...]
    front: tuple[RecipeTrial, ...]
    privacy_rule: Rule
    proof: SearchProof
    cheaper: RecipeTrial | None
    safer: RecipeTrial | None
    obstacles: tuple[str, ...]
    advice: tuple[str, ...]
    written: Mapping[str, str]
    remarks: tuple[str, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        return PROTECT_MEASURES

    @property
    def rules(self) -> tuple[RuleVerdict, ...]:
        return () if self.chosen is None else self.chosen.rules

    @property
    def decision(self) -> Decision | None:
        return None if self.chosen is None else self.chosen.decision

    @property
    def recipe(self) -> str | None:
        """In TOML, as `deidentify apply` reads it."""
        return None if self.chosen is None else recipe_text(self.chosen.content)

    def privacy_of(self, trial: RecipeTrial) -> float | None:
        """The number that the front's rule found; None where it is unknown."""
        return privacy_value(trial, self.privacy_rule)

    @property
    def headline(self) -> str:
        """Reached or not, in one line."""
        if self.reached:
            only = f" {self.decision.headline}." if self.decision else ""
            return f"REACHED: {self.source} keeps {self.policy} after these changes.{only}"
        return f"NOT REACHED: nothing that was tried on {self.source} keeps {self.policy}."

    def _repr_html_(self) -> str:
        """Recipes that keep the policy are in the table also where the file that came out does not."""
        decision = self.decision if self.reached else None
        says = decision._repr_html_() if decision else html_list(self.obstacles)
        return f"<p><strong>{escape(self.headline)}</strong></p>{says}{super()._repr_html_()}"

    def __repr__(self) -> str:
        if self.chosen is None or self.chosen.lost is None:
            return f"<Protection of {self.source} by {self.policy}: nothing came near>"
        how = "reached" if self.reached else "NOT reached"
        return f"<Protection of {self.source} by {self.policy}: {how}, {self.chosen.lost:.1%} lost>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout protect --json`."""
        chosen = self.chosen
        return {
            "reached": self.reached,
            "verdict": None if self.decision is None else self.decision.to_dict(),
            "source": self.source,
            "policy": self.policy,
            "user": self.user,
            "seed": told_seed(self.seed),
            "records": self.records,
            "people": self.people,
            "rules": [each.to_dict() for each in self.rules],
            "recipe": None if chosen is None else dict(chosen.content),
            "changes": [each.to_dict() for each in self.reasons],
            "lost": None if chosen is None else chosen.lost,
            "utility": [] if chosen is None else [each.to_dict() for each in chosen.kept],
            "privacy": [_privacy(each) for each in self.rules],
            "front": [self._point(each) for each in self.front],
            "privacy_rule": self.privacy_rule.called,
            "tried": len(self.trials),
            "trials": [self._point(each) for each in self.trials],
            "proof": self.proof.to_dict(),
            "cheaper": None if self.cheaper is None else self._point(self.cheaper),
            "safer": None if self.safer is None else self._point(self.safer),
            "obstacles": list(self.obstacles),
            "advice": list(self.advice),
            "written": dict(self.written),
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in self.measures},
        }

    def _point(self, trial: RecipeTrial) -> dict[str, Any]:
        return {
            "recipe": dict(trial.content),
            "words": list(trial.words),
            "utility": trial.lost,
            "privacy": self.privacy_of(trial),
            "passed": trial.passed,
            "sampled": trial.sampled,
            "stopped": trial.stopped,
        }

    def table(self) -> ResultTable:
        """One row a recipe that was tried."""
        rows = tuple(self._rows(self.trials))
        note = f"{table_size(self.records, self.people)}; policy {self.policy}."
        return ResultTable(f"Recipes tried on {self.source}", _headings(self.privacy_rule), rows, note)

    def _rows(self, trials: Sequence[RecipeTrial]) -> Iterator[tuple[Any, ...]]:
        for each in trials:
            words = "; ".join(each.words) or "the original under other names"
            yield words, each.lost, self.privacy_of(each), each.sampled, each.passed, each in self.front


def _headings(rule: Rule) -> tuple[Heading, ...]:
    return (
        Heading("recipe", "recipe"),
        Heading.of("lost", "lost", NEED_LOST),
        Heading("privacy", rule.called),
        Heading("sampled", "estimated"),
        Heading("passed", "keeps the policy"),
        Heading("front", "on the front"),
    )


def privacy_value(trial: RecipeTrial, rule: Rule) -> float | None:
    """None where it is unknown, and where known records alone tell of all attacks that one is too good."""
    if trial.sampled and not rule.measure.startswith(KNOWN_RECORDS):
        return None
    found = [each.answer.value for each in trial.rules if each.rule == rule]
    return float(found[0]) if found and found[0] is not None else None


def _privacy(judged: RuleVerdict) -> dict[str, Any]:
    return {
        "rule": judged.rule.called,
        "value": judged.answer.value,
        "limit": judged.rule.limit,
        "passed": judged.passed,
    }
