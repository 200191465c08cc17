"""Measures how often intervals about a population hold: samples of populations that are known.

Each sample has a seed of its own, and a new population where that is drawn too. What every model said is a
line of a file, so that a run can be stopped, and goes on where it was; `--write` makes the tables of them, in
docs/benchmarks.md and in docs/how-to/population.md.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy
import page
from numpy.typing import NDArray

from singleout import attack
from singleout.progress import silent
from singleout.risk.population.bootstrap import CONFIDENCE, draw_sample
from singleout.risk.population.measures import POPULATION_MEASURES, number_of
from singleout.risk.population.models import MODELS
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population_view
from singleout.risk.population.sample_classes import SMALL, SampleClasses

ADULT = Path(__file__).parent.parent / "tests" / "extracts" / "class_sizes.csv"
GUIDE = page.HERE.parent / "docs" / "how-to" / "population.md"
RETAIL = page.HERE.parents[1] / "shared" / "data" / "online_retail" / "online_retail.parquet"
NUMBERS = tuple(map(number_of, POPULATION_MEASURES))
TITLES = ("Unique in the population", f"In classes below {SMALL}", "Average risk", "Highest risk")
PEOPLE, RECORDS = "Intervals about a population", "Intervals about known records"
WORDS = (
    "How many intervals of 90 % held, of those that were not refused (– where all were), and how many ended "
    "below the truth, the side that would make a table look safer (*too low*). Seeds from {first} on, which "
    "were not looked at while the intervals got their form; every sample is of a new population, but for "
    "Adult's people and Online Retail's customers. Of {most} samples the share is known to ± {error:.1%} "
    "(one standard deviation); **bold** where it is below 87 %. *Any law* is the upper bound alone, "
    "*convexity* the lower one."
)
RECORD_WORDS = (
    " *Any law* is the upper bound alone: the table's own number, and what chance adds. So many different "
    "records are known of each customer; the truth is that of all 4,338."
)
# points below the nominal share from which on an interval is called too short
LEEWAY = 0.03
Homes = NDArray[numpy.int64]
Numbers = dict[str, float]
Draw = Callable[[numpy.random.Generator, float], tuple[SampleClasses, int, Numbers]]


@dataclass(frozen=True)
class Case:
    """A `share` of a population, and how one sample of it is drawn, with what is true of everybody.

    Of people with several records so many are known.
    """

    population: str
    share: float
    draw: Draw
    section: str = PEOPLE
    known_records: int = 1

    @property
    def name(self) -> str:
        return f"{self.population}; {self.share:.0%} of the people"


def zipf(people: int) -> Callable[[numpy.random.Generator], Homes]:
    chances = 1 / numpy.arange(1, 50_001) ** 1.1
    return lambda random: random.choice(50_000, people, p=chances / chances.sum())


def independent_columns(people: int) -> Callable[[numpy.random.Generator], Homes]:
    def everybody(random: numpy.random.Generator) -> Homes:
        home = numpy.zeros(people, int)
        for width in (2, 5, 8, 16, 60):
            home = home * width + random.choice(width, people, p=random.dirichlet(numpy.ones(width)))
        return home

    return everybody


def adult(_: numpy.random.Generator) -> Homes:
    rows = [line.split(",") for line in ADULT.read_text().splitlines() if line.startswith("arx_adult,")]
    sizes, counts = (numpy.array([int(row[index]) for row in rows]) for index in (2, 3))
    return homes(sizes, counts)


def pitman_yor(discount: float, concentration: float, people: int) -> Callable[[Any], Homes]:
    def everybody(random: numpy.random.Generator) -> Homes:
        law = draw_sample(PitmanYor(discount, concentration), people, int(random.integers(2**60)))
        return homes(law.sizes, law.counts)

    return everybody


def alone_and_alike(alone: float, size: int, people: int) -> Callable[[Any], Homes]:
    """No law describes it: so many people without a look-alike, all others in classes of one size."""
    return lambda _: homes([1, size], [round(alone * people), round((1 - alone) * people / size)])


def homes(sizes: Any, counts: Any) -> Homes:
    each = numpy.repeat(numpy.asarray(sizes, int), numpy.asarray(counts, int))
    return numpy.repeat(numpy.arange(len(each)), each)


def one_class_each(everybody: Callable[[numpy.random.Generator], Homes]) -> Draw:
    def draw(random: numpy.random.Generator, share: float) -> tuple[SampleClasses, int, Numbers]:
        home = everybody(random)
        sizes = numpy.bincount(home)
        chosen = random.choice(home, round(share * len(home)), replace=False)
        counts = numpy.bincount(numpy.bincount(chosen))
        sample = SampleClasses.of_pairs(
            (size, int(many)) for size, many in enumerate(counts) if size and many
        )
        there = numpy.bincount(sizes)
        whole = SampleClasses.of_pairs((size, int(many)) for size, many in enumerate(there) if size and many)
        return (
            sample,
            len(home),
            {**true_numbers(whole), "journalist.highest": 1 / float(sizes[chosen].min())},
        )

    return draw


def classes(sizes: Homes) -> SampleClasses:
    counts = numpy.bincount(sizes)
    return SampleClasses.of_pairs((size, int(many)) for size, many in enumerate(counts) if size and many)


def true_numbers(whole: SampleClasses) -> Numbers:
    return {
        "unique_share": whole.unique_share,
        "small_share": whole.share_below(SMALL),
        "marketer": whole.correctness,
    }


@cache
def retail() -> dict[str, Homes]:
    """Customers with what they bought: one line for each different one."""
    import pyarrow.compute as pc
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(RETAIL)
    sold = pc.and_(pc.greater(table["Quantity"], 0), pc.greater(table["UnitPrice"], 0))
    table = table.filter(pc.and_(sold, pc.is_valid(table["CustomerID"])))
    day = table["InvoiceDate"].cast("date32")
    columns = {
        "who": table["CustomerID"],
        "goods": table["StockCode"],
        "price": table["UnitPrice"],
        "day": day,
        "week": pc.floor_temporal(day, unit="week"),
    }
    return {
        name: each.combine_chunks().dictionary_encode().indices.to_numpy().astype(int)
        for name, each in columns.items()
    }


@cache
def known_values(columns: tuple[str, ...]) -> Homes:
    """Of each record, the number of its value by all of the columns."""
    value = numpy.zeros(len(retail()["who"]), int)
    for name in columns:
        value = value * (retail()[name].max() + 1) + retail()[name]
    return numpy.unique(value, return_inverse=True)[1].ravel()


@cache
def all_customers(columns: tuple[str, ...]) -> tuple[Numbers, Homes]:
    who, value = retail()["who"], known_values(columns)
    fitting = people_of_values(who, value)
    return true_numbers(candidates(who, value, fitting)), fitting


def one_known_record(*columns: str) -> Draw:
    """Customers of Online Retail, of each of whom somebody knows one record by these columns."""

    def draw(random: numpy.random.Generator, share: float) -> tuple[SampleClasses, int, Numbers]:
        who, value = retail()["who"], known_values(columns)
        truths, fitting = all_customers(columns)
        people = int(who.max()) + 1
        chosen = numpy.zeros(people, bool)
        chosen[random.choice(people, round(share * people), replace=False)] = True
        mine = chosen[who]
        sample = candidates(who[mine], value[mine], people_of_values(who[mine], value[mine]))
        return sample, people, {**truths, "journalist.highest": 1 / float(fitting[value[mine]].min())}

    return draw


def people_of_values(who: Homes, value: Homes) -> Homes:
    pairs = numpy.unique(value * (int(who.max()) + 1) + who)
    return numpy.bincount(pairs // (int(who.max()) + 1))


def candidates(who: Homes, value: Homes, fitting: Homes) -> SampleClasses:
    """By the share of each person's records that fit so many people: any record is as likely to be known."""
    found = numpy.bincount(fitting[value], weights=1 / numpy.bincount(who)[who])
    return SampleClasses.of_candidates((int(each), float(found[each])) for each in numpy.flatnonzero(found))


@cache
def purchases(columns: tuple[str, ...]) -> Any:
    import pyarrow

    return pyarrow.table({name: retail()[name] for name in ("who", *columns)})


def fitting_people(table: Any, columns: tuple[str, ...], points: int, seed: int) -> SampleClasses:
    """How many people fit so many known records of each, by all of the columns."""
    found = attack(table, table, user="who", columns=columns, attacks=[], points=[points], seed=seed)
    (one,) = (each for each in found.unicity if len(each.columns) == len(columns) and not each.worst)
    assert one.found is not None
    return SampleClasses.of_candidates(one.found.items())


@cache
def known_of_all(columns: tuple[str, ...], points: int) -> Numbers:
    return true_numbers(fitting_people(purchases(columns), columns, points, 0))


def known_records(points: int, *columns: str) -> Draw:
    """Customers of Online Retail, of each of whom somebody knows so many records by these columns."""

    def draw(random: numpy.random.Generator, share: float) -> tuple[SampleClasses, int, Numbers]:
        who = retail()["who"]
        people = int(who.max()) + 1
        chosen = numpy.zeros(people, bool)
        chosen[random.choice(people, round(share * people), replace=False)] = True
        part = purchases(columns).filter(chosen[who])
        sample = fitting_people(part, columns, points, int(random.integers(2**31)))
        return sample, people, known_of_all(columns, points)

    return draw


LAWS = "Pitman–Yor, d = {}, θ = {:g}"
CASES = (
    Case("Zipf, exponent 1.1", 0.1, one_class_each(zipf(20_000))),
    Case("five independent columns", 0.1, one_class_each(independent_columns(20_000))),
    Case("Adult, nine columns", 0.1, one_class_each(adult)),
    Case(LAWS.format(0.6, 200), 0.1, one_class_each(pitman_yor(0.6, 200.0, 20_000))),
    Case(LAWS.format(0.2, 500), 0.1, one_class_each(pitman_yor(0.2, 500.0, 20_000))),
    Case("30 % alone, others in nines", 0.1, one_class_each(alone_and_alike(0.3, 9, 20_000))),
    Case("Zipf, exponent 1.1", 0.01, one_class_each(zipf(200_000))),
    Case("five independent columns", 0.01, one_class_each(independent_columns(200_000))),
    Case(LAWS.format(0.6, 200), 0.01, one_class_each(pitman_yor(0.6, 200.0, 200_000))),
    Case("Zipf, exponent 1.1", 0.4, one_class_each(zipf(5_000))),
    Case("five independent columns", 0.4, one_class_each(independent_columns(5_000))),
    Case("Adult, nine columns", 0.4, one_class_each(adult)),
    Case(LAWS.format(0.6, 200), 0.4, one_class_each(pitman_yor(0.6, 200.0, 5_000))),
    Case("customers, one record by goods + week", 0.25, one_known_record("goods", "week"), RECORDS),
    Case("customers, one record by goods", 0.25, one_known_record("goods"), RECORDS),
    Case("customers, one record by day", 0.25, one_known_record("day"), RECORDS),
    Case("customers, one record by price", 0.25, one_known_record("price"), RECORDS),
    Case("customers, two records by goods", 0.25, known_records(2, "goods"), RECORDS, 2),
    Case("customers, four records by goods", 0.25, known_records(4, "goods"), RECORDS, 4),
    Case("customers, eight records by goods", 0.25, known_records(8, "goods"), RECORDS, 8),
    Case("customers, two records by goods + week", 0.25, known_records(2, "goods", "week"), RECORDS, 2),
    Case("customers, two records by price", 0.25, known_records(2, "price"), RECORDS, 2),
    # few large classes: the highest risk is not 1
    Case(LAWS.format(0, 5), 0.1, one_class_each(pitman_yor(0.0, 5.0, 20_000))),
)


def seen(case: Case, seed: int) -> dict[str, Any]:
    """What each model says of one sample, and what is true."""
    number = CASES.index(case)
    sample, people, truths = case.draw(numpy.random.default_rng([seed, number]), case.share)
    view = population_view(sample, people, seed, silent, case.known_records)
    models = {
        each.model: {number_of(one): each.interval(one) for one in POPULATION_MEASURES}
        for each in view.estimates
    }
    bounds = {"any law": {name: (0.0, high) for name, high in view.bounds.upper.items()}}
    bounds["convexity"] = {"unique_share": (view.bounds.lower, 1.0)}
    return {"case": case.name, "seed": seed, "truth": truths, "intervals": {**models, **bounds}}


def measure(given: argparse.Namespace) -> None:
    """Samples by their seeds, all cases in turn, until there are enough or the time is up."""
    done, stop = (
        {(each["case"], each["seed"]) for each in lines_of(given.file)},
        time.monotonic() + given.seconds,
    )
    with given.file.open("a") as file:
        for seed in range(given.seed, given.seed + given.samples):
            for case in CASES[given.first : given.last]:
                if seed % given.parts == given.part and (case.name, seed) not in done:
                    if time.monotonic() > stop:
                        return
                    file.write(json.dumps(seen(case, seed)) + "\n")
                    file.flush()


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


MODEL_TITLES = ("Pitman", "as ARX", "law", "Zayatz", "SNB")


def table(lines: Sequence[dict[str, Any]], number: str, section: str) -> Iterator[str]:
    """Of each case how many intervals held, of those that were not refused, and ended below the truth."""
    shown = [*zip((*MODELS, "any law", "convexity"), (*MODEL_TITLES, "any law", "convexity"), strict=True)]
    if section == RECORDS:
        shown = [each for each in shown if each[0] in ("law", "any law")]
    elif number != "unique_share":
        shown = shown[:-1]
    yield "| population | samples | truth | " + " | ".join(title for _, title in shown) + " |"
    yield "|---|---:|---:|" + "---|" * len(shown)
    for case in CASES:
        mine = [each for each in lines if each["case"] == case.name and number in each["truth"]]
        if mine and case.section == section:
            truth = numpy.mean([each["truth"][number] for each in mine])
            cells = (cell(mine, each, number) for each, _ in shown)
            yield f"| {case.name} | {len(mine)} | {truth:.3f} | " + " | ".join(cells) + " |"


def cell(lines: Sequence[dict[str, Any]], model: str, number: str) -> str:
    found = Counter[str]()
    for each in lines:
        interval = each["intervals"].get(model, {}).get(number)
        if interval is not None:
            (low, high), truth = interval, each["truth"][number]
            found["accepted"] += 1
            found["held"] += low - 1e-9 <= truth <= high + 1e-9
            found["below"] += high + 1e-9 < truth
    if not found["accepted"]:
        return "–"
    short = found["held"] / found["accepted"] < CONFIDENCE - LEEWAY
    told = f"{found['held']} of {found['accepted']}"
    told += f", {found['below']} too low" if found["below"] else ""
    return f"**{told}**" if short else told


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("file", type=Path, nargs="+", help="of lines, written or read")
    words.add_argument("--samples", type=int, default=200)
    words.add_argument("--seed", type=int, default=1, help="of the first sample")
    words.add_argument("--seconds", type=float, default=math.inf)
    words.add_argument("--part", type=int, default=0, help="of so many --parts that run side by side")
    words.add_argument("--parts", type=int, default=1)
    words.add_argument("--first", type=int, default=0, help="of the cases")
    words.add_argument("--last", type=int)
    words.add_argument("--table", action="store_true", help="print the tables of the lines")
    words.add_argument("--write", action="store_true", help="write them into the page")
    given = words.parse_args()
    if not (given.table or given.write):
        given.file = given.file[0]
        measure(given)
        return
    lines = [line for file in given.file for line in lines_of(file)]
    for section in (PEOPLE, RECORDS):
        names = {each.name for each in CASES if each.section == section}
        if mine := [each for each in lines if each["case"] in names]:
            told = page_lines(mine, section)
            if given.write:
                page.write_section(section, told)
                write_guide(mine, section)
            else:
                print(*told, *guide_lines(mine, section), sep="\n")


def page_lines(lines: Sequence[dict[str, Any]], section: str) -> list[str]:
    most, first = max(Counter(each["case"] for each in lines).values()), min(each["seed"] for each in lines)
    error = math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / most)
    words = WORDS if section == PEOPLE else WORDS.partition(" *Any law*")[0] + RECORD_WORDS
    told = [page.machine("numpy", "scipy"), "", words.format(first=first, most=most, error=error), ""]
    for number, title in zip(NUMBERS, TITLES, strict=True):
        rows = [*table(lines, number, section)]
        told += [f"**{title}**", "", *rows, ""] if len(rows) > 2 else []
    return told


def guide_lines(lines: Sequence[dict[str, Any]], section: str) -> list[str]:
    """For the guide: uniqueness alone, and what all intervals came to."""
    most, first = max(Counter(each["case"] for each in lines).values()), min(each["seed"] for each in lines)
    models = [*zip(MODELS, MODEL_TITLES, strict=True)] if section == PEOPLE else [("law", "held")]
    told = [f"| {most} samples each, seeds from {first} | " + " | ".join(title for _, title in models) + " |"]
    told += ["|---|" + "---|" * len(models)]
    for case in CASES:
        mine = [each for each in lines if each["case"] == case.name]
        if mine and case.section == section:
            cells = [cell(mine, name, "unique_share").replace("–", "always refused") for name, _ in models]
            told.append(f"| {case.name} | " + " | ".join(cells) + " |")
    judged = [
        (ends, each["truth"][number])
        for each in lines
        for name in MODELS
        for number, ends in each["intervals"][name].items()
        if ends is not None and number in each["truth"]
    ]
    below = sum(high + 1e-9 < truth for (_, high), truth in judged)
    above = sum(low - 1e-9 > truth for (low, _), truth in judged)
    return [
        *told,
        "",
        f"Of all {len(judged):,} intervals of these samples, those of other numbers too, {above:,} missed by "
        f"saying too much, and {below:,} ended below the truth.",
    ]


def write_guide(lines: Sequence[dict[str, Any]], section: str) -> None:
    """Replace what stands between the marks of the section."""
    start, end = f"<!-- {section}: by benchmarks/population_coverage.py -->\n", "\n<!-- end -->"
    between = re.compile(f"(?<={re.escape(start)}).*?(?={re.escape(end)})", re.DOTALL)
    told = "\n".join(["", *guide_lines(lines, section), ""])
    text, found = between.subn(lambda _: told, GUIDE.read_text())
    assert found == 1
    GUIDE.write_text(text)


if __name__ == "__main__":
    main()
