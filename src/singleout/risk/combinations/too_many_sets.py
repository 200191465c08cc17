"""What to ask instead, where there are more smallest sets than can be listed."""

from __future__ import annotations

from itertools import accumulate
from math import comb

from singleout.errors import UsageError

# eight bytes each, and several times that once they are written as text
MOST_SETS = 50_000_000


def too_many_sets_error(columns: int, records: int) -> UsageError:
    """Of all records: no more than C(d, k) sets of at most k ≤ d/2 columns contain none of the others.

    >>> print(too_many_sets_error(20, 10_000))
    there are more than 50,000,000 smallest sets; ask for sets of at most 4 columns by --largest
    """
    fitting = [size for size in range(1, columns // 2 + 1) if records * comb(columns, size) <= MOST_SETS]
    size = max(fitting, default=1)
    return UsageError(f"there are more than {MOST_SETS:,} smallest sets; {advice(size)}")


def too_much_work_error(columns: int, step: int, most: int) -> UsageError:
    """Of one record: where each set of columns costs so much, how large may sets be if all are looked at?"""
    work = accumulate(step * comb(columns, size) for size in range(1, columns + 1))
    size = sum(each <= most for each in work)
    return UsageError(f"the record's smallest sets are too many to list; {advice(max(1, size))}")


def advice(size: int) -> str:
    return f"ask for sets of at most {size} column{'s' if size > 1 else ''} by --largest"
