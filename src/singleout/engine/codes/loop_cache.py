"""Where compiled loops are kept: in the package if it was built with them, else where numba keeps its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import caching

PACKAGE = Path(__file__).parents[2]
# made by build_backend/compiled_wheel.py, and only in wheels
SHIPPED = PACKAGE / "compiled_loops"
TARGET = SHIPPED / "target.json"
OUR_IMPORT = re.compile(rb"^from (singleout(?:\.\w+)+) import", re.MULTILINE)


@dataclass(frozen=True)
class LoopTarget:
    """What the package's loops were compiled for, in the words by which numba knows its own."""

    triple: str
    processor: str
    features: str
    numba: str

    def magic_tuple(self) -> tuple[str, str, str]:
        return self.triple, self.processor, self.features

    def misfit(self) -> str | None:
        """Why the loops can't be used here."""
        here = binding.get_host_cpu_features()
        needed = [each[1:] for each in self.features.split(",") if each.startswith("+")]
        if self.numba != numba.__version__:
            return f"those in the package are for numba {self.numba}, here is {numba.__version__}"
        if self.triple != binding.get_default_triple() or not all(here.get(each) for each in needed):
            return f"those in the package are for other processors ({self.triple}, {self.processor})"
        return None


@cache
def shipped_target() -> LoopTarget | str:
    """What the package's loops are for; in words, why there are none to use."""
    if not TARGET.exists():
        return "the package came without"
    target = LoopTarget(**json.loads(TARGET.read_text(encoding="utf-8")))
    return target.misfit() or target


@cache
def source_digest(path: Path) -> bytes:
    """Of a file of loops and of those from which it takes loops or constants: they are compiled into it."""
    content = path.read_bytes()
    digest = sha256(content)
    for name in OUR_IMPORT.findall(content):
        spec = find_spec(name.decode())
        if spec is not None and spec.origin is not None:
            digest.update(source_digest(Path(spec.origin)))
    return digest.digest()


class ByContent:
    """Loops are known by what their source says and by their module, not by where it is installed."""

    _py_file: str

    def get_source_stamp(self) -> bytes:
        return source_digest(Path(self._py_file))

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        folder = Path(py_file).absolute().parent
        ours = folder.is_relative_to(PACKAGE)
        return str(folder.relative_to(PACKAGE.parent)) if ours else folder.name


class GivenFolder(ByContent, caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """NUMBA_CACHE_DIR."""


class BesideSource(ByContent, caching.InTreeCacheLocator):  # type: ignore[misc]
    """`__pycache__`."""


class HomeFolder(ByContent, caching.UserWideCacheLocator):  # type: ignore[misc]
    """Where nothing can be written beside the source."""


class Nowhere(BesideSource):
    """Where nothing can be written at all, loops that came with the package are found all the same."""

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        raise OSError("there is no place to keep compiled loops")


class LoopCacheImplementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (GivenFolder, BesideSource, HomeFolder, Nowhere)


class LoopCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache on disk; what can't be loaded from it is compiled again instead of failing every time.

    A file may be damaged, or name a class that a newer version of the loops calls otherwise.
    """

    _impl_class = LoopCacheImplementation
    takes_shipped = True

    def __init__(self, loop: Callable[..., Any]) -> None:
        super().__init__(loop)
        path = loop.__code__.co_filename
        self._shipped = caching.IndexDataCacheFile(
            cache_path=str(SHIPPED / ByContent.get_suitable_cache_subpath(path)),
            filename_base=self._impl.filename_base,
            source_stamp=source_digest(Path(path)),
        )

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """What was compiled for this very processor goes first, for it may be faster."""
        own = self._load_own(signature, target_context)
        if own is None:
            with suppress(Exception):
                return self._load_shipped(signature, target_context)
        return own

    def _load_own(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None

    def _load_shipped(self, signature: Any, target_context: Any) -> Any:
        target = shipped_target()
        if isinstance(target, str) or not self.takes_shipped:
            return None
        kept = self._shipped.load(self._index_key(signature, target))
        if kept is None:
            return None
        target_context.refresh()
        return self._impl.rebuild(target_context, kept)

    def save_overload(self, signature: Any, data: Any) -> None:
        with suppress(OSError, EOFError, ValueError):
            super().save_overload(signature, data)


@contextmanager
def own_loops() -> Iterator[None]:
    """Loops that came with the package are left aside: what is needed is compiled for this very processor."""
    LoopCache.takes_shipped = False
    try:
        yield
    finally:
        LoopCache.takes_shipped = True
