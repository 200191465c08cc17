"""How many addresses this process may reserve (`ulimit -v`): with few, libraries crash or wait for ever."""

from __future__ import annotations

from singleout.errors import UsageError

GIGABYTE = 2**30
# libraries reserve far more than they use: one waits for ever where it gets none
FOR_COUNTING = 4 * GIGABYTE
# what draws charts (V8) reserves 64 GiB at once, and ends the process where it can't
FOR_DRAWING = 72 * GIGABYTE


def check_addresses(*, drawing: bool = False) -> None:
    """Before a library is asked for what it would need."""
    limit = _limit()
    if limit is None or limit >= (FOR_DRAWING if drawing else FOR_COUNTING):
        return
    allowed = f"only {limit / GIGABYTE:.1f} GiB of addresses are allowed here (ulimit -v)"
    if limit >= FOR_COUNTING:
        raise UsageError(
            f"{allowed}, too few to draw charts; allow {FOR_DRAWING // GIGABYTE} GiB or more, which needs no "
            "more memory (ulimit -d bounds that), or ask for no report and no drawing"
        )
    raise UsageError(
        f"{allowed}, too few for the libraries; allow {FOR_COUNTING // GIGABYTE} GiB or more, and bound the "
        "memory by --memory"
    )


def _limit() -> int | None:
    """None where there is none."""
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit
