"""What a rule of a policy can be about: every measure by the path that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from singleout.attacks import measures as attack
from singleout.attacks.inference.measures import INFERENCE_BASELINE, INFERENCE_GAIN, INFERENCE_RATE
from singleout.measurement import Measure
from singleout.policy.rules.measures import (
    CERTAIN,
    PEOPLE_ALONE_SHARE,
    PEOPLE_UNIQUE_SHARE,
    SMALLEST_RISKY_SET,
    UNIQUE_SHARE,
)
from singleout.risk import measures as risk
from singleout.risk.assess.sampling import SAMPLED_RISK
from singleout.risk.combinations.suda import CONTRIBUTION
from singleout.utility.catalogue import OF_COLUMNS, UTILITY_MEASURES
from singleout.utility.information_loss import AVERAGE_CLASS_SIZE, DISCERNIBILITY, LOSS

Family = Literal[
    "classes", "attribute", "set", "combinations", "record", "sensitive", "inference", "domain", "prediction",
    "attack", "points", "utility", "population", "reference",
    "weighted",
]  # fmt: skip
SCOPE = ("columns", "missing")
ALSO = (*SCOPE, "attacker")
ALL_TAKE: dict[Family, tuple[str, ...]] = {
    "classes": ALSO,
    "attribute": ALSO,
    "set": ALSO,
    "combinations": ALSO,
    "record": ALSO,
    "sensitive": (*ALSO, "sensitive"),
    "inference": (*ALSO, "sensitive"),
    "domain": ("missing",),
    "prediction": SCOPE,
    "attack": (*ALSO, "share"),
    "points": (*ALSO, "points", "worst", "draws"),
    "utility": SCOPE,
    "population": ("columns", "attacker", "points"),
    "reference": ("columns",),
    "weighted": ("columns", "attacker"),
}
SOME_TAKE: dict[str, str] = {
    "set.records_at_risk": "allow",
    "set.people_at_risk": "allow",
    "set.synergy_share": "synergy",
    "combinations.smallest_risky_set": "allow",
    "record.minimal_sets": "allow",
    "record.smallest_set": "allow",
    "record.dis_suda": "sampled",
    "domain.NAME.success_after": "known",
    "domain.NAME.rare_share": "times",
    "points.narrowed": "narrow",
    "sensitive.recursive_c": "l",
    "points.narrowed.mean": "narrow",
}
NEEDS: dict[Family, str] = {
    "domain": "domains and a user",
    "attack": "an original",
    "utility": "an original",
    "sensitive": "a sensitive column",
    "inference": "a sensitive column",
    "population": "the size of a population",
    "reference": "a reference table",
    "weighted": "a weight",
}
POINTS = r"(worst_)?points_([1-9][0-9]{0,2}|1000)"
EVERY = "*"
NOT_FOR_RULES = {
    "domain.posterior": "it is about what is known of one person, and a policy has no raw values",
    "prediction.people_risk": "it is a prediction of what is counted: take people.average_risk",
    "prediction.confidence": "it is about single values; prediction.gain_ratio is about their columns",
    "non_uniform_entropy": "it is known when a table is generalised, not from the release; take loss",
    "levels": "it is known when a table is generalised, not from the release; take loss",
    "inference.low": "inference.rate takes the end of the interval that is on the safe side of the limit",
    "attack.look_alikes": "it is a list of groups; attack.jaccard.bound is what follows from them",
    "dummies": "it is about making a release; of the release itself take records_released or attack.jaccard",
    "lost": "it sets metrics beside each other by their ranges; take the metric itself",
    "log_linear.tau_1": "it has no interval; take population.unique_share, whose model is tested",
    "log_linear.tau_2": "it has no interval; take population.marketer",
    "sketch.values": "it is how many values there are, which is no risk",
    "sketch.share": "a rule is judged by an exact count; take set.people_at_risk or combinations.*",
    "sketch.records_share": "a rule is judged by an exact count; take set.records_at_risk",
    "sketch.contained": "it is about two tables that could be joined",
    "ranking.overall": "it is about several releases beside each other",
}


@dataclass(frozen=True)
class MeasurePath:
    """A way to name a measure; NAME in its words stands for a column, a domain, an attack or a method.

    `part` is what the result calls the number. Where NAME may be `*`, the worst of all is meant.
    """

    words: str
    family: Family
    part: str
    measure: Measure

    @property
    def ends(self) -> tuple[str, str] | None:
        """What stands before and after the NAME."""
        before, found, after = self.words.partition("NAME")
        return (before, after) if found else None

    def name_in(self, text: str) -> str | None:
        """The name that a text has where this path has NAME; '' for a path without one."""
        if self.ends is None:
            return "" if text == self.words else None
        before, after = self.ends
        inside = len(text) > len(before) + len(after)
        if not (inside and text.startswith(before) and text.endswith(after)):
            return None
        return text[len(before) : len(text) - len(after)]

    @property
    def own_key(self) -> str | None:
        """What a rule about it can say, and about others of the family can't."""
        return SOME_TAKE.get(self.words)

    @property
    def takes(self) -> tuple[str, ...]:
        """What a rule about it can say besides its limits."""
        return (*ALL_TAKE[self.family], *([self.own_key] if self.own_key else []))

    @property
    def needs(self) -> str | None:
        return "hierarchies and an original" if self.measure is LOSS else NEEDS.get(self.family)


@dataclass(frozen=True)
class FoundMeasure:
    """A path and the name in it; a name in double quotes is taken as it is, without further meaning."""

    path: MeasurePath
    name: str

    @property
    def is_quoted(self) -> bool:
        return len(self.name) > 2 and self.name[0] == self.name[-1] == '"'

    @property
    def plain_name(self) -> str:
        return self.name[1:-1] if self.is_quoted else self.name

    @property
    def every(self) -> bool:
        return self.name == EVERY

    @property
    def few_records(self) -> bool:
        """Whether it is an attack that knows a number of records, not a share of them."""
        return self.path.family == "attack" and bool(re.fullmatch(POINTS, self.name))

    @property
    def takes(self) -> tuple[str, ...]:
        return tuple(key for key in self.path.takes if not (self.few_records and key == "share"))


@cache
def measure_paths() -> tuple[MeasurePath, ...]:
    """All of them, in the order of the reference."""
    return tuple(_paths())


@cache
def find_path(text: str) -> FoundMeasure | None:
    """
    >>> find_path("attribute.a.b.risk").name, find_path("classes.k").path.words, find_path("kk")
    ('a.b', 'k', None)
    """
    short = text.removeprefix("classes.")
    matches = [
        FoundMeasure(path, name)
        for path in measure_paths()
        if (name := path.name_in(short if path.family == "classes" else text)) is not None
    ]
    # the shortest name is what the longest ending leaves: sampling.risk before risk
    return min(matches, key=lambda each: len(each.name), default=None)


def _paths() -> Iterator[MeasurePath]:
    by_name = {each.name: each for each in (*risk.MEASURES, *attack.ATTACK_MEASURES)}
    yield from _class_paths(by_name)
    yield from _attribute_paths(by_name)
    for name, measure in by_name.items():
        kind, _, part = name.partition(".")
        if kind == "set":
            yield MeasurePath(name, "set", part, measure)
    yield MeasurePath(SMALLEST_RISKY_SET.name, "combinations", SMALLEST_RISKY_SET.name, SMALLEST_RISKY_SET)
    for part in ("minimal_sets", "smallest_set", "suda", "dis_suda"):
        yield MeasurePath(f"record.{part}", "record", part, by_name[f"record.{part}"])
    for measure in risk.SENSITIVE_MEASURES:
        yield MeasurePath(measure.name, "sensitive", measure.name.removeprefix("sensitive."), measure)
    for words, part in (("diversity", "distinct_l"), ("closeness", "t_equal")):
        yield MeasurePath(words, "sensitive", part, by_name[f"sensitive.{part}"])
    for measure in (INFERENCE_RATE, INFERENCE_GAIN, INFERENCE_BASELINE):
        yield MeasurePath(measure.name, "inference", measure.name.removeprefix("inference."), measure)
    yield from _domain_paths(by_name)
    yield from _prediction_paths(by_name)
    yield from _attack_paths(by_name)
    yield from _utility_paths()
    for measure in risk.POPULATION_MEASURES:
        yield MeasurePath(measure.name, "population", measure.name, measure)
    for measure in risk.REFERENCE_MEASURES:
        yield MeasurePath(measure.name, "reference", measure.name, measure)
    for measure in risk.WEIGHTED_MEASURES:
        yield MeasurePath(measure.name, "weighted", measure.name, measure)


ByName = dict[str, Measure]


def _class_paths(by_name: ByName) -> Iterator[MeasurePath]:
    of_records = ("k", "classes", "unique", "highest_risk", "average_risk", "entropy")
    of_people = ("people.k", "people.unique", "people.highest_risk", "people.average_risk", "people_alone")
    for name in (*of_records, *of_people):
        yield MeasurePath(name, "classes", name, by_name[name])
    shares = (UNIQUE_SHARE, PEOPLE_UNIQUE_SHARE, PEOPLE_ALONE_SHARE)
    for measure in (*shares, DISCERNIBILITY, AVERAGE_CLASS_SIZE):
        yield MeasurePath(measure.name, "classes", measure.name, measure)


def _attribute_paths(by_name: ByName) -> Iterator[MeasurePath]:
    for part in ("risk", "values", "alpha", "low_cost", "low_cost_error", "low_cost_floor"):
        yield MeasurePath(f"attribute.NAME.{part}", "attribute", part, by_name[part])
    for end in ("risk", "mean", "low", "high"):
        yield MeasurePath(f"attribute.NAME.sampling.{end}", "attribute", f"sampling.{end}", SAMPLED_RISK)
    yield MeasurePath("attribute.NAME.suda_contribution", "record", "suda_contribution", CONTRIBUTION)


def _domain_paths(by_name: ByName) -> Iterator[MeasurePath]:
    for measure in risk.DISCLOSURE_MEASURES:
        part = measure.name.removeprefix("domain.")
        if measure.name not in NOT_FOR_RULES:
            yield MeasurePath(f"domain.NAME.{part}", "domain", part, by_name[measure.name])


def _prediction_paths(by_name: ByName) -> Iterator[MeasurePath]:
    for part in ("orr", "low", "high"):
        yield MeasurePath(f"prediction.NAME.{part}", "prediction", part, by_name["prediction.orr"])
    yield MeasurePath("prediction.gain_ratio", "prediction", "gain_ratio", by_name["prediction.gain_ratio"])
    for part in ("maximum", "experience", "random", "target"):
        name = f"prediction.entropies.{part}"
        yield MeasurePath(name, "prediction", part, by_name[name])


def _attack_paths(by_name: ByName) -> Iterator[MeasurePath]:
    interval, top = by_name["attack.low"], by_name["attack.top"]
    for part in ("rate", "identified", "baseline", "bound"):
        yield MeasurePath(f"attack.NAME.{part}", "attack", part, by_name[f"attack.{part}"])
    yield MeasurePath("attack.NAME.certain", "attack", "certain", CERTAIN)
    for part, measure in (("low", interval), ("high", interval), ("top_5", top), ("top_10", top)):
        yield MeasurePath(f"attack.NAME.{part}", "attack", part, measure)
    for part in ("unique", "narrowed", "candidates", "rate", "mean"):
        yield MeasurePath(f"points.{part}", "points", part, by_name[f"points.{part}"])
    for part in ("unique", "narrowed", "candidates"):
        yield MeasurePath(f"points.{part}.mean", "points", f"{part}.mean", by_name[f"points.{part}"])
    yield MeasurePath("points.identified", "points", "identified", by_name["attack.identified"])
    yield MeasurePath("points.rate_high", "points", "rate_high", interval)


def _utility_paths() -> Iterator[MeasurePath]:
    for measure in UTILITY_MEASURES:
        words = f"{measure.name}.NAME" if measure in OF_COLUMNS else measure.name
        yield MeasurePath(words, "utility", measure.name, measure)
    yield MeasurePath(LOSS.name, "utility", LOSS.name, LOSS)
