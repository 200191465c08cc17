"""The papers that singleout is built on: by the short form that texts cite, what is known of each."""

from __future__ import annotations

from collections.abc import Iterable

# only what our copies print: where they have no name, venue or year (n.d.), nobody here guessed one
REFERENCES = {
    "Ito et al. 2019": "S. Ito, H. Kikuchi, H. Nakagawa: Attacker Models with a Variety of "
    "Background Knowledge "
    "to De-identified Data. J. Ambient Intell. Human. Comput., pp. 1–11, 2019.",
    "Anon. n.d.": "A paper on what attackers of a k-anonymised table know and can spend "
    "(Algorithms 1 to 7). "
    "Authors, title, venue and year are not on our copy.",
    "Ito et al. 2020": "S. Ito, R. Harada, H. Kikuchi: De-identification for Transaction Data Secure against "
    "Re-identification Risk Based on Payment Records. Regular paper, accepted June 2020; a first version was "
    "in MDAI 2019. The journal is not on our copy.",
    "Ito et al. n.d.": "S. Ito, R. Harada, H. Kikuchi: Risk of Re-identification from Payment Card "
    "Histories in "
    "Multiple Domains. Written after June 2017; venue and year are not on our copy.",
    "Yang et al. 2020": "Z. Yang, R. Wang, D. Luo, Y. Xiong: Rapid Re-Identification Risk Assessment for "
    "Anonymous Data Set in Mobile Multimedia Scene. IEEE Access, 2020, doi:10.1109/ACCESS.2020.2977404.",
}


def cited_papers(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Those that some texts cite, by their short form, with what is known of each.

    >>> [short for short, _ in cited_papers(["Anon. n.d., Algorithm 2", "Ito et al. 2019 and n.d."])]
    ['Ito et al. 2019', 'Anon. n.d.', 'Ito et al. n.d.']
    """
    text = " ".join(texts)
    for year in ("2020", "n.d."):
        text = text.replace(f" and {year}", f"; Ito et al. {year}")
    return [(short, full) for short, full in REFERENCES.items() if short in text]
