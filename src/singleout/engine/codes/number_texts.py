"""Numbers by one text each, however a database or a file writes them: 1.50, 1.5 and 15E-1 are 1.5."""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

import pyarrow
import pyarrow.compute

NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
NO_NUMBERS = {"nan": "nan", "inf": "inf", "infinity": "inf", "-inf": "-inf", "-infinity": "-inf"}
# a number with more zeros than this before or after its digits is written with an exponent
MOST_ZEROS = 40
# how such numbers look already, without those of many zeros
ONE_TEXT = r"^(0|-?([1-9][0-9]{0,40}(\.[0-9]*[1-9])?|0\.[0-9]{0,39}[1-9]))$"
EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def number_text(text: str) -> str:
    """The one text of a number, exact in all its digits; any other text stays as it is.

    >>> [number_text(text) for text in ("12346.0", "1.50", "+.5", "1E3", "-0.0", "NaN", "1,5")]
    ['12346', '1.5', '0.5', '1000', '0', 'nan', '1,5']
    """
    if not re.fullmatch(NUMBER, text):
        return NO_NUMBERS.get(text.casefold(), text)
    number = Decimal(text, EXACT)
    if not number:
        return "0"
    number = number.normalize(EXACT)
    zeros = number.as_tuple().exponent
    assert isinstance(zeros, int)
    return f"{number:f}" if zeros <= MOST_ZEROS and number.adjusted() >= -MOST_ZEROS else f"{number:E}"


def number_texts(texts: pyarrow.LargeStringArray) -> pyarrow.LargeStringArray:
    """Each text as `number_text` has it, so that two of them may have become one; missing stays missing."""
    alike = pyarrow.compute.match_substring_regex(texts, ONE_TEXT).fill_null(True)
    if alike.true_count == len(texts):
        return texts
    others = pyarrow.compute.invert(alike)
    written = [number_text(text) for text in texts.filter(others).to_pylist()]
    return pyarrow.compute.replace_with_mask(texts, others, pyarrow.array(written, texts.type))
