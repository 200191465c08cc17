"""`singleout submit FILE`: hand in a release or guesses to a contest, and follow it until it is scored."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from singleout.cli.options import add_json, print_json

if TYPE_CHECKING:
    from pathlib import Path

    from singleout.platform.client import Server

SUMMARY = "hand in a release or a metric to a contest of the platform, and wait for its values"
TOKEN_VARIABLE = "SINGLEOUT_TOKEN"
REFUSED = 1
SHOWN = "your best by at least a step: at least {:.0%} of the people recognised"
NOT_SHOWN = "not a step better than your best that was shown: no score is told"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="the release: CSV or Parquet")
    parser.add_argument(
        "--metric", action="store_true", help="FILE is a metric of your own: .sql, .py or .R with its header"
    )
    parser.add_argument("--server", required=True, metavar="URL", help="like https://contest.example.org")
    parser.add_argument("--contest", required=True, metavar="NAME", help="the contest's short name")
    parser.add_argument("--truth", metavar="MAP", help="who is who, if the contest wants it")
    parser.add_argument(
        "--recipe", metavar="RECIPE.toml", help="the steps that made it, if the contest publishes these"
    )
    parser.add_argument(
        "--people-table",
        metavar="FILE",
        help="the table of people that goes with it, if the contest has one",
    )
    parser.add_argument(
        "--guesses", metavar="GUESSES",
        help="in place of FILE: who is who in the published release --target, as CSV or Parquet",
    )  # fmt: skip
    parser.add_argument("--target", type=int, metavar="N", help="the number of the release to attack")
    parser.add_argument("--comment", default="", metavar="TEXT", help="for yourselves")
    parser.add_argument(
        "--token-file", metavar="FILE", help=f"with your token (default: the variable {TOKEN_VARIABLE})"
    )
    parser.add_argument("--no-wait", action="store_true", help="end when it is received")
    parser.add_argument(
        "--wait", type=float, default=3_600.0, metavar="SECONDS", help="at most this long (default: 3600)"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from pathlib import Path

    from singleout.errors import InputError, UsageError
    from singleout.platform.client import Server

    if not options.wait >= 0:
        raise UsageError(f"--wait {options.wait:g}: write how many seconds, from 0")
    _check(options)
    given = {"release": options.file, "truth": options.truth, "recipe": options.recipe,
             "people": options.people_table, "guesses": options.guesses}  # fmt: skip
    files = {name: Path(each) for name, each in given.items() if each is not None}
    for each in files.values():
        if not each.is_file():
            raise InputError(f"{each}: there is no such file")
    server = Server(options.server, _token(options))
    if options.metric:
        return _hand_in_metric(server, files["release"], options)
    if options.guesses is None:
        found = server.submit(options.contest, files, options.comment)
    else:
        found = server.guess(options.contest, files["guesses"], options.target, options.comment)
    if not options.no_wait:
        found = server.follow(options.contest, found["number"], _teller(), options.wait)
    if options.json:
        print_json(found)
    else:
        _show(found)
    return REFUSED if found["state"] in ("refused", "failed") else 0


def _hand_in_metric(server: Server, file: Path, options: argparse.Namespace) -> int:
    from singleout.platform.uploaded_metric import MOST_BYTES, read_metric

    with file.open("rb") as content:  # what is wrong with its header is told before anything is sent
        read_metric(content.read(MOST_BYTES + 1), file.name)
    found = server.send_metric(options.contest, file)
    if not options.no_wait:
        found = server.follow(options.contest, found["number"], _teller("metric"), options.wait, "metrics")
    if options.json:
        print_json(found)
    else:
        _show_metric(found)
    return REFUSED if found["state"] == "refused" else 0


def _show_metric(found: dict[str, Any]) -> None:
    from singleout.errors import printable_lines, printable_text

    lines = [f"metric {found['number']} {found['name']}: {found['state']}"]
    if "trial_value" in found:
        value, why = found["trial_value"], found["trial_reason"]
        told = f"unknown ({why or 'not run'})" if value is None else f"{value!r}"
        lines.append(f"  on the example: {told}")
    lines += [
        f"  submission {each['submission']}: {each['value']!r} {each['reason'] or ''}".rstrip()
        for each in found.get("values", [])
    ]
    sys.stderr.write(printable_lines(found.get("log", "")))
    sys.stdout.write("".join(f"{printable_text(each)}\n" for each in lines))


def _check(options: argparse.Namespace) -> None:
    """A release, or guesses at one."""
    from singleout.errors import UsageError

    of_release = options.file, options.truth, options.recipe, options.people_table
    if options.metric and (options.file is None or any((*of_release[1:], options.guesses, options.target))):
        raise UsageError(
            "--metric needs the FILE of a metric, and nothing that goes with a release or guesses"
        )
    if options.guesses is None and options.file is None:
        raise UsageError("name the FILE of a release, or --guesses and the --target that they are about")
    if options.guesses is not None and (options.target is None or any(of_release)):
        raise UsageError("--guesses need the --target that they are about, and nothing of a release")
    if options.guesses is None and options.target is not None:
        raise UsageError("--target is for --guesses")


def _token(options: argparse.Namespace) -> str:
    """Never as an option: others could read it in the list of processes."""
    from singleout.errors import InputError, UsageError
    from singleout.read.input_files import regular_bytes

    if options.token_file is None:
        if token := os.environ.get(TOKEN_VARIABLE, "").strip():
            return token
        raise UsageError(f"name a --token-file, or set {TOKEN_VARIABLE}; your account's page makes tokens")
    try:
        return regular_bytes(options.token_file).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{options.token_file}: can't be read; it holds your token and nothing else"
        ) from error


def _teller(what: str = "submission") -> Any:
    """Says on standard error what is new, if somebody looks."""
    last = ""

    def tell(found: dict[str, Any]) -> None:
        nonlocal last
        queue = found.get("queue") or {}
        place = f", place {queue['position']} in the queue" if queue.get("position") else ""
        line = f"{what} {found['number']}: {found['state']}{place}"
        if line != last and sys.stderr.isatty():
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
        last = line

    return tell


def _show(found: dict[str, Any]) -> None:
    from singleout.errors import printable_text

    lines = [f"submission {found['number']}: {found['state']}"]
    lines += [f"  {each.get('text', '')}" for each in found.get("problems", [])]
    lines += [f"  {found['log']}"] if found.get("log") else []
    if found.get("kind") == "guesses" and found["state"] == "scored":
        shown = found.get("shown")
        lines.append(f"  {NOT_SHOWN if shown is None else SHOWN.format(shown)}")
    for each in found.get("values", []):
        value = "unknown" if each["value"] is None else f"{each['value']:.6g}"
        why = f" ({each['reason']})" if each["reason"] else ""
        lines.append(f"  {each['family']}: {each['metric']} = {value}{why}")
    sys.stdout.write("".join(f"{printable_text(each)}\n" for each in lines))
