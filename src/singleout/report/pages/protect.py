"""The report about a protected release: what was reached, why each change, what each limit costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from singleout.deidentify.seeds import told_seed
from singleout.investigation.protect.objective import DETAIL, NEED_LOST, Kept
from singleout.investigation.protect.result import Protection
from singleout.policy.verdict.decision import Decision, RegulatorQuestion
from singleout.report.charts.protection_front import protection_front, recipe_words
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.pages.policy_sections import policy_section
from singleout.report.terminal.layout import share_text
from singleout.report.terminal.protect import sentences
from singleout.report.wording import table_name
from singleout.result_table import Heading, ResultTable, table_size

SURE = (
    "Every recipe was followed on these very records. What keeps the policy was judged by the gate with the "
    "original and the recipe beside it, the others until they broke a rule; whoever knows more than the "
    "attackers tried there may recognise more."
)


def protection_report(found: Protection) -> Report:
    """What the search came to."""
    return Report(
        title=f"Which change of {table_name(found.source)} keeps {found.policy}?",
        facts=(
            ("The table", table_size(found.records, found.people)),
            ("What was tried", f"{len(found.trials):,} recipes; seed {told_seed(found.seed)}"),
        ),
        conclusions=plain_conclusions((found.headline,), _advice(found), SURE, (NEED_LOST,)),
        sections=tuple(_sections(found)),
        remarks=found.remarks,
        decision=found.decision or UNJUDGED,
        not_tried=_not_tried(found.decision),
    )


def _not_tried(decision: Decision | None) -> Mapping[RegulatorQuestion, tuple[str, ...]]:
    if decision is None:
        return UNJUDGED_GAPS
    return {each.question: each.not_tried for each in decision.findings}


def _advice(found: Protection) -> str:
    if not found.reached:
        return f"What would help: {'; '.join(found.advice)}."
    chosen = found.chosen
    assert chosen is not None
    return f"{recipe_words(chosen)}. {share_text(chosen.lost or 0.0)} of what is needed is lost by it."


def _sections(found: Protection) -> Iterator[Section]:
    told = tuple(sentences(found))
    changes = (_changes(found),) if found.reasons else ()
    yield Section("answer", "What was found", told, (), changes, code=_recipe(found), is_open=True)
    if charts := drawable_charts(protection_front(found)):
        yield Section("front", "What each limit costs", (), charts)
    if found.chosen is not None and found.chosen.kept:
        yield Section("use", "What is kept of use", (), (), (_metrics(found.chosen.kept),), (DETAIL,))
    if found.decision is not None:
        yield policy_section(found.decision)
    yield Section("tried", "Every recipe that was tried", (found.proof.words,), (), (found.table(),))


def _recipe(found: Protection) -> tuple[str, ...]:
    long = found.chosen is not None and "command" in found.chosen.content
    return () if found.recipe is None or long else (found.recipe,)


def _changes(found: Protection) -> ResultTable:
    headings = (Heading("change", "change"), Heading("reason", "why"))
    return ResultTable(
        "What is changed", headings, tuple((each.words, each.reason) for each in found.reasons)
    )


def _metrics(kept: Sequence[Kept]) -> ResultTable:
    headings = (
        Heading("metric", "metric"), Heading("weight", "weight"), Heading("value", "value"),
        Heading.of("lost", "lost", NEED_LOST), Heading("reason", "why"),
    )  # fmt: skip
    rows = tuple((each.metric, each.weight, each.value, each.lost, each.reason) for each in kept)
    return ResultTable("What is kept of use", headings, rows)
