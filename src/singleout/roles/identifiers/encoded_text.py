"""Texts written as base64 or in hexadecimal, which hides nothing from whoever decodes them."""

from __future__ import annotations

import base64
import binascii

# three bytes of plain text are four characters of which three can't be any: each byte is below 128
FIRST, SECOND = "[I-Za-f]", "[A-HQ-Xg-nw-z0-3]"
THIRD, FOURTH = "[ABEFIJMNQRUVYZcdghklopstwx014589]", "[0-9A-Za-z+/_-]"
THREE_BYTES = f"{FIRST}{SECOND}{THIRD}{FOURTH}"
REST = f"(?:{FIRST}{SECOND}(?:{THIRD})?={{0,2}})?"
BASE64 = f"(?:{THREE_BYTES}){{2,}}{REST}"
LONG_BASE64 = f"(?:{THREE_BYTES}){{2}}{FIRST}{SECOND}"
LETTER = "(?:[46][1-9A-Fa-f]|[57][0-9Aa])"
WRITTEN = "[2-7][0-9A-Fa-f]"
HEX_EMAIL = f"(?:0x)?(?:{WRITTEN}){{1,200}}40(?:{WRITTEN}){{1,200}}2[eE](?:{LETTER}){{2,20}}"
HEX_NAME = f"(?:0x)?{LETTER}{{2,40}}(?:2[cC])?20{LETTER}{{2,40}}(?:20{LETTER}{{2,40}})?"


def decoded_text(text: str) -> str:
    """What plain text it stands for, empty where it stands for none.

    >>> decoded_text("YW5uQGV4YW1wbGUuY29t"), decoded_text("616e6e406578616d706c652e636f6d")
    ('ann@example.com', 'ann@example.com')
    >>> decoded_text("Gartenschlauch")
    ''
    """
    return _ascii(_hexadecimal(text)) or _ascii(_base64(text))


def _hexadecimal(text: str) -> bytes:
    try:
        return bytes.fromhex(text.removeprefix("0x"))
    except ValueError:
        return b""


def _base64(text: str) -> bytes:
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _ascii(content: bytes) -> str:
    text = content.decode("ascii", "replace")
    return text if text.isascii() and text.isprintable() else ""
