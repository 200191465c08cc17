"""A place for the tables of a test: one of the engines that each law is tested on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow

from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.read.source import source


@dataclass(frozen=True)
class Home:
    """An engine to put tables into; `examples` is how many of them a property test can afford there."""

    name: str
    examples: int
    put: Callable[[pyarrow.Table], Any]

    def open(self, table: pyarrow.Table) -> SqlEngine:
        return open_engine(source(self.put(table)))
