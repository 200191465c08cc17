"""Anon. n.d.: what attackers of a k-anonymised table can know and spend (its Algorithms 1 to 7, Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow
import pyarrow.parquet

from papers.experiment import Experiment, Paper
from singleout import assess, combinations, generalise, record_risks
from singleout.deidentify.generalise.result import Generalisation
from singleout.report.charts.attribute_losses import attribute_losses
from singleout.report.charts.attribute_sets import budget_curve, minimal_sets
from singleout.report.charts.risk_curve import risk_curve
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.combinations.result import Combinations, set_name
from singleout.temporary_files import temporary_folder
from tests.support.extracts import write_arx_adult

K = 5
# what an attacker pays to learn each attribute of somebody: the paper's prices are not in our copy
PRICES = {
    "sex": 0, "age": 1, "race": 1, "marital-status": 2, "education": 3, "native-country": 3,
    "workclass": 4, "occupation": 4, "salary-class": 10,
}  # fmt: skip
COLUMNS = [*PRICES]


def paper(small: bool = False) -> Paper:
    with temporary_folder() as folder:
        place = Path(folder)
        columns = COLUMNS[:4] if small else COLUMNS
        made, release = _anonymised(place, columns)
        known = assess(release, user="none", columns=columns, policy=None)
        sets = combinations(release, user="none", columns=columns, allow=2 * K, costs=_prices(columns))
        priced = combinations(release, user="none", columns=columns, costs=_prices(columns), resource=12)
        pairs = combinations(release, user="none", columns=columns, size=2, synergy=2.0)
        start = ["race"]
        from_start = combinations(release, user="none", columns=columns, allow=2 * K, start=start)
        riskiest = _riskiest_records(release, columns, place)
    command = "singleout combinations adult-5.csv --user none"
    curve = risk_curve(known)
    bought, minimal = budget_curve(priced), minimal_sets(sets)
    losses = attribute_losses(
        [(each.name, each.loss or 0.0) for each in made.attributes], made.table(), made.loss_by.measure
    )
    return Paper(
        "anon-nd",
        "Anon. n.d.",
        "Of this paper our copy has the abstract, seven algorithms and the caption of one figure; no number "
        "survives, so there is nothing to agree with. The algorithms run here on ARX's Adult (30,162 people, "
        f"nine attributes; ages by five years), generalised to k = {K}, with a price list of our own: "
        + ", ".join(f"{name} {price}" for name, price in PRICES.items())
        + ".",
        (
            Experiment(
                "Algorithm 7: the release",
                "singleout deidentify generalise adult.csv --user none --hierarchies . --k 5 --suppress 0.04 "
                "--out adult-5.csv",
                note=f"The least lossy of {made.lattice:,} generalisations that leave no class below {K} "
                f"(proven: {'yes' if made.optimal else 'no'}), with at most 4 % of the records suppressed: "
                f"loss {made.loss:.4f}, {made.suppressed:,} suppressed, {made.classes:,} classes. The "
                "paper's loop stops at the first level that is not safe; singleout takes the best of all.",
                charts=tuple(filter(None, [losses])),
            ),
            Experiment(
                "Algorithms 1 to 3 and Figure 1",
                "singleout assess adult-5.csv --user none --html adult-5.html --record-risks risks.csv",
                note="Figure 1 of the paper is this curve, for an attacker who knows all attributes: which "
                "share of the records has at most which risk. Keys are whole rows: the paper joins values to "
                'one text, by which "1", "23" and "12", "3" would be the same.',
                places=("Figure 1",),
                findings=(_exposure_table(known.classes, riskiest),),
                charts=tuple(filter(None, [curve])),
            ),
            Experiment(
                "Algorithm 4: sets that are too risky",
                f"{command} --allow {2 * K} --known-already {','.join(start)}",
                note=f"Too risky: a class of at most {2 * K} (the paper's N is a class size). From a given "
                "set, as the paper starts, the sets that have to be learned beside it.",
                findings=(_minimal_table(sets), _minimal_table(from_start, set_name(start))),
                charts=tuple(filter(None, [minimal])),
            ),
            Experiment(
                "Algorithm 5: combinations riskier than their parts",
                f"{command} --size 2 --synergy 2",
                note="How many times riskier some record is by two attributes than by the riskier of them.",
                findings=(_synergy_table(pairs),),
            ),
            Experiment(
                "Algorithm 6: what a resource buys",
                f"{command} --costs prices.csv --resource 12",
                note="The printed loop adds one attribute more than can be paid; here a set is bought only "
                "if all of it can be.",
                findings=(_price_table(priced),),
                charts=tuple(filter(None, [bought])),
            ),
        ),
        instead=", its algorithms on Adult",
    )  # fmt: skip


def _prices(columns: Sequence[str]) -> dict[str, int]:
    return {name: PRICES[name] for name in columns}


def _anonymised(place: Path, columns: Sequence[str]) -> tuple[Generalisation, pyarrow.Table]:
    write_arx_adult(place)
    for file in place.glob("adult_hierarchy_*.csv"):
        file.rename(place / file.name.removeprefix("adult_hierarchy_"))
    out = place / "release.parquet"
    levels = place / "levels"
    levels.mkdir()
    for name in columns:
        (place / f"{name}.csv").rename(levels / f"{name}.csv")
    made = generalise(
        place / "adult.csv", hierarchies=levels, columns=list(columns), k=K, suppress=0.04, user="none",
        out=out,
    )  # fmt: skip
    return made, pyarrow.parquet.read_table(out)


def _riskiest_records(release: pyarrow.Table, columns: Sequence[str], place: Path) -> int:
    """Algorithm 3: how many records have the highest risk of all."""
    out = place / "risks.parquet"
    record_risks(release, out, user="none", columns=list(columns))
    risks = pyarrow.parquet.read_table(out)["risk"].to_numpy()
    return int((risks == risks.max()).sum())


def _named(title: str, names: Sequence[str], rows: Sequence[tuple[Cell, ...]], note: str = "") -> ResultTable:
    return ResultTable(title, tuple(Heading(name, name) for name in names), tuple(rows), note)


def _exposure_table(classes: object, riskiest: int) -> ResultTable:
    by = classes.by_records  # type: ignore[attr-defined]
    rows: list[tuple[Cell, ...]] = [
        ("smallest class (k)", int(by.k.known)),
        ("highest risk", by.highest_risk.known),
        ("records with that risk", riskiest),
        ("average risk over the records", by.average_risk.known),
    ]
    return _named("Risk to an attacker who knows all attributes", ("", "computed"), rows)


def _minimal_table(found: Combinations, start: str = "") -> ResultTable:
    assert found.allowable is not None
    sets = found.allowable.minimal
    rows = [(set_name(each.columns), each.smallest_class, each.records_at_risk) for each in sets[:8]]
    beside = f", beside {start}" if start else ""
    note = (
        f"{len(sets):,} such sets; {found.allowable.evaluated:,} of {found.allowable.subsets:,} were counted."
    )
    return _named(
        f"Smallest sets that are too risky{beside}",
        ("attributes", "smallest class", "records at risk"),
        rows,
        note,
    )


def _synergy_table(found: Combinations) -> ResultTable:
    assert found.synergies is not None
    rows = [
        (set_name(each.columns), each.highest_synergy, each.mean_synergy)
        for each in found.synergies.combinations[:8]
    ]
    many = f"{len(found.synergies.combinations):,} of {found.synergies.looked_at:,} pairs."
    return _named("Pairs more than twice as risky", ("attributes", "highest", "mean"), rows, many)


def _price_table(found: Combinations) -> ResultTable:
    assert found.priced is not None
    rows = [
        (float(each.resource), set_name(each.columns), each.average_risk, each.highest_risk)
        for each in found.priced.curve
    ]
    step = max(1, len(rows) // 10)
    kept = [*rows[::step], *([rows[-1]] if (len(rows) - 1) % step else [])]
    names = ("resource", "best set", "average risk", "highest risk of any set")
    return _named("What a resource buys", names, kept, f"{len(kept)} of {len(rows)} steps.")
