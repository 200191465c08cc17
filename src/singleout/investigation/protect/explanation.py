"""Why the chosen recipe is as it is, what would cost less or protect more, and what stands in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.investigation.protect.recipe_space import CandidateRecipe, RecipeSpace
from singleout.investigation.protect.request import SearchBounds
from singleout.investigation.protect.result import ChangeReason, privacy_value
from singleout.investigation.protect.trial import RecipeTrial, rule_excess
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.decision_words import rule_words
from singleout.policy.verdict.rule_verdict import RuleVerdict

NOT_MEASURED = "what it is for was not measured, for the search was ended before"
NOT_NEEDED = "without it the rules are kept too, but {:.1%} would be lost instead of {:.1%}"


def change_reasons(
    chosen: RecipeTrial,
    space: RecipeSpace,
    attempt: Callable[[CandidateRecipe], RecipeTrial | None] | None,
    tried: Sequence[RecipeTrial],
) -> Iterator[ChangeReason]:
    """For each change what was found without it, all others as they are; `attempt` tries what was not."""
    known = {each.candidate: each for each in tried}
    for words, without in _undone(chosen.candidate, space):
        trial = known.get(without) or (attempt(without) if attempt else None)
        yield ChangeReason(words, _reason(chosen, trial))


def _undone(candidate: CandidateRecipe, space: RecipeSpace) -> Iterator[tuple[str, CandidateRecipe]]:
    if candidate.change:
        yield space.changes[candidate.change].words, CandidateRecipe(candidate.levels)
    for index, level in enumerate(candidate.levels):
        if level:
            yield space.ladders[index].rungs[level].words, space.at(candidate, index, 0)


def _reason(chosen: RecipeTrial, without: RecipeTrial | None) -> str:
    if without is None:
        return NOT_MEASURED
    if without.passed and without.lost is not None and chosen.lost is not None:
        return NOT_NEEDED.format(without.lost, chosen.lost)
    return f"without it {broken_words(without)}"


def broken_words(trial: RecipeTrial) -> str:
    """What forbids a recipe, in a sentence: the rule that is broken most."""
    if trial.stopped:
        return f"the release could not be judged: {trial.stopped}"
    broken = sorted((each for each in trial.rules if not each.passed), key=_excess, reverse=True)
    if broken:
        return _judged_words(trial, broken[0])
    return "; ".join(trial.blocked) or "all rules are kept"


def _judged_words(trial: RecipeTrial, judged: RuleVerdict) -> str:
    """With how it is known, where not all people were asked."""
    some = f" (estimated from {judged.answer.estimated})" if trial.sampled else ""
    return f"{rule_words(judged)}{some}"


def _excess(judged: RuleVerdict) -> float:
    return rule_excess(judged)


def front_of(trials: Sequence[RecipeTrial], rule: Rule) -> tuple[RecipeTrial, ...]:
    """The recipes that none beats in both privacy and use, from the most use to the most privacy.

    What broke a rule beside this one is among them: the front says what each limit of this rule costs.
    """
    known = [
        (each.lost, privacy_value(each, rule), each)
        for each in trials
        if each.lost is not None and privacy_value(each, rule) is not None
    ]
    sign = -1 if rule.at_least is not None else 1
    ordered = sorted(known, key=lambda each: (each[0], sign * (each[1] or 0.0), each[2].candidate))
    front: list[RecipeTrial] = []
    best = float("inf")
    for _, privacy, trial in ordered:
        if sign * (privacy or 0.0) < best:
            best = sign * (privacy or 0.0)
            front.append(trial)
    return tuple(front)


def privacy_rule(rules: Sequence[Rule]) -> Rule:
    """The one that the front is about: an attack's if there is one, else the first."""
    of_attacks = [rule for rule in rules if rule.at_most is not None and _is_of_attacks(rule)]
    return (*of_attacks, *rules)[0]


def _is_of_attacks(rule: Rule) -> bool:
    found = find_path(rule.measure)
    return found is not None and found.path.family in ("attack", "points")


def cheaper_choice(chosen: RecipeTrial, trials: Sequence[RecipeTrial]) -> RecipeTrial | None:
    """Of the recipes that lose less, the one that is nearest to the rules."""
    less = [each for each in trials if each.complete and _loses_less(each, chosen) and not each.passed]
    return min(less, key=_distance, default=None)


def safer_choice(chosen: RecipeTrial, trials: Sequence[RecipeTrial], rule: Rule) -> RecipeTrial | None:
    """Of the recipes that keep the rules and are more private by this one, the one that loses least."""
    own = privacy_value(chosen, rule)
    sign = -1 if rule.at_least is not None else 1
    more = [
        each
        for each in trials
        if each.passed and own is not None and sign * (privacy_value(each, rule) or 0.0) < sign * own
    ]
    return min(more, key=lambda each: (each.lost, each.candidate), default=None)


def _loses_less(one: RecipeTrial, other: RecipeTrial) -> bool:
    return one.lost is not None and other.lost is not None and one.lost < other.lost


def nearest_trial(trials: Sequence[RecipeTrial]) -> RecipeTrial | None:
    """The one whose worst rule is nearest to its limit; of equal ones the one that loses least.

    Of those that were measured; where all break a rule that is only counted, of those.
    """
    measured = [each for each in trials if each.complete and each.lost is not None]
    counted = [each for each in trials if each.rules and not each.stopped]
    return min(measured or counted, key=_distance, default=None)


def _distance(trial: RecipeTrial) -> tuple[bool, float, bool, float, CandidateRecipe]:
    """From keeping the policy: names of people first, then the rules, then what else forbids it."""
    lost = trial.detail_lost if trial.lost is None else trial.lost
    return bool(trial.naming), trial.excess, bool(trial.blocked), lost, trial.candidate


def obstacles(
    nearest: RecipeTrial | None, trials: Sequence[RecipeTrial], rules: Sequence[Rule]
) -> Iterator[str]:
    """The rules that no recipe kept, why some could not be judged, and what the nearest one breaks."""
    judged = [each for trial in trials for each in trial.rules]
    never = [rule for rule in rules if not any(each.rule == rule and each.passed for each in judged)]
    for rule in never:
        asked, limit = any(each.rule == rule for each in judged), f"{rule.called} {rule.limit_words}"
        if asked:
            yield f"no recipe that was tried keeps {limit}"
        else:
            yield f"{limit} was asked of no recipe, for all broke another rule before"
    for why, count in Counter(each.stopped for each in trials if each.stopped).items():
        yield f"{count:,} of {len(trials):,} recipes could not be judged: {why}"
    if nearest is not None:
        yield from (
            f"the nearest: {_judged_words(nearest, each)}" for each in nearest.rules if not each.passed
        )
        yield from nearest.blocked


def advice(bounds: SearchBounds, space: RecipeSpace, ended: str | None) -> Iterator[str]:
    """What would widen the space, as far as it was bounded, and what is no longer a release of records."""
    if ended is not None:
        yield "search on: allow more --minutes or --tries"
    if bounds.fixed:
        it = "it" if len(bounds.fixed) == 1 else "them"
        yield f"let {in_words(bounds.fixed)} become coarser, or leave {it} out (--fixed keeps {it})"
    if bounds.forbidden:
        yield f"allow {' and '.join(bounds.forbidden)} (--forbid)"
    if bounds.lose_people < 1:
        yield f"let more people go than {bounds.lose_people:.0%} (--lose-people)"
    if len(space.ladders) > 2:
        yield "release fewer columns, or to fewer people under a contract, by a policy that says so"
    yield "publish counts, such as a table of how many records have each value, instead of records"
