"""Ito et al. n.d.: payment cards in several domains, on generated cards of the published shape."""

from __future__ import annotations

from papers.experiment import Experiment, Paper, PaperNumber
from singleout import describe, entropy, sample

DOMAINS = [
    "S=entraining_point+alighting_point@usage=traffic",
    "B=fare@usage=purchase",
    "C=fare@usage=deposit",
]
# Table VI: H(U), H(U|x), I, people, values
TABLE_6 = {
    "S": (4.9, 1.814, 3.085, 31, 138),
    "B": (4.338, 0.948, 3.389, 25, 58),
    "C": (4.736, 3.256, 1.479, 29, 17),
}
TABLE_10 = {"traffic": 364, "purchase": 100, "deposit": 84, "bus": 2, "other": 34}
# per cent of the appearances of values that occur once, at most twice
TABLE_11 = {"S": (4.8, 16.6), "B": (43.0, 55.0), "C": (11.9, 19.0)}
NEAR = 0.1
SIGNS = "what is spent is negative there, and the paper does not say how it counts it in its figure"
GENERATED = "the cards are generated, and fitted to some of the paper's numbers only"


def paper(small: bool = False) -> Paper:
    del small  # 31 cards are few anyway
    table = sample("card")
    told = entropy(table, user="user", domains=DOMAINS, known=[1])
    shape = describe(table, user="user", category="usage", amount="fare", domains=DOMAINS, show_values=True)
    domains = {each.name: each for each in told.domains}
    used = {each.value: each for each in shape.categories}
    entropies, rare = [], []
    for name, (h_user, h_given, information, people, values) in TABLE_6.items():
        found = domains[name].information
        entropies += [
            PaperNumber(f"{name}: H(U)", h_user, found.h_user, 3, "about", NEAR, GENERATED),
            PaperNumber(f"{name}: H(U given x)", h_given, found.h_user_given, 3, "about", NEAR, GENERATED),
            PaperNumber(f"{name}: I", information, found.information, 3, "about", NEAR, GENERATED),
            PaperNumber(f"{name}: people", people, found.people, 0, why=GENERATED),
            PaperNumber(f"{name}: values", values, found.values, 0, why=GENERATED),
        ]
        for published, level in zip(TABLE_11[name], domains[name].rare, strict=True):
            rare.append(
                PaperNumber(
                    f"{name}: values seen at most {level.at_most} times, per cent",
                    published,
                    100 * level.share,
                    1,
                    "about",
                    NEAR,
                    GENERATED,
                )
            )
    likeness = domains["S"].likeness
    assert likeness is not None
    command = "singleout entropy card.parquet --user user --domain …"
    correlation = {
        (each.correlation.first, each.correlation.second): each.correlation.pearson for each in shape.scatters
    }
    return Paper(
        "ito-nd",
        "Ito et al. n.d.",
        "The paper's 31 cards are not public. `singleout sample card` generates cards that were fitted to "
        "some of its numbers, so that agreement shows that the experiments run and how near the cards come: "
        "**it is no evidence for the paper's findings**.",
        (
            Experiment("Table VI", command, tuple(entropies)),
            Experiment(
                "Table X",
                "singleout describe card.parquet --user user --category usage --show-values",
                tuple(
                    PaperNumber(f"{name}: records", records, used[name].records, 0)
                    for name, records in TABLE_10.items()
                ),
            ),
            Experiment("Table XI, Figures 7 to 9", command, tuple(rare)),
            Experiment(
                "Figure 6",
                command,
                (
                    PaperNumber(
                        "mean Jaccard distance of stations", 0.933, likeness.mean, 3, "about", NEAR, GENERATED
                    ),
                ),
            ),
            Experiment(
                "Figures 1 and 2",
                "singleout describe card.parquet --user user --amount fare --domain … --html cards.html",
                (
                    PaperNumber(
                        "deposit amount and traffic records",
                        0.469,
                        correlation["S records", "C amount"] or 0.0,
                        3,
                        "about",
                        NEAR,
                        GENERATED,
                    ),
                    PaperNumber(
                        "deposit amount and traffic fare",
                        0.315,
                        correlation["S amount", "C amount"] or 0.0,
                        3,
                        "about",
                        NEAR,
                        f"{GENERATED}; {SIGNS}",
                    ),
                ),
            ),
        ),
        (
            (
                "Tables V and VII to IX",
                "worked examples, which are tests (`tests/risk/entropy/test_entropy.py`)",
            ),
            (
                "Figures 10 to 16, 47 submissions",
                "the platform's experiments; the submissions are not public",
            ),
        ),
        ", on generated cards",
    )
