"""The linkage attacks by name: which columns they look at, what is known of people, how they are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy

from singleout.attacks.attacker_knowledge import cut_to_days, filled_records
from singleout.attacks.linkage.candidates import Linkage, TwoWayLinkage
from singleout.attacks.linkage.gap_linkage import GapLinkage
from singleout.attacks.linkage.hubness import HubnessLinkage
from singleout.attacks.linkage.item_sets import SetPair, tuples_as_items, values_as_items
from singleout.attacks.linkage.multiset_linkage import MultisetLinkage
from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.attacks.linkage.set_linkage import CosineLinkage, IdfJaccardLinkage, Overlap, OverlapLinkage
from singleout.attacks.linkage.vector_linkage import VectorLinkage
from singleout.attacks.record_linkage.bayes_linkage import BayesLinkage
from singleout.attacks.record_linkage.column_likelihood import ColumnLikelihood
from singleout.attacks.record_linkage.record_linkage import RecordLinkage
from singleout.attacks.role_linkage.role_linkage import RoleLinkage
from singleout.engine.codes.histories import Histories, Indices
from singleout.progress import Progress, silent

# the parts that columns play in an attack
Part = Literal["item", "place", "category", "time", "amount", "pair", "columns", "nothing"]


@dataclass(frozen=True)
class LinkageRequest:
    """The columns an attack looks at; with `drop`, what is missing in them takes no part.

    `weights` are how much columns count where records are compared, `codes` those whose numbers are names.
    `models` are how likely released values are, `blanks` where those that lack say nothing, `most_shift` by
    how many days dates were moved at most, `counted` says whether everybody has as many records in both
    tables, `people` those of the release who are asked about, all if None.
    """

    columns: tuple[str, ...]
    drop: bool
    threads: int
    progress: Progress = silent
    weights: Mapping[str, float] = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    models: Mapping[str, ColumnLikelihood] = field(default_factory=dict)
    blanks: tuple[str, ...] = ()
    most_shift: int | None = None
    people: Indices | None = None
    counted: bool = False

    def fill_request(self, both: Histories) -> Histories:
        return filled_records(both, self.columns) if self.drop else both


Link = Callable[[Histories, LinkageRequest], Linkage]


@dataclass(frozen=True)
class Kind:
    """`knows` is what the attacker knows of each person, {} standing for the columns."""

    part: Part
    knows: str
    reference: str
    link: Link


def _overlap(kind: Overlap) -> Link:
    return lambda both, asked: OverlapLinkage(_values(both, asked), kind, asked.threads)


def _values(both: Histories, asked: LinkageRequest) -> SetPair:
    return values_as_items(both, asked.columns, skip_missing=asked.drop)


def _weighted_jaccard(both: Histories, asked: LinkageRequest) -> Linkage:
    return OverlapLinkage(_values(both, asked).copies(), "jaccard", asked.threads)


def _days(both: Histories, asked: LinkageRequest) -> Linkage:
    for column in asked.columns:
        both = cut_to_days(both, column)
    return _weighted_jaccard(both, asked)


def _pairs(both: Histories, asked: LinkageRequest) -> Linkage:
    sets = tuples_as_items(asked.fill_request(both), asked.columns)
    return OverlapLinkage(sets.copies(), "jaccard", asked.threads)


def _jaccard(both: Histories, asked: LinkageRequest) -> TwoWayLinkage:
    return OverlapLinkage(_values(both, asked), "jaccard", asked.threads)


def _cosine(both: Histories, asked: LinkageRequest) -> TwoWayLinkage:
    return CosineLinkage(_values(both, asked), asked.threads)


def _idf_jaccard(both: Histories, asked: LinkageRequest) -> TwoWayLinkage:
    return IdfJaccardLinkage(_values(both, asked), asked.threads)


def _without_hubs(link: Callable[[Histories, LinkageRequest], TwoWayLinkage]) -> Link:
    return lambda both, asked: HubnessLinkage(link(both, asked))


def _records(both: Histories, asked: LinkageRequest) -> Linkage:  # noqa: ARG001
    return NumberLinkage.of_records(both)


def _amount(both: Histories, asked: LinkageRequest) -> Linkage:
    return NumberLinkage.of_amount(asked.fill_request(both), asked.columns[0])


def _categories(both: Histories, asked: LinkageRequest) -> Linkage:
    return VectorLinkage.of_categories(asked.fill_request(both), asked.columns, asked.threads)


def _nearest_records(both: Histories, asked: LinkageRequest) -> Linkage:
    return RecordLinkage.of(
        asked.fill_request(both), asked.columns, asked.threads, asked.weights, asked.codes, asked.progress,
        people=asked.people,
    )  # fmt: skip


def _gaps(both: Histories, asked: LinkageRequest) -> Linkage:
    return GapLinkage.of(both, asked.columns[0], asked.threads, asked.most_shift)


def _roles(both: Histories, asked: LinkageRequest) -> Linkage:
    return RoleLinkage.of(asked.fill_request(both), asked.columns, asked.threads, asked.progress)


def _repeats(both: Histories, asked: LinkageRequest) -> Linkage:
    return MultisetLinkage(_values(both, asked), asked.threads)


def _bayes(both: Histories, asked: LinkageRequest) -> Linkage:
    # elsewhere a value that lacks is the person's own, which tells as much as any other
    own = {
        name: numpy.zeros(len(both.values[name]), dtype=numpy.bool_)
        for name in asked.models
        if name not in asked.blanks
    }
    linkage = BayesLinkage.of(
        asked.fill_request(both), asked.models, asked.threads, own, counted=asked.counted
    )
    return linkage if asked.people is None else linkage.only(asked.people)


WHOSE_HOLDS = "the set of {}, and looks for whose set holds most of the released one"
WHOSE_IS_HELD = "the set of {}, and looks for whose set the released one holds most of"
ALL_RECORDS = "how many records have each combination of {}, all columns at once"
ITS_GAPS = "the gaps between the days of {}, whatever number of days they were moved by"
ITS_ROLES = "how popular the values of {} are and among whom, whatever they are called"
ITS_ODDS = "every record in {}, and how likely each released value is by how the columns were changed"
RARE_MORE = "how many records have each value of {}, rare values weighing more"
RARE_SET = "the set of {}, rare values weighing more"
REPEATS = (
    "how many records have each value of {}, and looks whose records are all there, and who explains what "
    "occurs more than once, which no dummy record does"
)
NO_HUBS = "; who is like many people counts less"
CSLS = "{}, corrected for hubs: CSLS, Conneau et al. 2018"

# made unasked only where dates, or values, do not agree as they are
WHERE_CHANGED = ("gaps", "roles")

KINDS: Mapping[str, Kind] = {
    "jaccard": Kind("item", "the set of {}", "Ito et al. 2020, Algorithm 1", _overlap("jaccard")),
    "containment": Kind("item", WHOSE_HOLDS, "|A∩B|/|A|, A released, B known", _overlap("containment")),
    "coverage": Kind("item", WHOSE_IS_HELD, "|A∩B|/|B|, A released, B known", _overlap("coverage")),
    "weighted_jaccard": Kind(
        "item", "how many records have each value of {}", "Σ min/Σ max of the counts", _weighted_jaccard
    ),
    "tfidf": Kind("item", RARE_MORE, "cosine of TF-IDF weights, Ito et al. 2020, Method 1", _cosine),
    "idf_jaccard": Kind("item", RARE_SET, "Σ w of A∩B/Σ w of A∪B, w = ln((n+1)/(d+1))", _idf_jaccard),
    "jaccard_csls": Kind(
        "item", f"the set of {{}}{NO_HUBS}", CSLS.format("jaccard"), _without_hubs(_jaccard)
    ),
    "tfidf_csls": Kind("item", f"{RARE_MORE}{NO_HUBS}", CSLS.format("tfidf"), _without_hubs(_cosine)),
    "idf_jaccard_csls": Kind(
        "item", f"{RARE_SET}{NO_HUBS}", CSLS.format("idf_jaccard"), _without_hubs(_idf_jaccard)
    ),
    "records": Kind("nothing", "the number of records", "Ito et al. n.d., S1", _records),
    "amount": Kind("amount", "the sum of {}", "Ito et al. n.d., S2", _amount),
    "categories": Kind(
        "category", "how many records have each value of {}", "Ito et al. n.d., S3", _categories
    ),
    "places": Kind("place", "the set of {}", "Ito et al. n.d., S4", _overlap("jaccard")),
    "dates": Kind("time", "how many records are of each day of {}", "Ito et al. n.d., S5", _days),
    "pairs": Kind("pair", "how many records have each combination of {}", "Ito et al. n.d., S6", _pairs),
    "histories": Kind("columns", ALL_RECORDS, "Σ min/Σ max of the counts of whole records", _pairs),
    "gaps": Kind("time", ITS_GAPS, "overlap of days by the best shift", _gaps),
    "roles": Kind("item", ITS_ROLES, "colour refinement, Weisfeiler and Leman 1968", _roles),
    "repeats": Kind(
        "item", REPEATS, "containment of multisets, against the dummies of Ito et al. 2020", _repeats
    ),
    "bayes": Kind("columns", ITS_ODDS, "Σ log(ε·p + (1 − ε)·mean Π P(released | original))", _bayes),
    "nearest": Kind("columns", "every record in {}", "Gower's distance of nearest records", _nearest_records),
}
