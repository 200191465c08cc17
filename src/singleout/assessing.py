"""Runs what was asked for and returns one Assessment."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from singleout.assessment import Assessment, Attribute, Riskiest
from singleout.engine.protocol import Missing
from singleout.engine.sql import SqlEngine, known_column
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.read.source import CsvFormat
from singleout.risk.attribute import attribute_risk
from singleout.risk.classes import Classes, classes, history_classes
from singleout.risk.sampling import Drawing, Sampling
from singleout.roles.study import Study
from singleout.session import Plan, opened


def assess(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    together: Sequence[Sequence[str]] = (),
    study: Study | str | PathLike[str] | None = None,
    missing: Missing = "value",
    sample: int = 10,
    sampling: Sampling = "uniform",
    confidence: float = 0.9,
    sample_sizes: Sequence[int] = (),
    seed: int = 0,
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
    progress: Progress = silent,
) -> Assessment:
    """How risky is each attribute, and all of them together?

    `data` is a path, a database address or a frame; `user` names the person column; `columns` are those an
    attacker may know (default: all but the user's); `together` lists tuples of columns to assess as one
    attribute. The same seed gives the same answer on every engine and thread count.

    >>> import pyarrow
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> assess(table, user="who", columns=["shop"]).attributes[0].risk.risk.value
    0.5
    """
    drawing = Drawing(sample, sampling, confidence, tuple(sample_sizes), seed)
    if missing == "wildcard" and sample_sizes:
        raise UsageError("a sample-size curve needs the missing rule value or drop, not wildcard")
    with opened(
        data, user=user, columns=columns, study=study, missing=missing,
        engine=engine, memory=memory, threads=threads, csv=csv,
    ) as (counter, plan, origin):  # fmt: skip
        wanted = [(name,) for name in plan.columns] + [_tuple(counter, plan, each) for each in together]
        remarks = list(plan.remarks)
        attributes = []
        for place, names in enumerate(wanted):
            progress(f"counting {'+'.join(names)}", place, len(wanted) + 1)
            attributes.append(_attribute(counter, plan, names, drawing, remarks))
        progress("counting all columns together", len(wanted), len(wanted) + 1)
        found = tuple(each for each in attributes if each)
        result = Assessment(
            source=origin.name,
            engine=counter.name,
            user=plan.user,
            missing=missing,
            seed=seed,
            records=plan.records,
            people=plan.people,
            attributes=found,
            riskiest=riskiest(found),
            classes=_classes(counter, plan, remarks),
            remarks=tuple(remarks),
        )
    progress("done", len(wanted) + 1, len(wanted) + 1)
    return result


def _attribute(
    counter: SqlEngine, plan: Plan, names: tuple[str, ...], drawing: Drawing, remarks: list[str]
) -> Attribute | None:
    sizes = counter.sizes(plan.question(names))
    if not sizes.total_records:
        remarks.append(f"{'+'.join(names)}: no record has a value there; left out")
        return None
    risk = attribute_risk(names, sizes, plan.people)
    if sizes.overlapping:
        return Attribute(risk, None)
    drawn = drawing.risk(names, sizes)
    if drawn.warning:
        remarks.append(f"{risk.name}: {drawn.warning}")
    return Attribute(risk, drawn, drawing.curve(names, sizes))


def riskiest(attributes: Sequence[Attribute]) -> Riskiest | None:
    """The riskiest by each model; the sampling model goes by the upper end of its interval."""
    if not attributes:
        return None
    exact = max(attributes, key=lambda each: each.risk.risk.known)
    if any(each.sampling is None for each in attributes):
        return Riskiest(exact.name, None, None, None)
    low_cost = max(attributes, key=lambda each: each.risk.low_cost.known)
    by_sample = sorted(attributes, key=lambda each: each.sampling.high if each.sampling else 0.0)
    first, others = by_sample[-1], by_sample[:-1]
    assert first.sampling is not None
    highest_other = max((each.sampling.high for each in others if each.sampling), default=0.0)
    return Riskiest(exact.name, low_cost.name, first.name, first.sampling.low > highest_other)


def _classes(counter: SqlEngine, plan: Plan, remarks: list[str]) -> Classes | None:
    question = plan.question(plan.columns)
    sizes = counter.sizes(question)
    if not sizes.total_records:
        remarks.append("all columns together: no record has a value in every column; left out")
        return None
    if plan.user is None:
        return classes(plan.columns, sizes)
    alone = None if sizes.overlapping else counter.people_alone(question)
    return history_classes(plan.columns, sizes, alone)


def _tuple(counter: SqlEngine, plan: Plan, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or len(set(names)) < 2:
        raise UsageError(f"together: {names!r} is one column; give tuples of two or more")
    if plan.user in names:
        raise UsageError(f"together: {plan.user!r} is the user column; an attacker who knows it is done")
    return tuple(known_column(counter.place, name, counter.columns()) for name in names)
