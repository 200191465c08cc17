"""What reads a file or an address on its own, without a command: hundreds a second."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.investigation.sweep.sweep_study import study_of
from singleout.platform.contest import read_contest
from singleout.platform.uploaded_metric import read_metric
from singleout.policy.rules.policy import policy_of
from singleout.read.costs import read_costs
from singleout.read.csv_sniffer import sniff
from singleout.read.source import CsvFormat, source
from singleout.read.truth_map import read_truth
from singleout.recipe.recipe import read_recipe
from singleout.risk.predict.avfm_files import read_avfm
from singleout.risk.predict.statistics_files import read_knowledge, read_pair_values
from singleout.roles.hierarchies.hierarchy import read_hierarchies
from singleout.roles.study import read_study

COLUMNS = ("customer", "goods", "date", "time", "price", "number", "town", "illness")
# what opens a table and counts it, and what only takes an address apart
STORED, OFFICE, ADDRESS = "stored table", "office file", "address"


def _count(word: str) -> None:
    with open_engine(source(word), threads=1) as engine:
        engine.sizes(Question(tuple(each.name for each in engine.columns())))


READERS: dict[str, Callable[[str], Any]] = {
    "head of a table": lambda name: sniff(Path(name), CsvFormat()),
    STORED: _count,
    OFFICE: _count,
    ADDRESS: source,
    "policy": policy_of,
    "study": read_study,
    "recipe": read_recipe,
    "diary": read_recipe,
    "hierarchies": lambda name: read_hierarchies(name, COLUMNS),
    "costs": read_costs,
    "truth": read_truth,
    "avfm": read_avfm,
    "pairs": lambda name: list(read_pair_values(name)),
    "knowledge": read_knowledge,
    "sweep": study_of,
    "metric": lambda name: read_metric(Path(name).read_bytes(), name),
    "contest": lambda name: read_contest(Path(name).read_text(encoding="utf-8", errors="replace")),
}
