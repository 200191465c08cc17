"""The papers that singleout is built on: by the short form that texts cite, what is known of each."""

from __future__ import annotations

import re
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

# what measures and policies cite beside them
OTHER_WORKS = {
    "Bayardo and Agrawal 2005": "R. J. Bayardo, R. Agrawal: Data Privacy through Optimal k-Anonymization. "
    "ICDE 2005.",
    "Benedetti and Franconi 1998": "R. Benedetti, L. Franconi: Statistical and Technological Solutions for "
    "Controlled Data Dissemination. New Techniques and Technologies for Statistics, 1998.",
    "Brickell and Shmatikov 2008": "J. Brickell, V. Shmatikov: The Cost of Privacy: Destruction of "
    "Data-Mining Utility in Anonymized Data Publishing. KDD 2008.",
    "Cao and Karras 2012": "J. Cao, P. Karras: Publishing Microdata with a Robust Privacy Guarantee. PVLDB "
    "5(11), 2012.",
    "Chen and Keller-McNulty 1998": "G. Chen, S. Keller-McNulty: Estimation of Identification Disclosure "
    "Risk in Microdata. Journal of Official Statistics 14(1), 1998.",
    "Cohen 1988": "J. Cohen: Statistical Power Analysis for the Behavioral Sciences. 2nd edition, Erlbaum, "
    "1988.",
    "Dankar et al. 2012": "F. K. Dankar, K. El Emam, A. Neisa, T. Roffey: Estimating the Re-Identification "
    "Risk of Clinical Data Sets. BMC Medical Informatics and Decision Making 12, 2012.",
    "de Montjoye et al. 2013": "Y.-A. de Montjoye, C. A. Hidalgo, M. Verleysen, V. D. Blondel: Unique in "
    "the Crowd: The Privacy Bounds of Human Mobility. Scientific Reports 3, 2013.",
    "de Montjoye et al. 2015": "Y.-A. de Montjoye, L. Radaelli, V. K. Singh, A. Pentland: Unique in the "
    "Shopping Mall: On the Reidentifiability of Credit Card Metadata. Science 347(6221), 2015.",
    "El Emam and Dankar 2008": "K. El Emam, F. K. Dankar: Protecting Privacy Using k-Anonymity. Journal of "
    "the American Medical Informatics Association 15(5), 2008.",
    "Elliot et al. 2002": "M. J. Elliot, A. M. Manning, R. W. Ford: A Computational Algorithm for Handling "
    "the Special Uniques Problem. Int. J. Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), "
    "2002.",
    "Elliot and Manning 2003": "M. J. Elliot, A. M. Manning: Using DIS to Modify the Classification of "
    "Special Uniques. Joint ECE/Eurostat Work Session on Statistical Data Confidentiality, Luxembourg, "
    "2003.",
    "Elliot et al. 2005": "M. J. Elliot, A. Manning, K. Mayes, J. Gurd, M. Bane: SUDA: A Program for "
    "Detecting Special Uniques. Joint UNECE/Eurostat Work Session on Statistical Data Confidentiality, "
    "Geneva, 2005.",
    "Giomi et al. 2022": "M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi: A Unified Framework for "
    "Quantifying Privacy Risk in Synthetic Data. arXiv, 2022; PoPETs 2023(2).",
    "Gionis et al. 2008": "A. Gionis, A. Mazza, T. Tassa: k-Anonymization Revisited. ICDE 2008.",
    "Gionis and Tassa 2009": "A. Gionis, T. Tassa: k-Anonymization with Minimal Loss of Information. IEEE "
    "Trans. Knowledge and Data Engineering 21(2), 2009.",
    "Hoshino 2001": "N. Hoshino: Applying Pitman's Sampling Formula to Microdata Disclosure Risk "
    "Assessment. Journal of Official Statistics 17(4), 2001.",
    "Hundepool et al. 2012": "A. Hundepool, J. Domingo-Ferrer, L. Franconi, S. Giessing, E. Schulte "
    "Nordholt, K. Spicer, P.-P. de Wolf: Statistical Disclosure Control. Wiley, 2012.",
    "Iyengar 2002": "V. S. Iyengar: Transforming Data to Satisfy Privacy Constraints. KDD 2002.",
    "Kolmogorov 1933": "A. Kolmogorov: Sulla determinazione empirica di una legge di distribuzione. "
    "Giornale dell'Istituto Italiano degli Attuari 4, 1933.",
    "LeFevre et al. 2006": "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional "
    "K-Anonymity. ICDE 2006.",
    "Li et al. 2007": "N. Li, T. Li, S. Venkatasubramanian: t-Closeness: Privacy Beyond k-Anonymity and "
    "l-Diversity. ICDE 2007.",
    "Machanavajjhala et al. 2007": "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: "
    "l-Diversity: Privacy Beyond k-Anonymity. ACM Trans. Knowledge Discovery from Data 1(1), 2007.",
    "Manning et al. 2008": "A. M. Manning, D. J. Haglin, J. A. Keane: A Recursive Search Algorithm for "
    "Statistical Disclosure Assessment. Data Mining and Knowledge Discovery 16(2), 2008.",
    "Meyerson and Williams 2004": "A. Meyerson, R. Williams: On the Complexity of Optimal K-Anonymity. PODS "
    "2004.",
    "Nergiz et al. 2007": "M. E. Nergiz, M. Atzori, C. Clifton: Hiding the Presence of Individuals from "
    "Shared Databases. SIGMOD 2007.",
    "Rocher et al. 2025": "L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye: A Scaling Law to Model the "
    "Effectiveness of Identification Techniques. Nature Communications 16, 2025.",
    "Samarati 2001": "P. Samarati: Protecting Respondents' Identities in Microdata Release. IEEE Trans. "
    "Knowledge and Data Engineering 13(6), 2001.",
    "Smirnov 1948": "N. Smirnov: Table for Estimating the Goodness of Fit of Empirical Distributions. "
    "Annals of Mathematical Statistics 19(2), 1948.",
    "Spearman 1904": "C. Spearman: The Proof and Measurement of Association between Two Things. American "
    "Journal of Psychology 15(1), 1904.",
    "Student 1908": "Student (W. S. Gosset): The Probable Error of a Mean. Biometrika 6(1), 1908.",
    "Sweeney 2001": "L. Sweeney: Computational Disclosure Control: A Primer on Data Privacy Protection. PhD "
    "thesis, MIT, 2001.",
    "Sweeney 2002": "L. Sweeney: k-Anonymity: A Model for Protecting Privacy. Int. J. Uncertainty, "
    "Fuzziness and Knowledge-Based Systems 10(5), 2002.",
    "Wilson 1927": "E. B. Wilson: Probable Inference, the Law of Succession, and Statistical Inference. "
    "Journal of the American Statistical Association 22(158), 1927.",
    "Wong et al. 2006": "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (α, k)-Anonymity: An Enhanced "
    "k-Anonymity Model for Privacy Preserving Data Publishing. KDD 2006.",
    "Working Party 29, 2014": "Article 29 Data Protection Working Party: Opinion 05/2014 on Anonymisation "
    "Techniques (WP216), 2014.",
    "Xiao et al. 2011": "X. Xiao, G. Wang, J. Gehrke: Differential Privacy via Wavelet Transforms. IEEE "
    "Trans. Knowledge and Data Engineering 23(8), 2011.",
    "Zayatz 1991": "L. V. Zayatz: Estimation of the Percent of Unique Population Elements on a Microdata "
    "File Using the Sample. U.S. Bureau of the Census, 1991.",
}


def cited_papers(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Those that some texts cite, by their short form, with what is known of each.

    >>> [short for short, _ in cited_papers(["Anon. n.d., Algorithm 2", "Ito et al. 2019 and n.d."])]
    ['Ito et al. 2019', 'Anon. n.d.', 'Ito et al. n.d.']
    >>> [short for short, _ in cited_papers(["Elliot, Manning, Ford 2002", "as Cohen's h (Cohen 1988)"])]
    ['Cohen 1988', 'Elliot et al. 2002']
    """
    listed = list(texts)
    text = " ".join(listed)
    for year in ("2020", "n.d."):
        text = text.replace(f" and {year}", f"; Ito et al. {year}")
    own = [(short, full) for short, full in REFERENCES.items() if short in text]
    others = [
        (short, full) for short, full in OTHER_WORKS.items() if any(_is_cited(short, each) for each in listed)
    ]
    return own + others


def _is_cited(short: str, text: str) -> bool:
    """Whether a text names the first author and the year, however it names the others."""
    authors, year = short.rsplit(" ", 1)
    first = re.split(r",| et al\.| and ", authors)[0]
    return year in text and re.search(rf"\b{re.escape(first)}\b", text) is not None
