"""The SQL of a sketch by DuckDB's own 64-bit hash of typed values, several times as fast as MD5 of texts."""

from __future__ import annotations

from collections.abc import Sequence


def lowest_hashes(table: str, columns: Sequence[str], seed: int) -> str:
    """(hash, records) of 4,096 parts by the last bits of the hash, which say nothing about the first."""
    rows = f"SELECT {_hash(columns, seed)} AS h FROM {table}"
    return f"SELECT min(h) AS lowest, count(*) AS records FROM ({rows}) AS source GROUP BY h % 4096"


def hash_counts(table: str, columns: Sequence[str], person: str | None, seed: int, limit: str | None) -> str:
    """(hash, records, people) of each value whose hash is not above the limit.

    Values whose hashes are the same are counted apart: the columns themselves are the key.
    """
    keys = [f"{column} AS k{index}" for index, column in enumerate(columns)]
    who = [] if person is None else [f"{person} AS person"]
    rows = f"SELECT {', '.join([f'{_hash(columns, seed)} AS h', *keys, *who])} FROM {table}"
    low = "" if limit is None else f" WHERE h <= {int(limit, 16)}"
    by = ", ".join(["h", *(f"k{index}" for index in range(len(columns)))])
    text = "lpad(lower(to_hex(h)), 16, '0') AS hash"
    if person is None:
        counted = "count(*) AS records, count(*) AS people"
        return f"SELECT {text}, {counted} FROM ({rows}) AS source{low} GROUP BY {by}"
    pairs = f"SELECT {by}, person, count(*) AS part FROM ({rows}) AS source{low} GROUP BY {by}, person"
    return (
        f"SELECT {text}, CAST(sum(part) AS bigint) AS records, count(*) AS people "
        f"FROM ({pairs}) AS pairs GROUP BY {by}"
    )


def _hash(columns: Sequence[str], seed: int) -> str:
    return f"hash({', '.join(columns)}, {seed})"
