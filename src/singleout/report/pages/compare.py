"""The report about releases beside their original: which to take first, then what is lost and who is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.measures import RATE
from singleout.attacks.result import COVERS
from singleout.policy.attack_decision import attack_decision
from singleout.policy.verdict.digest import Digest
from singleout.report.charts.attack_rates import attack_rates
from singleout.report.charts.release_letters import mark_of, short_names
from singleout.report.charts.releases import ranks_table, utility_and_privacy, without_folders
from singleout.report.charts.utility_losses import metric_name, metrics
from singleout.report.pages.attack import OTHERS, no_digests, recognition, with_inputs
from singleout.report.pages.compare_tables import attack_table, column_tables, unknown_metrics, whole_tables
from singleout.report.pages.look_alikes import look_alike_section
from singleout.report.pages.open_questions import open_questions
from singleout.report.pages.page import Conclusion, Report, Section, Weight, drawable_charts
from singleout.report.pages.policy_sections import limits_section
from singleout.report.terminal.compare import COUNTING, kept_words, risk_words
from singleout.report.terminal.layout import share_text
from singleout.report.terminal.metric_words import untouched_value
from singleout.report.terminal.ranking import NAMED, all_remarks, best_sentences
from singleout.report.wording import ONE_RECORD, table_name
from singleout.result_table import cell_text, table_size
from singleout.utility.compare.ranking import OVERALL, Ranking
from singleout.utility.compare.result import MISSING_RULES, Comparison, Outcome
from singleout.utility.finding import LOST, Finding, lost_share

EXACT = (
    "Counted over all records and people of both tables; only the queries behind errors of counts and sums "
    "are drawn, with seed {}."
)
FIT = "It says how far numbers moved, not whether the release is fit for your question: try that on it too."

WHOM = "linkability above and the loss below say so"
ALONE = (
    "Ranks, and the line that tells whether a release is a better bargain than the original, need several "
    "releases: compare two or more for them."
)


def comparison_report(found: Comparison, inputs: Sequence[Digest] = ()) -> Report:
    """Which release is the best bargain, what is lost in it, and who is still recognised.

    `inputs` are what was read.
    """
    names = short_names([each.release for each in found.outcomes])
    best = best_index(found)
    decision = attack_decision([each.highest_rate for each in found.outcomes], names)
    what = names[0] if len(names) == 1 else f"{len(names)} releases"
    return Report(
        title=f"What is lost in {what} of {table_name(found.original)}, and who can still be recognised?",
        facts=tuple(_facts(found, names)),
        conclusions=tuple(_conclusions(found, names)),
        sections=(
            *(each for each in _sections(found, names) if each.charts or each.tables),
            *limits_section(decision),
        ),
        remarks=tuple(_remarks(found, names)),
        decision=with_inputs(
            decision,
            inputs or no_digests("compare", found.original, [each.release for each in found.outcomes]),
        ),
        not_tried=open_questions(found.outcomes[best].privacy, history=found.user is not None),
    )


def _remarks(found: Comparison, names: Sequence[str]) -> Iterator[str]:
    if len(names) > 1:
        yield from all_remarks(found, names)
    else:
        yield from (*found.remarks, *found.outcomes[0].remarks)


def _facts(found: Comparison, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    own = table_size(found.original_records, found.original_people)
    yield "The original", f"{table_name(found.original)}: {own}"
    sizes = [f"{name}: {_size(each)}" for name, each in zip(names, found.outcomes, strict=True)]
    yield "The release" if len(sizes) == 1 else "The releases", "; ".join(sizes)
    yield "Who is who", f"column {found.user} names people" if found.user else ONE_RECORD
    yield "Missing values", MISSING_RULES[found.missing]
    if any(each.privacy for each in found.outcomes):
        yield "Intervals", f"95 %, of Wilson; they cover {COVERS}"
    yield "Counted by", f"{found.engine}, seed {found.seed}; no raw value is on this page"


def _size(outcome: Outcome) -> str:
    made_up = f", {outcome.made_up:,} of whom have no original" if outcome.made_up else ""
    return f"{table_size(outcome.records, outcome.people)}{made_up}"


def best_index(found: Comparison) -> int:
    """The place of the release that the first page is about: the best one."""
    if found.ranking is None:
        return 0
    best = found.ranking.best_first[0]
    return next(index for index, each in enumerate(found.ranking.releases) if each is best)


def _conclusions(found: Comparison, names: Sequence[str]) -> Iterator[Conclusion]:
    index = best_index(found)
    best, of_it = found.outcomes[index], f"In {names[index]}: " if len(names) > 1 else ""
    yield from _bargain(found, names, index)
    yield _recognition(best, of_it)
    yield from _other_releases(found, names, index)
    yield from _largest_loss(found, best, of_it)
    yield from _other_uses(found, best, of_it)


def _bargain(found: Comparison, names: Sequence[str], index: int) -> Iterator[Conclusion]:
    """Which of several to take."""
    ranking = found.ranking
    if ranking is None:
        return
    said = " ".join(best_sentences(ranking, names))
    sure = (
        f"By places, not by distances: on {len(ranking.metrics):,} metrics, all counted alike, and the "
        "highest rate of the attacks that were made. Another release beside them may change the order."
    )
    yield Conclusion(said, _choice_advice(ranking, index, names[index]), sure, (OVERALL, RATE))


def _choice_advice(ranking: Ranking, index: int, name: str) -> str:
    best = ranking.releases[index]
    if best.overall is None or ranking.boundary is None:
        return "Say who is who by --truth, so that all releases can be attacked; then compare them again."
    if best.overall < ranking.boundary:
        return (
            f"Of these, take {name}, if what it loses is not what you need and whom it gives away is few "
            f"enough: {WHOM}."
        )
    if best.overall == ranking.boundary:
        return (
            f"Decide by what you need and by how many may be recognised, not by rank. Of those that draw, "
            f"{name} gives away fewest: {WHOM}."
        )
    return (
        "By rank none of them is worth what it loses. Change the steps that lose most or protect least, and "
        "compare again."
    )


def _prefix_release(release: str, said: str) -> str:
    return f"{release}{said[:1].lower()}{said[1:]}" if release else said


def _recognition(outcome: Outcome, of_it: str) -> Conclusion:
    best = outcome.attack("best")
    if best is not None:
        most = next(each for each in outcome.privacy if each.credit is best.credit)
        conclusion = recognition(most, outcome.privacy, outcome.made_up or 0)
        return replace(conclusion, found=_prefix_release(of_it, conclusion.found))
    why = "it is not known who is who" if outcome.made_up is None else "no attack was made"
    return Conclusion(
        _prefix_release(of_it, f"Who can be recognised is unknown, for {why}."),
        "Don't take the release for safe. Say who is who by --truth and let it be attacked, with all columns "
        "that attackers may know.",
        "Nothing was measured of the risk.",
        question="linkability",
        weight="open",
    )


def _other_releases(found: Comparison, names: Sequence[str], index: int) -> Iterator[Conclusion]:
    """Whom attacks recognise in those that the other findings are not about."""
    others = [*zip(names, found.outcomes, strict=True)]
    others.pop(index)
    if not others:
        return
    listed = in_words([f"{_rate_words(each)} in {name}" for name, each in others[:NAMED]])
    more = f"; the table of attacks has {len(others) - NAMED:,} more" if len(others) > NAMED else ""
    said = f"The best attack recognises {listed}{more}."
    if all(each.highest_rate is None for _, each in others):
        said = f"How many people can be recognised in {in_words([name for name, _ in others])} is unknown."
    tried = [best for _, each in others if (best := each.attack("best")) is not None]
    weight: Weight = "against" if any(each.rate > each.baseline for each in tried) else "open"
    yield Conclusion(
        said,
        "Judge each release by its own numbers: a rank is about the releases beside it, not about people.",
        f"By the same attacks, each rate with its interval in --json. {OTHERS}",
        (RATE,),
        "linkability",
        weight,
    )


def _rate_words(outcome: Outcome) -> str:
    rate = outcome.highest_rate
    if rate is None:
        return "an unknown share of the people"
    return f"{'' if outcome.compared else 'at least '}{share_text(rate)} of the people"


def _largest_loss(found: Comparison, outcome: Outcome, of_it: str) -> Iterator[Conclusion]:
    """Of the metrics with a range, the one furthest from an untouched table."""
    known = [each for each in outcome.utility if lost_share(each) is not None]
    if not known:
        return
    worst = max(known, key=lambda each: lost_share(each) or 0)
    sure = f"{EXACT.format(found.seed)} {FIT}"
    if not lost_share(worst):
        said = f"Nothing is lost by any of {len(known):,} metrics that have a range."
        advice = "Use the release as you would the original; that is about use, and says nothing of safety."
        yield Conclusion(_prefix_release(of_it, said), advice, sure, (LOST,))
        return
    said = (
        f"Of {len(known):,} metrics that have a range, {metric_name(worst)} has lost most "
        f"({share_text(lost_share(worst) or 0)} of the range): it is {_number(worst, worst.value)}, and "
        f"{_number(worst)} in an untouched table. It asks: {worst.measure.question}"
    )
    yield Conclusion(_prefix_release(of_it, said), _loss_advice(worst), sure, (LOST, worst.measure))


def _number(found: Finding, value: float | None = None) -> str:
    """A value of a metric, or else what an untouched table gets."""
    number = untouched_value(found.measure) if value is None else value
    return share_text(number or 0) if found.measure.unit == "share" else cell_text(number)


def _loss_advice(worst: Finding) -> str:
    columns = f" on {', '.join(worst.of)}" if worst.of else ""
    return (
        f"If your use depends on it, take gentler steps{columns} and compare again: what they would keep was "
        "not measured here. The table of metrics says what is kept."
    )


def _other_uses(found: Comparison, outcome: Outcome, of_it: str) -> Iterator[Conclusion]:
    """What else the terminal says of one release."""
    if uses := [_prefix_release(of_it, each) for each in kept_words(outcome)]:
        advice = "Use the release for questions whose metrics are near those of an untouched table."
        measures = tuple(each.measure for each in outcome.utility if each.name in COUNTING)
        yield Conclusion(" ".join(uses), advice, EXACT.format(found.seed), measures)


def _sections(found: Comparison, names: Sequence[str]) -> Iterator[Section]:
    marks = [mark_of(index) for index in range(len(names))]
    labels = [f"{mark}: {name}" for mark, name in zip(marks, names, strict=True)]
    index = best_index(found)
    best, attack_tables = found.outcomes[index], [*attack_table(found, labels if len(names) > 1 else names)]
    if found.ranking is not None:
        lead = tuple(best_sentences(found.ranking, names))
        ranking = without_folders(found.ranking)
        charts = drawable_charts(utility_and_privacy(ranking))
        tables = () if charts else (ranks_table(ranking),)
        yield Section("ranking", "Which release is the best bargain", lead, charts, tables, is_open=True)
    of_best = f"In {names[index]}: " if len(names) > 1 else ""
    kept = [*(_prefix_release(of_best, each) for each in kept_words(best)), *([] if of_best else [ALONE])]
    yield Section(
        "utility",
        "What is kept, and what is lost",
        tuple(kept),
        drawable_charts(metrics(found, marks, names)),
        (*whole_tables(found, names), *column_tables(found, names), *unknown_metrics(found, names)),
    )
    of_it = f" in {names[index]}" if len(names) > 1 else ""
    title = f"How many people each attack recognises{of_it}"
    lead = tuple(risk_words(best))
    charts = drawable_charts(attack_rates(best.privacy, title=title))
    yield Section("attacks", f"Who is recognised{of_it}", lead, charts, tuple(attack_tables))
    yield look_alike_section(best.privacy, of_it)
