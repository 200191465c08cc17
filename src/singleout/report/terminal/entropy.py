"""What records tell about people, for a person at a terminal: sentences first, then the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from singleout.report.terminal.layout import (
    bar,
    safe_text,
    share_text,
    short_number,
    show_page,
    sparks,
    titled_table,
)
from singleout.result_table import table_size
from singleout.risk.entropy.chance_baseline import Chance, chance_sentence, is_beyond_chance
from singleout.risk.entropy.result import Disclosure, DomainDisclosure, GivenValues, JointDisclosure

DEFINITIONS = (
    ("H(U), H(U|x)", "how uncertain it is whose record it is, before and once its value is known (entropy)"),
    ("told", "H(U) − H(U|x) in bits: what a value tells of its person (mutual information)"),
    ("by chance", "the same where values are dealt to the records at random: mean and 95% range"),
    (
        "by rule",
        "the rule of Ito et al. n.d. that k ≥ H(U)/told records name everybody; the guesses refute it",
    ),
    ("told twice", "what the domains tell one by one, added up, less what they tell together"),
    (
        "best guess",
        "how often whoever knows the value and all histories names the person (Bayes vulnerability)",
    ),
    ("counted over", "events: the values that records have in the domain's columns"),
)


def show_entropy(found: Disclosure) -> None:
    """The result on standard output, remarks on standard error."""
    tables = [_domains(found.domains), _success_table(found.domains), _spread(found.domains)]
    if joint_domains := (*found.pairs, *found.triples):
        tables[1:1] = [_joint_table(joint_domains), _priors(joint_domains)]
    if found.correlations:
        tables.append(_correlations(found))
    skipped = "are skipped" if found.missing == "drop" else "count as a value of their own"
    definitions = (*DEFINITIONS, ("missing values", skipped))
    title = f"{found.source}: {table_size(found.records, found.people)}"
    show_page(title, sentences(found), tables, definitions, found.remarks)


def sentences(found: Disclosure) -> list[str]:
    """Each domain in a sentence, then the most telling combination."""
    texts = [_domain_sentence(each) for each in found.domains]
    if joint_domains := (*found.pairs, *found.triples):
        texts.append(_joint_sentence(joint_domains))
        texts += _chance_sentences(joint_domains)
    return [*texts, _given_sentence(found.given)] if found.given else texts


def _given_sentence(given: GivenValues) -> str:
    values = " and ".join(f"{domain} {value!r}" for domain, value in given.values)
    if not given.posteriors:
        return f"Given {values}: nobody in this table has all of these."
    sure = {each.prior: f"{each.highest:.2f}" for each in given.posteriors}
    return (
        f"Given {values}, {given.people:,} of the people come into question. The likeliest is right with "
        f"probability {sure['uniform']} if all people were equally likely before, {sure['records']} if those "
        f"with more records were likelier (Bayes' rule); the rule of Ito et al. n.d. says {sure['product']}."
    )


def _domain_sentence(domain: DomainDisclosure) -> str:
    """A domain of rare values may tell nothing beyond chance and still give everybody away."""
    told, chance = domain.information, domain.chance
    still = "The" if is_beyond_chance(told.information, chance) else "That is no protection: the"
    return (
        f"{chance_sentence(domain.name, told.information, chance)}. "
        f"{still} best guess at the person is right with probability {told.best_guess:.2f}; with "
        "values dealt "
        f"at random it would be {chance.best_guess:.2f}."
    )


def _chance_sentences(joint_domains: Sequence[JointDisclosure]) -> list[str]:
    by_chance = [
        each.name
        for each in joint_domains
        if not is_beyond_chance(each.joint.by_prior[0].information, each.chance)
    ]
    names = "; ".join(by_chance)
    return (
        [f"Together these tell no more than chance would, which is no protection: {names}."]
        if by_chance
        else []
    )


def _joint_sentence(joint_domains: Sequence[JointDisclosure]) -> str:
    most = max(joint_domains, key=lambda each: each.joint.by_prior[0].best_guess)
    prior, people = most.joint.by_prior[0], f"{most.joint.people:,} people"
    return (
        f"Whoever knows all histories and one record of each of {' and '.join(most.names)} names the right "
        f"one of {people} with probability {prior.best_guess:.2f}. With values dealt at random it would be "
        f"{most.chance.best_guess:.2f}, without the records {prior.guess_before:.2f}; people weigh by the "
        "product of their records."
    )


def _domains(domains: Sequence[DomainDisclosure]) -> Table:
    table = titled_table("What one record tells about the person, in bits")
    table.add_column("domain", overflow="fold", min_width=8)
    for title in ("people", "values", "H(U)", "H(U|x)", "told", "by chance", "best\nguess"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in domains:
        told = each.information
        bits = (_bits(told.h_user), _bits(told.h_user_given), _bits(told.information))
        counted = (short_number(told.people), short_number(told.values))
        guess = (short_number(told.best_guess), bar(told.best_guess))
        table.add_row(safe_text(each.name), *counted, *bits, _range(each.chance), *guess)
    return table


def _joint_table(joint_domains: Sequence[JointDisclosure]) -> Table:
    table = titled_table("What one record of each of several domains tells, by the product of their tables")
    table.add_column("domains", overflow="fold", min_width=8)
    for title in ("people", "H(U)", "H(U|x)", "told", "by chance", "told\ntwice", "best\nguess"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in joint_domains:
        told = each.joint.by_prior[0]
        about = "" if each.joint.exact else "≈"
        bits = (_bits(told.h_user), about + _bits(told.h_user_given), about + _bits(told.information))
        beside = (_range(each.chance), about + _bits(told.overlap), about + short_number(told.best_guess))
        table.add_row(safe_text(each.name), short_number(each.joint.people), *bits, *beside)
    return table


def _priors(joint_domains: Sequence[JointDisclosure]) -> Table:
    table = titled_table("The same by how likely each person is taken to be before (prior)")
    table.add_column("domains", overflow="fold", min_width=8)
    table.add_column("people weigh by", no_wrap=True)
    for title in ("parts", "told", "told\ntwice", "best\nguess", "guess\nby rule"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in joint_domains:
        for prior in each.joint.by_prior:
            bits = (prior.parts, prior.information, prior.overlap)
            guesses = (short_number(prior.best_guess), short_number(prior.printed_guess))
            table.add_row(safe_text(each.name), PRIORS[prior.prior], *map(_bits, bits), *guesses)
    return table


PRIORS = {"product": "product of records", "uniform": "nothing: all alike", "records": "records in all"}


def _success_table(domains: Sequence[DomainDisclosure]) -> Table:
    """The paper's probability, the success after k records, and the k at which its rule promises all."""
    table = titled_table("How often the person is named: 2^−H, and the best guess after k records")
    table.add_column("domain", overflow="fold", min_width=8)
    for title in ("2^−H(U)", "2^−H(U|x)", *(f"k={success.known:,}" for success in domains[0].known)):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("by rule\nall at", justify="right", no_wrap=True)
    for each in domains:
        paper = (
            short_number(each.information.probability_before),
            short_number(each.information.probability),
        )
        chances = [("" if success.exact else "≈") + short_number(success.success) for success in each.known]
        table.add_row(safe_text(each.name), *paper, *chances, short_number(each.rule_of_thumb))
    return table


def _spread(domains: Sequence[DomainDisclosure]) -> Table:
    table = titled_table("Rare values, and how unlike people are (Jaccard distance of their values)")
    table.add_column("domain", overflow="fold", min_width=8)
    for title in ("events", "with a value\nseen once", "at most\ntwice", "mean\ndistance"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("pairs of people\nalike … unlike", no_wrap=True)
    for each in domains:
        rare = [share_text(level.share) for level in each.rare]
        like = each.likeness
        distances = (short_number(like.mean), _sparks(like.bins)) if like else ("–", "")
        table.add_row(safe_text(each.name), short_number(each.information.events), *rare, *distances)
    return table


def _correlations(found: Disclosure) -> Table:
    table = titled_table("Do people with much in one domain have much in another? (Pearson, over people)")
    for title in ("of", "with", "people", "correlation"):
        table.add_column(
            title, overflow="fold", justify="right" if title in ("people", "correlation") else "left"
        )
    for each in found.correlations:
        value = f"{each.pearson:.3f}" if each.pearson is not None else str(each.reason)
        table.add_row(
            safe_text(each.first), safe_text(each.second), short_number(each.people), safe_text(value)
        )
    return table


def _bits(value: float) -> str:
    return f"{value:.2f}"


def _range(chance: Chance) -> str:
    return f"{chance.information:.2f} ({chance.low:.2f}–{chance.high:.2f})"


def _sparks(bins: Sequence[int]) -> str:
    """A small picture of how many pairs there are at each distance."""
    return sparks([number / max(bins) for number in bins])
