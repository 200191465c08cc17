"""Makes the attacks that were asked for, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy

from singleout.attacks.aligned_tables import (
    align_days,
    alike_people,
    changed_columns,
    columns_as_known,
    uncompared_columns,
)
from singleout.attacks.alignment.reading import agree_together
from singleout.attacks.assignment.assignment import assign_people, check_people
from singleout.attacks.assignment.equal_assignments import MOST_SHARED, shared_credit
from singleout.attacks.attacker_knowledge import filled_records, in_words, known_share
from singleout.attacks.attempt import (
    TIES,
    Attempt,
    Ties,
    group_sizes,
    guess_credit,
    random_guess,
    rate_bound,
    run_linkage,
)
from singleout.attacks.catalogue import KINDS, WHERE_CHANGED, LinkageRequest
from singleout.attacks.column_models import column_models, most_shift, says_something
from singleout.attacks.linkage.candidates import Candidates, Linkage
from singleout.attacks.paired_tables import PairedTables
from singleout.attacks.people_sample import as_estimate, sample_people
from singleout.attacks.plan import AttackColumns, KnownRecords
from singleout.attacks.rank_fusion import CombinedLinkage
from singleout.attacks.record_linkage.bayes_linkage import BayesLinkage
from singleout.attacks.record_linkage.column_likelihood import ColumnLikelihood
from singleout.attacks.record_linkage.record_distance import check_weights
from singleout.attacks.unicity.draw_interval import CONFIDENCE
from singleout.attacks.unicity.known_points import Narrowed, combinations_of, known_points
from singleout.attacks.unicity.points_index import PeoplePoints
from singleout.attacks.wilson_interval import wilson
from singleout.engine.codes.column_numbers import kind_of
from singleout.engine.codes.histories import Histories, Indices
from singleout.engine.codes.parallel import map_parts
from singleout.errors import UsageError
from singleout.progress import Progress, progress_about
from singleout.roles.dates_and_times import days_of
from singleout.roles.known_column import KnownColumn

ONE_TO_ONE, WORST = "_one_to_one", "worst_points"
ON_A_LINE = ("records", "amount")
# pairs of records that are compared unasked; of more people only some are asked about
MOST_PAIRS, MOST_WORK, LEAST_ASKED, MOST_ASKED = 2_000_000_000, 1_000_000_000, 200, 2_000
OF_SOME = (
    "the attack {!r} would take long for all people of the release, and was asked about {:,} of {:,}, drawn "
    "at random; asked for by its own name, it takes all"
)
ONE_NAMED = (
    "of equally good candidates the {} one is named and the others get nothing, where the definitions say "
    "that they share the credit; by luck a rate may exceed its bound"
)
ONE_DRAWN = (
    "one to one: with more than {:,} people one of the equally good assignments is drawn by the seed, and "
    "only people who look alike share its credit"
)
BLIND = "the attack {!r} can only guess here: {} could not be compared, which says nothing about others' luck"
NO_RECORD_FITS = (
    "known records are not looked for by {}, which could not be compared: who can compare it finds more"
)
NO_DAYS = "column {!r}: not all its values are dates, so the attack 'dates' compares them as they are"


@dataclass(frozen=True, eq=False)
class AttackRun:
    """Both tables and what the attacks look at; `remarks` grow, and `lists`, each attack's candidates."""

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
    lists: list[tuple[str, Candidates]] | None = None

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

    def needed_attacks(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Without those for changed values and added records where there are none, or nothing to compare."""
        needed = {
            "gaps": self._gap_column is not None and bool(self._uncompared("dates")),
            "roles": bool(self._uncompared_columns(self.parts.item)),
            "repeats": self.read.added,
            "histories": self._has_whole_histories,
            "bayes": bool(self.columns) and says_something(self._models),
        }
        return tuple(name for name in chosen if needed.get(name, True))

    @cached_property
    def _gap_column(self) -> str | None:
        """The first of the time columns that has days."""
        written = self.read.written or self.read.histories
        with_days = (name for name in self.parts.time if days_of(written.values[name]) is not None)
        return next(with_days, None)

    @property
    def _has_whole_histories(self) -> bool:
        """Whether people have histories that can be compared in all columns, as no other attack does."""
        columns, both = self._columns("histories"), self.read.histories
        others = (self.parts.pair, self.parts.item if len(self.parts.item) == 1 else ())
        several = any(
            int(side.records_of_each().max(initial=0)) > 1 for side in (both.original, both.release)
        )
        return several and bool(columns) and columns not in others and not changed_columns(self.read, columns)

    @cached_property
    def _models(self) -> dict[str, ColumnLikelihood]:
        return column_models(self.read, self.columns)

    def _is_blind(self, name: str) -> bool:
        """Whether it looks for equal values where there are none; by gaps and roles nobody does."""
        if name in WHERE_CHANGED:
            return False
        read = self._days if name == "dates" else self.read
        unmatched, columns, part = read.unmatched, self._columns(name), KINDS[name].part
        if part in ("category", "pair") or name == "histories":
            return any(column in unmatched for column in columns)
        return part in ("item", "place", "time") and all(column in unmatched for column in columns)

    def linkage_attempts(
        self, chosen: Sequence[str], share: float, one_to_one: bool, *, wait: bool = False
    ) -> Iterator[Attempt]:
        """Each attack with a share of the records known, and all of them combined.

        Unless one waits for all people, attacks that take long are asked about some of them.
        """
        both = self._known_part(self.read.histories, share)
        written = self._known_part(self.read.written or self.read.histories, share)
        lists, alikes = [], []
        for name in chosen:
            by_name = {
                "amount": written,
                "nearest": self._with_numbers(both, written),
                "dates": self._known_part(self._days.histories, share),
                "gaps": written,
            }
            linkage, people = self._linkage(name, by_name.get(name, both), wait)
            if people is not None:
                yield self._sampled_attempt(name, linkage, share, people)
                continue
            attempt, best = self._attempt(name, linkage, share)
            lists.append(best)
            alikes.append(linkage.indistinguishable())
            yield attempt
            if one_to_one:
                yield self._one_to_one_attempt(name, linkage, attempt)
        if len(lists) > 1:
            everything = CombinedLinkage(tuple(lists), tuple(alikes), both.original.people)
            combined, _ = self._attempt("combined", everything, share)
            yield self._below_ceiling(self._of_all(combined, chosen), self.looked_at)

    @cached_property
    def _days(self) -> PairedTables:
        return align_days(self.read, self.parts.time)

    def _with_numbers(self, both: Histories, written: Histories) -> Histories:
        """What is measured by how far apart values are, and is not compared in another form."""
        as_written = {each.column for each in self.read.comparisons if each.how in ("equal", "none")}
        for name in self.columns:
            if name in as_written and self._is_measured(written, name):
                both = both.with_column_of(written, name)
        return both

    def _known_part(self, both: Histories, share: float) -> Histories:
        return both.with_original(known_share(both.original, share, self.seed))

    def _linkage(self, name: str, both: Histories, wait: bool) -> tuple[Linkage, Indices | None]:
        """The attack, and about whom it is asked if not about all people of the release."""
        if name == "dates":
            self._tell_of_days()
        if name == "nearest":
            self._tell_of_kinds(both)
        progress = progress_about(name, self.progress)
        progress("getting ready", 0, 1)
        request = LinkageRequest(
            self._columns(name), self.drop, self.threads, progress, self.weights, self._codes,
            self._models if name == "bayes" else {}, self._blank_columns,
            self._most_shift if name == "gaps" else None,
            counted=name == "bayes" and self._keeps_counts(both),
        )  # fmt: skip
        pairs = both.original.records * both.release.records if name == "nearest" else 0
        people = self._some_people(both, pairs, MOST_PAIRS)
        linkage = KINDS[name].link(both, request if wait else replace(request, people=people))
        if isinstance(linkage, BayesLinkage) and not wait:
            people = self._some_people(both, linkage.work(), MOST_WORK)
            linkage = linkage if people is None else linkage.only(people)
        return linkage, None if wait else people

    def _keeps_counts(self, both: Histories) -> bool:
        """Whether everybody has as many records in both tables, as somebody knows who knows the recipe."""
        known, seen = (side.records_of_each() for side in (both.original, both.release))
        real = self.read.truth >= 0
        return not self.drop and bool((seen[real] == known[self.read.truth[real]]).all())

    def _some_people(self, both: Histories, work: int, most: int) -> Indices | None:
        """So many that the work is at most that; None for all."""
        everybody = both.release.people
        asked = min(max(int(everybody * most / max(work, 1)), LEAST_ASKED), MOST_ASKED)
        return sample_people(both.release, asked, self.seed) if work > most and asked < everybody else None

    @property
    def _most_shift(self) -> int | None:
        traces = (self.read.traces or {}).get(self._gap_column or "", ())
        return most_shift(traces)

    def _sampled_attempt(self, name: str, linkage: Linkage, share: float, people: Indices) -> Attempt:
        """An estimate from some people, with the bound of all of them."""
        release, truth = self.read.histories.release, self.read.truth
        self._tell(OF_SOME.format(name, len(people), release.people))
        attempt, _ = run_linkage(
            _attempt_name(name, share), self._knowledge(name, share), share, linkage, truth[people],
            self.read.histories.original.people, progress_about(name, self.progress), self.ties, self.seed,
        )  # fmt: skip
        alike = self._alike(self._columns(name))
        whole = as_estimate(attempt, truth, alike, self.read.histories.original.people)
        uncompared = self._uncompared(name)
        over_draws = wilson(attempt.identified, attempt.people, CONFIDENCE)
        return replace(whole, columns=self._columns(name), uncompared=uncompared, over_draws=over_draws)

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

    def _tell_of_days(self) -> None:
        written = self.read.written or self.read.histories
        for column in self.parts.time:
            if days_of(written.values[column]) is None and column not in self._read_otherwise:
                self._tell(NO_DAYS.format(column))

    @property
    def _blank_columns(self) -> tuple[str, ...]:
        """Those where values lack that the original has, or may."""
        return tuple(each.column for each in self.read.comparisons if each.blanks or not each.exact)

    @property
    def _empty_columns(self) -> tuple[str, ...]:
        """Those without any released value."""
        return tuple(each.column for each in self.read.comparisons if each.empty)

    @property
    def _read_otherwise(self) -> tuple[str, ...]:
        return tuple(each.column for each in self.read.comparisons if each.how in ("form", "hierarchy"))

    def _columns(self, name: str) -> tuple[str, ...]:
        part = KINDS[name].part
        if name == "gaps":
            return (self._gap_column or self.parts.time[0],)
        if name == "histories":
            return tuple(each for each in self.columns if each not in self._empty_columns) or self.columns
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
        if self.lists is not None:
            self.lists.append((attempt.name, best))
        if name not in KINDS:
            return attempt, best
        columns, blind = self._columns(name), self._is_blind(name)
        if blind:
            self._tell(BLIND.format(name, in_words(columns)))
        uncompared = self._uncompared(name)
        attempt = replace(attempt, columns=columns, blind=blind, uncompared=uncompared)
        return self._below_ceiling(attempt, columns), best

    def _uncompared(self, name: str) -> tuple[str, ...]:
        """Columns whose values this attack can't compare, or not all of them."""
        columns, compared = self._columns(name), {each.column: each for each in self.read.comparisons}
        if name == "amount":  # sums are of values as they are written
            lost = self._uncompared_columns(columns)
            return tuple(each for each in columns if compared[each].how != "equal" or each in lost)
        if name == "dates":
            days = self._days
            return (
                self._uncompared_columns(columns) if days is self.read else uncompared_columns(days, columns)
            )
        if name == "bayes":
            # who names nobody twice weighs likelihoods better; and by which rule cells are blank, which was
            # not replayed, may tell what was in them
            known = [each for each in columns if compared[each].exact and not compared[each].coarse]
            seen = [each for each in known if not compared[each].blanks]
            # values that were mixed among a person's records are those of other records
            together = len(seen) < 2 or self._agree_together(tuple(seen))
            return tuple(each for each in columns if not together or each not in seen)
        # what gaps and roles find, others may exceed who see more than these
        return self._uncompared_columns(columns)

    def _uncompared_columns(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """Looked at once, for many attacks take the same columns."""
        if columns not in self._found_uncompared:
            self._found_uncompared[columns] = uncompared_columns(self.read, columns)
        return self._found_uncompared[columns]

    def _agree_together(self, columns: tuple[str, ...]) -> bool:
        if columns not in self._found_together:
            self._found_together[columns] = agree_together(self.read.histories, self.read.truth, columns)
        return self._found_together[columns]

    @cached_property
    def _found_together(self) -> dict[tuple[str, ...], bool]:
        return {}

    @cached_property
    def _found_uncompared(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        return {}

    def _uncompared_by_all(self, chosen: Iterable[str]) -> tuple[str, ...]:
        """Columns that some of these attacks look at and none can compare, or not together with others.

        All of them where records or people were added or left out, or people have several names: that nobody
        does better with these is not known.
        """
        compared = {name: {*self._columns(name)} - {*self._uncompared(name)} for name in chosen}
        seen = {
            column for name, columns in compared.items() if not self._is_blind(name) for column in columns
        }
        looked_at = tuple(dict.fromkeys(column for name in chosen for column in self._columns(name)))
        # sums and dates may each be people's own, and which stands beside which tell more
        read, apart = self.read, self._uncompared_columns(looked_at)
        unsure = read.added or read.incomplete or read.selected or read.apart is not None
        return tuple(each for each in looked_at if unsure or each not in seen or each in apart)

    def best(self, attempts: Sequence[Attempt], chosen: Iterable[str]) -> Iterator[Attempt]:
        """The best of these attempts, below the ceiling of all columns that were looked at."""
        for each in best_of(attempts, self.ceiling(self.looked_at)):
            yield self._of_all(each, chosen)

    def _of_all(self, attempt: Attempt, chosen: Iterable[str]) -> Attempt:
        """An attempt by the best or the sum of these attacks, with what none of them could see."""
        return replace(
            attempt, uncompared=self._uncompared_by_all(chosen), added=self.read.added,
            incomplete=self.read.incomplete, selected=self.read.selected,
            divided=self.read.apart is not None, other_period=self.read.other_period,
        )  # fmt: skip

    @property
    def looked_at(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.columns, *self.parts.all_columns)))

    def ceiling(self, columns: Sequence[str]) -> float | None:
        """What nobody exceeds on average who has these columns of the release, however they are compared.

        People whose released records are equal there, each as often, can't be told apart. None: no column.
        """
        return rate_bound(self._alike(columns), self.read.truth) if columns else None

    def _alike(self, columns: Sequence[str]) -> Indices:
        return alike_people(self.read, columns)

    def _below_ceiling(self, attempt: Attempt, columns: Sequence[str]) -> Attempt:
        """Who can compare what the attack could not sees all that was released of its columns."""
        if not attempt.uncompared:
            return attempt
        alike = self._alike(columns)
        return replace(attempt, bound=rate_bound(alike, self.read.truth), look_alikes=group_sizes(alike))

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
        # who knows how the release was made passes over what was changed by chance
        kept = {name: known for name, known in ways.items() if name not in self._changed_by_chance}
        every = dict.fromkeys([*combinations_of(ways), *combinations_of(kept)])
        if not every:
            return [], []
        fullest = max(every, key=len)
        by_most = self._narrow_candidates(asked, None, fullest, self.progress)
        narrow = partial(self._narrow_candidates, asked, best_rates(by_most))
        others = [way for way in every if way != fullest]
        by_way = dict(zip(others, map_parts(others, narrow, self.threads, self.progress), strict=True))
        by_way[fullest] = by_most
        found = [each for way in every for each in by_way[way]]
        widest, uncompared = max(found, key=_bound_of), self._uncompared_columns(self.columns)
        different = [each for each in found if not each.repeated]
        likeliest = [each.most for each in found]
        attempts = [self._as_attempt(each, widest, uncompared) for each in best_ways(likeliest)]
        return [*at_worst_no_less(attempts)], different

    @property
    def _changed_by_chance(self) -> tuple[str, ...]:
        return tuple(each.column for each in self.read.comparisons if not each.exact)

    def _ways(self, asked: KnownRecords) -> dict[str, list[KnownColumn]]:
        """How each column is known, but for those that could not be compared."""
        ways = asked.ways(self.columns)
        special = {**(asked.granularity or {}), **(asked.tolerance or {})}
        empty = self._empty_columns
        useless = [name for name in ways if name in self.read.unmatched and name not in (*special, *empty)]
        if useless:
            self._tell(NO_RECORD_FITS.format(in_words(useless)))
        return {name: known for name, known in ways.items() if name not in (*useless, *empty)}

    def _narrow_candidates(
        self,
        asked: KnownRecords,
        least: Mapping[int, float] | None,
        columns: tuple[KnownColumn, ...],
        progress: Progress,
    ) -> list[Narrowed]:
        """By some columns; of repeated records whoever recognises less than the `least` is of no use."""
        columns, both = columns_as_known(self.read, columns), self.read.histories
        both = filled_records(both, [each.name for each in columns]) if self.drop else both
        # the most telling records are different ones: only a bound is known of those that are told apart by
        # how often they are there, and a gate takes that
        ways = [(False, False), (False, True), *([(True, False)] if asked.worst else [])]
        numbered = PeoplePoints(both, columns, self.threads)
        look = partial(
            known_points, both, self.read.truth, columns, asked.points, draws=asked.draws,
            narrow=asked.narrow, seed=self.seed, threads=self.threads, progress=progress, numbered=numbered,
        )  # fmt: skip
        return [
            each
            for worst, repeated in ways
            for each in look(worst=worst, repeated=repeated, least=least if repeated and not worst else None)
        ]

    def _as_attempt(self, each: Narrowed, widest: Narrowed, uncompared: tuple[str, ...]) -> Attempt:
        """By the best columns, below the bound of the `widest`: who ignores some still knows them all."""
        kind = WORST if each.worst else "points"
        guess = random_guess(self.read.truth, each.people)
        name = f"{kind}_{each.points}"
        attempt = Attempt(
            name, each.sentence(), 1.0, each.credit, {}, guess, widest.bound, widest.look_alikes,
            uncompared=uncompared, points=each.points, over_draws=each.over_draws,
        )  # fmt: skip
        return self._below_ceiling(attempt, self.columns)


def _bound_of(each: Narrowed) -> float:
    return each.bound


def best_rates(found: Sequence[Narrowed]) -> dict[int, float]:
    """For each number of known records that are drawn, the most that is recognised."""
    rates: dict[int, float] = {}
    for each in found:
        if not each.worst:
            rates[each.points] = max(rates.get(each.points, 0.0), each.most.rate)
    return rates


def best_ways(found: Sequence[Narrowed]) -> list[Narrowed]:
    """For each number of known records, the columns by which most people are recognised, most columns first.

    An attacker may ignore a column, and does better without one that the release has changed.
    """
    by_number: dict[tuple[int, bool], list[Narrowed]] = {}
    for each in found:
        by_number.setdefault((each.points, each.worst), []).append(each)
    return [max(each, key=lambda one: (one.rate, len(one.columns))) for each in by_number.values()]


def at_worst_no_less(attempts: Sequence[Attempt]) -> Iterator[Attempt]:
    """The most telling records tell of nobody less than random ones, of which one names the likeliest."""
    by_name = {each.name: each for each in attempts}
    for each in attempts:
        drawn = by_name.get(each.name.replace(WORST, "points"), each)
        yield each if drawn is each else _at_least(each, drawn)


def _at_least(worst: Attempt, drawn: Attempt) -> Attempt:
    """Of each person by whichever recognises more, on average no more than the ceiling."""
    stronger = drawn.named(worst.name, drawn.knowledge) if drawn.rate > worst.rate else worst
    credit = numpy.maximum(worst.credit, drawn.credit)
    if stronger.bound is not None and credit.mean() > stronger.bound:
        credit = credit * (stronger.bound / credit.mean())
    ends = stronger.over_draws
    return replace(stronger, credit=credit, over_draws=ends and (ends[0], max(ends[1], float(credit.mean()))))


def catalogue_index(name: str) -> int:
    """In the order of the catalogue, whatever the share; then those that combine others."""
    kinds = (*KINDS, "combined")
    return kinds.index(name.partition("@")[0].removesuffix(ONE_TO_ONE))


def best_of(attempts: Sequence[Attempt], ceiling: float | None = None) -> Iterator[Attempt]:
    """The maximum of Ito et al. n.d., bound by the `ceiling`; what is known at worst is nobody's choice."""
    if chosen := [each for each in attempts if not each.name.startswith(WORST)]:
        best = max(chosen, key=lambda each: each.rate)
        knowledge = f"{best.knowledge}; of all attacks, {best.name} recognises most"
        bound = best.bound if ceiling is None else ceiling
        drawn = [each.over_draws for each in chosen if each.over_draws]
        low = best.over_draws[0] if best.over_draws else best.rate
        over_draws = (low, max(best.rate, *(high for _, high in drawn))) if drawn else None
        yield replace(best.named("best", knowledge), bound=bound, over_draws=over_draws)


def _attempt_name(name: str, share: float) -> str:
    return name if share == 1 else f"{name}@{share * 100:g}%"
