"""Uploads while all that can fail fails, on SQLite and on PostgreSQL, and writes its section."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import page

TITLE = "Uploads while servers and workers are killed: singleout serve"
# sent a little faster than a minute, so that what is sent again after the last fault is within it too
SUBMISSIONS, MEGABYTES, SECONDS, PATIENCE = 200, 5, 54, 1_800
AIM = 60
NUMBERS = {
    "accepted": ("accepted",), "lost": ("lost", "changed"), "different": ("different",),
    "sent again": ("refused",), "taken twice": ("taken_twice",), "given up": ("given_up",),
}  # fmt: skip
DATABASES: dict[str, list[str]] = {"SQLite": [], "PostgreSQL": ["--postgres"]}


def main() -> None:
    chosen = sys.argv[1:] or [*DATABASES]
    page.write_section(TITLE, report({name: soaked(DATABASES[name]) for name in chosen}))


def soaked(words: list[str]) -> dict[str, Any]:
    """The same soak that is a test, large; in the project's folder, where the tests are."""
    wanted = {
        "submissions": SUBMISSIONS, "megabytes": MEGABYTES, "seconds": SECONDS, "patience": PATIENCE
    }  # fmt: skip
    options = [word for name, value in wanted.items() for word in (f"--{name}", str(value))]
    command = [sys.executable, "-m", "tests.support.contest_soak", *options, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=page.HERE.parent)
    assert process.stdout is not None
    said = process.stdout.read()
    if process.wait():
        raise SystemExit("the soak failed")
    found: dict[str, Any] = json.loads(said)
    print(found, flush=True)
    return found


def report(found: dict[str, dict[str, Any]]) -> list[str]:
    small = all(each["small_disk"] for each in found.values())
    full = (
        "a small disk (tmpfs) is filled to its last byte" if small else "no disk is filled, for want of root"
    )
    lines = [
        page.machine("singleout", "fastapi", "sqlalchemy"),
        "",
        f"{SUBMISSIONS} tables of {MEGABYTES} MB are sent by ten teams to one server with two workers, "
        f"{SUBMISSIONS / SECONDS:.1f} a second if nothing failed; *uploads* is until the last was accepted. "
        "Every half to four seconds a random one of them is killed (`kill -9`), "
        f"{full}, or PostgreSQL is restarted as after a power failure. Whoever was told nothing, or no, "
        "sends the table again. Then everything is evaluated. *Lost*: told that it was accepted, and not "
        "there, not evaluated, or not the table that was sent. *Different*: a value that is not that of "
        "the table, or another one at a second evaluation. *Taken twice*: jobs whose first worker vanished. "
        "*Given up*: three workers vanished from it one after another, so that an organiser ran it again. "
        f"The load of the machine was {os.getloadavg()[0]:.1f} at the end.",
        "",
        f"| database | faults | {' | '.join(NUMBERS)} | uploads | all |",
        f"|---|---|{'---:|' * (len(NUMBERS) + 2)}",
    ]
    return lines + [row(name, each) for name, each in found.items()] + ["", aim(found)]


def aim(found: dict[str, dict[str, Any]]) -> str:
    times = {name: each["upload_seconds"] for name, each in found.items()}
    told = [f"{name} {each:.1f} s, {'met' if each <= AIM else 'missed'}" for name, each in times.items()]
    return f"The aim is that all are accepted within {AIM} s: {'; '.join(told)}."


def row(name: str, found: dict[str, Any]) -> str:
    faults = ", ".join(f"{number} × {called}" for called, number in sorted(found["faults"].items()))
    numbers = [sum(found[key] for key in keys) for keys in NUMBERS.values()]
    times = f"{found['upload_seconds']:.0f} s | {found['all_seconds']:.0f} s"
    return f"| {name} | {faults} | {' | '.join(f'{each:,}' for each in numbers)} | {times} |"


if __name__ == "__main__":
    main()
