"""Makes a release for every setting and seed of a study, measures and attacks each, and returns one table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.engine.open_engine import thread_count
from singleout.errors import OutputError, SingleoutError
from singleout.files import check_table_target, files_together, real_path, write_batches, write_text
from singleout.investigation.sweep.averages import Average, average
from singleout.investigation.sweep.result import REASON, Sweep
from singleout.investigation.sweep.sweep_run import Figures, measure_run
from singleout.investigation.sweep.sweep_study import SweepStudy, SweptRun, check_table, study_of
from singleout.progress import Audience, silent, teller
from singleout.read.source import Source, check_unchanged, fingerprint, source, without_secrets
from singleout.version import VERSION

ENDING = ".unfinished.json"
ANOTHER = "{}: is damaged, or of another study, other data or another version; all runs are made anew"
ONE_SEED = "with one seed there is no interval; say seeds = 5 or more"


def sweep(
    study: Mapping[str, Any] | str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    averages: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: Audience = silent,
) -> Sweep:
    """How do privacy and utility change with a parameter, and from one random draw to the next?

    `study` is a TOML file, or what such a file holds: the table, what is measured, and releases with lists of
    values for their parameters. Each combination is made with each seed, measured and attacked by somebody
    who knows the recipe but not its draws; no release is kept. `out` gets one row a run, `averages` one a
    measure with its mean over seeds and interval (.csv or .parquet). Runs that are done are kept beside
    `out` until all are: the same call goes on where it was stopped. `threads` runs are made at once, each in
    a process of its own; the numbers are the same however many.
    """
    with swept(study, (out, averages), threads=threads, progress=progress) as found:
        return found


@contextmanager
def swept(
    study: Mapping[str, Any] | str | PathLike[str],
    tables: tuple[str | PathLike[str] | None, str | PathLike[str] | None],
    *,
    also: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: Audience = silent,
) -> Iterator[Sweep]:
    """What a sweep found; its files, and `also` if the block writes it, appear together at its end."""
    read, workers = study_of(study), thread_count(threads)
    check_table(read.data)
    origin = source(read.data)
    _check_targets([each for each in tables if each is not None], also, origin, read)
    seen = fingerprint(origin)
    out, averages = tables
    diary = _Diary.of(read, out)
    done = dict(diary.done)
    waiting = [run for run in read.runs if run.key not in done]
    progress = teller(progress)
    progress("running", len(done), len(read.runs))
    with diary.dropped_if_in_vain():
        for run, figures in _measured_runs(read, waiting, workers):
            check_unchanged(origin, seen)
            done[run.key] = figures
            diary.keep(done)
            progress(f"running {run.release.name}", len(done), len(read.runs))
    found = _result(read, done, diary)
    with files_together([out, averages, also]):
        if out is not None:
            write_batches(out, found.to_arrow().to_batches())
        if averages is not None:
            write_batches(averages, found.average_table().to_arrow().to_batches())
        yield found
    diary.drop()


def _check_targets(
    tables: Sequence[str | PathLike[str]], also: str | PathLike[str] | None, origin: Source, study: SweepStudy
) -> None:
    """Nothing that is read is written to, and each gets a file of its own."""
    read = {real_path(each) for each in (Path(study.path), *_files_of(_texts_of(study)))}
    for target in tables:
        check_table_target(target)
    for target in [*tables, *([] if also is None else [also])]:
        if origin.holds(target) or real_path(target) in read:
            raise OutputError(f"{target}: belongs to what is read; name another file")
    if len({real_path(each) for each in tables}) < len(tables):
        raise OutputError(f"{tables[0]}: is to get both the runs and their averages; name two files")


def _texts_of(study: SweepStudy) -> Iterator[str]:
    return _texts([study.measured, *(each.content for each in study.releases)])


def _measured_runs(
    study: SweepStudy, runs: Sequence[SweptRun], workers: int
) -> Iterator[tuple[SweptRun, Figures]]:
    """In this process if there is one worker; a run is the same in any."""
    if min(workers, len(runs)) < 2:
        for run in runs:
            yield run, measure_run(study, run, workers)
        return
    # a fork would copy threads that hold locks
    with ProcessPoolExecutor(min(workers, len(runs)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(measure_run, study, run, 1): run for run in runs}
        try:
            for each in as_completed(waiting):
                yield waiting[each], each.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _result(study: SweepStudy, done: Mapping[str, Figures], diary: _Diary) -> Sweep:
    rows = tuple(
        {"release": run.release.name, "setting": dict(run.setting), "seed": run.seed, **done[run.key]}
        for run in study.runs
    )
    figures = _figure_names(rows)
    return Sweep(
        study=study.path,
        data=without_secrets(str(study.data)),
        seeds=study.seeds,
        parameters=study.parameters,
        figures=figures,
        rows=rows,
        averages=tuple(_averages(study, rows, figures)),
        resumed=len(diary.done),
        remarks=(*diary.remarks, *([ONE_SEED] if len(study.seeds) == 1 else [])),
    )


def _figure_names(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """What was made, then what is kept, then who is recognised."""
    names = dict.fromkeys(name for row in rows for name in row)
    kinds = ("made.", "utility.", "privacy.")
    return tuple(name for kind in kinds for name in names if name.startswith(kind))


def _averages(
    study: SweepStudy, rows: Sequence[Mapping[str, Any]], figures: Sequence[str]
) -> Iterator[Average]:
    step = len(study.seeds)
    for start in range(0, len(rows), step):
        together = rows[start : start + step]
        for name in figures:
            if any(name in row or f"{REASON}{name}" in row for row in together):
                yield average(together[0]["release"], together[0]["setting"], name, together)


class _Diary:
    """The runs that are done, in a file beside the target: numbers only, and which study they are of."""

    def __init__(self, path: Path | None, digest: str) -> None:
        self.path, self.digest = path, digest
        self.done: dict[str, Figures] = {}
        self.remarks: tuple[str, ...] = ()
        self.written = False

    @classmethod
    def of(cls, study: SweepStudy, out: str | PathLike[str] | None) -> _Diary:
        # of a database nobody can tell whether it is still the same: its runs are all made anew
        kept = out is not None and bool(source(study.data).files())
        diary = cls(Path(f"{out}{ENDING}") if kept else None, _digest(study))
        if diary.path is not None and diary.path.is_file():
            diary._read(study)
        return diary

    def _read(self, study: SweepStudy) -> None:
        assert self.path
        keys = {run.key for run in study.runs}
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            if content["check"] == self._check(content["done"]):
                self.done = {key: each for key, each in content["done"].items() if key in keys}
                return
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        self.remarks = (ANOTHER.format(self.path),)

    def _check(self, done: Mapping[str, Figures]) -> str:
        """Of the study and what was measured: a damaged number would go into the averages."""
        return hashlib.sha256(f"{self.digest}\n{json.dumps(done, sort_keys=True)}".encode()).hexdigest()

    def keep(self, done: Mapping[str, Figures]) -> None:
        if self.path is not None:
            # after every run, and gone at the end
            write_text(self.path, json.dumps({"check": self._check(done), "done": done}), told=False)
            self.written = True

    @contextmanager
    def dropped_if_in_vain(self) -> Iterator[None]:
        """A study that fails would fail again; one for which there was no room may go on elsewhere."""
        try:
            yield
        except SingleoutError as error:
            if self.written and not isinstance(error, OutputError):
                self.drop()
            raise

    def drop(self) -> None:
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _digest(study: SweepStudy) -> str:
    """Of all that the numbers depend on."""
    asked = [VERSION, without_secrets(str(study.data)), study.measured, study.seeds]
    asked += [[each.name, each.way, each.content, dict(each.parameters)] for each in study.releases]
    digest = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode())
    for path in [*map(Path, source(study.data).files()), *_files_of(_texts_of(study))]:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        yield from _texts([*content.values()])
    elif isinstance(content, Sequence):
        for each in content:
            yield from _texts(each)


def _files_of(texts: Iterable[str]) -> Iterator[Path]:
    """Hierarchies and the like: files that the study names, and those in folders that it names."""
    for text in texts:
        path = Path(text)
        with suppress(OSError):  # no file has so long a name
            if path.is_file():
                yield path
            elif path.is_dir() and text:
                yield from sorted(each for each in path.iterdir() if each.is_file())
