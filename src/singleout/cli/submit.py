"""`singleout submit FILE`: hand in a release to a contest of a platform, and follow it until it is scored."""

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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the release: CSV or Parquet")
    parser.add_argument(
        "--metric", action="store_true", help="FILE is a metric of your own: .sql, .py or .R with its header"
    )
    parser.add_argument("--server", required=True, metavar="URL", help="like https://contest.example.org")
    parser.add_argument("--contest", required=True, metavar="NAME", help="the contest's short name")
    parser.add_argument("--truth", metavar="MAP", help="who is who, if the contest wants it")
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

    from singleout.errors import InputError
    from singleout.platform.client import Server

    files = [Path(each) for each in (options.file, options.truth) if each is not None]
    for each in files:
        if not each.is_file():
            raise InputError(f"{each}: there is no such file")
    server = Server(options.server, _token(options))
    if options.metric:
        return _hand_in_metric(server, files[0], options)
    truth = None if options.truth is None else files[1]
    found = server.submit(options.contest, files[0], truth, options.comment)
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


def _token(options: argparse.Namespace) -> str:
    """Never as an option: others could read it in the list of processes."""
    from pathlib import Path

    from singleout.errors import InputError, UsageError

    if options.token_file is None:
        if token := os.environ.get(TOKEN_VARIABLE, "").strip():
            return token
        raise UsageError(f"name a --token-file, or set {TOKEN_VARIABLE}; your account's page makes tokens")
    try:
        return Path(options.token_file).read_text(encoding="utf-8").strip()
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
    for each in found.get("values", []):
        value = "unknown" if each["value"] is None else f"{each['value']:.6g}"
        why = f" ({each['reason']})" if each["reason"] else ""
        lines.append(f"  {each['family']}: {each['metric']} = {value}{why}")
    sys.stdout.write("".join(f"{printable_text(each)}\n" for each in lines))
