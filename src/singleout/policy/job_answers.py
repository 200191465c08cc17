"""Answers about what records disclose and what statistics promise; each job is run once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from singleout.policy.asked_rule import Asked
from singleout.policy.counted_answers import Part
from singleout.policy.inquiry import Inquiry
from singleout.policy.result import Answer
from singleout.risk.entropy.entropy import entropy
from singleout.risk.entropy.result import Disclosure, DomainFound, JointFound
from singleout.risk.predict.predict import METHODS, predict
from singleout.risk.predict.result import Prediction
from singleout.roles.domain import Domain, domain

ALONE = "is told of one domain"
TOGETHER = "is told of several domains together, as in {}"
RARE = "it is known of values that occur once or at most 2 times"
NO_PAIR = "nobody has a record in each of these domains"


@dataclass(eq=False)
class JobAnswers:
    """`asked` are all rules, so that one run of a job can answer several of them; `remarks` grow."""

    inquiry: Inquiry
    asked: tuple[Asked, ...]
    remarks: list[str]
    found: dict[Hashable, Any] = field(default_factory=dict)

    def domain(self, one: Asked) -> list[tuple[str, Part]]:
        """A domain, several together, or each of all where every one is asked for."""
        found = self._disclosed(one)
        if one.found.every:
            return [(each.name, self._alone(each, one)) for each in found.domains]
        name = one.found.plain
        alone = next((each for each in found.domains if each.name == name), None)
        if one.part == "correlation":
            return [(name, _correlated(found, name))]
        if alone:
            return [(name, self._alone(alone, one))]
        together = next(
            (each for each in (*found.pairs, *found.triples) if {*each.names} == parts_of(name)), None
        )
        return [(name, self._together(together, one) if together else Part(None, NO_PAIR))]

    def _disclosed(self, one: Asked) -> Disclosure:
        key = ("domain", one.missing)
        if key not in self.found:
            alike = [each for each in self.asked if each.family == "domain" and each.missing == one.missing]
            together = {len(parts_of(each.found.plain)) for each in alike}
            inquiry = self.inquiry
            self.found[key] = entropy(
                inquiry.data, user=inquiry.user, domains=domains_of(inquiry), pairs=2 in together,
                triples=3 in together, known=sorted({each.parameter("known") for each in alike}),
                **inquiry.some("amount"), study=inquiry.own_study, missing=one.missing, seed=inquiry.seed,
                **inquiry.machine, progress=inquiry.progress,
            )  # fmt: skip
            self.remarks += self.found[key].remarks
        found: Disclosure = self.found[key]
        return found

    def prediction(self, one: Asked) -> Answer:
        found = self._predicted(one)
        if one.found.path.ends:
            by_method = next(each for each in found.predictions if each.method == one.found.name)
            drawn = self._seeded(f"{by_method.shuffles:,} random tables") if by_method.shuffles else None
            return one.answer(getattr(by_method, one.part), estimated=drawn)
        if one.part == "gain_ratio":
            strongest = max(found.dependencies, key=lambda each: each.gain_ratio, default=None)
            if strongest is None:
                return one.answer(None, "there are no two columns")
            return one.answer(strongest.gain_ratio, None, f"{strongest.of} given {strongest.on}")
        value = getattr(found.entropies, one.part)
        return one.answer(value, "it was not found out" if value is None else None)

    def _predicted(self, one: Asked) -> Prediction:
        key = ("prediction", one.columns, one.missing)
        if key not in self.found:
            alike = [each for each in self.asked if each.family == "prediction"]
            alike = [each for each in alike if (each.columns, each.missing) == key[1:]]
            wanted = {each.found.name for each in alike if each.found.path.ends}
            wanted |= {"random"} if any(each.part == "random" for each in alike) else set()
            inquiry = self.inquiry
            self.found[key] = predict(
                inquiry.data, methods=[each for each in METHODS if each in wanted] or ["closed_form"],
                user=inquiry.user, columns=one.names, study=inquiry.own_study, missing=one.missing,
                seed=inquiry.seed, **inquiry.machine, progress=inquiry.progress,
            )  # fmt: skip
            self.remarks += self.found[key].remarks
        found: Prediction = self.found[key]
        return found

    def _alone(self, each: DomainFound, one: Asked) -> Part:
        if one.part in vars(each.information):
            return Part(vars(each.information)[one.part])
        if one.part in _by_chance(each):
            return Part(_by_chance(each)[one.part], estimated=self._by_permuting(each))
        if one.part == "success_after":
            found = next(found for found in each.known if found.known == one.parameter("known"))
            drawn = f"simulated records, {found.low:.4g} to {found.high:.4g} at 95 %"
            return Part(found.success, estimated=None if found.exact else self._seeded(drawn))
        if one.part == "rare_share":
            times = one.parameter("times")
            share = next((rare.share for rare in each.rare if rare.at_most == times), None)
            return Part(share, RARE if share is None else None)
        if one.part == "jaccard_distance":
            return self._unlike(each)
        return Part(None, f"{one.part} {TOGETHER.format('stations+purchases')}")

    def _unlike(self, each: DomainFound) -> Part:
        if each.likeness is None:
            return Part(None, "there are fewer than two people, or too many to compare")
        drawn = None if each.likeness.exact else self._seeded(f"{each.likeness.pairs:,} pairs of people")
        return Part(each.likeness.mean, estimated=drawn)

    def _together(self, each: JointFound, one: Asked) -> Part:
        if one.part in _by_chance(each):
            return Part(_by_chance(each)[one.part], estimated=self._by_permuting(each))
        told = {**vars(each.joint.by_prior[0]), "sum_of_parts": each.sum_of_parts}
        if one.part not in told:
            return Part(None, f"{one.part} {ALONE}")
        drawn = None if each.joint.exact else self._seeded("drawn tuples of values")
        return Part(told[one.part], estimated=drawn)

    def _by_permuting(self, each: DomainFound | JointFound) -> str | None:
        many = each.chance.permutations
        return self._seeded(f"{many:,} permutations") if many else None

    def _seeded(self, what: str) -> str:
        return f"{what}, seed {self.inquiry.seed}"


def domains_of(inquiry: Inquiry) -> tuple[Domain, ...]:
    """Those that were declared."""
    said = inquiry.said.get("domains") or ()
    return tuple(domain(each) if isinstance(each, str) else each for each in said)


def parts_of(name: str) -> set[str]:
    return {*name.split("+")}


def _by_chance(each: DomainFound | JointFound) -> dict[str, float]:
    return {"chance_information": each.chance.information, "chance_best_guess": each.chance.best_guess}


def _correlated(found: Disclosure, name: str) -> Part:
    """The strongest link between two domains, whichever way it goes."""
    wanted = parts_of(name)
    pairs = [each for each in found.correlations if {_of(each.first), _of(each.second)} == wanted]
    known = [abs(each.pearson) for each in pairs if each.pearson is not None]
    if known:
        return Part(max(known), "the largest of records and amounts, whatever its sign")
    alone = f"correlation {TOGETHER.format('bus+shop')}"
    return Part(None, next((str(each.reason) for each in pairs), alone))


def _of(figure: str) -> str:
    """The domain whose records or amount it is."""
    return figure.rpartition(" ")[0]
