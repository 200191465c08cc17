"""Draws charts in a process of its own: loading what draws takes half a second, in which others can work."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from threading import Lock
from typing import Any

from singleout.limited_process import KEPT_VARIABLES, answer_file

# what draws is at its speed once it has drawn something of each kind
FIRST_DRAWN: dict[str, Any] = {
    "data": {"values": [{"name": "a", "share": 0.5}, {"name": "b", "share": 1}]},
    "encoding": {
        "x": {"field": "share", "type": "quantitative", "axis": {"format": ".0%"}},
        "y": {"field": "name", "type": "nominal", "sort": None},
        "description": {"field": "name"},
    },
    "layer": [{"mark": "bar"}, {"mark": "text"}, {"mark": "line"}, {"mark": "point"}],
}


class DrawingProcess:
    """Takes a numbered specification a line, and answers with its drawing; it ends with this process.

    Threads take turns; another process, forked from this one, has none.
    """

    def __init__(self) -> None:
        kept = {name: os.environ[name] for name in ("TZ", *KEPT_VARIABLES) if name in os.environ}
        self.owner, self._turn, self._asked = os.getpid(), Lock(), 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )  # fmt: skip
        atexit.register(self.end)

    def draw(self, spec: Mapping[str, Any]) -> str | None:
        """None where it can't; whoever asked draws it then."""
        with self._turn:
            try:
                return self._answer_to(spec)
            except BaseException as error:
                # an answer that was not waited for must not be taken for the next one
                self.end()
                if isinstance(error, OSError | TypeError | ValueError):
                    return None
                raise

    def _answer_to(self, spec: Mapping[str, Any]) -> str | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._asked += 1
        self._process.stdin.write(json.dumps([self._asked, spec], allow_nan=False).encode() + b"\n")
        self._process.stdin.flush()
        number, drawn = json.loads(self._process.stdout.readline())
        if number != self._asked:
            raise ValueError("this is the answer to another request")
        answer: str | None = drawn
        return answer

    def end(self) -> None:
        if self.owner != os.getpid():
            return
        atexit.unregister(self.end)
        _only_process.cache_clear()
        self._process.kill()
        self._process.communicate()


@cache
def _only_process() -> DrawingProcess:
    """One for all that this process draws."""
    return DrawingProcess()


def start_drawing() -> None:
    """Where no process can be started, drawing waits until there is something to draw."""
    if sys.executable and started_drawing() is None:
        _only_process.cache_clear()
        with suppress(OSError):
            _only_process()


def started_drawing() -> DrawingProcess | None:
    process = _only_process() if _only_process.cache_info().currsize else None
    return process if process is not None and process.owner == os.getpid() else None


def answer_requests() -> None:
    """In the process that was started, until the one that started it has ended."""
    answer = os.fdopen(answer_file(), "w", encoding="utf-8")
    import vl_convert

    vl_convert.vegalite_to_svg(FIRST_DRAWN)
    for line in sys.stdin.buffer:
        number, spec = json.loads(line)
        try:
            drawn = vl_convert.vegalite_to_svg(spec)
        except ValueError:
            drawn = None
        answer.write(json.dumps([number, drawn]) + "\n")
        answer.flush()


if __name__ == "__main__":
    answer_requests()
