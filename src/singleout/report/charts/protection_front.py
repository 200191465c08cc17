"""What each limit of privacy costs in use: every recipe that was tried as a dot, the front as a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from singleout.errors import printable_text
from singleout.investigation.protect.objective import NEED_LOST
from singleout.investigation.protect.result import Protection
from singleout.investigation.protect.trial import RecipeTrial
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    LegendMark,
    drawing,
    legend,
    marks,
    number,
    number_axis,
    silent_marks,
)
from singleout.report.charts.style import BLUE, FAINT, INK, ORANGE, SOFT
from singleout.result_table import Heading, ResultTable

HEIGHT = 320
ORIGINAL = "the original under other names"
CHOSEN, KEPT, BROKEN, UNTOUCHED = "chosen", "keeps the policy", "breaks the policy", "the original"
LOOKS = {
    UNTOUCHED: LegendMark(ORANGE, "diamond", ORANGE),
    BROKEN: LegendMark(SOFT, "circle"),
    KEPT: LegendMark(BLUE, "square"),
    CHOSEN: LegendMark(INK, "triangle-up", INK),
}


def protection_front(found: Protection) -> Chart | None:
    """Privacy upwards, loss to the right; None where no recipe has both numbers."""
    drawn = [each for each in found.trials if _has_both(found, each)]
    if not drawn:
        return None
    values = [_dot(found, each) for each in drawn]
    rule = found.privacy_rule
    x = number_axis("lost", "lost of what is needed (further right: less use)", (0, 1))
    y = number_axis("privacy", f"{rule.called}, {rule.limit_words}")
    line = [{"lost": each.lost, "privacy": found.privacy_of(each)} for each in found.front]
    limit = [{"privacy": each} for each in (rule.at_most, rule.at_least) if each is not None]
    layers = [
        {"data": {"values": limit}, **silent_marks("rule", {"y": y}, color=FAINT, strokeWidth=2)},
        {
            "data": {"values": line},
            **silent_marks("line", {"x": x, "y": y}, color=INK, strokeDash=[4, 3], interpolate="step-after"),
        },
        *(
            {
                "data": {"values": [each for each in values if each["kind"] == kind]},
                **marks("point", {"x": x, "y": y, **legend(kind, LOOKS)}, size=70, opacity=1),
            }
            for kind in LOOKS
        ),
    ]
    says = (
        f"Each mark is a recipe that was made and judged, {len(drawn):,} of {len(found.trials):,} tried: the "
        "others broke a rule that is counted before anything is attacked, or could not be judged. The broken "
        "line joins those that no other beats in both; the grey one is the limit."
    )
    if sampled := sum(each.sampled for each in drawn):
        says += (
            f" Of {sampled:,} only some of the people were asked, who tell that they break a rule: their "
            "rates are estimates."
        )
    return Chart(
        "front", "What each limit costs", says, _table(found), drawing(values, layers, HEIGHT), (NEED_LOST,)
    )


def _has_both(found: Protection, trial: RecipeTrial) -> bool:
    return trial.lost is not None and found.privacy_of(trial) is not None


def _dot(found: Protection, trial: RecipeTrial) -> dict[str, Any]:
    privacy = found.privacy_of(trial) or 0.0
    name = found.privacy_rule.called
    about = "about " if trial.sampled else ""
    said = f"{recipe_words(trial)}: {number(trial.lost or 0.0)} lost, {name} {about}{number(privacy)}"
    return {"lost": trial.lost, "privacy": privacy, "kind": _kind(found, trial), "said": printable_text(said)}


def _kind(found: Protection, trial: RecipeTrial) -> str:
    if found.chosen is not None and trial.candidate == found.chosen.candidate:
        return CHOSEN
    if not trial.words:
        return UNTOUCHED
    return KEPT if trial.passed else BROKEN


def recipe_words(trial: RecipeTrial) -> str:
    """What is changed, in one line."""
    return "; ".join(trial.words) or ORIGINAL


def _table(found: Protection) -> ResultTable:
    headings = (
        Heading("recipe", "recipe"),
        Heading.of("lost", "lost", NEED_LOST),
        Heading("privacy", found.privacy_rule.called),
        Heading("sampled", "estimated"),
        Heading("passed", "keeps the policy"),
    )
    return ResultTable("The front", headings, tuple(_rows(found)))


def _rows(found: Protection) -> Iterator[tuple[Any, ...]]:
    for each in found.front:
        yield recipe_words(each), each.lost, found.privacy_of(each), each.sampled, each.passed
