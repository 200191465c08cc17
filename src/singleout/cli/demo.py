"""`singleout demo`: the main jobs once, on generated data, with a report."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from singleout.cli.html_option import add_date, check_html, save_report

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY = "generate a shop's and a payment card's history, try the main jobs on them, and write a report"
REPORT = "demo-report.html"
COMMANDS = """
The same on your machine, step by step:
  singleout sample shop --out shop.csv
  singleout assess shop.csv --user customer --columns date,time,goods,price,number --html report.html
  singleout combinations shop.csv --user customer --columns date,time,goods,price,number \\
    --size 2 --identify 0.5
  singleout predict shop.csv --user customer --columns date,goods,number
  singleout hierarchy shop.csv --column date --dates month,quarter --out levels/date.csv  # also time, price
  singleout deidentify generalise shop.csv --user customer --hierarchies levels --k 5 --suppress 0.02 \\
    --out release.csv
  awk 'NR == 1 || NR % 2' shop.csv > half.csv
  singleout attack shop.csv half.csv --user customer --item goods --amount price --time date \\
    --columns date,goods,price
  singleout deidentify dummies shop.csv --user customer --item goods --time date,time --amount price \\
    --number number --columns date,time,price,number --clusters 50 --out hidden.csv --truth who.csv
  singleout compare shop.csv hidden.csv --truth who.csv --user customer --item goods --time date \\
    --amount price --columns goods,price,number
  printf '[[rule]]\\nmeasure = "attack.jaccard.rate"\\nat_most = 0.125\\n' > policy.toml
  singleout check hidden.csv --policy policy.toml --original shop.csv --truth who.csv --user customer \\
    --item goods
  singleout sample card --out card.csv
  singleout entropy card.csv --user user --domain purchases=fare@usage=purchase \\
    --domain stations=entraining_point+alighting_point@usage=traffic
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the generated data (default: 0)")
    parser.add_argument(
        "--html", metavar="OUT", default=REPORT, help=f"where to write the report (default: {REPORT})"
    )
    add_date(parser)


def run(options: argparse.Namespace) -> int:
    from singleout.errors import printable_text
    from singleout.temporary_files import temporary_folder

    check_html(options.html, [], [])
    with temporary_folder() as folder:
        _assess(folder, options)
        _combinations(folder)
        _generalise(folder)
        _attack(folder)
        _hide(folder)
        _check(folder)
        _entropy(folder, options.seed)
        _predict(folder)
    sys.stdout.write(COMMANDS)
    report = printable_text(options.html)
    sys.stdout.write(f"\nThe report for the person who decides is in {report}: open it in a browser.\n")
    return 0


def _assess(folder: Path, options: argparse.Namespace) -> None:
    from dataclasses import replace

    from singleout.cli.progress_bar import bar
    from singleout.investigation.investigate import investigate
    from singleout.read.samples import sample
    from singleout.report.pages.assess import assessment_report
    from singleout.report.terminal.assess import show_assessment

    with bar() as progress:
        sample("shop", seed=options.seed, out=folder / "shop.csv")
        columns = ["date", "time", "goods", "price", "number"]
        found = investigate(folder / "shop.csv", user="customer", columns=columns, progress=progress)
    found = replace(found, assessment=replace(found.assessment, source="shop.csv (generated)"))
    save_report(assessment_report(found), options)
    show_assessment(found.assessment)


def _combinations(folder: Path) -> None:
    from singleout.cli.progress_bar import bar
    from singleout.report.terminal.combinations import sentences
    from singleout.report.terminal.layout import show_sentences
    from singleout.risk.combinations.combinations import combinations

    with bar() as progress:
        columns = ["date", "time", "goods", "price", "number"]
        found = combinations(
            folder / "shop.csv", user="customer", columns=columns, size=2, identify=0.5, progress=progress
        )
    show_sentences("shop.csv: which attributes together", sentences(found))


def _generalise(folder: Path) -> None:
    from singleout.cli.progress_bar import bar
    from singleout.deidentify.generalise.generalise import generalise
    from singleout.deidentify.hierarchy import hierarchy
    from singleout.report.terminal.generalise import sentences
    from singleout.report.terminal.layout import show_sentences

    shop = folder / "shop.csv"
    levels = {
        "date": hierarchy(shop, "date", dates=["month", "quarter"]).hierarchy,
        "time": hierarchy(shop, "time", prefixes=[2]).hierarchy,
        "price": hierarchy(shop, "price").hierarchy,
    }
    with bar() as progress:
        found = generalise(shop, user="customer", hierarchies=levels, k=5, suppress=0.02, progress=progress)
    show_sentences("shop.csv made coarser until each record fits 5 people", sentences(found))


def _attack(folder: Path) -> None:
    """Of every second record, under names that the attacker does not know."""
    from singleout.attacks.attack import attack
    from singleout.cli.progress_bar import bar
    from singleout.report.terminal.attack import sentences
    from singleout.report.terminal.layout import show_sentences

    lines = (folder / "shop.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "half.csv").write_text("".join([lines[0], *lines[2::2]]), encoding="utf-8")
    with bar() as progress:
        found = attack(
            folder / "shop.csv", folder / "half.csv", user="customer", item="goods", amount="price",
            time="date", columns=["date", "goods", "price"], attacks=["jaccard", "amount", "dates"],
            progress=progress,
        )  # fmt: skip
    show_sentences("half.csv: every second record of shop.csv, and who is recognised", sentences(found))


def _hide(folder: Path) -> None:
    """By dummy records; then what is lost and who is still recognised."""
    from dataclasses import replace

    from singleout.cli.progress_bar import bar
    from singleout.deidentify.dummies.dummies import dummies
    from singleout.report.terminal.compare import sentences
    from singleout.report.terminal.dummies import sentences as hidden
    from singleout.report.terminal.layout import show_sentences
    from singleout.utility.compare.compare import compare

    shop, out, truth = folder / "shop.csv", folder / "hidden.csv", folder / "who.csv"
    with bar() as progress:
        found = dummies(
            shop, user="customer", item="goods", time=["date", "time"], amount="price", number="number",
            columns=["date", "time", "price", "number"], clusters=50, out=out, truth=truth, progress=progress,
        )  # fmt: skip
        kept = compare(
            shop, out, truth=truth, user="customer", item="goods", time="date", amount="price",
            columns=["goods", "price", "number"], progress=progress,
        )  # fmt: skip
    told = hidden(replace(found, out="hidden.csv"))
    show_sentences("hidden.csv: everybody's goods mixed with those of seven others", told)
    show_sentences("hidden.csv beside shop.csv: what is left", sentences(kept.outcomes[0]))


def _check(folder: Path) -> None:
    """Both tables at the gate: may at most one person in eight be recognised by the goods?"""
    from dataclasses import replace

    from singleout.cli.progress_bar import bar
    from singleout.policy.check import check
    from singleout.report.terminal.check import verdict_words
    from singleout.report.terminal.layout import show_sentences

    policy = {"rule": [{"measure": "attack.jaccard.rate", "at_most": 0.125}]}
    told = []
    with bar() as progress:
        for name, truth in (("shop.csv", None), ("hidden.csv", folder / "who.csv")):
            found = check(
                folder / name, policy, original=folder / "shop.csv", truth=truth, user="customer",
                item="goods", progress=progress,
            )  # fmt: skip
            told.append(verdict_words(replace(found, source=name)))
    show_sentences("At the gate: at most 12.5% of the people may be recognised by their sets of goods", told)


def _entropy(folder: Path, seed: int) -> None:
    from singleout.cli.progress_bar import bar
    from singleout.read.samples import sample
    from singleout.report.terminal.entropy import sentences
    from singleout.report.terminal.layout import show_sentences
    from singleout.risk.entropy.entropy import entropy

    with bar() as progress:
        sample("card", seed=seed, out=folder / "card.csv")
        stations = "stations=entraining_point+alighting_point@usage=traffic"
        domains = [stations, "purchases=fare@usage=purchase"]
        found = entropy(folder / "card.csv", user="user", domains=domains, progress=progress)
    show_sentences(
        "card.csv (generated): what a station and a purchase tell about the person", sentences(found)
    )


def _predict(folder: Path) -> None:
    from singleout.cli.progress_bar import bar
    from singleout.report.terminal.layout import show_sentences
    from singleout.report.terminal.predict import sentences
    from singleout.risk.predict.predict import predict

    with bar() as progress:
        columns = ["date", "goods", "number"]
        found = predict(folder / "shop.csv", user="customer", columns=columns, progress=progress)
    show_sentences("shop.csv: what the statistics of date, goods and number predict", sentences(found))
