"""Known records among everybody: the law by the exact numbers of candidates, and what it refuses to say."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pytest

from singleout import assess, attack, known_records
from singleout.cli.main import main
from singleout.errors import SingleoutError, UsageError
from singleout.investigation.known_records import KnownRecordsLaw, KnownRecordsLaws, _refused
from singleout.progress import silent
from singleout.risk.population import bootstrap
from singleout.risk.population.measures import POPULATION_MARKETER
from singleout.risk.population.population import BY_CHANCE, WHO_KNOWS, population_view
from singleout.risk.population.sample_classes import SampleClasses
from singleout.roles.known_column import KnownColumn


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "DRAWS", 9)


def shop(people: int, seed: int = 1) -> pyarrow.Table:
    random = numpy.random.default_rng(seed)
    who = numpy.repeat(numpy.arange(people), 4)
    goods = random.zipf(1.5, len(who)) % 3000
    return pyarrow.table({"who": who, "goods": goods})


def test_candidates_by_hand() -> None:
    """Everybody whose records are all known: how many people have all of them."""
    table = pyarrow.table({"who": [1, 1, 2, 2, 3, 4, 4], "goods": ["x", "y", "x", "y", "x", "y", "z"]})
    found = attack(table, table, user="who", attacks=[], points=[2], columns=["goods"])
    own = {1: {"x", "y"}, 2: {"x", "y"}, 3: {"x"}, 4: {"y", "z"}}
    by_hand = Counter(sum(mine <= others for others in own.values()) for mine in own.values())
    assert dict(found.unicity[0].found or {}) == pytest.approx(dict(by_hand))


@pytest.mark.parametrize("part", [2, 3])
def test_rarefaction_is_the_mean_over_all_sets_of_people(part: int) -> None:
    """κ̂(n) = mean over people of N/(n·M)·(1 − C(N−M, n)/C(N, n)): of all sets of n people, by hand."""
    records = {0: "xy", 1: "xy", 2: "x", 3: "yz", 4: "z"}
    fits = {
        who: {other for other in records if {*mine} <= {*records[other]}} for who, mine in records.items()
    }
    sets = list(combinations(records, part))
    by_hand = sum(sum(1 / len(fits[who] & {*chosen}) for who in chosen) / part for chosen in sets) / len(sets)
    sample = SampleClasses.of_candidates(Counter(len(each) for each in fits.values()).items())
    assert float(sample.rarefied(numpy.array([float(part)]))[0]) == pytest.approx(by_hand)


def test_people_who_were_drawn_unlike_have_no_law() -> None:
    table = shop(1100)
    weights = pyarrow.array([8 if who < 500 else 12 for who in table["who"].to_pylist()])
    found = assess(
        table.append_column("w", weights), user="who", weight="w", population=11_500, points=[1, 2]
    )
    assert found.known_records is not None
    for each in found.known_records.laws:
        assert "the weights in 'w' go from 8 to 12" in str(each.why)
    assert found.population is not None
    assert found.population.chosen is None


def test_a_law_for_each_number_and_way() -> None:
    table = shop(1100)
    found = assess(table, user="who", columns=["goods"], population=11_000, points=[1, 2],
                   granularity={"goods": ["exact", "first 1"]})  # fmt: skip
    laws = found.known_records
    assert laws is not None
    assert [(each.points, each.columns[0].granularity) for each in laws.laws] == [
        (1, None), (2, None), (1, "first 1"), (2, "first 1"),
    ]  # fmt: skip
    told = found.to_dict()["known_records"]
    assert [each["points"] for each in told] == [1, 2, 1, 2]
    for each, law in zip(told, laws.laws, strict=True):
        assert each["unique"] == law.unique
        # unknown with a reason, or known with an interval
        assert (each["reason"] is None) == (law.law is not None and law.law.accepted)
    again = known_records(attack(table, table, user="who", attacks=[], points=[1, 2]), population=11_000)
    assert again.laws[0].to_dict() == told[0]
    assert repr(again) == "<KnownRecordsLaws: 2 for a population of 11,000>"
    assert again.remarks[:2] == (WHO_KNOWS, BY_CHANCE)
    assert not any("knows one record" in each or "knows 2 records" in each for each in again.remarks)


def test_attack_tells_for_whom_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, page = tmp_path / "shop.csv", tmp_path / "page.html"
    pyarrow.csv.write_csv(shop(40), place)
    asked = [
        "--user",
        "who",
        "--columns",
        "goods",
        "--attacks",
        "jaccard",
        "--item",
        "goods",
        "--points",
        "1",
        "--sampled",
        "0.1",
    ]
    assert main(["attack", str(place), str(place), *asked, "--html", str(page)]) == 0
    out, aside = capsys.readouterr()
    assert "in the population of 400" in out
    assert "does not know who was sampled" in " ".join(aside.split())
    text = page.read_text()
    assert "Known records among everybody" in text
    assert "Numbers of the population hold for somebody who does not know who was sampled" in text


def test_what_one_number_lacks_is_told_in_its_row() -> None:
    one = law(1, {1: 700.0, 2: 800.0, 3: 300.0}, 3600)
    assert one.view is not None
    missed = replace(one.view.of("law"), reason=None, missed={"marketer": "too far off"})
    view = replace(one.view, estimates=(missed,), chosen="law")
    (row,) = KnownRecordsLaws(3600, (replace(one, view=view),)).table().rows
    assert row[2] is not None
    assert (row[6], row[-1]) == (None, "too far off")


def law(points: int, sizes: dict[int, float], people: int, granularity: str | None = None) -> KnownRecordsLaw:
    sample = SampleClasses.of_candidates(sizes.items())
    view = population_view(sample, people, 0, silent, points)
    columns = (KnownColumn("day", granularity),)
    return KnownRecordsLaw(columns, points, sample.unique_share, sample.correctness, view)


def test_who_knows_more_finds_no_less() -> None:
    """A law under which more known records would single out fewer people is refused."""
    from dataclasses import replace

    few = law(1, {1: 1200.0, 2: 240.0, 3: 60.0}, 15_000, "month")
    assert few.law is not None
    accepted = replace(few.law, reason=None, intervals={"unique_share": (0.7, 0.8)},
                       numbers={"unique_share": 0.75})  # fmt: skip
    assert few.view is not None
    few = replace(few, view=replace(few.view, estimates=(accepted,), chosen="law"))
    lower = replace(accepted, intervals={"unique_share": (0.1, 0.2)}, numbers={"unique_share": 0.15})
    assert few.view is not None
    many = replace(few, points=2, columns=(KnownColumn("day", "day"),),
                   view=replace(few.view, estimates=(lower,)))  # fmt: skip
    refused = _refused(many, [few, many])
    assert refused.view is None
    assert "less is known by 1 by day (to the month)" in str(refused.why)
    assert _refused(few, [few, many]) is few
    other = replace(many, columns=(KnownColumn("goods"),))
    assert _refused(other, [few, other]) is other


def test_the_table_tells_the_highest_average_risk_too() -> None:
    laws = assess(shop(1100), user="who", columns=["goods"], population=11_000, points=[1]).known_records
    assert laws is not None
    (one,) = laws.laws
    assert one.law is not None
    (row,) = laws.table().rows
    told = dict(zip((each.name for each in laws.table().headings), row, strict=True))
    interval = one.law.interval(POPULATION_MARKETER)
    assert one.why is None
    assert interval is not None
    assert told["marketer_high"] == interval[1] >= one.rate
    assert told["reason"] == one.why


def test_records_that_do_not_fit_their_own_person_follow_no_law() -> None:
    original = shop(1000)
    release = original.set_column(1, "goods", pyarrow.array(numpy.roll(original["goods"].to_numpy(), 4)))
    found = attack(original, release, user="who", attacks=[], points=[2])
    (told,) = known_records(found, sampled=0.1).laws
    assert told.view is None
    assert "follows no law" in str(told.why)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"points": [1]}, "by --population or --sampled"),
        ({"points": [0], "population": 100}, "points: 0 must be a whole number"),
        ({"granularity": {"goods": ["first 1"]}, "population": 100}, "say how many are by --points"),
        ({"points": [1], "population": 10}, "10 people are fewer than the 20 of the table"),
    ],
)
def test_bad_questions(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(SingleoutError, match=words):
        assess(shop(20), user="who", columns=["goods"], **asked)


def test_records_without_people() -> None:
    with pytest.raises(UsageError, match="name the person column by --user"):
        assess(shop(20), user="none", columns=["goods"], points=[1], population=1000)
