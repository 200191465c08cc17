"""The parameters that the jobs share, and how a job takes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from os import PathLike
from typing import Any, ParamSpec, TypedDict, TypeVar

from singleout.engine.missing_values import Missing
from singleout.progress import Audience, silent
from singleout.read.source import CsvFormat
from singleout.roles.study import Study

P = ParamSpec("P")
Result = TypeVar("Result")


class ReadOptions(TypedDict, total=False):
    """What the columns mean, and how the table is read."""

    study: Study | str | PathLike[str] | None
    engine: str | None
    memory: str | None
    threads: int | None
    csv: CsvFormat | None


class CountOptions(ReadOptions, total=False):
    """What `record_risks`, `person_risks` and `predict` take too; they mean the same as for `assess`."""

    user: str | None
    columns: Sequence[str] | None
    missing: Missing


class JobOptions(ReadOptions, total=False):
    """The parameters that end the list of every job that counts."""

    missing: Missing
    seed: int
    progress: Audience


DEFAULTS: dict[str, Any] = {
    "study": None, "missing": "value", "seed": 0, "engine": None, "memory": None, "threads": None,
    "csv": None, "progress": silent,
}  # fmt: skip


def takes_options(
    options: type[Any], *, after: Mapping[str, str] | None = None, **defaults: Any
) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """The job's `**options`, a TypedDict of this file, as parameters that it shows, fills in and checks.

    They are shown behind its own parameters; those that `after` names, and what follows them, are shown
    `after` an option. `defaults` are those that are not the usual ones.

    >>> @takes_options(ReadOptions, threads=2)
    ... def job(data: str, **options: Any) -> int | None:
    ...     return options["threads"]
    >>> list(signature(job).parameters), job("table")
    (['data', 'study', 'engine', 'memory', 'threads', 'csv'], 2)
    >>> job("table", thread=1)
    Traceback (most recent call last):
    TypeError: job() got an unexpected keyword argument 'thread'; did you mean 'threads'?
    """
    usual = {name: value for name, value in DEFAULTS.items() if name in options.__annotations__} | defaults
    shown = [_parameter(name, options, default) for name, default in usual.items()]

    def with_options(job: Callable[P, Result]) -> Callable[P, Result]:
        written = signature(job)
        own = [each for each in written.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        known = {each.name for each in (*own, *shown) if each.kind is not Parameter.VAR_POSITIONAL}

        @wraps(job)
        def call(*args: P.args, **kwargs: P.kwargs) -> Result:
            _check_names(job.__qualname__, kwargs, known)
            for name, default in usual.items():
                kwargs.setdefault(name, default)
            return job(*args, **kwargs)

        whole = written.replace(parameters=_in_order(own, shown, after or {}))
        call.__signature__ = whole  # type: ignore[attr-defined]
        return call

    return with_options


def _parameter(name: str, options: type[Any], default: Any) -> Parameter:
    written = options.__annotations__[name].__forward_arg__
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=written)


def _in_order(
    own: Sequence[Parameter], options: Sequence[Parameter], after: Mapping[str, str]
) -> list[Parameter]:
    left, ordered = list(options), []
    for each in own:
        while each.name in after and after[each.name] in [option.name for option in left]:
            ordered.append(left.pop(0))
        ordered.append(each)
    return ordered + left


def _check_names(job: str, given: Iterable[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise TypeError(f"{job}() got an unexpected keyword argument {name!r}{_hint(name, known)}")


def _hint(name: str, known: Collection[str]) -> str:
    if name == "name":
        return "; a table in memory is named by singleout.source(table, name=…)"
    alike = get_close_matches(name, known, n=1)
    return f"; did you mean {alike[0]!r}?" if alike else ""


def count_options(
    options: JobOptions, user: str | None, columns: Sequence[str] | None = None
) -> CountOptions:
    """What a job was asked to count."""
    return {
        "user": user, "columns": columns, "study": options["study"], "missing": options["missing"],
        "engine": options["engine"], "memory": options["memory"], "threads": options["threads"],
        "csv": options["csv"],
    }  # fmt: skip
