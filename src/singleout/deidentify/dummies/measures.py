"""What the numbers about dummy records mean."""

from __future__ import annotations

from singleout.measurement import Measure

OWN_RULE = "a missing item is an item like any other, and so is a missing user a person"

DUMMIES = Measure(
    name="dummies",
    title="dummies",
    question="How many records must be made up so that all people of a cluster have the same items?",
    formula="Δm = Σ over clusters x of |x|·|I(x)| − Σ over people u of |I(u)|, with I(x) all items of x",
    unit="records",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=OWN_RULE,
    reference="Ito et al. 2020, Algorithm 2",
)
BOUND = Measure(
    name="dummies.bound",
    title="bound",
    question="What share of people can be recognised by their item sets, at most?",
    formula="c/n, clusters / people: all of a cluster look alike, so that one guess in each can be right; it "
    "holds on average for every attack that knows item sets only",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, E(Reid) = c/n, which is an upper bound",
)
HIGHEST_RISK = Measure(
    name="dummies.highest_risk",
    title="highest risk",
    question="How likely is a person of the smallest cluster recognised by the item set, at most?",
    formula="1 / people of the smallest cluster",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, s_min of Method 2",
)
UNIFORM = Measure(
    name="dummies.expected.uniform",
    title="expected, uniform",
    question="How many dummies would be needed if all items were equally popular?",
    formula="E(Δm) = nℓ{(1 − 1/ℓ)^(m/n) − (1 − 1/ℓ)^(m/c)} for n people, m records, ℓ items, c clusters",
    unit="records",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=OWN_RULE,
    reference="Ito et al. 2020, Sec. 4.2",
)
BY_POPULARITY = Measure(
    name="dummies.expected.by_popularity",
    title="expected, by popularity",
    question="How many dummies would a random grouping into equally large clusters need?",
    formula="Σ_g Σ_x s_x (1 − C(n − d_g, s_x)/C(n, s_x)) − Σ_g d_g, with d_g people who have the item g and "
    "sizes s_x as equal as can be: the exact expectation",
    unit="records",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=OWN_RULE,
    reference="Hypergeometric expectation, in place of the uniform items of Ito et al. 2020",
)
RELATIVE = Measure(
    name="dummies.relative.to_random",
    title="relative to random",
    question="How many dummies are needed for each that a random grouping would need?",
    formula="dummies / expected by popularity; below 1 the clusters are better than chance",
    unit="ratio",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=OWN_RULE,
    reference="Against the hypergeometric expectation",
)
COMPREHENSIVE = Measure(
    name="dummies.comprehensive",
    title="comprehensive value",
    question="How do dummies and risk come out together, and for which number of clusters best?",
    formula="α·E(Δm) + c/n, where α makes a single cluster cost 1; by the uniform expectation, and by that "
    "of the real popularity",
    unit="sum of two shares",
    lowest=0,
    highest=2,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, Sec. 4.3",
)
JACCARD = Measure(
    name="dummies.jaccard",
    title="recognised by Jaccard",
    question="What share of people does the nearest item set find in this release?",
    formula="over people of the release: 1/t if they are among the t people of the original whose sets have "
    "the highest Jaccard coefficient with theirs, else 0; divided by the people",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=OWN_RULE,
    reference="Ito et al. 2020, Algorithm 1 and Definition 4",
)
DUMMY_MEASURES = (
    DUMMIES, BOUND, HIGHEST_RISK, UNIFORM, BY_POPULARITY, RELATIVE, COMPREHENSIVE, JACCARD
)  # fmt: skip
