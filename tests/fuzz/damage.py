"""What happens to files on their way: a few bytes change, a part is lost or doubled, a token is another."""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.hostile_texts import BOUNDARIES, HOSTILE

ODD_BYTES = (0, 1, 9, 10, 13, 34, 39, 44, 127, 128, 255)
TOKEN = re.compile(rb'"[^"\n]*"|[\w.+-]+')
# what a key of TOML or JSON is given, lists and tables too
VALUE_OF_A_KEY = re.compile(rb'(?<== )[^\n]+|(?<=": )(?:\[[^\]]*\]|\{[^{}]*\}|[^,\[\]{}\n]+)')
ODD_VALUES = (
    b"1", b"-1", b"1.5", b"[]", b"{}", b"[1]", b"[[1]]", b"true", b"null", b'""', b"nan", b"inf",
    b"1" + b"0" * 400, b"2024-01-01", b"12:00:00", b"2024-01-01T00:00:00", b"{a = 1}", b"[{a = 1}]",
    b'["x"]', b'{"a": 1}',
)  # fmt: skip
DEEP = (b"[" * 3000, b"{" * 3000, b"[[" * 600 + b"]]" * 600, b'{"a":' * 2000)


def damaged(draw: Random, data: bytes, first: int = 0) -> bytes:
    """A copy that differs from the byte `first` on."""
    head, body = data[:first], data[first:]
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        body = draw.choice(WAYS)(draw, body)
    return head + body


def _changed_bytes(draw: Random, data: bytes) -> bytes:
    copy = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8))):
        if copy:
            index = draw.randrange(len(copy))
            copy[index] = draw.choice((*ODD_BYTES, copy[index] ^ 1 << draw.randrange(8), draw.randrange(256)))
    return bytes(copy)


def _cut_off(draw: Random, data: bytes) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


def _lost_part(draw: Random, data: bytes) -> bytes:
    start = draw.randrange(len(data) + 1)
    return data[:start] + data[start + draw.choice((1, 1, 4, 30)) :]


def _doubled_line(draw: Random, data: bytes) -> bytes:
    rows = data.splitlines(keepends=True) or [b""]
    index = draw.randrange(len(rows))
    return b"".join([*rows[: index + 1], *rows[draw.randrange(len(rows)) :]])


def _lost_line(draw: Random, data: bytes) -> bytes:
    rows = data.splitlines(keepends=True) or [b""]
    rows.pop(draw.randrange(len(rows)))
    return b"".join(rows)


def _other_token(draw: Random, data: bytes) -> bytes:
    tokens = list(TOKEN.finditer(data))
    if not tokens:
        return data
    old = draw.choice(tokens)
    new = draw.choice((*BOUNDARIES, *HOSTILE)).encode("utf-8", "surrogatepass")
    quoted = old[0].startswith(b'"') and draw.random() < 0.7
    return data[: old.start()] + (b'"' + new + b'"' if quoted else new) + data[old.end() :]


def _other_value(draw: Random, data: bytes) -> bytes:
    """Of another kind than the key should have."""
    values = list(VALUE_OF_A_KEY.finditer(data))
    if not values:
        return _other_token(draw, data)
    old = draw.choice(values)
    return data[: old.start()] + draw.choice(ODD_VALUES) + data[old.end() :]


def _swapped_tokens(draw: Random, data: bytes) -> bytes:
    tokens = list(TOKEN.finditer(data))
    if len(tokens) < 2:
        return data
    one, other = sorted(draw.sample(tokens, 2), key=lambda each: each.start())
    between = data[one.end() : other.start()]
    return data[: one.start()] + other[0] + between + one[0] + data[other.end() :]


def _insertion(draw: Random, data: bytes) -> bytes:
    index = draw.randrange(len(data) + 1)
    texts = draw.choice((*BOUNDARIES, *HOSTILE)).encode("utf-8", "surrogatepass")
    return data[:index] + (draw.choice(DEEP) if draw.random() < 0.05 else texts) + data[index:]


WAYS = (
    _changed_bytes,
    _cut_off,
    _lost_part,
    _doubled_line,
    _lost_line,
    _other_token,
    _other_token,
    _other_value,
    _other_value,
    _swapped_tokens,
    _insertion,
)
