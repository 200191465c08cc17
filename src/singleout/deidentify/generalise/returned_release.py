"""The release of a generalisation in memory: what the file would hold, made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast

import pyarrow
import pyarrow.parquet

from singleout.deidentify.delivery import Delivery, Goods
from singleout.deidentify.generalise.local_result import LocalGeneralisation
from singleout.deidentify.generalise.result import Generalisation
from singleout.deidentify.release import Release
from singleout.errors import InputError
from singleout.progress import silent
from singleout.read.source import Source, source
from singleout.temporary_files import temporary_folder

P = ParamSpec("P")
Found = TypeVar("Found", Generalisation, LocalGeneralisation)


def returns_release(job: Callable[P, Found]) -> Callable[P, Found]:
    """A job whose result has its release, though no file was named for it."""

    @wraps(job)
    def call(data: Any, **asked: Any) -> Found:
        origin = source(data, csv=asked["csv"])
        asked |= {"csv": None}
        run = cast("Callable[..., Found]", job)
        found = run(origin, **asked)
        delivery = Delivery(order=asked.get("order", "sorted"), seed=asked["seed"])
        made = Release(partial(_goods, run, origin, asked, found), delivery, origin)
        return replace(found, made=made)

    return cast("Callable[P, Found]", call)


def _goods(
    job: Callable[..., Found],
    origin: Source,
    asked: dict[str, Any],
    found: Generalisation | LocalGeneralisation,
) -> Goods:
    """Written, read back and checked as every release is; its levels are known, not searched for again."""
    more: dict[str, Any] = {"diary": None, "progress": silent}
    if isinstance(found, Generalisation):
        more |= {"levels": found.levels, "alternatives": 0, "minimal": False, "nodes": None, "seconds": None}
    with temporary_folder() as folder:
        again = job(origin, **asked | more | {"out": folder / "release.parquet"})
        table = pyarrow.parquet.read_table(folder / "release.parquet", memory_map=False)
    if (again.k, again.classes, again.suppressed) != (found.k, found.classes, found.suppressed):
        raise InputError(f"{origin.name}: changed since it was generalised; generalise it again")
    uuids = [each.name for each in table.schema if each.type == pyarrow.uuid()]
    for name in uuids:
        texts = [None if each is None else str(each) for each in table[name].to_pylist()]
        table = table.set_column(table.column_names.index(name), name, pyarrow.array(texts, pyarrow.string()))
    return Goods(table, origin=origin, uuids=uuids)
