"""`singleout submit FILE`: hand in a release to a contest of a platform, and follow it until it is scored."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from singleout.cli.options import add_json, print_json

SUMMARY = "hand in a release to a contest of the platform, and wait for its values"
TOKEN_VARIABLE = "SINGLEOUT_TOKEN"
REFUSED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the release: CSV or Parquet")
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

    from singleout.errors import InputError, UsageError
    from singleout.platform.client import Server

    if not options.wait >= 0:
        raise UsageError(f"--wait {options.wait:g}: write how many seconds, from 0")
    files = [Path(each) for each in (options.file, options.truth) if each is not None]
    for each in files:
        if not each.is_file():
            raise InputError(f"{each}: there is no such file")
    server = Server(options.server, _token(options))
    truth = None if options.truth is None else files[1]
    found = server.submit(options.contest, files[0], truth, options.comment)
    if not options.no_wait:
        found = server.follow(options.contest, found["number"], _teller(), options.wait)
    if options.json:
        print_json(found)
    else:
        _show(found)
    return REFUSED if found["state"] in ("refused", "failed") else 0


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


def _teller() -> Any:
    """Says on standard error what is new, if somebody looks."""
    last = ""

    def tell(found: dict[str, Any]) -> None:
        nonlocal last
        queue = found.get("queue") or {}
        place = f", place {queue['position']} in the queue" if queue.get("position") else ""
        line = f"submission {found['number']}: {found['state']}{place}"
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
