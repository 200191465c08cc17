"""How loops are compiled: on first use, unless they came compiled or are kept from an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import config, njit, types
from numba.core import event

from singleout.engine.codes.loop_cache import LoopCache


def compile_loop(loop: Callable[..., Any]) -> Any:
    """Compiled on first use, and kept on disk where there is a place for it."""
    return _compiled(loop)


def compile_inner_loop(loop: Callable[..., Any]) -> Any:
    """Compiled for other loops only: what Python would need to call it is left out, for it takes long."""
    return _compiled(loop, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def compile_inlined_loop(loop: Callable[..., Any]) -> Any:
    """Made a part of the loop that calls it: handing a tuple over takes time for each array in it."""
    return _compiled(loop, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def _compiled(loop: Callable[..., Any], **options: bool) -> Any:
    dispatcher = njit(nogil=True, **options)(loop)
    if not config.DISABLE_JIT:
        dispatcher._cache = LoopCache(loop)
        _take_constants_as_numbers(dispatcher)
    return dispatcher


def _take_constants_as_numbers(dispatcher: Any) -> None:
    """Numba would compile a loop once more for each constant that another one calls it with."""
    template = dispatcher.get_call_template

    def general(arguments: Any, named: Any) -> Any:
        by_name = {name: types.unliteral(each) for name, each in dict(named).items()}
        return template(tuple(map(types.unliteral, arguments)), by_name)

    dispatcher.get_call_template = general


class Compilations(event.Listener):  # type: ignore[misc]
    """The names of our loops as they are compiled; numba's own functions are left out."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def on_start(self, _: Any) -> None:
        pass

    def on_end(self, about: Any) -> None:
        loop = about.data["dispatcher"].py_func
        if loop.__module__.startswith("singleout."):
            self.names.append(f"{loop.__module__}.{loop.__name__}")


@contextmanager
def compilations() -> Iterator[list[str]]:
    """A list that grows by each loop that is compiled meanwhile."""
    listener = Compilations()
    with event.install_listener("numba:compile", listener):
        yield listener.names
