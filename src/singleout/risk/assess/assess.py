"""Runs what was asked for and returns one Assessment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.open_engine import thread_count
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import UsageError
from singleout.progress import teller
from singleout.risk.assess.result import Assessment, Attribute, RiskiestAttributes
from singleout.risk.assess.sampling import SAMPLE, Sampling, ValueSample
from singleout.risk.assess.sensitive_columns import check_sensitive, sensitive_disclosures
from singleout.risk.attribute_risk import attribute_risk
from singleout.risk.equivalence_classes import Classes, classes, history_classes
from singleout.risk.identifiers import identifiers
from singleout.roles.study import study_of, with_sensitive


@takes_options(JobOptions, after={"sample": "missing"})
def assess(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    together: Sequence[Sequence[str]] = (),
    sensitive: Sequence[str] | None = None,
    hierarchies: Any = None,
    sample: int | None = None,
    sampling: Sampling = "uniform",
    confidence: float = 0.9,
    sample_sizes: Sequence[int] = (),
    **options: Unpack[JobOptions],
) -> Assessment:
    """How risky is each attribute, and all of them together?

    `data` is a path, a database address or a frame; `user` names the person column; `columns` are those an
    attacker may know (default: all but the user's); `together` lists tuples of columns to assess as one
    attribute. Columns that are `sensitive` (or have that role in the study) are not known: what follows of
    each from the classes of all others is told, other sensitive ones included, also by their `hierarchies`. A
    `sample` of values (default: 10) shows what the sampling model would say; remarks are about it only if it
    is asked for. The same seed gives the same answer on every engine and thread count.

    >>> import pyarrow
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> assess(table, user="who", columns=["shop"]).attributes[0].risk.risk.value
    0.5
    """
    progress = teller(options["progress"])
    drawing = ValueSample(
        SAMPLE if sample is None else sample, sampling, confidence, tuple(sample_sizes), options["seed"]
    )
    if options["missing"] == "wildcard" and sample_sizes:
        raise UsageError("a sample-size curve needs the missing rule value or drop, not wildcard")
    check_sensitive(sensitive, columns, user)
    study = with_sensitive(study_of(options["study"]), sensitive)
    counting = count_options(options, user, columns) | {"study": study}
    with open_session(data, **counting) as (counter, plan, origin):
        wanted = [(name,) for name in plan.columns] + [_tuple(counter, plan, each) for each in together]
        remarks = list(plan.remarks)
        attributes = []
        for index, names in enumerate(wanted):
            progress(f"counting {'+'.join(names)}", index, len(wanted) + 1)
            attributes.append(_attribute(counter, plan, names, drawing, remarks))
        progress("counting all columns together", len(wanted), len(wanted) + 1)
        counted_attributes = tuple(each for each in attributes if each)
        together_classes = _classes(counter, plan, remarks)
        disclosures = sensitive_disclosures(
            counter, plan, hierarchies, origin, thread_count(options["threads"]), remarks
        )
        remarks += [
            *_left_out_remarks(counted_attributes, together_classes, plan),
            *(_sample_remarks(counted_attributes) if sample is not None or sample_sizes else ()),
        ]
        result = Assessment(
            source=origin.name,
            engine=counter.name,
            user=plan.user,
            missing=plan.missing,
            seed=drawing.seed,
            records=plan.records,
            people=plan.people,
            attributes=counted_attributes,
            riskiest=riskiest_attributes(counted_attributes),
            classes=together_classes,
            sensitive=disclosures,
            remarks=tuple(remarks),
            identifiers=identifiers(counter, plan.user),
        )
    progress("done", len(wanted) + 1, len(wanted) + 1)
    return result


def _attribute(
    counter: Engine, plan: CheckedQuestion, names: tuple[str, ...], drawing: ValueSample, remarks: list[str]
) -> Attribute | None:
    sizes = counter.sizes(plan.question(names))
    if not sizes.total_records:
        remarks.append(f"{'+'.join(names)}: no record has a value there; left out")
        return None
    risk = attribute_risk(names, sizes, plan.people)
    if sizes.overlapping:
        return Attribute(risk, None, sizes=sizes)
    drawn = drawing.risk(names, sizes, one_record_each=plan.user is None)
    return Attribute(risk, drawn, drawing.curve(names, sizes), sizes)


def riskiest_attributes(attributes: Sequence[Attribute]) -> RiskiestAttributes | None:
    """The riskiest single attribute by each model; the sampling model goes by its interval's upper end.

    A tuple of attributes is never less risky than its parts, so tuples do not compete.
    """
    single = [each for each in attributes if len(each.risk.columns) == 1]
    if not single:
        return None
    exact = max(single, key=lambda each: each.risk.risk.known)
    samples = [each.sampling for each in single if each.sampling]
    if len(samples) < len(single):
        return RiskiestAttributes(exact.name, None, None, None)
    low_cost = max(single, key=lambda each: each.risk.low_cost.known)
    first = max(range(len(single)), key=lambda index: samples[index].high)
    others = [each.high for index, each in enumerate(samples) if index != first]
    separated = samples[first].low > max(others, default=0.0)
    return RiskiestAttributes(exact.name, low_cost.name, single[first].name, separated)


def _sample_remarks(attributes: Sequence[Attribute]) -> list[str]:
    """The exact risk is known here, so it can be told where a sample alone would have misled."""
    misled = [
        each.name for each in attributes if each.sampling and not each.sampling.holds(each.risk.risk.known)
    ]
    doubtful = [each.name for each in attributes if each.sampling and each.sampling.warning]
    remarks = []
    if misled:
        remarks.append(
            f"the sampled interval misses the exact risk of {', '.join(misled)}: a sample would mislead"
        )
    if doubtful:
        remarks.append(
            f"the sample of {', '.join(doubtful)} is too small to trust; take more values by --sample-values"
        )
    return remarks


def _left_out_remarks(
    attributes: Sequence[Attribute], together: Classes | None, plan: CheckedQuestion
) -> list[str]:
    """How many records the rule `drop` took out of each count."""
    counts = [(each.name, plan.records - each.risk.records) for each in attributes]
    if together:
        counts.append(("all columns together", plan.records - together.records))
    texts = [f"{name} {number:,}" for name, number in counts if number]
    return [f"records left out for a missing value: {', '.join(texts)}"] if texts else []


def _classes(counter: Engine, plan: CheckedQuestion, remarks: list[str]) -> Classes | None:
    question = plan.question(plan.columns)
    sizes = counter.sizes(question)
    if not sizes.total_records:
        remarks.append("all columns together: no record has a value in every column; left out")
        return None
    if plan.user is None:
        return classes(plan.columns, sizes)
    alone = None if sizes.overlapping else counter.people_alone(question)
    return history_classes(plan.columns, sizes, alone)


def _tuple(counter: Engine, plan: CheckedQuestion, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or len(set(names)) < 2:
        raise UsageError(f"together: {names!r} is one column; give tuples of two or more")
    if plan.user in names:
        raise UsageError(f"together: {plan.user!r} is the user column; an attacker who knows it is done")
    return known_columns(counter, names)
