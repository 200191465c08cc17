"""What a metric is called in words, and which way it is better."""

from __future__ import annotations

from collections.abc import Mapping

from singleout.attacks.catalogue import KINDS
from singleout.measurement import Better
from singleout.platform.board import GUESSES
from singleout.platform.charts.metric_scatter import is_measure, measure_of
from singleout.platform.scorer import HIGHEST
from singleout.platform.uploaded_metric import UploadedMetric

NONE: Mapping[str, UploadedMetric] = {}
OTHERS = {
    "combined": "all attacks together",
    HIGHEST: "highest rate of all attacks: this counts",
    GUESSES: "who is who, as other teams and the house guessed it in the published release",
}


def title_of(metric: str, family: str) -> str:
    """Empty for what a user uploaded: its page says more.

    >>> title_of("u1_fare_by_person", "utility"), title_of("amount", "privacy")
    ('U1: fare by person', 'knows the sum of the amount')
    """
    if family == "utility":
        return measure_of(metric).title if is_measure(metric) else ""
    if metric not in KINDS:
        return OTHERS.get(metric, metric)
    kind = KINDS[metric]
    about = {"columns": "all columns", "pair": "kind and amount", "nothing": ""}.get(
        kind.part, f"the {kind.part}"
    )
    return f"knows {kind.knows.format(about)}"


def better_of(metric: str, family: str, uploaded: Mapping[str, UploadedMetric] = NONE) -> Better:
    if metric in uploaded:
        return uploaded[metric].better
    return "lower" if family == "privacy" else measure_of(metric).better
