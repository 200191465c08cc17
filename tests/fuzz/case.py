"""One input: the words of a command, or a call from Python, and the files that are there when it runs."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

# stands for the address of a server that the runner knows; the table is loaded from POSTGRES_FILE
POSTGRES = "POSTGRES::t"
POSTGRES_FILE = "postgres.json"
# the kind of case whose words are a kind of file and its name
READER = "reader"


@dataclass(frozen=True)
class Case:
    """What is tried.

    `equal_to` are the words of the same question about the same table elsewhere: both must answer alike.
    `frame` is the library through which the table `frame.arrows` is given to the function `words[0]`.
    `secret` says that values of the data were not made names by a damaged head, so none may be seen.
    """

    kind: str
    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    equal_to: tuple[str, ...] = ()
    frame: str = ""
    secret: bool = True

    @property
    def name(self) -> str:
        """The kind of case; of a reader also what it reads."""
        return f"{self.kind}: {self.words[0]}" if self.kind == READER else self.kind

    @property
    def digest(self) -> str:
        """Equal only for equal inputs."""
        content = repr((self.words, self.equal_to, self.frame, sorted(self.files.items())))
        return blake2b(content.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()

    @property
    def needs_postgres(self) -> bool:
        return POSTGRES in (*self.words, *self.equal_to)


def case_text(case: Case) -> str:
    """For a file of the corpus: texts as they are, bytes in base 64."""
    content = {
        "kind": case.kind,
        "words": case.words,
        "files": {name: _packed(data) for name, data in case.files.items()},
        "equal_to": case.equal_to,
        "frame": case.frame,
        "secret": case.secret,
    }
    return json.dumps(content, indent=1) + "\n"


def case_of(text: str) -> Case:
    content: dict[str, Any] = json.loads(text)
    files = {name: _unpacked(data) for name, data in content["files"].items()}
    words, equal_to = tuple(content["words"]), tuple(content["equal_to"])
    return Case(content["kind"], words, files, equal_to, content["frame"], content["secret"])


def _packed(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _unpacked(data: str | dict[str, str]) -> bytes:
    return data.encode("utf-8") if isinstance(data, str) else base64.b64decode(data["base64"])
