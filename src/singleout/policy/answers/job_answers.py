"""Answers about what records disclose and what statistics promise; each job is run once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from singleout.policy.answers.count_answers import Part
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.check_settings import Inquiry
from singleout.policy.verdict.rule_verdict import Answer
from singleout.risk.entropy.entropy import entropy
from singleout.risk.entropy.result import Disclosure, DomainDisclosure, JointDisclosure
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
    asked: tuple[RuleQuestion, ...]
    remarks: list[str]
    found: dict[Hashable, Any] = field(default_factory=dict)

    def domain(self, one: RuleQuestion) -> list[tuple[str, Part]]:
        """A domain, several together, or each of all where every one is asked for."""
        disclosure = self._disclosure(one)
        if one.found.every:
            return [(each.name, self._single_part(each, one)) for each in disclosure.domains]
        name = one.found.plain_name
        single = next((each for each in disclosure.domains if each.name == name), None)
        if one.part == "correlation":
            return [(name, _correlation_part(disclosure, name))]
        if single:
            return [(name, self._single_part(single, one))]
        joint = next(
            (each for each in (*disclosure.pairs, *disclosure.triples) if {*each.names} == parts_of(name)),
            None,
        )
        return [(name, self._joint_part(joint, one) if joint else Part(None, NO_PAIR))]

    def _disclosure(self, one: RuleQuestion) -> Disclosure:
        key = ("domain", one.missing)
        if key not in self.found:
            alike = [each for each in self.asked if each.family == "domain" and each.missing == one.missing]
            sizes = {len(parts_of(each.found.plain_name)) for each in alike}
            inquiry = self.inquiry
            self.found[key] = entropy(
                inquiry.data, user=inquiry.user, domains=domains_of(inquiry), pairs=2 in sizes,
                triples=3 in sizes, known=sorted({each.parameter("known") for each in alike}),
                **inquiry.settings("amount"), study=inquiry.own_study, missing=one.missing, seed=inquiry.seed,
                **inquiry.machine, progress=inquiry.progress,
            )  # fmt: skip
            self.remarks += self.found[key].remarks
        disclosure: Disclosure = self.found[key]
        return disclosure

    def prediction(self, one: RuleQuestion) -> Answer:
        prediction = self._run_prediction(one)
        if one.found.path.ends:
            by_method = next(each for each in prediction.predictions if each.method == one.found.name)
            drawn = self._seed_words(f"{by_method.shuffles:,} random tables") if by_method.shuffles else None
            return one.answer(getattr(by_method, one.part), estimated=drawn)
        if one.part == "gain_ratio":
            strongest = max(prediction.dependencies, key=lambda each: each.gain_ratio, default=None)
            if strongest is None:
                return one.answer(None, "there are no two columns")
            return one.answer(strongest.gain_ratio, None, f"{strongest.of} given {strongest.on}")
        value = getattr(prediction.entropies, one.part)
        return one.answer(value, "it was not found out" if value is None else None)

    def _run_prediction(self, one: RuleQuestion) -> Prediction:
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
        prediction: Prediction = self.found[key]
        return prediction

    def _single_part(self, each: DomainDisclosure, one: RuleQuestion) -> Part:
        if one.part in vars(each.information):
            return Part(vars(each.information)[one.part])
        if one.part in _chance_values(each):
            return Part(_chance_values(each)[one.part], estimated=self._permutation_words(each))
        if one.part == "success_after":
            success = next(success for success in each.known if success.known == one.parameter("known"))
            drawn = f"simulated records, {success.low:.4g} to {success.high:.4g} at 95 %"
            return Part(success.success, estimated=None if success.exact else self._seed_words(drawn))
        if one.part == "rare_share":
            times = one.parameter("times")
            share = next((rare.share for rare in each.rare if rare.at_most == times), None)
            return Part(share, RARE if share is None else None)
        if one.part == "jaccard_distance":
            return self._distance_part(each)
        return Part(None, f"{one.part} {TOGETHER.format('stations+purchases')}")

    def _distance_part(self, each: DomainDisclosure) -> Part:
        if each.likeness is None:
            return Part(None, "there are fewer than two people, or too many to compare")
        drawn = None if each.likeness.exact else self._seed_words(f"{each.likeness.pairs:,} pairs of people")
        return Part(each.likeness.mean, estimated=drawn)

    def _joint_part(self, joint: JointDisclosure, one: RuleQuestion) -> Part:
        if one.part in _chance_values(joint):
            return Part(_chance_values(joint)[one.part], estimated=self._permutation_words(joint))
        values = {**vars(joint.joint.by_prior[0]), "sum_of_parts": joint.sum_of_parts}
        if one.part not in values:
            return Part(None, f"{one.part} {ALONE}")
        drawn = None if joint.joint.exact else self._seed_words("drawn tuples of values")
        return Part(values[one.part], estimated=drawn)

    def _permutation_words(self, each: DomainDisclosure | JointDisclosure) -> str | None:
        many = each.chance.permutations
        return self._seed_words(f"{many:,} permutations") if many else None

    def _seed_words(self, what: str) -> str:
        return f"{what}, seed {self.inquiry.seed}"


def domains_of(inquiry: Inquiry) -> tuple[Domain, ...]:
    """Those that were declared."""
    said = inquiry.said.get("domains") or ()
    return tuple(domain(each) if isinstance(each, str) else each for each in said)


def parts_of(name: str) -> set[str]:
    return {*name.split("+")}


def _chance_values(each: DomainDisclosure | JointDisclosure) -> dict[str, float]:
    return {"chance_information": each.chance.information, "chance_best_guess": each.chance.best_guess}


def _correlation_part(disclosure: Disclosure, name: str) -> Part:
    """The strongest link between two domains, whichever way it goes."""
    wanted = parts_of(name)
    pairs = [
        each
        for each in disclosure.correlations
        if {_domain_name(each.first), _domain_name(each.second)} == wanted
    ]
    known = [abs(each.pearson) for each in pairs if each.pearson is not None]
    if known:
        return Part(max(known), "the largest of records and amounts, whatever its sign")
    alone = f"correlation {TOGETHER.format('bus+shop')}"
    return Part(None, next((str(each.reason) for each in pairs), alone))


def _domain_name(figure: str) -> str:
    """The domain whose records or amount it is."""
    return figure.rpartition(" ")[0]
