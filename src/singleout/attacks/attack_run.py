"""Makes the attacks that were asked for, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from singleout.attacks.attacker_knowledge import cut_to_days, filled_records, in_words, known_share
from singleout.attacks.attempt import TIES, Attempt, Ties, guess_credit, random_guess, run_linkage
from singleout.attacks.catalogue import KINDS, LinkageRequest
from singleout.attacks.linkage.assignment import assign_people, check_people
from singleout.attacks.linkage.candidates import Candidates, Linkage
from singleout.attacks.linkage.equal_assignments import MOST_SHARED, shared_credit
from singleout.attacks.linkage.record_distance import check_weights
from singleout.attacks.paired_tables import PairedTables
from singleout.attacks.plan import AttackColumns, KnownRecords
from singleout.attacks.prefix_alignment import agreeing_share
from singleout.attacks.rank_fusion import CombinedLinkage
from singleout.attacks.unicity.known_points import Narrowed, combinations_of, known_points
from singleout.engine.codes.column_numbers import kind_of
from singleout.engine.codes.histories import Histories
from singleout.errors import UsageError
from singleout.progress import Progress, progress_about
from singleout.roles.dates_and_times import days_of
from singleout.roles.known_column import KnownColumn

ONE_TO_ONE, WORST = "_one_to_one", "worst_points"
ON_A_LINE = ("records", "amount")
# pairs of records that are compared unasked
MOST_PAIRS = 1_000_000_000
TOO_MANY = (
    "the attack 'nearest' was left out: it compares {:,} records with {:,}; "
    "name it by --attacks to wait for it"
)
ONE_NAMED = (
    "of equally good candidates the {} one is named and the others get nothing, where the definitions say "
    "that they share the credit; by luck a rate may exceed its bound"
)
ONE_DRAWN = (
    "one to one: with more than {:,} people one of the equally good assignments is drawn by the seed, and "
    "only people who look alike share its credit"
)
BLIND = "the attack {!r} can only guess: in {} no value of the release is one of the original"
NO_RECORD_FITS = (
    "known records are not looked for by {}: no value of the release is one of the original there, and "
    "nobody could match by it"
)
NO_DAYS = "column {!r}: not all its values are dates, so the attack 'dates' compares them as they are"


@dataclass(frozen=True, eq=False)
class AttackRun:
    """Both tables and what the attacks look at; `remarks` grow."""

    read: PairedTables
    parts: AttackColumns
    columns: tuple[str, ...]
    weights: Mapping[str, float]
    drop: bool
    ties: Ties
    seed: int
    threads: int
    progress: Progress
    remarks: list[str]

    def __post_init__(self) -> None:
        if self.ties not in TIES:
            raise UsageError(f"ties: {self.ties!r} is no rule; there are {', '.join(TIES)}")

    def check(self, chosen: Sequence[str], one_to_one: bool) -> None:
        """Before the work, what an attack would complain of in the middle of it."""
        if self.weights and "nearest" not in chosen:
            raise UsageError("weights are for the attack 'nearest', which is not made; name it by --attacks")
        check_weights(self.columns, self.weights)
        if self.ties != "shared":
            self._tell(ONE_NAMED.format(self.ties))
        # numbers are assigned in their order, all else on lists of candidates
        if one_to_one and any(name not in ON_A_LINE for name in chosen):
            check_people(self.read.histories.release.people, self.read.histories.original.people)

    def feasible_attacks(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Without what would take long and was not asked for."""
        original, release = self.read.histories.original.records, self.read.histories.release.records
        if original * release <= MOST_PAIRS or "nearest" not in chosen:
            return tuple(chosen)
        self._tell(TOO_MANY.format(release, original))
        return tuple(name for name in chosen if name != "nearest")

    def _is_blind(self, name: str) -> bool:
        """Whether it looks for equal values where there are none."""
        unmatched, columns = self.read.unmatched, self._columns(name)
        part = KINDS[name].part
        if part in ("category", "pair"):
            return any(column in unmatched for column in columns)
        if part == "time":
            return not any(
                agreeing_share(cut_to_days(self.read.histories, column), column) for column in columns
            )
        return part in ("item", "place") and all(column in unmatched for column in columns)

    def linkage_attempts(self, chosen: Sequence[str], share: float, one_to_one: bool) -> Iterator[Attempt]:
        """Each attack with a share of the records known, and all of them combined."""
        both = self.read.histories
        both = both.with_original(known_share(both.original, share, self.seed))
        lists, alikes = [], []
        for name in chosen:
            linkage = self._linkage(name, both)
            attempt, best = self._attempt(name, linkage, share)
            lists.append(best)
            alikes.append(linkage.indistinguishable())
            yield attempt
            if one_to_one:
                yield self._one_to_one_attempt(name, linkage, attempt)
        if len(chosen) > 1:
            everything = CombinedLinkage(tuple(lists), tuple(alikes), both.original.people)
            yield self._attempt("combined", everything, share)[0]

    def _linkage(self, name: str, both: Histories) -> Linkage:
        kind = KINDS[name]
        if name == "dates":
            self._tell_of_days(both)
        if name == "nearest":
            self._tell_of_kinds(both)
        progress = progress_about(name, self.progress)
        progress("getting ready (the first time, loops are compiled)", 0, 1)
        request = LinkageRequest(
            self._columns(name), self.drop, self.threads, progress, self.weights, self._codes
        )
        return kind.link(both, request)

    @property
    def _codes(self) -> tuple[str, ...]:
        """Columns whose numbers are names."""
        return (*self.parts.item, *self.parts.place, *self.parts.category)

    def _tell_of_kinds(self, both: Histories) -> None:
        counted = [name for name in self.columns if self.weights.get(name, 1)]
        numbers = [name for name in counted if self._is_measured(both, name)]
        if numbers:
            told = f"the attack 'nearest' measures how far apart values of {in_words(numbers)} are"
            self._tell(f"{told}; those of other columns are equal or not")

    def _is_measured(self, both: Histories, name: str) -> bool:
        return name not in self._codes and kind_of(both.values[name]) != "category"

    def _tell(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)

    def _tell_of_days(self, both: Histories) -> None:
        for column in self.parts.time:
            if days_of(both.values[column]) is None:
                self._tell(NO_DAYS.format(column))

    def _columns(self, name: str) -> tuple[str, ...]:
        part = KINDS[name].part
        if part == "columns":
            return self.columns
        return () if part == "nothing" else self.parts.of(part)

    def _attempt(self, name: str, linkage: Linkage, share: float) -> tuple[Attempt, Candidates]:
        people = self.read.histories.original.people
        knowledge = self._knowledge(name, share)
        attempt, best = run_linkage(
            _attempt_name(name, share), knowledge, share, linkage, self.read.truth, people,
            progress_about(name, self.progress), self.ties, self.seed,
        )  # fmt: skip
        if name not in KINDS:
            return attempt, best
        columns, blind = self._columns(name), self._is_blind(name)
        if blind:
            self._tell(BLIND.format(name, in_words(columns)))
        return replace(attempt, columns=columns, blind=blind), best

    def _one_to_one_attempt(self, name: str, linkage: Linkage, alone: Attempt) -> Attempt:
        progress = progress_about(f"{name}, one to one", self.progress)
        sizes = self.read.histories.release.people, self.read.histories.original.people
        if max(sizes) <= MOST_SHARED:
            credit = shared_credit(linkage, self.read.truth, sizes[1], self.seed, progress)
        else:
            self._tell(ONE_DRAWN.format(MOST_SHARED))
            guess = assign_people(linkage, *sizes, self.seed, progress)
            credit = guess_credit(guess, self.read.truth, linkage.indistinguishable())
        knowledge = f"{alone.knowledge}; nobody is named twice"
        return replace(
            alone, name=f"{alone.name}{ONE_TO_ONE}", knowledge=knowledge, within={}, credit=credit,
        )  # fmt: skip

    def _knowledge(self, name: str, share: float) -> str:
        records = "every person" if share == 1 else f"a random {share * 100:g}% of every person's records"
        if name == "combined":
            return f"the attacker knows, of {records}, what all these attacks know, and adds up their votes"
        what = KINDS[name].knows.format(in_words(self._columns(name) or ("records",)))
        return f"the attacker knows, of {records}, {what}"

    def known_records(self, asked: KnownRecords) -> tuple[list[Attempt], list[Narrowed]]:
        """Random records, and the most telling ones if asked for; attempts with all columns together."""
        ways = self._ways(asked) if len(asked.points) else {}
        found = [each for columns in combinations_of(ways) for each in self._narrow(asked, columns)]
        return [self._as_attempt(each) for each in best_ways(found)], found

    def _ways(self, asked: KnownRecords) -> dict[str, list[KnownColumn]]:
        """How each column is known, but for those that nothing could match by."""
        ways = asked.ways(self.columns)
        special = {**(asked.granularity or {}), **(asked.tolerance or {})}
        useless = [name for name in ways if name in self.read.unmatched and name not in special]
        if useless:
            self._tell(NO_RECORD_FITS.format(in_words(useless)))
        return {name: known for name, known in ways.items() if name not in useless}

    def _narrow(self, asked: KnownRecords, columns: tuple[KnownColumn, ...]) -> Iterator[Narrowed]:
        both = self.read.histories
        both = filled_records(both, [each.name for each in columns]) if self.drop else both
        for worst in (False, True) if asked.worst else (False,):
            yield from known_points(
                both, self.read.truth, columns, asked.points, worst=worst, draws=asked.draws,
                narrow=asked.narrow, seed=self.seed, threads=self.threads, progress=self.progress,
            )  # fmt: skip

    def _as_attempt(self, each: Narrowed) -> Attempt:
        kind = WORST if each.worst else "points"
        guess = random_guess(self.read.truth, each.people)
        return Attempt(f"{kind}_{each.points}", each.sentence(), 1.0, each.credit, {}, guess)


def best_ways(found: Sequence[Narrowed]) -> list[Narrowed]:
    """For each number of known records, the columns by which most people are recognised, most columns first.

    An attacker may ignore a column, and does better without one that the release has changed.
    """
    by_number: dict[tuple[int, bool], list[Narrowed]] = {}
    for each in found:
        by_number.setdefault((each.points, each.worst), []).append(each)
    return [max(each, key=lambda one: (one.rate, len(one.columns))) for each in by_number.values()]


def catalogue_index(name: str) -> int:
    """In the order of the catalogue, whatever the share; then those that combine others."""
    kinds = (*KINDS, "combined")
    return kinds.index(name.partition("@")[0].removesuffix(ONE_TO_ONE))


def best_of(attempts: Sequence[Attempt]) -> Iterator[Attempt]:
    """Paper 3's maximum; what is known at worst is no attacker's choice."""
    if chosen := [each for each in attempts if not each.name.startswith(WORST)]:
        best = max(chosen, key=lambda each: each.rate)
        yield best.named("best", f"{best.knowledge}; of all attacks, {best.name} recognises most")


def _attempt_name(name: str, share: float) -> str:
    return name if share == 1 else f"{name}@{share * 100:g}%"
