"""What records tell about people, for a person at a terminal: sentences first, then the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from singleout.disclosure import Disclosure, DomainFound, GivenFound, JointFound
from singleout.report.layout import bar, hanging, safe, share_text, short, show, titled
from singleout.risk.chance import Chance, in_words

MOST_BY_PRIOR = 6
SPARKS = " ▁▂▃▄▅▆▇█"
DEFINITIONS = (
    ("told", "I(U;x) = H(U) − H(U|x) in bits; H(U) is the uncertainty whose record it is"),
    ("by chance", "the same where values are dealt to the records at random, mean and 95% range"),
    ("best guess", "how often whoever knows the value and all histories names the right person"),
    ("counted over", "events: the values that records have in the domain's columns"),
)


def show_entropy(found: Disclosure) -> None:
    """The result on standard output, remarks on standard error."""
    out, aside = Console(highlight=False), Console(highlight=False, stderr=True)
    out.print(safe(f"{found.source}: {found.records:,} records of {found.people:,} people", "bold"))
    for sentence in sentences(found):
        out.print(hanging("•", sentence))
    tables = [_domains(found.domains), _known(found.domains), _spread(found.domains)]
    if joined := (*found.pairs, *found.triples):
        tables[1:1] = [_joined(joined), *([_priors(joined)] if len(joined) <= MOST_BY_PRIOR else [])]
    if found.correlations:
        tables.append(_correlations(found))
    out.print("")
    for table in tables:
        show(out, table)
    skipped = "are skipped" if found.missing == "drop" else "count as a value of their own"
    for term, meaning in (*DEFINITIONS, ("missing values", skipped)):
        out.print(hanging(f"{term}:", meaning, "dim"))
    for remark in found.remarks:
        aside.print(hanging("note:", remark))


def sentences(found: Disclosure) -> list[str]:
    """Each domain in a sentence, then the most telling combination."""
    told = [f"{in_words(each.name, each.information.information, each.chance)}." for each in found.domains]
    if joined := (*found.pairs, *found.triples):
        told.append(_most_telling(joined))
    return [*told, _who_it_may_be(found.given)] if found.given else told


def _who_it_may_be(given: GivenFound) -> str:
    values = " and ".join(f"{domain} {value!r}" for domain, value in given.values)
    if not given.posteriors:
        return f"Given {values}: nobody has all of these."
    sure = {each.prior: f"{each.highest:.2f}" for each in given.posteriors}
    return (
        f"Given {values}, it may be {given.people:,} of the people. The likeliest has probability "
        f"{sure['product']} by the printed rule; by Bayes {sure['uniform']} if all people are as likely "
        f"before, {sure['records']} if they are by their records."
    )


def _most_telling(joined: Sequence[JointFound]) -> str:
    most = max(joined, key=lambda each: each.joint.by_prior[0].best_guess)
    guess = most.joint.by_prior[0].best_guess
    chance = f"; chance alone would give {most.chance.best_guess:.2f}" if most.chance else ""
    return (
        f"Whoever knows all histories and one record of each of {' and '.join(most.names)} names the right "
        f"one of {most.joint.people:,} people with probability {guess:.2f}{chance}."
    )


def _domains(domains: Sequence[DomainFound]) -> Table:
    table = titled("What one record tells about the person, in bits")
    table.add_column("domain", overflow="fold", min_width=8)
    for title in ("people", "values", "H(U)", "H(U|x)", "told", "by chance", "best\nguess"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in domains:
        told = each.information
        bits = (_bits(told.h_user), _bits(told.h_user_given), _bits(told.information))
        counted = (short(told.people), short(told.values))
        guess = (short(told.best_guess), bar(told.best_guess))
        table.add_row(safe(each.name), *counted, *bits, _range(each.chance), *guess)
    return table


def _joined(joined: Sequence[JointFound]) -> Table:
    table = titled("One record of each of several domains, by the product of their tables")
    table.add_column("domains", overflow="fold", min_width=8)
    for title in ("people", "H(U)", "H(U|x)", "told", "by chance", "parts\nadd to", "best\nguess"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in joined:
        told = each.joint.by_prior[0]
        about = "" if each.joint.exact else "≈"
        bits = (_bits(told.h_user), about + _bits(told.h_user_given), about + _bits(told.information))
        parts = (_range(each.chance), _bits(each.sum_of_parts), about + short(told.best_guess))
        table.add_row(safe(each.name), short(each.joint.people), *bits, *parts)
    return table


def _priors(joined: Sequence[JointFound]) -> Table:
    table = titled("The same under one prior for all: what the parts tell twice, and two ways to guess")
    table.add_column("domains", overflow="fold", min_width=8)
    table.add_column("people weigh by", no_wrap=True)
    for title in ("told", "parts\nadd to", "told\ntwice", "best\nguess", "printed\nrule"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in joined:
        for prior in each.joint.by_prior:
            bits = (prior.information, prior.sum_of_parts, prior.overlap)
            guesses = (short(prior.best_guess), short(prior.printed_guess))
            table.add_row(safe(each.name), PRIORS[prior.prior], *map(_bits, bits), *guesses)
    return table


PRIORS = {"product": "product of records", "uniform": "nothing: all alike", "records": "records in all"}


def _known(domains: Sequence[DomainFound]) -> Table:
    """Success after k records beside the k at which the paper's rule of thumb promises certainty."""
    table = titled("Best guess by whoever knows so many records of a person")
    table.add_column("domain", overflow="fold", min_width=8)
    for success in domains[0].known:
        table.add_column(f"{success.known:,}", justify="right", no_wrap=True)
    table.add_column("k·I ≥ H says\nall at", justify="right", no_wrap=True)
    for each in domains:
        chances = [("" if success.exact else "≈") + short(success.success) for success in each.known]
        table.add_row(safe(each.name), *chances, short(each.rule_of_thumb))
    return table


def _spread(domains: Sequence[DomainFound]) -> Table:
    table = titled("Rare values, and how unlike people are (Jaccard distance of their value sets)")
    table.add_column("domain", overflow="fold", min_width=8)
    for title in ("events", "with a value\nseen once", "at most\ntwice", "mean\ndistance"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("pairs of people\nalike … unlike", no_wrap=True)
    for each in domains:
        rare = [share_text(level.share) for level in each.rare]
        like = each.likeness
        distances = (short(like.mean), _sparks(like.bins)) if like else ("–", "")
        table.add_row(safe(each.name), short(each.information.events), *rare, *distances)
    return table


def _correlations(found: Disclosure) -> Table:
    table = titled("Do people with much in one domain have much in another? (Pearson, over people)")
    for title in ("of", "with", "people", "correlation"):
        table.add_column(
            title, overflow="fold", justify="right" if title in ("people", "correlation") else "left"
        )
    for each in found.correlations:
        value = f"{each.pearson:.3f}" if each.pearson is not None else str(each.reason)
        table.add_row(safe(each.first), safe(each.second), short(each.people), safe(value))
    return table


def _bits(value: float) -> str:
    return f"{value:.2f}"


def _range(chance: Chance | None) -> str:
    return f"{chance.information:.2f} ({chance.low:.2f}–{chance.high:.2f})" if chance else "–"


def _sparks(bins: Sequence[int]) -> str:
    """A small picture of how many pairs there are at each distance; any at all is visible."""
    most = max(bins)
    return "".join(SPARKS[-(-8 * number // most)] if number else " " for number in bins)
