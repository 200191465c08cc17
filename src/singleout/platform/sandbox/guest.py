"""What runs inside the sandbox: reads the tables, runs the metric on them, and tells one number.

The request is JSON on its input, the answer JSON on descriptor 3; what the metric prints is its log.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

RESULT = 3
STARTED = b"started\n"
MEGABYTE = 1_000_000
MOST_OPEN_FILES = 256
PROGRAM = "<metric>"
LONGEST_REASON = 500


class MetricError(Exception):
    """Why a metric gave no number, in words for its author."""


def main() -> None:
    request = json.load(sys.stdin)
    _limit(request["limits"])
    # from here on it is the metric's doing if there is no answer
    os.write(RESULT, STARTED)
    answer: dict[str, Any]
    try:
        answer = {"value": _value(request), "reason": None}
    except MetricError as fault:
        answer = {"value": None, "reason": str(fault)[:LONGEST_REASON]}
    except MemoryError:
        answer = {"value": None, "reason": _too_much_memory(request)}
    tell(answer)


def tell(answer: dict[str, Any]) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    with os.fdopen(RESULT, "w", encoding="utf-8") as result:
        json.dump(answer, result, allow_nan=False)
    # what the metric left running or registered has no say any more
    os._exit(0)


def _limit(limits: dict[str, Any]) -> None:
    if limits["processes"] is not None:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits["processes"], limits["processes"]))
    for kind, most in (
        (resource.RLIMIT_AS, limits["memory_megabytes"] * MEGABYTE),
        (resource.RLIMIT_CPU, limits["seconds"]),
        (resource.RLIMIT_FSIZE, limits["disk_megabytes"] * MEGABYTE),
        (resource.RLIMIT_NOFILE, MOST_OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def _value(request: dict[str, Any]) -> float | None:
    from singleout.errors import SingleoutError
    from singleout.platform.sandbox.metric_tables import metric_tables
    from singleout.platform.sandbox.privilege_drop import restrict_files

    try:
        tables = metric_tables(request["files"], request["limits"]["memory_megabytes"])
    except SingleoutError as error:
        raise MetricError(f"a table could not be read: {error}") from error
    if request["sealed"] is not None:
        if request["language"] == "r":
            raise MetricError("R needs a place to write to; without bubblewrap there is none here")
        restrict_files(**request["sealed"])
    run: Callable[[dict[str, Any], dict[str, Any]], float | None] = {
        "sql": _sql_value, "python": _python_value, "r": _r_value,
    }[request["language"]]  # fmt: skip
    return run(request, tables)


def _sql_value(request: dict[str, Any], tables: dict[str, Any]) -> float | None:
    import duckdb

    from singleout.platform.sandbox.locked_duckdb import locked_duckdb

    connection = locked_duckdb(tables, request["parameters"], request["limits"]["memory_megabytes"])
    try:
        statements = connection.extract_statements(request["text"])
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise MetricError("write exactly one SELECT")
        answer = connection.execute(statements[0])
        rows = answer.fetchmany(2)
        if len(rows) != 1 or len(rows[0]) != 1:
            raise MetricError("the SELECT has to give one row with one number")
    except duckdb.OutOfMemoryException as error:
        raise MemoryError from error
    except duckdb.Error as error:
        raise MetricError(_first_line(error)) from error
    return number_of(rows[0][0])


def _python_value(request: dict[str, Any], tables: dict[str, Any]) -> float | None:
    try:
        code = compile(request["text"], PROGRAM, "exec", dont_inherit=True)
        space: dict[str, Any] = {"__name__": "metric"}
        exec(code, space)
        function = _one_function(space)
        given = {name: _in_form(table, request["tables"]) for name, table in tables.items()}
        given["parameters"] = request["parameters"]
        wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
        if unknown := [each for each in wanted if each not in given]:
            raise MetricError(f"the function asks for {', '.join(unknown)}; there are {', '.join(given)}")
        return number_of(function(**{name: given[name] for name in wanted}))
    except (MetricError, MemoryError):
        raise
    except BaseException as error:
        _print_own_frames(error)
        raise MetricError(f"{type(error).__name__}: {_first_line(error)}") from error


def _one_function(space: dict[str, Any]) -> Callable[..., Any]:
    functions = [
        each
        for name, each in space.items()
        if type(each) is type(_one_function) and each.__code__.co_filename == PROGRAM and name[0] != "_"
    ]
    if len(functions) != 1:
        raise MetricError(
            f"write one function like def metric(original, release); there are {len(functions)} "
            "(names of further ones begin with _)"
        )
    return functions[0]


def _print_own_frames(error: BaseException) -> None:
    """The traceback below our own frames, into the log."""
    stack = error.__traceback__
    while stack is not None and stack.tb_frame.f_code.co_filename != PROGRAM:
        stack = stack.tb_next
    traceback.print_exception(type(error), error, stack)


def _in_form(table: Any, form: str) -> Any:
    if form == "arrow":
        return table
    try:
        module = import_module(form)
    except ModuleNotFoundError as error:
        raise MetricError(f"{form} is not installed here; take the tables as arrow") from error
    return table.to_pandas() if form == "pandas" else module.from_arrow(table)


def number_of(value: Any) -> float | None:
    """A finite number; None stands for unknown."""
    if value is None:
        return None
    if isinstance(value, (str, bytes)) or not hasattr(type(value), "__float__"):
        raise MetricError(f"it gave {type(value).__name__} instead of a number")
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):
        raise MetricError(f"it gave {number}, which is no finite number")
    return number


def _r_value(request: dict[str, Any], tables: dict[str, Any]) -> float | None:
    """R takes the place of this process and answers itself."""
    from singleout.platform.sandbox.r_program import become_r

    sys.stdout.flush()
    become_r(request, tables, RESULT)
    raise AssertionError


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or ["no reason is told"])[0][:LONGEST_REASON]


def _too_much_memory(request: dict[str, Any]) -> str:
    return f"it needed more than {request['limits']['memory_megabytes']:,} MB of memory"
