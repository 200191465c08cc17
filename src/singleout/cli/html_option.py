"""`--html OUT`: the report of a command as one file that opens offline."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from singleout.policy.verdict.digest import Digest
    from singleout.read.source import Source
    from singleout.report.pages.page import Report

ENDINGS = (".html", ".htm")


def add_html(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--html", metavar="OUT",
        help="write a report for the person who decides to this .html file, which needs nothing else to open",
    )  # fmt: skip
    add_date(parser)


def add_date(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--date", type=_date, metavar="DAY",
        help="of the report: the day that stands on it, like 2026-11-16 (default: today)",
    )  # fmt: skip


def _date(text: str) -> str:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it like 2026-11-16") from error


def save_report(report: Report, options: argparse.Namespace, inputs: Sequence[Digest] = ()) -> None:
    """With its day, the command behind it, and the digests of what it comes from."""
    from dataclasses import replace
    from datetime import date

    from singleout.read.source import without_secrets

    command = shlex.join(["singleout", *map(without_secrets, options.words)])
    page = replace(report, inputs=(*report.inputs, *inputs))
    page.stamp(options.date or date.today().isoformat(), command).save(options.html)


@contextmanager
def watch_inputs(
    tables: Sequence[tuple[str, Source]], files: Sequence[tuple[str, str | None]]
) -> Iterator[Callable[[], tuple[Digest, ...]]]:
    """Within it no table may change; what it yields tells by digests what has been read, each by its name."""
    from contextlib import ExitStack
    from functools import partial

    from singleout.engine.session import refuse_changes
    from singleout.policy.input_digests import job_digests
    from singleout.read.input_files import note_files

    with ExitStack() as stack:
        read = stack.enter_context(note_files())
        for _, table in tables:
            stack.enter_context(refuse_changes(table))
        yield partial(job_digests, tables, files, read)


def check_html(target: str | None, read: Sequence[Source], files: Iterable[str | None] = ()) -> None:
    """Fail before the work if the report can't be written there, or would replace what is read."""
    from pathlib import Path

    from singleout.errors import OutputError
    from singleout.files import check_writable

    if target is None:
        return
    from singleout.report.charts.drawing_process import start_drawing

    if Path(target).suffix.lower() not in ENDINGS:
        raise OutputError(f"--html {target}: end the name in {' or '.join(ENDINGS)}")
    check_not_input(target, read, files)
    check_writable(target)
    start_drawing()


def check_not_input(target: str, read: Sequence[Source], files: Iterable[str | None]) -> None:
    """What is written must not be one of the tables, nor one of the other files that are read."""
    from singleout.errors import OutputError
    from singleout.files import real_path

    others = {real_path(each) for each in files if each}
    if real_path(target) in others or any(each.holds(target) for each in read):
        raise OutputError(f"{target}: belongs to what is read; name another file")
