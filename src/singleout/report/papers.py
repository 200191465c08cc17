"""The papers that definitions refer to by their number."""

from __future__ import annotations

from collections.abc import Iterable

PAPERS = {
    "paper 0": "S. Ito, H. Kikuchi, H. Nakagawa: Attacker Models with a Variety of Background Knowledge to "
    "De-identified Data",
    "paper 1": "Risk analysis of a k-anonymised table, with Algorithms 1 to 7 for the knowledge and the "
    "resource of an attacker",
    "paper 2": "S. Ito, R. Harada, H. Kikuchi: De-identification for Transaction Data",
    "paper 3": "S. Ito, R. Harada, H. Kikuchi: Risk of Re-identification from Payment Card Histories in "
    "Multiple Domains",
    "paper 4": "R3A: rapid re-identification risk assessment from statistics",
}


def papers_in(references: Iterable[str]) -> list[tuple[str, str]]:
    """Those that are named in some references, by number.

    >>> [name for name, _ in papers_in(["Paper 2, Algorithm 1; papers 3", "Sweeney 2002"])]
    ['paper 2', 'paper 3']
    """
    text = " ".join(references).lower().replace("papers ", "paper ")
    return [(name, title) for name, title in PAPERS.items() if name in text]
