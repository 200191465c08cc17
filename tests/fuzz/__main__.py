"""`python -m tests.fuzz`: tries inputs for a while, and tells what came of them; `make fuzz` is the door."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.fuzz import corpus
from tests.fuzz.cases import ALL, MIXES, PAIRS, case
from tests.fuzz.supervisor import Supervisor, Verdict
from tests.support.doomed_runs import load_all
from tests.support.postgres_server import postgres_server

KEPT_OF_A_KIND = 3
SECONDS_BETWEEN_REPORTS = 60


def main(words: Sequence[str] | None = None) -> int:
    options = _options(words)
    load_all()
    with _postgres(options.postgres) as address:
        if options.files:
            given = [corpus.read(path) for path in options.files]
            supervisor = Supervisor(lambda number: given[number], address, options.limit)
            return _told(supervisor.verdicts(range(len(given))), options)
        supervisor = Supervisor(
            lambda number: case(options.seed, number, postgres=bool(address), mix=options.mix),
            address,
            options.limit,
        )
        numbers = range(options.first, options.first + options.cases)
        deadline = time.monotonic() + options.seconds
        return _told(supervisor.verdicts(numbers, deadline), options)


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="cases of the corpus, instead of new ones")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--mix",
        choices=(*MIXES, PAIRS),
        default=ALL,
        help="readers alone, whole commands, or every two options",
    )
    parser.add_argument("--limit", type=float, default=30, help="seconds that a case may take")
    parser.add_argument("--postgres", default="none", help="an address, 'none', or 'own' to start a server")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where what was found is kept")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(words)


@contextmanager
def _postgres(wish: str) -> Iterator[str]:
    if wish != "own":
        yield "" if wish == "none" else wish
        return
    with postgres_server() as address:
        yield address


def _until_interrupted(verdicts: Iterator[Verdict]) -> Iterator[Verdict]:
    """What was tried by then is told."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        yield from verdicts


def _told(verdicts: Iterator[Verdict], options: argparse.Namespace) -> int:
    """Each kind of finding a few times as a file; the counts at the end, and now and then."""
    kinds: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    found: Counter[str] = Counter()
    details: dict[str, str] = {}
    inputs: set[int] = set()
    begin = last = time.monotonic()
    for verdict in _until_interrupted(verdicts):
        kinds[verdict.kind] += 1
        codes[str(verdict.code)] += 1
        inputs.add(int(verdict.digest, 16))
        for name in {f"{each.kind}: {each.place}": None for each in verdict.findings}:
            found[name] += 1
            if found[name] <= KEPT_OF_A_KIND:
                path = corpus.write(verdict, options.out)
                details.setdefault(name, f"{path} (case {verdict.number})")
                if not options.json:
                    sys.stdout.write(f"{name}\n    {path}\n    {verdict.findings[0].detail[:300]!r}\n")
        if not options.json and time.monotonic() > last + SECONDS_BETWEEN_REPORTS:
            last = time.monotonic()
            sys.stdout.write(
                f"{kinds.total():,} inputs in {last - begin:,.0f} s, {len(found)} kinds of findings\n"
            )
            sys.stdout.flush()
    summary = {
        "inputs": kinds.total(),
        "different": len(inputs),
        "seconds": round(time.monotonic() - begin, 1),
        "kinds": dict(sorted(kinds.items())),
        "codes": dict(sorted(codes.items())),
        "findings": dict(found),
        "first": details,
    }
    sys.stdout.write(json.dumps(summary, indent=None if options.json else 1) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
