"""The models of a population by name, fitted to one sample side by side, because they disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from singleout.risk.population.pitman import NoEstimate, asymptotic_uniqueness, fit_pitman
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.sample_classes import SMALL, SampleClasses
from singleout.risk.population.scaling_law import fit_scaling_law
from singleout.risk.population.slide_negative_binomial import fit_snb
from singleout.risk.population.zayatz import zayatz_share

Model = Literal["pitman", "pitman_asymptotic", "law", "zayatz", "snb"]
MODELS: tuple[Model, ...] = get_args(Model)
SEVERAL_RECORDS = "people have several records here, and the model is of people in one class each"
# below this share of a population Pitman's model, else the smaller of two others (Dankar et al. 2012)
DANKAR_SHARE = 0.1
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class FittedModel:
    """What a model says of the population, by the name of the number; `fit` is what it was fitted to."""

    numbers: Numbers
    fit: Any


Fits = dict[Model, FittedModel | NoEstimate]


def fit_models(
    sample: SampleClasses, people: float, before: Fits | None = None, law: PitmanYor | None = None
) -> Fits:
    """Every model, or why it says nothing.

    `before` are fits to a similar sample, to start from; the scaling `law` of this one is then known.
    """
    fits: Fits = {}
    starts = {name: each.fit for name, each in (before or {}).items() if isinstance(each, FittedModel)}

    def note(name: Model, work: Callable[[Any], FittedModel]) -> None:
        if before is not None and name not in starts:
            fits[name] = NoEstimate(str(before[name]))
            return
        try:
            fits[name] = work(starts.get(name))
        except NoEstimate as reason:
            fits[name] = reason

    note("pitman", lambda start: _of_law(fit_pitman(_partition(sample), start), sample, people))
    note("pitman_asymptotic", lambda _: _asymptotic(fits["pitman"], people))
    note("law", lambda _: _of_law(law or fit_scaling_law(sample), sample, people))
    note("zayatz", lambda _: _capped(zayatz_share(_partition(sample), people)))
    note("snb", lambda start: _of_snb(_partition(sample), people, start))
    return fits


def chosen_model(share: float, fits: Fits, shares: Mapping[Model, float]) -> Model:
    """Dankar's choice; for people with several records the one model that there is for them."""
    if isinstance(fits["pitman"], NoEstimate) and str(fits["pitman"]) == SEVERAL_RECORDS:
        return "law"
    if share <= DANKAR_SHARE:
        return "pitman"
    both: tuple[Model, ...] = tuple(name for name in ("zayatz", "snb") if name in shares)
    return min(both, key=lambda name: shares[name], default="zayatz")


def _partition(sample: SampleClasses) -> SampleClasses:
    if sample.overlapping:
        raise NoEstimate(SEVERAL_RECORDS)
    return sample


def _of_law(law: PitmanYor, sample: SampleClasses, people: float) -> FittedModel:
    numbers = {
        "unique_share": law.uniqueness(people),
        "small_share": law.share_below(SMALL, people),
        "marketer": min(1.0, float(law.correctness(people))),
        "journalist.highest": highest_risk(law, sample, people),
    }
    return FittedModel(numbers, law)


def highest_risk(law: PitmanYor, sample: SampleClasses, people: float) -> float:
    """What the highest risk of somebody in the sample is expected to be at most.

    The people of a class have no fewer look-alikes among all than in the sample, so that it is 1/k there at
    most, and below only if each of the smallest classes grows.
    """
    k = sample.smallest
    if sample.overlapping:
        return 1 / k
    stay = min(1.0, sample.number(k) * float(law.stays(k, sample.people, people)))
    return 1 / (k + 1) + (1 / k - 1 / (k + 1)) * stay


def _asymptotic(pitman: FittedModel | NoEstimate, people: float) -> FittedModel:
    if isinstance(pitman, NoEstimate):
        raise NoEstimate(str(pitman))
    return _capped(asymptotic_uniqueness(pitman.fit, people))


def _of_snb(sample: SampleClasses, people: float, start: Any) -> FittedModel:
    fit = fit_snb(sample, min(1.0, sample.people / people), start)
    numbers = {"unique_share": min(1.0, fit.alone / people), "marketer": min(1.0, fit.classes / people)}
    return FittedModel(numbers, fit)


def _capped(share: float) -> FittedModel:
    return FittedModel({"unique_share": min(1.0, share)}, None)
