"""What the numbers of an attack mean."""

from __future__ import annotations

from singleout.measurement import Measure

OWN_RULE = "a missing value is a value; with the rule drop, what misses one the attack looks at is left out"
OF_KNOWN = (
    "a missing value agrees with a missing value only; with the rule drop, records that miss one of the "
    "known columns are left out"
)
WHO_FITS = (
    "It counts who fits, and not who is named: whoever takes the likeliest of several recognises more; "
    "points.rate counts that"
)

RATE = Measure(
    name="attack.rate",
    title="rate (re-identification rate)",
    question="What share of the people of the release does the attack recognise?",
    formula="Σ over people of the release of 1/t if the right person is among the t best candidates, else 0; "
    "divided by the people of the release",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, Definition 4; Ito et al. n.d., Sec. IV",
)
IDENTIFIED = Measure(
    name="attack.identified",
    title="recognised",
    question="How many people of the release is the attack expected to recognise?",
    formula="rate · people; candidates that are equally good share the credit",
    unit="people",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, Definition 4",
)
BASELINE = Measure(
    name="attack.baseline",
    title="guess (baseline)",
    question="What would somebody recognise who names people at random?",
    formula="people of the release who have an original / (people of the release · people to choose from); "
    "to choose from are those of the original, with known points those of the release",
    unit="share",
    lowest=0,
    highest=1,
    better="neither",
    counted_over="people",
    missing=OWN_RULE,
    reference="Every attack beside a guesser: Giomi et al. 2022 (Anonymeter)",
)
BOUND = Measure(
    name="attack.bound",
    title="bound",
    question="What can no attack exceed on average that knows the same of people?",
    formula="people of the release that look alike to the attack get the same guess, so of each group one "
    "person can be right: groups with somebody who has an original / people of the release. To known "
    "records people look alike whose released records are equal in all known columns; to the best attack, "
    "and to one that could not compare a column, whose records are equal as they were released, each as "
    "often, in all columns that it looks at",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, c/n, which is an upper bound",
)
LOOK_ALIKES = Measure(
    name="attack.look_alikes",
    title="look-alikes",
    question="How many people of the release are the same to the attack, and how many are like nobody else?",
    formula="people of the release between whom nothing differs that the attack looks at are a group; told "
    "are the groups of each size, and size · groups people in them. Who is in a group of 1 is alone",
    unit="people",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="people",
    missing=OWN_RULE,
    reference="the groups behind the bound; with unified clusters, those of Ito et al. 2020",
)
INTERVAL = Measure(
    name="attack.low",
    title="95 % interval",
    question="How much might the rate be for other people of the same kind?",
    formula="Wilson's interval at 95 % for `identified` of `people`, from low to high; it covers which "
    "people happen to be in the release, not other attacks and not other knowledge",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Wilson 1927",
)
TOP = Measure(
    name="attack.top",
    title="top 5, 10",
    question="What share of people are among the 5, 10 best candidates for themselves?",
    formula="mean over people of (k − b)/t, at least 0 and at most 1, with b candidates better than the "
    "right one and t as good, itself included",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="the rule for ties of Ito et al. 2020, Algorithm 1, for more than one guess",
)
UNIQUE = Measure(
    name="points.unique",
    title="unique (unicity)",
    question="Of what share of people do the known records leave exactly one candidate?",
    formula="mean over people of the release and draws of [the known records leave one candidate]; "
    "candidates are the people of the release whom the most known records fit, if any does. "
    "A rule about it takes the safe end of its 90 % interval over all draws that could have been made, as "
    f"points.rate does, one about points.unique.mean the mean. {WHO_FITS}",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OF_KNOWN,
    reference="Unicity: de Montjoye et al. 2013, 2015",
)
NARROWED = Measure(
    name="points.narrowed",
    title="at most N",
    question="Of what share of people do the known records leave at most N candidates?",
    formula="mean over people of the release and draws of [the known records leave 1 to N candidates]. "
    "A rule about it takes the safe end of its 90 % interval over all draws that could have been made, as "
    f"points.rate does, one about points.narrowed.mean the mean. {WHO_FITS}",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OF_KNOWN,
    reference="Unicity: de Montjoye et al. 2013, 2015",
)
CANDIDATES = Measure(
    name="points.candidates",
    title="candidates",
    question="How many people of the release fit what is known, on average?",
    formula="mean over people with an original and draws of the number of candidates. "
    "A rule about it takes the safe end of its 90 % interval over all draws that could have been made, as "
    f"points.rate does, one about points.candidates.mean the mean. {WHO_FITS}",
    unit="people",
    lowest=0,
    highest=None,
    better="higher",
    counted_over="people",
    missing=OF_KNOWN,
    reference="Unicity: de Montjoye et al. 2013, 2015",
)
OVER_DRAWS = Measure(
    name="points.rate",
    title="rate over draws",
    question="What share of the people of the release do random known records recognise, at most?",
    formula="the upper end of the 90 % interval of points.mean over all draws that could have been made: "
    "mean ± (t · s/√draws + 3.00/(people · draws)), with s the spread of the draws and Student's t; of one "
    "draw Wilson's interval over the people; at most the bound. Nothing is drawn at worst or where all "
    "records are known. A rule with at_least alone takes the lower end, one with equals the mean",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OF_KNOWN,
    reference="Student 1908; for draws that are all alike the rule of three, −ln 0.05 = 3.00",
)
MEAN_OF_DRAWS = Measure(
    name="points.mean",
    title="mean over draws",
    question="What share of the people of the release do random known records recognise, on average?",
    formula="mean over people of the release and draws of 1/candidates if the person is one of the "
    "candidates, else 0; or the same of who takes the likeliest of them alone, where that is higher: those "
    "with the highest Π C(m, k)/C(n, p), of whose n records m are a known one that was drawn k times, p in "
    "all",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OF_KNOWN,
    reference="Unicity: de Montjoye et al. 2013, 2015; the likeliest by Bayes' rule",
)
LINKAGE_MEASURES = (RATE, IDENTIFIED, BASELINE, BOUND, LOOK_ALIKES, INTERVAL, TOP)
POINTS_MEASURES = (UNIQUE, NARROWED, CANDIDATES, OVER_DRAWS, MEAN_OF_DRAWS)
ATTACK_MEASURES = (*LINKAGE_MEASURES, *POINTS_MEASURES)
