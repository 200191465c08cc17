"""One run of a sweep: a release is made in a temporary folder, measured and attacked, and forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from singleout.deidentify.apply.apply import apply
from singleout.deidentify.dummies.dummies import dummies
from singleout.errors import InputError, SingleoutError
from singleout.investigation.sweep.sweep_study import SweepStudy, SweptRun
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.temporary_files import temporary_folder
from singleout.utility.compare.compare import compare
from singleout.utility.compare.result import Outcome

# of the parts that metrics are about, those that tell a dummy record's values
OF_DUMMIES = ("user", "item", "time", "amount", "number", "columns")
Figures = dict[str, Any]


def measure_run(study: SweepStudy, run: SweptRun, threads: int | None) -> Figures:
    """{name: value}: what was made, kept and recognised; a reason beside each that is unknown."""
    try:
        with temporary_folder() as folder:
            made, recipe = _make(study, run, folder, threads)
            found = compare(
                study.data,
                folder / "release.parquet",
                truth=folder / "truth.csv",
                recipe=recipe,
                seed=run.seed,
                threads=threads,
                **study.measured,
            )
    except SingleoutError as error:
        said = ", ".join(f"{name} = {value}" for name, value in run.setting.items()) or "as it is"
        raise InputError(f"{run.release.name} ({said}), seed {run.seed}: {error}") from error
    return {**made, **_figures(found.outcomes[0])}


def _make(
    study: SweepStudy, run: SweptRun, folder: Path, threads: int | None
) -> tuple[Figures, Recipe | None]:
    """What was made, and what an intruder may know of how: everything but the draws."""
    content = run.release.filled(run.setting)
    files: dict[str, Any] = {"out": folder / "release.parquet", "truth": folder / "truth.csv"}
    if run.release.way == "step":
        recipe = recipe_of({"step": content})
        made = apply(
            study.data, recipe, user=study.measured.get("user"), seed=run.seed, threads=threads, **files
        )
        return {"made.records": made.released_records, "made.people": made.released_people}, recipe
    parts = {name: study.measured[name] for name in OF_DUMMIES if name in study.measured}
    found = dummies(study.data, **{**parts, **content}, seed=run.seed, threads=threads, **files)
    counted = {
        "made.records": found.released_records,
        "made.people": found.people,
        "made.dummies": found.dummies,
        "made.removed": found.removed,
        "made.clusters": len(found.clusters),
        "made.largest_cluster": max(each.size for each in found.clusters),
        "made.alone": sum(each.size == 1 for each in found.clusters),
        "made.bound": found.bound,
        "made.dummies_expected": found.expected.uniform,
    }
    added = Recipe(dummies=found.item, columns=tuple(found.columns))
    return counted, added if found.edit == "add" else None


def _figures(outcome: Outcome) -> Figures:
    figures: Figures = {}
    for metric in outcome.utility:
        figures[f"utility.{metric.name}"] = None if metric.value is None else float(metric.value)
        if metric.reason is not None:
            figures[f"reason.utility.{metric.name}"] = metric.reason
    for tried in outcome.privacy:
        figures[f"privacy.{tried.name}"] = float(tried.rate)
        if not tried.compared:
            figures[f"reason.privacy.{tried.name}"] = "not all columns could be compared: at least so many"
    return figures
