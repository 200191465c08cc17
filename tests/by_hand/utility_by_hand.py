"""The metrics of utility by their definitions, record by record, for tests to compare with."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations

from tests.by_hand.nearest_by_hand import Table, Value

Record = Mapping[str, Value]
Key = Callable[[int, Record], Hashable]
Number = float | Fraction | None
ALL_COLUMNS = (
    "goods", "date", "at", "price", "number", "receipt", "usage", "in", "out", "line in", "line out", "place",
    "sex", "country",
)  # fmt: skip


def by_hand(original: Table, release: Table, truth: Sequence[int]) -> dict[str, Number]:
    """Every metric by name but those of the workload; None is one without an answer."""
    aligned = renamed(release, original.people, truth)
    found: dict[str, Number] = {}
    found.update(kept(original, aligned))
    found["u1_cmae"] = cross_table(original, release, price)
    found["u2_cmae"] = cross_table(original, release, spent)
    found["u3_rfm"] = rfm(original, release)
    found.update(paper3(original, aligned))
    for column in ALL_COLUMNS:
        found.update(spread(original, release, column))
    found.update(associations(original, release))
    found.update(items(original, release))
    return found


def renamed(release: Table, people: int, truth: Sequence[int]) -> Table:
    """The release with people by their numbers in the original, those made up behind them."""
    names, following = [], people
    for true in truth:
        names.append(true if true >= 0 else following)
        following += true < 0
    return Table(following, tuple((names[who], row) for who, row in release.rows))


def price(row: Record) -> Fraction:
    return Fraction(row["price"] or "0")


def spent(row: Record) -> Fraction:
    return price(row) * Fraction(row["number"] or "0")


def day_of(text: Value) -> date | None:
    return None if text is None else date(*map(int, text.split(" ")[0].replace("/", "-").split("-")))


def mean(numbers: Iterable[float | Fraction]) -> float | Fraction | None:
    found = list(numbers)
    return sum(found) / len(found) if found else None


def error(one: Mapping[Hashable, Fraction], other: Mapping[Hashable, Fraction], over: int) -> Fraction | None:
    keys = {*one, *other}
    return (
        sum((abs(one.get(key, Fraction()) - other.get(key, Fraction())) for key in keys), Fraction()) / over
        if over
        else None
    )


def added(table: Table, key: Key, worth: Callable[[Record], Fraction]) -> dict[Hashable, Fraction]:
    sums: dict[Hashable, Fraction] = defaultdict(Fraction)
    for who, row in table.rows:
        sums[key(who, row)] += worth(row)
    return sums


def kept(original: Table, aligned: Table) -> dict[str, Number]:
    def records(table: Table) -> Counter[Hashable]:
        return Counter((who, *(row[name] for name in ALL_COLUMNS)) for who, row in table.rows)

    before, after = ({who for who, _ in table.rows} for table in (original, aligned))
    same = sum((records(original) & records(aligned)).values())
    made_up = sum(who >= original.people for who, _ in aligned.rows)
    m, k = len(original.rows), len(aligned.rows)
    return {
        "people_kept": Fraction(len(before & after), len(before)) if before else None,
        "records_released": Fraction(k, m) if m else None,
        "records_kept": Fraction(same, m) if m else None,
        "records_true": Fraction(same, k) if k else None,
        "records_of_made_up_people": Fraction(made_up, k) if k else None,
    }


def cross_table(original: Table, release: Table, worth: Callable[[Record], Fraction]) -> Number:
    def means(table: Table) -> dict[Hashable, Fraction]:
        cells = defaultdict(list)
        for _, row in table.rows:
            cells[row["sex"], row["country"]].append(worth(row))
        return {cell: sum(found, Fraction()) / len(found) for cell, found in cells.items()}

    cells = math.prod(len({row[name] for _, row in original.rows}) for name in ("sex", "country"))
    return error(means(original), means(release), cells)


def rfm(original: Table, release: Table) -> Number:
    if not original.people or not release.people:
        return None
    if not any(row["date"] for table in (original, release) for _, row in table.rows):
        return None

    def numbers(table: Table) -> list[list[Fraction]]:
        found = []
        for who in range(table.people):
            rows = table.of(who)
            last = max((day.toordinal() for row in rows if (day := day_of(row["date"]))), default=0)
            money = sum((spent(row) for row in rows), Fraction())
            found.append([Fraction(last), Fraction(len({row["receipt"] for row in rows})), money])
        return found

    people = numbers(original)
    cuts = []
    for place in range(3):
        rising = sorted(each[place] for each in people)
        cuts.append([rising[j * len(rising) // 10] for j in range(1, 10)])

    def shares(table: Table) -> dict[Hashable, Fraction]:
        cells = Counter(
            tuple(bisect_right(cut, number) for cut, number in zip(cuts, each, strict=True))
            for each in numbers(table)
        )
        return {cell: Fraction(count, table.people) for cell, count in cells.items()}

    return error(shares(original), shares(release), 2)


def paper3(original: Table, aligned: Table) -> dict[str, Number]:
    """The release has the people of the original by the same numbers."""
    people = max(original.people, aligned.people)
    tables = original, aligned

    def by(key: Key, worth: Callable[[Record], Fraction], over: int | None = None) -> Number:
        first, second = (added(table, key, worth) for table in tables)
        return error(first, second, len({*first, *second}) if over is None else over)

    def one(row: Record) -> Fraction:  # noqa: ARG001
        return Fraction(1)

    def day(who: int, row: Record) -> Hashable:  # noqa: ARG001
        return day_of(row["date"])

    def value(name: str) -> Key:
        return lambda who, row: row[name]  # noqa: ARG005

    def lines(table: Table) -> Counter[Hashable]:
        return Counter((name, row[name]) for _, row in table.rows for name in ("line in", "line out"))

    routes = {*lines(original), *lines(aligned)}
    usages = {row["usage"] for table in tables for _, row in table.rows}
    means = [
        {who: float(mean(price(row) for row in table.of(who)) or 0) for who in range(people)}
        for table in tables
    ]
    return {
        "u1_fare_by_person": by(lambda who, row: who, price, people),  # noqa: ARG005
        "u2_mean_fare_by_person": mean(abs(means[0][who] - means[1][who]) for who in range(people)),
        "u3_fare_by_day": by(day, price),
        "u4_records_by_person": by(lambda who, row: who, one, people),  # noqa: ARG005
        "u5_records_by_day": by(day, one),
        "u6_records_by_entry": by(value("in"), one),
        "u7_records_by_exit": by(value("out"), one),
        "u8_records_by_route": mean(
            Fraction(abs(lines(original)[each] - lines(aligned)[each])) for each in routes
        ),
        "u9_records_by_location": by(value("place"), one),
        "u10_records_by_category": by(value("usage"), one),
        "u11_fare_by_category_and_person": by(
            lambda who, row: (row["usage"], who), price, len(usages) * people
        ),
        "u12_sorted_fares": sorted_fares(original, aligned, people),
    }


def sorted_fares(original: Table, aligned: Table, people: int) -> Number:
    differences = []
    for who in range(people):
        one, other = (sorted(price(row) for row in table.of(who)) for table in (original, aligned))
        length = max(len(one), len(other))
        one, other = ([Fraction()] * (length - len(each)) + each for each in (one, other))
        differences += [abs(left - right) for left, right in zip(one, other, strict=True)]
    return mean(differences)


def number_of(column: str, value: str) -> float:
    if column == "date":
        day = day_of(value)
        assert day
        clock = value.split(" ")[1] if " " in value else "0:0"
        return day.toordinal() + hours(clock) / 24
    return hours(value) if column == "at" else float(value)


def hours(clock: str) -> float:
    hour, minute = clock.split(":")
    return int(hour) + int(minute) / 60


def spread(original: Table, release: Table, column: str) -> dict[str, Number]:
    counts = [Counter(row[column] for _, row in table.rows) for table in (original, release)]
    shares: list[dict[Hashable, Fraction]] = [
        {value: Fraction(count, sum(each.values())) for value, count in each.items()} for each in counts
    ]
    there = bool(counts[0]) and bool(counts[1])
    found: dict[str, Number] = {
        f"total_variation.{column}": error(shares[0], shares[1], 2) if there else None
    }
    if column not in ("date", "at", "price", "number"):
        return found
    lists = [
        [number_of(column, value) for _, row in table.rows if (value := row[column]) is not None]
        for table in (original, release)
    ]
    if not lists[0] and not lists[1]:
        return found
    names = [f"{kind}.{column}" for kind in ("kolmogorov_smirnov", "wasserstein", "wasserstein_relative")]
    if not lists[0] or not lists[1]:
        return {**found, **dict.fromkeys(names)}
    return {**found, **dict(zip(names, distances(*lists), strict=True))}


def distances(original: Sequence[float], release: Sequence[float]) -> tuple[Number, Number, Number]:
    def up_to(numbers: Sequence[float], most: float) -> float:
        return sum(number <= most for number in numbers) / len(numbers)

    rising = sorted({*original, *release})
    gaps = [abs(up_to(original, each) - up_to(release, each)) for each in rising]
    moved = sum(gap * (after - each) for gap, each, after in zip(gaps, rising, rising[1:], strict=False))
    middle = sum(original) / len(original)
    deviation = math.sqrt(sum((each - middle) ** 2 for each in original) / len(original))
    constant = len(set(original)) == 1
    relative = (None if moved else 0.0) if constant else moved / deviation
    return max(gaps), moved, relative


def associations(original: Table, release: Table) -> dict[str, Number]:
    tables = original, release
    bits, straight = [], []
    for pair in combinations(ALL_COLUMNS, 2):
        if all(table.rows for table in tables):
            bits.append(abs(information(original, pair) - information(release, pair)))
    numbers = [
        name
        for name in ("date", "at", "price", "number")
        if any(row[name] is not None for table in tables for _, row in table.rows)
    ]
    for pair in combinations(numbers, 2):
        before = pearson(original, pair)
        if before is not None:
            straight.append(abs(before - (pearson(release, pair) or 0.0)))
    return {
        "mutual_information.mean_difference": mean(bits),
        "mutual_information.largest_difference": max(bits, default=None),
        "correlation.mean_difference": mean(straight),
        "correlation.largest_difference": max(straight, default=None),
    }


def information(table: Table, pair: tuple[str, str]) -> float:
    total = len(table.rows)
    both = Counter((row[pair[0]], row[pair[1]]) for _, row in table.rows)
    one, other = (Counter(row[name] for _, row in table.rows) for name in pair)
    return sum(
        count / total * math.log2(count * total / (one[left] * other[right]))
        for (left, right), count in both.items()
    )


def pearson(table: Table, pair: tuple[str, str]) -> float | None:
    rows = [row for _, row in table.rows if row[pair[0]] is not None and row[pair[1]] is not None]
    one, other = ([number_of(name, row[name] or "") for row in rows] for name in pair)
    return straightness(one, other)


def straightness(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation of two lists."""
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    middle = [sum(each) / len(each) for each in (one, other)]
    off = [[number - centre for number in each] for each, centre in zip((one, other), middle, strict=True)]
    size = math.sqrt(sum(each * each for each in off[0]) * sum(each * each for each in off[1]))
    return sum(left * right for left, right in zip(off[0], off[1], strict=True)) / size


def spearman(one: Sequence[int], other: Sequence[int]) -> float | None:
    def ranks(numbers: Sequence[int]) -> list[float]:
        return [
            sum(each < number for each in numbers) + (sum(each == number for each in numbers) + 1) / 2
            for number in numbers
        ]

    return 1.0 if list(one) == list(other) else straightness(ranks(one), ranks(other))


def items(original: Table, release: Table) -> dict[str, Number]:
    have = [
        [{row["goods"] for row in table.of(who)} for who in range(table.people)]
        for table in (original, release)
    ]

    def people(side: int, *wanted: Value) -> int:
        return sum(each >= set(wanted) for each in have[side])

    # codes go by first appearance here, the release's first
    order = list(dict.fromkeys(row["goods"] for table in (release, original) for _, row in table.rows))

    def best(side: int) -> list[Value]:
        there = [each for each in order if people(side, each)]
        return sorted(there, key=lambda each: -people(side, each))

    most = min(10, len(best(0)))
    pairs = list(combinations(best(0), 2))
    return {
        "item_popularity.rank_correlation": spearman(
            *([people(side, each) for each in order] for side in (0, 1))
        )
        if order
        else None,
        "item_popularity.top_kept": Fraction(len({*best(0)[:most]} & {*best(1)[:most]}), most)
        if most
        else None,
        "co_purchase.rank_correlation": spearman(
            *([people(side, *pair) for pair in pairs] for side in (0, 1))
        )
        if pairs
        else None,
    }


def answered(table: Table, columns: Sequence[str], values: Sequence[Value]) -> tuple[int, Fraction]:
    """How many records have these values, and the sum of their prices."""
    found = [
        row
        for _, row in table.rows
        if all(row[name] == value for name, value in zip(columns, values, strict=True))
    ]
    return len(found), sum((price(row) for row in found), Fraction())
