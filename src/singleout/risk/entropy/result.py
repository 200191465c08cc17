"""What records disclose about people: the result of `entropy`, which every report is written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from singleout.engine.missing_values import Missing
from singleout.result_table import Heading, ResultTable, TableResult, table_size
from singleout.risk.entropy.amount_correlation import Correlation
from singleout.risk.entropy.chance_baseline import Chance, is_beyond_chance
from singleout.risk.entropy.jaccard_distance import Likeness
from singleout.risk.entropy.joint_domains import JointInformation
from singleout.risk.entropy.known_records import Success
from singleout.risk.entropy.measures import DISCLOSURE_MEASURES
from singleout.risk.entropy.mutual_information import Information
from singleout.risk.entropy.posterior import Posterior
from singleout.risk.entropy.rare_values import RareValues
from singleout.roles.domain import Domain


@dataclass(frozen=True)
class DomainDisclosure:
    """One domain: what a record of it tells, and how much of that is chance."""

    domain: Domain
    information: Information
    chance: Chance
    known: tuple[Success, ...]
    rule_of_thumb: int | None
    rare: tuple[RareValues, ...]
    likeness: Likeness | None

    @property
    def name(self) -> str:
        return self.domain.name


@dataclass(frozen=True)
class JointDisclosure:
    """Several domains together; `sum_of_parts` adds up what each tells alone, of everyone who is in it."""

    joint: JointInformation
    chance: Chance
    sum_of_parts: float

    @property
    def names(self) -> tuple[str, ...]:
        return self.joint.domains

    @property
    def name(self) -> str:
        return " + ".join(self.names)


@dataclass(frozen=True)
class GivenValues:
    """Who it may be once values of some domains are known; no posterior where nobody has all of them."""

    values: tuple[tuple[str, str], ...]
    people: int
    posteriors: tuple[Posterior, ...]


@dataclass(frozen=True, repr=False)
class Disclosure(TableResult):
    """What `entropy` found: `domains` one by one, `pairs` and `triples` of them, and `remarks`.

    `to_dict()` has everything with its definitions, `to_frame()` and `to_arrow()` one row a domain or pair.
    """

    source: str
    engine: str
    user: str
    missing: Missing
    seed: int
    records: int
    people: int
    domains: tuple[DomainDisclosure, ...]
    pairs: tuple[JointDisclosure, ...]
    triples: tuple[JointDisclosure, ...]
    given: GivenValues | None
    correlations: tuple[Correlation, ...]
    remarks: tuple[str, ...]

    def __repr__(self) -> str:
        bits = ", ".join(f"{each.name} {each.information.information:.3g}" for each in self.domains)
        return f"<Disclosure of {self.source}: {self.people:,} people; bits a record: {bits}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout entropy --json`."""
        return {
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "domains": [_domain_entry(each) for each in self.domains],
            "pairs": [_joint_entry(each) for each in self.pairs],
            "triples": [_joint_entry(each) for each in self.triples],
            "given": _given_entry(self.given),
            "correlations": [vars(each).copy() for each in self.correlations],
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in DISCLOSURE_MEASURES},
        }

    def table(self) -> ResultTable:
        """One row a domain, then one a pair and one a triple."""
        rows = [_domain_row(each) for each in self.domains]
        rows += [_joint_row(each) for each in (*self.pairs, *self.triples)]
        note = f"{table_size(self.records, self.people)}."
        return ResultTable(
            "What one record of each domain tells about the person", _HEADINGS, tuple(rows), note
        )


_BY_NAME = {measure.name: measure for measure in DISCLOSURE_MEASURES}


def _heading(name: str, title: str) -> Heading:
    return Heading.of(name, title, _BY_NAME[f"domain.{name}"])


_HEADINGS = (
    Heading("name", "domain"),
    Heading("people", "people"),
    Heading("values", "values"),
    _heading("h_user", "H(U)"),
    _heading("h_user_given", "H(U|x)"),
    _heading("information", "bits told"),
    _heading("chance_information", "by chance"),
    _heading("probability", "probability"),
    _heading("best_guess", "best guess"),
)


def _domain_row(each: DomainDisclosure) -> tuple[Any, ...]:
    information = each.information
    bits = (information.h_user, information.h_user_given, information.information, each.chance.information)
    return (
        each.name,
        information.people,
        information.values,
        *bits,
        information.probability,
        information.best_guess,
    )


def _joint_row(each: JointDisclosure) -> tuple[Any, ...]:
    joint, first_prior = each.joint, each.joint.by_prior[0]
    bits = (
        first_prior.h_user,
        first_prior.h_user_given,
        first_prior.information,
        each.chance.information if each.chance else None,
    )
    return (each.name, joint.people, joint.values, *bits, first_prior.probability, first_prior.best_guess)


def _domain_entry(each: DomainDisclosure) -> dict[str, Any]:
    information = each.information
    return {
        "name": each.name,
        "columns": list(each.domain.columns),
        "filters": [{"column": column, "value": value} for column, value in each.domain.filters],
        **vars(information),
        **_chance(information.information, each.chance),
        "known_records": [vars(success).copy() for success in each.known],
        "rule_of_thumb": each.rule_of_thumb,
        "rare": [vars(rare).copy() for rare in each.rare],
        "jaccard_distance": _likeness(each.likeness),
    }


def _joint_entry(each: JointDisclosure) -> dict[str, Any]:
    joint, first_prior = each.joint, each.joint.by_prior[0]
    return {
        "domains": list(each.names),
        "people": joint.people,
        "values": joint.values,
        "cells": joint.cells,
        "exact": joint.exact,
        "error": joint.error,
        "guess_error": joint.guess_error,
        **{name: value for name, value in vars(first_prior).items() if name != "prior"},
        **_chance(first_prior.information, each.chance),
        "sum_of_parts": each.sum_of_parts,
        "priors": [vars(prior).copy() for prior in joint.by_prior],
    }


def _chance(information: float, chance: Chance) -> dict[str, Any]:
    return {
        "chance_information": chance.information,
        "chance": vars(chance).copy(),
        "beyond_chance": is_beyond_chance(information, chance),
    }


def _likeness(likeness: Likeness | None) -> dict[str, Any] | None:
    return {**vars(likeness), "bins": list(likeness.bins)} if likeness else None


def _given_entry(given: GivenValues | None) -> dict[str, Any] | None:
    if given is None:
        return None
    return {
        "values": [{"domain": domain, "value": value} for domain, value in given.values],
        "people": given.people,
        "posteriors": [vars(each).copy() for each in given.posteriors],
    }
