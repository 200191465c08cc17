"""Ito et al. n.d.: payment cards in several domains, on generated cards of the published shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy
import pyarrow

from papers.card_submissions import named_files, submissions
from papers.experiment import Experiment, LeftOut, Paper, PaperNumber, places
from papers.figures import histogram
from singleout import (
    Description,
    Disclosure,
    assess,
    describe,
    entropy,
    join_people,
    join_uniqueness,
    sample,
)
from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.report.charts.chart import Chart
from singleout.report.charts.descriptions import (
    category_bars,
    month_bars,
    people_scatter,
    people_sums,
    rank_frequencies,
)
from singleout.report.charts.domains import information_beside_chance
from singleout.report.charts.known_records import success_by_records
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.entropy.jaccard_distance import Likeness
from singleout.risk.entropy.result import DomainDisclosure
from singleout.risk.shannon_entropy import entropy_of

DOMAINS = [
    "S=entraining_point+alighting_point@usage=traffic",
    "B=fare@usage=purchase",
    "C=fare@usage=deposit",
]
# Table VI: H(U), H(U|x), I, P(U|x), people, values
TABLE_6 = {
    "S": (4.9, 1.814, 3.085, 0.284, 31, 138),
    "B": (4.338, 0.948, 3.389, 0.518, 25, 58),
    "C": (4.736, 3.256, 1.479, 0.105, 29, 17),
    "S + B": (4.412, 0.182, 4.23, 0.881, 31, 8004),
}
TABLE_10 = {"traffic": 364, "purchase": 100, "deposit": 84, "bus": 2, "other": 34}
# per cent of the appearances of values that occur once, at most twice
TABLE_11 = {"S": (4.8, 16.6), "B": (43.0, 55.0), "C": (11.9, 19.0)}
NEAR = 0.1
SIGNS = "what is spent is negative there, and the paper does not say how it counts it in its figure"
GENERATED = "the cards are generated, and fitted to some of the paper's numbers only"
# Tables V and VII: how often three people passed three stations, and bought at two prices
E_S = {"u1": (2, 1, 0), "u2": (4, 0, 4), "u3": (4, 4, 0)}
E_B = {"u1": (2, 0), "u2": (1, 3), "u3": (0, 1)}
# Table IX: H(U), H(U|x), I, P(U|x)
TABLE_9 = {"S": (1.47, 0.99, 0.48, 0.5), "B": (0.98, 0.57, 0.41, 0.67), "S + B": (1.19, 0.46, 0.73, 0.73)}
WRONG_B = {
    "H(U)": "0.98 is the entropy of the fares, H(B); of people with 2, 4 and 1 of 7 purchases it is 1.38",
    "H(U given x)": "follows from H(U given b2), which Table VII prints as 0.31 instead of 0.81",
    "I": "follows from the two before",
    "P(U given x)": "2^−0.857 is 0.55",
}
ENTROPY = "singleout entropy card.parquet --user user --domain …"
DESCRIBE = "singleout describe card.parquet --user user --category usage --time date --amount fare --domain …"


def paper(small: bool = False) -> Paper:
    table = sample("card")
    told = entropy(table, user="user", domains=DOMAINS, known=[1, 2, 4])
    shape = describe(
        table, user="user", time="date", category="usage", amount="fare", domains=DOMAINS, show_values=True
    )
    return Paper(
        "ito-nd",
        "Ito et al. n.d.",
        "The paper's 31 cards are not public. `singleout sample card` generates cards that were fitted to "
        "some of its numbers, so that agreement shows that the experiments run and how near the cards come: "
        "**it is no evidence for the paper's findings**. The worked examples are the paper's own.",
        (*_experiments(told, shape), _person_table(), named_files(small), submissions(small)),
        (
            LeftOut("Tables I to IV", "the schema, and rows of it", places("Table", "I", "II", "III", "IV")),
            LeftOut(
                "Figure 10",
                "the structure of their platform; ours is in "
                "[organise a contest](../how-to/organise-a-contest.md)",
                ("Figure 10",),
            ),
        ),
        ", on generated cards",
    )


def _experiments(told: Disclosure, shape: Description) -> Iterator[Experiment]:
    yield _worked_examples()
    charts = [information_beside_chance(told), success_by_records(told)]
    yield Experiment(
        "Table VI",
        ENTROPY,
        tuple(_table_6(told)),
        "Most of what a domain of rare values seems to tell, chance tells too: the light bars are what the "
        "same values dealt at random tell. And 4·I > H(U) does not mean that four records name everybody, "
        "as the second figure shows.",
        ("Table VI",),
        charts=tuple(chart for chart in charts if chart),
    )
    yield Experiment(
        "Figures 1 and 2",
        f"{DESCRIBE} --show-values --html cards.html",
        tuple(_correlations(shape)),
        places=places("Figure", 1, 2),
        charts=tuple(_scatters(shape)),
    )
    sums = shape.amount_per_person
    assert sums is not None
    yield Experiment(
        "Figures 3 to 5 and Table X",
        f"{DESCRIBE} --show-values --html cards.html",
        (*_sums(sums), *_usages(shape)),
        places=("Figure 3", "Figure 4", "Figure 5", "Table X"),
        findings=(_person_shares(shape),),
        charts=tuple(
            chart
            for chart in (
                month_bars(shape.months, shape.amount),
                people_sums(sums, shape.amount),
                category_bars(shape.categories),
            )
            if chart
        ),
    )
    likeness = told.domains[0].likeness
    assert likeness is not None
    yield Experiment(
        "Figure 6",
        ENTROPY,
        (_near("mean Jaccard distance of stations", 0.933, likeness.mean),),
        places=("Figure 6",),
        charts=(_distances(likeness),),
    )
    ranks = rank_frequencies(shape.domains)
    yield Experiment(
        "Figures 7 to 9 and Table XI",
        f"{DESCRIBE} --html cards.html",
        tuple(_rare(told)),
        places=(*places("Figure", 7, 8, 9), "Table XI"),
        charts=(ranks,) if ranks else (),
    )


def _near(what: str, published: float, computed: float, why: str = GENERATED) -> PaperNumber:
    return PaperNumber(what, published, computed, 3, "about", NEAR, why)


def _worked_examples() -> Experiment:
    """Tables V and VII to IX, from the paper's own counts."""
    told = entropy(
        _example(), user="user", domains=["S=s", "B=b"], known=[1, 4], given=[("S", "s1"), ("B", "b1")]
    )
    domains: dict[str, Any] = {each.name: each.information for each in told.domains}
    domains["S + B"] = told.pairs[0].joint.by_prior[0]
    numbers = [
        PaperNumber("H(U given s1), Table V", 1.52, _entropy_of_value(E_S, 0), 2),
        PaperNumber("H(U given s2)", 0.72, _entropy_of_value(E_S, 1), 2),
        PaperNumber("H(U given b1), Table VII", 0.92, _entropy_of_value(E_B, 0), 2),
        PaperNumber(
            "H(U given b2)", 0.31, _entropy_of_value(E_B, 1), 2,
            why="0.31 is −¾·log2 ¾, the first of two terms; −¼·log2 ¼ = 0.5 is missing",
        ),
    ]  # fmt: skip
    for name, published in TABLE_9.items():
        for label, value, computed in zip(
            ("H(U)", "H(U given x)", "I", "P(U given x)"), published, _four(domains[name]), strict=True
        ):
            why = WRONG_B[label] if name == "B" else ""
            digits = 1 if (name, label) == ("S", "P(U given x)") else 2
            numbers.append(PaperNumber(f"{name}: {label}, Table IX", value, computed, digits, why=why))
    assert told.given is not None
    printed_rule = next(each for each in told.given.posteriors if each.prior == "product")
    numbers.append(PaperNumber("P(u1 given s1, b1), the likeliest", 0.5, printed_rule.highest, 2))
    success = told.domains[0].known[-1]
    numbers.append(
        PaperNumber(
            "success after four records of E_S (\"about 1\")", 1, success.success, 0, "about", 0.01,
            "4·I > H(U) is no guarantee; the best guess over all four records is counted here",
        )
    )  # fmt: skip
    return Experiment(
        "Tables V and VII to IX: the worked examples",
        "singleout entropy example.csv --user user --domain S=s --domain B=b --points 1,4 "
        "--given S=s1 --given B=b1",
        tuple(numbers),
        "Table VIII is the product of both tables, from which S + B is computed (its P(s2, b1) = 2/48 is a "
        "misprint of 2/46). P(u1 given s1, b1) is by the printed rule; by Bayes' it depends on the prior "
        f"({_bayes(told)}).",
        places("Table", "V", "VII", "VIII", "IX"),
    )


def _bayes(told: Disclosure) -> str:
    assert told.given is not None
    return ", ".join(f"{each.prior} {each.highest:.3f}" for each in told.given.posteriors)


def _example() -> pyarrow.Table:
    rows: list[dict[str, str | None]] = []
    for column, counts in (("s", E_S), ("b", E_B)):
        for user, times in counts.items():
            for value, many in enumerate(times):
                rows += [{"user": user, "s": None, "b": None, column: f"{column}{value + 1}"}] * many
    return pyarrow.Table.from_pylist(rows)


def _entropy_of_value(counts: Mapping[str, Sequence[int]], value: int) -> float:
    return entropy_of(numpy.array([each[value] for each in counts.values() if each[value]]))


def _four(information: Any) -> tuple[float, float, float, float]:
    return information.h_user, information.h_user_given, information.information, information.probability


def _table_6(told: Disclosure) -> Iterator[PaperNumber]:
    found: dict[str, tuple[Any, int, int]] = {
        each.name: (each.information, each.information.people, each.information.values)
        for each in told.domains
    }
    both = next(each for each in told.pairs if each.name == "S + B")
    found[both.name] = (both.joint.by_prior[0], both.joint.people, both.joint.values)
    for name, (h_user, h_given, information, probability, people, values) in TABLE_6.items():
        of, computed_people, computed_values = found[name]
        why = GENERATED
        if name == "S + B":
            why = "six people never bought anything, so that nobody's product with purchases counts them"
        yield _near(f"{name}: H(U)", h_user, of.h_user)
        yield _near(f"{name}: H(U given x)", h_given, of.h_user_given)
        yield _near(f"{name}: I", information, of.information)
        yield _near(f"{name}: P(U given x)", probability, of.probability)
        yield PaperNumber(f"{name}: people", people, computed_people, 0, why=why)
        yield PaperNumber(f"{name}: values", values, computed_values, 0, why=GENERATED)


def _correlations(shape: Description) -> Iterator[PaperNumber]:
    by = {
        (each.correlation.first, each.correlation.second): each.correlation.pearson for each in shape.scatters
    }
    yield _near("deposit amount and traffic records", 0.469, by["S records", "C amount"] or 0.0)
    yield _near(
        "deposit amount and traffic fare", 0.315, by["S amount", "C amount"] or 0.0, f"{GENERATED}; {SIGNS}"
    )


def _scatters(shape: Description) -> Iterator[Chart]:
    wanted = [("S records", "C amount"), ("S amount", "C amount")]
    chosen = [each for each in shape.scatters if (each.correlation.first, each.correlation.second) in wanted]
    for number, chart in enumerate(people_scatter(chosen)):
        yield replace(chart, name=f"figure-{number + 1}")


def _sums(sums: PeopleSpread) -> Iterator[PaperNumber]:
    """Figure 4; deposits are positive in the cards, what is spent is negative."""
    why = f"{GENERATED}; {SIGNS}"
    for what, published, computed in (
        ("lowest", 2393, sums.lowest),
        ("mean", 3133.9, sums.mean),
        ("highest", 4633, sums.highest),
    ):
        yield _near(f"sum of fares of a person, {what}", published, computed or 0.0, why)


def _usages(shape: Description) -> Iterator[PaperNumber]:
    used = {each.value: each for each in shape.categories}
    for name, records in TABLE_10.items():
        yield PaperNumber(f"{name}: records", records, used[name].records, 0)
    yield PaperNumber("traffic: per cent of the records", 62.3, 100 * used["traffic"].share, 1)


def _person_shares(shape: Description) -> ResultTable:
    """Figure 5: how much of a person's records each usage is."""
    rows: list[tuple[Cell, ...]] = [
        (each.name, each.people, each.of_people.mean, each.of_people.lowest, each.of_people.highest)
        for each in shape.categories
        if each.of_people is not None
    ]
    names = ("usage", "people", "mean share of a person's records", "lowest", "highest")
    return ResultTable("Figure 5 in numbers", tuple(Heading(each, each) for each in names), tuple(rows))


def _distances(likeness: Likeness) -> Chart:
    many = len(likeness.bins)
    steps = [(place / many, (place + 1) / many, float(pairs)) for place, pairs in enumerate(likeness.bins)]
    axes = ("Jaccard distance of two people's stations", "pairs of people")
    return histogram("figure-6", "How unlike people's stations are", axes, steps)


def _rare(told: Disclosure) -> Iterator[PaperNumber]:
    for name, published in TABLE_11.items():
        domain: DomainDisclosure = next(each for each in told.domains if each.name == name)
        for value, level in zip(published, domain.rare, strict=True):
            what = f"{name}: values seen at most {level.at_most} times, per cent"
            yield PaperNumber(what, value, 100 * level.share, 1, "about", NEAR, GENERATED)


def _person_table() -> Experiment:
    """Season tickets and the rest of M beside the history."""
    joined = join_people(sample("card"), sample("cardholders"), user="user")
    rows: list[tuple[Cell, ...]] = []
    for words, theirs in (
        ("sex, grade", ["sex", "grade"]),
        ("sex, grade, address", ["sex", "grade", "address"]),
        ("ranges of season tickets", ["range1", "range2"]),
    ):
        found = join_uniqueness(joined, columns=["date", "usage", *theirs])
        rows.append((words, found.by_history, found.by_person_table, found.by_both, found.only_joined))
    whole = assess(joined.source, user="user", columns=["range1", "range2"], policy=None)
    risk = whole.classes.by_people if whole.classes else None
    names = ("of M", "by a record's date and usage", "by M", "by both", "only by both")
    return Experiment(
        "The person table M",
        "singleout assess card.parquet --user user --people-table people.parquet",
        note="The paper adds the stations of season tickets to the table of people M and counts no risk of "
        "it. People of 31 who are singled out, by one record, by M, and only by both together"
        + (f"; ranges name their person with probability {risk.average_risk.known:.2f}." if risk else "."),
        findings=(
            ResultTable("Singled out", tuple(Heading(each, each) for each in names), tuple(rows)),
        ),
    )  # fmt: skip
