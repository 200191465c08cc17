"""The SQL of counting: one text for every engine, returning whole numbers only.

The innermost SELECT renames the asked columns to k0, k1, … and the person to `person`; nothing above it
ever meets a name from the data. Where windows are divided into classes, `window_keys` are what by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from singleout.engine.protocol import Question

Quote = Callable[[str], str]


def renamed_rows(table: str, question: Question, quote: Quote, extra: tuple[str, ...] = ()) -> str:
    """The asked columns under safe names, records with missing values left out if asked for.

    They are left out only after `extra` is worked out, so that a record's number is its place in the data.
    """
    columns = {f"k{index}": name for index, name in enumerate(question.columns)}
    if question.person is not None:
        columns["person"] = question.person
    parts = [*(f"{quote(name)} AS {safe}" for safe, name in columns.items()), *extra]
    if question.missing == "drop":
        needed = {f"f{index}": name for index, name in enumerate(question.filled)}
        parts += [f"{quote(name)} AS {safe}" for safe, name in needed.items()]
        columns |= needed
    rows = f"SELECT {', '.join(parts) or '1 AS one'} FROM {table}"
    if question.missing != "drop" or not columns:
        return rows
    return (
        f"SELECT * FROM ({rows}) AS renamed WHERE {' AND '.join(f'{safe} IS NOT NULL' for safe in columns)}"
    )


def class_sizes(rows: str, width: int) -> str:
    """(records, people, classes): how many groups of equal records there are of each size."""
    return (
        "SELECT size AS records, size AS people, count(*) AS classes FROM "
        f"(SELECT count(*) AS size FROM ({rows}) AS source{_group_by(width)}) AS grouped "
        "WHERE size > 0 GROUP BY size ORDER BY records"
    )


def value_sizes(rows: str, width: int) -> str:
    """(records, people, values): the same over pairs, people counted once in each group.

    Two steps instead of count(DISTINCT): that would not count a missing person, and is slower.
    """
    keys = _keys(width)
    return (
        "SELECT records, people, count(*) AS number FROM "
        "(SELECT sum(part) AS records, count(*) AS people FROM "
        f"(SELECT {keys}person, count(*) AS part FROM ({rows}) AS source GROUP BY {keys}person) AS pairs"
        f"{_group_by(width)}) AS grouped "
        "WHERE records > 0 GROUP BY records, people ORDER BY records, people"
    )


def class_counts(rows: str, width: int, person: bool, text_type: str) -> str:
    """Each group by its values as text t0, t1, …, with its records and people."""
    texts = "".join(f"CAST(k{index} AS {text_type}) AS t{index}, " for index in range(width))
    keys = _keys(width)
    if not person:
        grouped = (
            f"SELECT {keys}count(*) AS records, count(*) AS people FROM ({rows}) AS source{_group_by(width)}"
        )
    else:
        pairs = f"SELECT {keys}person, count(*) AS part FROM ({rows}) AS source GROUP BY {keys}person"
        grouped = (
            f"SELECT {keys}CAST(sum(part) AS bigint) AS records, count(*) AS people "
            f"FROM ({pairs}) AS pairs{_group_by(width)}"
        )
    return f"SELECT {texts}records, people FROM ({grouped}) AS grouped"


def partition(keys: Sequence[str]) -> str:
    return f"PARTITION BY {', '.join(keys)}" if keys else ""


def people_alone(rows: str, window_keys: Sequence[str]) -> str:
    """People with a record in a group that holds nobody else; an unknown person counts as one."""
    keys, parts = _keys(len(window_keys)), partition(window_keys)
    return (
        "SELECT count(*) FROM (SELECT DISTINCT person FROM "
        f"(SELECT person, count(*) OVER ({parts}) AS people FROM "
        f"(SELECT DISTINCT {keys}person FROM ({rows}) AS source) AS pairs) AS counted "
        "WHERE people = 1) AS alone"
    )


def records_alone(rows: str, width: int) -> str:
    """The same where each record is its own person."""
    return (
        "SELECT count(*) FROM "
        f"(SELECT count(*) AS size FROM ({rows}) AS source{_group_by(width)}) AS grouped WHERE size = 1"
    )


def person_classes(rows: str, window_keys: Sequence[str]) -> str:
    """(person, people, records): how many of a person's records lie in classes of so many people."""
    parts = partition(window_keys)
    return (
        "SELECT person, people, count(*) AS records FROM "
        f"(SELECT person, max(rank_in_class) OVER ({parts}) AS people FROM "
        f"(SELECT *, dense_rank() OVER ({parts} ORDER BY person) AS rank_in_class FROM ({rows}) AS source) "
        "AS ranked) AS counted GROUP BY person, people ORDER BY person, people"
    )


def labels(rows: str, window_keys: Sequence[str], person: bool, carried: int) -> str:
    """record, class, records, people, then the carried columns v0, v1, …, one row a record."""
    keys, parts = _keys(len(window_keys)).rstrip(", "), partition(window_keys)
    carry = "".join(f", v{index}" for index in range(carried))
    ranked = f"dense_rank() OVER ({parts} ORDER BY person)" if person else "1"
    people = f"max(rank_in_class) OVER ({parts})" if person else f"count(*) OVER ({parts})"
    label = f"dense_rank() OVER (ORDER BY {keys})" if keys else "1"
    return (
        f"SELECT record, {label} AS class, count(*) OVER ({parts}) AS records, {people} AS people{carry} "
        f"FROM (SELECT *, {ranked} AS rank_in_class FROM ({rows}) AS source) AS ranked ORDER BY record"
    )


def tuples(rows: str, order: Sequence[str]) -> str:
    """Distinct tuples, each value as its rank among the column's values, and how many records have them."""
    keys = _keys(len(order))
    ranks = "".join(f"dense_rank() OVER (ORDER BY {by}) - 1 AS c{index}, " for index, by in enumerate(order))
    grouped = f"SELECT {keys}count(*) AS records FROM ({rows}) AS source{_group_by(len(order))}"
    return f"SELECT {ranks}records FROM ({grouped}) AS grouped"


def values(rows: str, text_type: str, order: str) -> str:
    """The distinct values of one column as text, in the order of their ranks."""
    distinct = f"SELECT DISTINCT k0 FROM ({rows}) AS source"
    return f"SELECT CAST(k0 AS {text_type}) AS label FROM ({distinct}) AS found ORDER BY {order}"


def value_counts(table: str, text: str) -> str:
    """(text, records, draw) of every value that is there; the draw is the start of its MD5 digest."""
    texts = f"SELECT {text} AS value_text FROM {table}"
    grouped = (
        f"SELECT value_text, count(*) AS records FROM ({texts}) AS source "
        "WHERE value_text IS NOT NULL GROUP BY value_text"
    )
    return f"SELECT value_text, records, substr(md5(value_text), 1, 4) AS draw FROM ({grouped}) AS grouped"


def hashed_rows(table: str, texts: Sequence[str], person: str | None, seed: int) -> str:
    """The MD5 digest of each record's values, whose lengths keep several apart, and its person."""
    told = "'=', {0}" if len(texts) == 1 else "length({0}), ':', {0}"
    parts = [f"CASE WHEN {text} IS NULL THEN '-' ELSE concat({told.format(text)}) END" for text in texts]
    who = "" if person is None else f", {person} AS person"
    return f"SELECT md5(concat('{seed}|', {', '.join(parts)})) AS digest{who} FROM {table}"


def lowest_hashes(rows: str) -> str:
    """(hash, records) of 4,096 parts of the digests: the lowest first 64 bits of each, and its records."""
    return (
        "SELECT min(substr(digest, 1, 16)) AS lowest, count(*) AS records "
        f"FROM ({rows}) AS source GROUP BY substr(digest, 17, 3)"
    )


def hash_counts(rows: str, person: bool, limit: str | None) -> str:
    """(hash, records, people) of each value whose hash is not above the limit."""
    low = "" if limit is None else f" WHERE substr(digest, 1, 16) <= '{limit}'"
    if not person:
        return (
            "SELECT digest AS hash, count(*) AS records, count(*) AS people "
            f"FROM ({rows}) AS source{low} GROUP BY digest"
        )
    pairs = f"SELECT digest, person, count(*) AS part FROM ({rows}) AS source{low} GROUP BY digest, person"
    return (
        "SELECT digest AS hash, CAST(sum(part) AS bigint) AS records, count(*) AS people "
        f"FROM ({pairs}) AS pairs GROUP BY digest"
    )


def filled_counts(rows: str) -> str:
    """(records, records with a value) of one column."""
    return f"SELECT count(*), count(k0) FROM ({rows}) AS source"


def examples(rows: str, number: int) -> str:
    return f"SELECT k0 FROM ({rows}) AS source WHERE k0 IS NOT NULL LIMIT {number}"


def _keys(width: int) -> str:
    return "".join(f"k{index}, " for index in range(width))


def _group_by(width: int) -> str:
    return " GROUP BY " + ", ".join(f"k{index}" for index in range(width)) if width else ""
