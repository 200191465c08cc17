"""Names that people choose: which are allowed, and which are the same to the eye."""

from __future__ import annotations

import unicodedata

from singleout.platform.refusal import RefusalError

LONGEST_NAME = 60


def checked_name(name: str) -> str:
    """The name as it is shown."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST_NAME or not shown.isprintable():
        raise RefusalError("bad_name", f"a name has 1 to {LONGEST_NAME} characters that can be printed")
    return shown


def name_key(name: str) -> str:
    """The same for names that differ in case or width only."""
    return unicodedata.normalize("NFKC", checked_name(name)).casefold()


def checked_text(text: str, longest: int) -> str:
    """A text of several lines."""
    if len(text) > longest or "\0" in text:
        raise RefusalError("bad_text", f"a text has at most {longest:,} characters and no NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RefusalError("bad_text", "half a character can't be stored; write the text anew") from error
    return text
