"""Columns of places on the earth, so exact that a home can be told from the next."""

from __future__ import annotations

import re
from collections.abc import Iterable

NAME = re.compile(
    r"(^|[_\W])(lat|lats|latitude|lon|lng|long|longitude|breite|l[äa]nge|coord|coords|coordinates?|gps|geo_?point"
    r"|latlo?ng?|position|location)([_\W]?[0-9])?$",
    re.IGNORECASE,
)
# four digits behind the point are about ten metres
FINE = re.compile(r"\s*[+-]?[0-9]{1,3}[.,][0-9]{4,}\s*[°NSEWO]?\s*")
PAIR = re.compile(r"[^0-9+-]*[+-]?[0-9]{1,3}\.[0-9]{4,}\s*[,; /]\s*[+-]?[0-9]{1,3}\.[0-9]{4,}[^0-9]*")
MOST_DEGREES = 180
MOSTLY = 0.5


def are_coordinates(name: str, examples: Iterable[str]) -> bool:
    """Degrees under such a name, or pairs of them under any, most of them to ten metres or less.

    >>> are_coordinates("lat", ["52.520008", "48.85661"]), are_coordinates("price", ["52.520008"])
    (True, False)
    >>> are_coordinates("seen", ["52.520008, 13.404954"]), are_coordinates("lon", ["13.4"])
    (True, False)
    """
    filled = [each for each in examples if each.strip()]
    pairs = sum(PAIR.fullmatch(each) is not None for each in filled)
    fine = sum(map(_is_fine_degree, filled)) if NAME.search(name) else 0
    return bool(filled) and max(pairs, fine) >= MOSTLY * len(filled)


def _is_fine_degree(text: str) -> bool:
    if FINE.fullmatch(text) is None:
        return False
    return abs(float(re.sub(r"[^0-9.+-]", "", text.replace(",", ".")))) <= MOST_DEGREES
