"""`singleout metric run FILE ORIGINAL RELEASE`: a metric of one's own, in the sandbox of the platform."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from singleout.cli.options import add_json, megabytes, print_json

if TYPE_CHECKING:
    from pathlib import Path

    from singleout.platform.sandbox.confinement import Wall
    from singleout.platform.sandbox.sandbox import MetricRun
    from singleout.platform.uploaded_metric import UploadedMetric

SUMMARY = "run a metric of your own, written in SQL, Python or R, as the platform runs it"
UNKNOWN = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["run"], metavar="run", help="on one original and one release")
    parser.add_argument("file", metavar="FILE", help="the metric: .sql, .py or .R, below its header")
    parser.add_argument("original", metavar="ORIGINAL", help="the table as it was: CSV or Parquet")
    parser.add_argument("release", metavar="RELEASE", help="what became of it")
    parser.add_argument("--truth", metavar="MAP", help="who is who, for a metric whose header says secret")
    parser.add_argument(
        "--user", metavar="COL", help="the column that names people, by fresh names in the release"
    )
    parser.add_argument(
        "--contest-file", metavar="TOML", help="the rules of a contest: its columns are told to the metric"
    )
    parser.add_argument("--seconds", type=int, default=60, metavar="S", help="at most (default: 60)")
    parser.add_argument(
        "--memory", type=megabytes, default="4GB", metavar="SIZE", help="at most (default: 4GB)"
    )
    parser.add_argument(
        "--no-sandbox", action="store_true", help="where there is none: only for a metric that you trust"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from singleout.errors import UsageError

    metric, files = _metric(options.file), _files(options)
    if metric.secret != ("truth" in files):
        raise UsageError("--truth names the map of who is who, for a metric whose header says secret = true")
    found, wall = _found(metric, files, options)
    if options.json:
        print_json(_document(metric, found, wall))
    else:
        _show(metric, found)
    return UNKNOWN if found.value is None else 0


def _found(
    metric: UploadedMetric, files: dict[str, Path], options: argparse.Namespace
) -> tuple[MetricRun, Wall]:
    """By the strongest sandbox that can be built here."""
    from singleout.errors import InputError
    from singleout.platform.sandbox.confinement import Confinement, MetricLimits, possible_walls
    from singleout.platform.sandbox.sandbox import run_metric
    from singleout.temporary_files import temporary_folder

    limits = MetricLimits(seconds=options.seconds, memory_megabytes=options.memory)
    parameters = _parameters(options)
    walls: tuple[Wall, ...] = ("none",) if options.no_sandbox else possible_walls()
    with temporary_folder() as folder:
        tables = files if metric.secret else _unlinked(files, parameters.get("user"), folder)
        for wall in walls:
            found = run_metric(metric, tables, Confinement(wall), parameters=parameters, limits=limits)
            if not found.by_platform:
                return found, wall
    raise InputError("no sandbox can be built here; --no-sandbox runs a metric that you trust without one")


def _unlinked(files: dict[str, Path], user: object, folder: Path) -> dict[str, Path]:
    """The release as the platform shows it to a metric that may not know who is who."""
    from singleout.platform.unlinked_release import write_unlinked

    release = folder / "release.parquet"
    write_unlinked(files["release"], None if user is None else str(user), release)
    return {**files, "release": release}


def _metric(file: str) -> UploadedMetric:
    from singleout.errors import InputError
    from singleout.platform.uploaded_metric import MOST_BYTES, check_visible, read_metric
    from singleout.read.input_files import check_ordinary

    try:
        check_ordinary(file)
        with open(file, "rb") as content:  # noqa: PTH123
            check_visible(metric := read_metric(content.read(MOST_BYTES + 1), file))
    except OSError as error:
        raise InputError(f"{file}: can't be read ({(error.strerror or 'no reason told').lower()})") from error
    return metric


def _files(options: argparse.Namespace) -> dict[str, Path]:
    from pathlib import Path

    from singleout.errors import InputError

    given = {"original": options.original, "release": options.release, "truth": options.truth}
    files = {name: Path(path) for name, path in given.items() if path is not None}
    for path in files.values():
        if not path.is_file():
            raise InputError(f"{path}: there is no such file")
    return files


def _parameters(options: argparse.Namespace) -> dict[str, str | int]:
    from singleout.platform.contest import read_contest
    from singleout.platform.uploaded_metric import metric_parameters
    from singleout.read.located_rows import text_of

    told: dict[str, str | int] = {}
    if options.contest_file is not None:
        told = metric_parameters(read_contest(text_of(options.contest_file)))
    return told if options.user is None else {**told, "user": options.user}


def _document(metric: UploadedMetric, found: MetricRun, wall: Wall) -> dict[str, object]:
    """An end of the range that is not there is null."""
    from math import isfinite

    ends = [each if isfinite(each) else None for each in (metric.lowest, metric.highest)]
    return {
        "metric": metric.name, "digest": metric.digest, "family": metric.family, "better": metric.better,
        "range": ends, "value": found.value, "reason": found.reason, "log": found.log, "sandbox": wall,
    }  # fmt: skip


def _show(metric: UploadedMetric, found: MetricRun) -> None:
    sys.stderr.write(found.log)
    value = "unknown" if found.value is None else repr(found.value)
    why = "" if found.reason is None else f" ({found.reason})"
    sys.stdout.write(f"{metric.name} = {value}{why}\n")
