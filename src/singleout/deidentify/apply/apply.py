"""Applies a recipe to a history and the person table beside it, and delivers what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

import numpy
import pyarrow

from singleout.deidentify.apply.recipe_run import RecipeRun, own_names
from singleout.deidentify.apply.result import Application
from singleout.deidentify.delivery import Delivery, Goods, named_people
from singleout.deidentify.input_tables import Subject, subject_of
from singleout.deidentify.release import Release
from singleout.deidentify.release_table import Order
from singleout.deidentify.seeds import SEED_0, seed_of
from singleout.engine.job_options import ReadOptions, takes_options
from singleout.engine.open_engine import thread_count
from singleout.errors import SingleoutError, UsageError
from singleout.progress import Audience, Progress, silent, teller
from singleout.read.source import CsvFormat, source
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.field_checks import freeze

NO_DUMMIES = "is the diary of dummies, and no step adds these; make them by deidentify dummies"
NO_SEARCH = "is the diary of a search that suppressed records, which no step does; run generalise instead"


@takes_options(ReadOptions, after={"seed": "study", "people_csv": "csv"})
def apply(
    data: Any,
    recipe: Any,
    *,
    out: str | PathLike[str] | None = None,
    truth: str | PathLike[str] | None = None,
    people_table: Any = None,
    people_out: str | PathLike[str] | None = None,
    diary: str | PathLike[str] | None = None,
    order: Order = "sorted",
    columns: Sequence[str] | None = None,
    user: str | None = None,
    seed: int | str | None = None,
    people_csv: CsvFormat | None = None,
    progress: Audience = silent,
    **options: Unpack[ReadOptions],
) -> Application:
    """Change a table by the steps of a recipe, one after the other, and write the release.

    `recipe` is a TOML file, what such a file holds, or a Recipe. A person's records stay together; with a
    `people_table` of one row a person both tables go on naming the same people, and who leaves one of them
    leaves the other. `out` gets the release in an `order` that tells nothing, with the `columns` named here
    or in the recipe, or all that are left; `people_out` the person table; `truth` who is who, for its owner
    only, by the numbers of records where no column is the user's; `diary` what was done, with digests of all
    files. All of them are written, or none. Without `out` the steps are only tried. Draws depend on the
    data, on what is asked for, and on the `seed` (else the recipe's, else 0); the seed "secret" is one that
    nobody can guess.

    >>> shop = pyarrow.table({"who": ["bob", "ann", "bob"], "price": ["11", "19", "20"]})
    >>> steps = [{"step": "round", "columns": ["price"], "to": 10}]
    >>> apply(shop, {"user": "who", "step": steps}).steps[0].changed
    2
    """
    given = recipe_of(recipe)
    if columns is not None:
        given = replace(given, columns=freeze(columns))
    chosen = _seed(seed, given)
    delivery = Delivery(
        out=out, people_out=people_out, truth=truth, diary=diary, order=order, seed=chosen,
        threads=thread_count(options["threads"]),
    )  # fmt: skip
    origins = [source(data, csv=options["csv"])]
    if people_table is not None:
        origins.append(source(people_table, csv=people_csv))
    elif people_out is not None:
        raise UsageError("people_out: there is no person table to write; name one by --people-table")
    delivery.check_against(origins, [recipe, options["study"], *_files_of(given)])
    progress = teller(progress)
    progress("reading records", 0, 1)
    reading: ReadOptions = {**options, "csv": None}
    people = origins[1] if len(origins) > 1 else None
    subject = subject_of(origins[0], user=user or given.user, people_table=people, **reading)
    return apply_to(subject, given, delivery, progress)


def apply_to(
    subject: Subject, recipe: Recipe, delivery: Delivery, progress: Progress = silent
) -> Application:
    """The same on tables that were read before: several recipes can be tried on them."""
    _check(subject, recipe, delivery)
    run = RecipeRun.of(subject, delivery.seed, recipe)
    for index, placed in enumerate(recipe.steps):
        progress(f"step {index + 1}: {placed.step.step}", index, len(recipe.steps))
        run = run.apply_step(placed, index)
    if recipe.recoded is not None:
        try:
            run = run.recode(recipe.recoded)
        except SingleoutError as error:
            raise type(error)(f"{recipe.path}: {error}") from error
    return RecipeOutcome(run, recipe, delivery).deliver()


@dataclass(frozen=True, eq=False)
class RecipeOutcome:
    """The tables after all steps, and what of them is released."""

    run: RecipeRun
    recipe: Recipe
    delivery: Delivery

    def deliver(self) -> Application:
        subject, history, people = self.run.subject, self.run.history, self.run.people
        columns = history.names if self.recipe.columns is None else self.recipe.columns
        people_columns = None if people is None else people.names
        for part, released in (("the release", columns), ("the person table", people_columns)):
            if released == ():
                raise UsageError(f"no column of {part} is left; leave fewer out")
        names = self.run.names()
        application = Application(
            source=subject.source,
            people_source=subject.people_source,
            engine=subject.engine,
            user=subject.user,
            seed=self.delivery.seed,
            order=self.delivery.order,
            records=len(subject.history),
            people=_people(subject.history),
            released_records=len(history),
            released_people=_people(history),
            released_rows=None if people is None else len(people),
            steps=self.run.applied_steps,
            columns=columns,
            people_columns=people_columns,
            untouched=self._untouched_columns("history", columns),
            out=_text(self.delivery.out),
            people_out=_text(self.delivery.people_out),
            truth=_text(self.delivery.truth),
            remarks=(
                *subject.remarks,
                *self.run.remarks,
                *self._remarks(columns, people_columns, names),
            ),
            release=Release(
                lambda: self._goods(columns, people_columns, names), self.delivery, subject.origins[0]
            ),
        )
        self._deliver(application)
        return application

    def _untouched_columns(self, table: str, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in columns if (table, name) not in self.run.touched)

    def _deliver(self, application: Application) -> None:
        goods = application.release.goods
        if self.delivery.truth is not None and goods.truth is None and goods.numbers is None:
            raise UsageError("truth: the release has no user column; release it, or write no truth map")
        told = application.to_dict() | {"seed": int(application.seed)}
        diary = {"recipe": _as_dict(self.recipe), **told}
        if self.delivery.diary is not None:
            diary["inputs"] = self.run.subject.inputs()
        self.delivery.deliver(replace(goods, told=diary))

    def _goods(
        self, columns: Sequence[str], people_columns: Sequence[str] | None, names: pyarrow.Array | None
    ) -> Goods:
        history, people = self.run.history, self.run.people
        truth = numbers = None
        if self.run.subject.user is None:
            numbers = self.run.subject.names.take(pyarrow.array(history.person))
        if names is not None and history.user in columns:
            there = pyarrow.array(numpy.flatnonzero(history.records_of_each()))
            truth = names.take(there), self.run.subject.names.take(there)
        return Goods(
            release=history.table.select(list(columns)),
            people=None if people is None else people.table.select(list(people_columns or ())),
            truth=truth,
            numbers=numbers,
            origin=self.run.subject.origins[0],
            uuids=self.run.subject.uuids,
            people_origin=None if people is None else self.run.subject.origins[1],
            changed=self.run.touched | named_people(history.user),
        )

    def _remarks(
        self, columns: Sequence[str], people_columns: Sequence[str] | None, names: pyarrow.Array | None
    ) -> Iterator[str]:
        subject = self.run.subject
        if self.run.guessable:
            yield SEED_0
        if left := [name for name in subject.columns if name not in columns]:
            yield f"not released: {', '.join(left)}"
        same = 0 if names is None else own_names(names, subject.names)
        if same and subject.user in columns:
            yield (
                f"{same:,} people are released by their own name in {subject.user!r}: whoever knows it finds "
                "all their records; add a pseudonymise step"
            )
        tables: list[tuple[str, str, Sequence[str]]] = [
            ("history", "", columns), ("people", "of the person table, ", people_columns or ())
        ]  # fmt: skip
        for table, where, released in tables:
            same_as_before = [
                name for name in self._untouched_columns(table, released) if name != subject.user
            ]
            if same_as_before:
                yield f"{where}released exactly as they were: {', '.join(same_as_before)}"


def _seed(seed: Any, recipe: Recipe) -> int:
    return seed_of(seed if seed is not None else recipe.seed if recipe.seed is not None else 0)


def _check(subject: Subject, recipe: Recipe, delivery: Delivery) -> None:
    """All that can be known to be wrong before anything is changed."""
    if recipe.suppressed is not None:
        raise UsageError(f"{recipe.path}: {NO_SEARCH}")
    if recipe.dummies is not None:
        raise UsageError(f"{recipe.path}: {NO_DUMMIES}")
    recipe.check(subject.columns, None if subject.people is None else subject.people.names, subject.user)
    released = recipe.columns is None or subject.user in recipe.columns
    if delivery.truth is not None and subject.user is not None and not released:
        raise UsageError("truth: a truth map is about the user column; release it, or write no truth map")


def _files_of(recipe: Recipe) -> Iterator[Any]:
    """What the steps read."""
    for placed in recipe.steps:
        yield from (getattr(placed.step, name, None) for name in ("key_file", "hierarchy"))


def _as_dict(recipe: Recipe) -> dict[str, Any]:
    columns = None if recipe.columns is None else list(recipe.columns)
    steps = [placed.as_dict() for placed in recipe.steps]
    return {"file": recipe.path, "seed": recipe.seed, "columns": columns, "step": steps}


def _people(records: RecordTable) -> int:
    return int(numpy.count_nonzero(records.records_of_each()))


def _text(target: str | PathLike[str] | None) -> str | None:
    return None if target is None else str(target)
