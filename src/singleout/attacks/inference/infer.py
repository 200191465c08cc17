"""Guesses sensitive values from the other columns, and tells how much better than by the base rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from singleout.attacks.attack_records import AttackRecords, read_records
from singleout.attacks.inference.guess_run import GuessRun
from singleout.attacks.inference.known_table import known_table
from singleout.attacks.inference.result import Inference, InferredColumn
from singleout.checks import is_whole
from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import thread_count
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import UsageError
from singleout.progress import Progress, progress_about, silent, teller

NO_SENSITIVE = 'no column is sensitive; name one, or give it the role "sensitive" in a study file'


@takes_options(JobOptions)
def infer(
    data: Any,
    *,
    sensitive: str | Sequence[str] | None = None,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    **options: Unpack[JobOptions],
) -> Inference:
    """How much better than by the base rate does somebody guess a sensitive value who knows the others?

    `sensitive` are the columns to guess (default: those with that role in the study); `columns` are what is
    known of the person (default: all that attackers may know, and the other sensitive ones). Guessers are
    tried beside one that knows nothing: the most frequent value among other people who are alike in all known
    columns, or in the fewer that tell most, and gradient boosting in 5 folds of people. No record helps to
    guess its own value. Values that differ in their spelling alone are guessed apart and as one. Of very many
    people a model learns from a random sample, and says so.

    >>> import pyarrow
    >>> table = pyarrow.table({"town": ["x", "y"] * 50, "illness": ["flu", "none"] * 50})
    >>> found = infer(table, sensitive="illness").columns[0].best
    >>> found.rate, found.baseline, round(found.interval[0], 2)
    (1.0, 0.5, 0.96)
    """
    if not is_whole(options["seed"]):
        raise UsageError(f"the seed must be a whole number, not {options['seed']!r}")
    progress, threads = teller(options["progress"]), thread_count(options["threads"])
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, origin):
        guarded = _sensitive_columns(counter, plan, sensitive)
        known = plan.columns if columns is not None else tuple(dict.fromkeys((*plan.columns, *guarded)))
        wanted = [(_without(known, (name,)), name) for name in guarded]
        found = infer_columns(
            counter, wanted, user=plan.user, missing=plan.missing, seed=options["seed"], threads=threads,
            progress=progress,
        )  # fmt: skip
        result = Inference(
            source=origin.name,
            engine=counter.name,
            user=plan.user,
            missing=plan.missing,
            seed=options["seed"],
            records=plan.records,
            people=plan.people,
            columns=found,
            remarks=(*plan.remarks, *(remark for each in found for remark in _remarks(each))),
        )
    progress("done", 1, 1)
    return result


def infer_columns(
    counter: Engine,
    wanted: Sequence[tuple[Sequence[str], str]],
    *,
    user: str | None,
    missing: Missing = "value",
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> tuple[InferredColumn, ...]:
    """The same of an open table, read once: for each sensitive column with what is known beside it."""
    _check(wanted, missing)
    progress("reading the records", 0, 1)
    names = tuple(dict.fromkeys(name for known, guarded in wanted for name in (*known, guarded)))
    read = read_records(counter, "the table", names, user, missing)
    found = []
    for index, (known, guarded) in enumerate(wanted):
        progress(f"guessing {guarded}", index, len(wanted))
        found.append(
            _infer_column(read, names, known, guarded, user is None, missing, seed, threads, progress)
        )
    return tuple(found)


def _infer_column(
    read: AttackRecords, names: Sequence[str], known: Sequence[str], guarded: str, single: bool,
    missing: Missing, seed: int, threads: int, progress: Progress,
) -> InferredColumn:  # fmt: skip
    whole = known_table(read, names, known, guarded, single)
    left = whole.only(whole.filled((*known, guarded))) if missing == "drop" else whole
    run = GuessRun(left, seed, threads, progress_about(guarded, progress))
    return run.result(whole.history.people - left.history.people)


def _check(wanted: Sequence[tuple[Sequence[str], str]], missing: Missing) -> None:
    if missing == "wildcard":
        raise UsageError("values are guessed with the missing rule value or drop, not wildcard")
    for known, guarded in wanted:
        if not known:
            raise UsageError(f"no column is known beside {guarded!r} to guess it from; name some")
        if guarded in known:
            raise UsageError(f"{guarded!r} is to be guessed and known at once; let columns name others")


def _sensitive_columns(
    counter: Engine, plan: CheckedQuestion, sensitive: str | Sequence[str] | None
) -> tuple[str, ...]:
    if sensitive is None:
        roles = plan.study.roles if plan.study else {}
        sensitive = [name for name, role in roles.items() if role == "sensitive"]
    if not isinstance(sensitive, Sequence):
        raise UsageError(f"sensitive: {sensitive!r} is no column; give a name, or a list of names")
    named = known_columns(counter, [sensitive] if isinstance(sensitive, str) else sensitive)
    if not named:
        raise UsageError(f"{counter.source_name}: {NO_SENSITIVE}")
    if plan.user in named:
        raise UsageError(f"{plan.user!r} is the user column; name what is sensitive about the person")
    return named


def _without(names: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)


def _remarks(each: InferredColumn) -> list[str]:
    remarks = []
    if each.alone and each.attempts:
        remarks.append(
            f"{each.column}: {each.alone:,} people are left out, whose value nobody else has to learn it from"
        )
    if each.dropped:
        remarks.append(
            f"{each.column}: no record is left of {each.dropped:,} people once those that miss a value are "
            "dropped; what is missing of them may tell too"
        )
    remarks += [
        f"{each.column}: estimated from {one.estimated}" for one in each.attempts if one.estimated is not None
    ]
    return list(dict.fromkeys(remarks))
