"""`singleout deidentify STEP FILE`: change the data so that nobody is singled out; one file a step."""

from __future__ import annotations

import argparse

from singleout.cli import apply, dummies, generalise, suppress

SUMMARY = "change the data so that people are harder to single out, losing as little use as possible"
STEPS = (apply, dummies, generalise, suppress)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for step in STEPS:
        name = step.__name__.rpartition(".")[2]
        one = steps.add_parser(name, help=step.SUMMARY, description=step.SUMMARY, allow_abbrev=False)
        step.add_arguments(one)
        one.set_defaults(run_step=step.run)


def run(options: argparse.Namespace) -> int:
    code: int = options.run_step(options)
    return code
