"""House players: the attacks of the library on a published release, whose guesses stand beside people's."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path

from pyarrow import parquet

from singleout.attacks.attack import attack
from singleout.engine.open_tables import share_open_tables
from singleout.errors import SingleoutError
from singleout.platform.contest import PARTS, Contest
from singleout.progress import Progress, silent
from singleout.temporary_files import temporary_folder
from singleout.utility.compare.evaluation import attack_parts

FilePath = str | PathLike[str]
WITH_RECIPE = "{} (recipe)"


def house_guesses(
    contest: Contest,
    original: FilePath,
    published: FilePath,
    truth: FilePath,
    recipe: FilePath | None = None,
    progress: Progress = silent,
) -> list[list[object]]:
    """Player, name in the release, name in the original and confidence; with a recipe each plays again."""
    rows = _guesses(contest, original, published, truth, None, progress)
    if recipe is not None:
        informed = _guesses(contest, original, published, truth, recipe, progress)
        rows += [[WITH_RECIPE.format(player), *rest] for player, *rest in informed]
    return rows


def _guesses(
    contest: Contest,
    original: FilePath,
    published: FilePath,
    truth: FilePath,
    recipe: FilePath | None,
    progress: Progress,
) -> list[list[object]]:
    """All attacks at once; if one of them can't be made on this release, the others by themselves."""
    names = contest.of_family("privacy")

    def played(attacks: Sequence[str]) -> list[list[object]]:
        return _played(contest, original, published, truth, recipe, attacks, progress)

    try:
        return played(names)
    except SingleoutError:
        rows = []
        for name in names:
            with suppress(SingleoutError):
                rows += played([name])
        if not rows:
            raise
        return rows


def _played(
    contest: Contest,
    original: FilePath,
    published: FilePath,
    truth: FilePath,
    recipe: FilePath | None,
    attacks: Sequence[str],
    progress: Progress,
) -> list[list[object]]:
    parts = attack_parts({part: contest.parts.get(part) for part in PARTS})
    with temporary_folder() as folder, share_open_tables():
        target = Path(folder) / "guesses.parquet"
        attack(
            str(original), str(published), str(truth), user=contest.user or "none", study=contest.study,
            item=parts["item"], place=parts["place"], category=parts["category"], time=parts["time"],
            amount=next(iter(parts["amount"] or ()), None), attacks=list(attacks),
            points=(), seed=contest.seed, recipe=None if recipe is None else str(recipe), guesses=target,
            progress=progress,
        )  # fmt: skip
        return [list(row.values()) for row in parquet.read_table(target).to_pylist()]
