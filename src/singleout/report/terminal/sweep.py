"""A sweep for a person at a terminal: the settings at which fewest are recognised, then every mean."""

from __future__ import annotations

from rich.table import Table

from singleout.investigation.sweep.averages import Average
from singleout.investigation.sweep.result import Sweep
from singleout.report.terminal.layout import long_number, safe_text, share_text, show_page, titled_table

BEST = "privacy.best"
MOST = 60
DEFINITIONS = (
    ("mean", "over the seeds; unknown if one run is unknown"),
    ("from, to", "95% interval of the mean over all seeds; it covers random draws, not other people"),
    ("highest", "the worst of the runs, if it is a risk"),
    ("at least", "not all columns could be compared: an intruder who can may recognise more"),
)


def show_sweep(found: Sweep) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.study}: {_releases(found)} of {found.data}"
    more = len(found.averages) - MOST
    remarks = (*found.remarks, *([f"{more:,} more means are in --averages and --json"] if more > 0 else []))
    show_page(title, sentences(found), [_table(found)], DEFINITIONS, remarks)


def sentences(found: Sweep) -> list[str]:
    """Where fewest and where most people are recognised, by the best attack."""
    risks = [each for each in found.averages if each.name == BEST and each.mean is not None]
    if not risks:
        return [f"Made and measured: {_releases(found)}; no attack was made."]
    fewest, most = min(risks, key=_mean), max(risks, key=_mean)
    texts = [
        f"Fewest people are recognised with {_where(fewest)}: {_at_least(fewest)}"
        f"{share_text(_mean(fewest))} by the best attack."
    ]
    if _mean(most) > _mean(fewest):
        texts.append(f"Most are recognised with {_where(most)}: {_at_least(most)}{share_text(_mean(most))}.")
    return texts


def _releases(found: Sweep) -> str:
    return "1 release" if len(found.rows) == 1 else f"{len(found.rows):,} releases"


def _mean(each: Average) -> float:
    assert each.mean is not None
    return each.mean


def _at_least(each: Average) -> str:
    return "at least " if each.reason else ""


def _where(each: Average) -> str:
    setting = ", ".join(f"{name} = {value}" for name, value in each.setting.items())
    return f"{each.release} ({setting})" if setting else each.release


def _table(found: Sweep) -> Table:
    """Who is recognised first."""
    table = titled_table("Means over seeds")
    table.add_column("release", overflow="fold", min_width=10)
    table.add_column("measure", overflow="fold", min_width=12)
    for heading in ("mean", "from", "to", "highest"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    kinds = ("privacy.", "made.", "utility.")
    ordered = sorted(found.averages, key=lambda each: [each.name.startswith(kind) for kind in kinds][::-1])
    for each in ordered[:MOST]:
        figures = (each.mean, each.low, each.high, each.highest)
        said = "at least" if each.reason and each.mean is not None else ""
        table.add_row(safe_text(_where(each)), safe_text(each.name), *map(long_number, figures), said)
    return table
