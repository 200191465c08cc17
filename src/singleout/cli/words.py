"""What was typed, and how it is repeated: in one line that steers no terminal and tells no password."""

from __future__ import annotations

from pathlib import Path

from singleout.errors import one_line, printable_text

# an address among them may hold a password
TYPED: list[str] = []


def shown_line(message: str) -> str:
    from singleout.read.source import secret_part

    for word in TYPED:
        # a path is not always repeated as it was typed
        for secret in {secret_part(word), secret_part(str(Path(word)))} - {""}:
            message = message.replace(secret, "…").replace(repr(secret)[1:-1], "…")
    return printable_text(one_line(message))
