"""The predicted risk for a person at a terminal: what to expect first, then how it comes about."""

from __future__ import annotations

from rich.table import Table

from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.terminal.layout import bar, safe_text, short_number, show_page, titled_table
from singleout.risk.predict.result import MethodPrediction, Prediction

METHODS = {
    "closed_form": "columns independent, by formula",
    "random": "columns independent, shuffled",
    "semi_random": "frequent value pairs kept",
    "tree": "strongest pair tables kept",
}
SHOWN_DEPENDENCIES = 12
HOLDS = {True: "holds", False: "does not hold", None: "–"}
DEFINITIONS = (
    (
        "ORR",
        "overall re-identification risk: distinct rows / records, the mean of 1 / look-alikes over records "
        "(average prosecutor risk)",
    ),
    ("±", "how sure the method is of its own mean: a bound for closed_form, else half a 95% interval"),
    ("error", "prediction minus the ORR of the data; it comes from columns that depend on each other"),
    ("g(of, on)", "share of the uncertainty about one column that goes when the other is known (gain ratio)"),
)


def show_prediction(found: Prediction) -> None:
    """The result on standard output, remarks on standard error."""
    missing = [("missing values", MISSING_WORDS[found.missing])] if found.missing else []
    remarks = (*found.remarks, *(note for each in found.predictions for note in each.notes))
    title = f"{found.source}: {found.records:,} records, {len(found.columns)} columns"
    show_page(title, sentences(found), _tables(found), (*DEFINITIONS, *missing), remarks)


def sentences(found: Prediction) -> list[str]:
    best = _recommended_prediction(found)
    texts = [
        f"An attacker who knows all {len(found.columns)} columns of a record picks it out with probability "
        f"{best.orr:.3g} on average (ORR). This is predicted from statistics, by the method {best.method}."
    ]
    if found.orr is not None:
        texts.append(
            f"Counted in the data it is {found.orr:.4g}: the prediction is {_off(best.orr - found.orr)}."
        )
    if found.people_risk is not None:
        texts.append(_people_sentence(found, found.people_risk))
    varied = {name for name, values in zip(found.columns, found.values, strict=True) if values > 1}
    strong = [each for each in found.dependencies if each.strong and {each.of, each.on} <= varied]
    if strong:
        pairs = ", ".join(f"{each.of} on {each.on}" for each in strong[:3])
        more = f" and {len(strong) - 3} more" if len(strong) > 3 else ""
        texts.append(
            f"Some columns depend strongly on others ({pairs}{more}): to take columns for independent gives "
            "too high a risk."
        )
    return texts


def _people_sentence(found: Prediction, risk: float) -> str:
    by_tree = next((each for each in found.people if each.method == "tree"), None)
    predicted = f", and predicted as {by_tree.risk:.3g} by the tree" if by_tree else ""
    return (
        "That counts records as if each were its own person. Counted in people, whoever knows one record "
        f"names its person with probability {risk:.3g} on average in the data{predicted}."
    )


def _off(difference: float) -> str:
    return f"{abs(difference):.2g} too {'high' if difference > 0 else 'low'}" if difference else "right"


def _recommended_prediction(found: Prediction) -> MethodPrediction:
    return next(each for each in found.predictions if each.method == found.recommended)


def _tables(found: Prediction) -> list[Table]:
    tables = [_predictions(found)]
    if found.what_if:
        tables.append(_what_if(found))
    if found.people:
        tables.insert(1, _people(found))
    if found.dependencies:
        tables.append(_dependencies(found))
    if found.groups:
        tables.append(_groups(found))
    if found.frequent:
        tables.append(_frequent_tuples(found))
    return [*tables, _entropies(found), _rules(found)]


def _predictions(found: Prediction) -> Table:
    table = titled_table("Predicted ORR")
    table.add_column("method", no_wrap=True)
    table.add_column("assumes")
    for title in ("ORR", "±", *(["error"] if found.orr is not None else [])):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.predictions:
        error = [f"{each.error:+.4f}"] if each.error is not None else []
        numbers = (_risk(each.orr), f"{each.bound:.1e}")
        mark = "→ " if each.method == found.recommended else "  "
        table.add_row(mark + each.method, METHODS[each.method], *numbers, *error, bar(each.orr))
    if found.orr is not None:
        table.add_row("  the data", "nothing: counted", _risk(found.orr), "", "", bar(found.orr))
    return table


def _people(found: Prediction) -> Table:
    table = titled_table("Predicted risk counted in people (mean over records of 1 / people alike)")
    table.add_column("method", no_wrap=True)
    for title in ("risk", "±", "error"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.people:
        half = (each.high - each.low) / 2
        table.add_row(each.method, _risk(each.risk), f"{half:.1e}", f"{each.error:+.4f}", bar(each.risk))
    if found.people_risk is not None:
        table.add_row("the data", _risk(found.people_risk), "", "", bar(found.people_risk))
    return table


def _groups(found: Prediction) -> Table:
    table = titled_table("Which group of columns follows from which")
    table.add_column("of", overflow="fold")
    table.add_column("on", overflow="fold")
    for title in ("bits", "g(of, on)"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("dependency", no_wrap=True)
    for each in found.groups:
        numbers = (f"{each.information:.3f}", f"{each.gain_ratio:.3f}")
        table.add_row(safe_text(each.of), safe_text(each.on), *numbers, each.dependency)
    return table


def _what_if(found: Prediction) -> Table:
    table = titled_table("What if (by closed form)")
    table.add_column("change", overflow="fold")
    for title in ("records", "columns", "ORR", "at most"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    now = next((each.orr for each in found.predictions if each.method == "closed_form"), None)
    if now is not None:
        sizes = (short_number(found.records), short_number(len(found.columns)))
        table.add_row("as it is", *sizes, _risk(now), _risk(now), bar(now))
    for each in found.what_if:
        sizes = (short_number(each.records), short_number(len(each.columns)))
        table.add_row(safe_text(each.change), *sizes, _risk(each.orr), _risk(each.high), bar(each.orr))
    return table


def _dependencies(found: Prediction) -> Table:
    ranked = sorted(found.dependencies, key=lambda each: -each.gain_ratio)
    more = f": the {SHOWN_DEPENDENCIES} largest of {len(ranked)}" if len(ranked) > SHOWN_DEPENDENCIES else ""
    table = titled_table(f"Which column follows from which{more}; * = kept by the tree")
    table.add_column("of", overflow="fold")
    table.add_column("on", overflow="fold")
    for title in ("bits", "g(of, on)"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("dependency", no_wrap=True)
    kept = {frozenset((each.parent, each.child)) for each in found.tree}
    for each in ranked[:SHOWN_DEPENDENCIES]:
        mark = "*" if {each.of, each.on} in kept else ""
        numbers = (f"{each.information:.3f}", f"{each.gain_ratio:.3f}")
        table.add_row(
            safe_text(each.of), safe_text(each.on), *numbers, bar(each.gain_ratio), each.dependency + mark
        )
    return table


def _frequent_tuples(found: Prediction) -> Table:
    shown = len(found.frequent)
    table = titled_table(f"Frequent tuples of strong dependencies: {shown:,} of {found.frequent_total:,}")
    table.add_column("if", overflow="fold")
    table.add_column("then", overflow="fold")
    for title in ("confidence", "support", "records"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in found.frequent:
        one = safe_text(f"{each.on_column} = {_value(each.on_value)}")
        other = safe_text(f"{each.column} = {_value(each.value)}")
        support = f"{each.frequency / found.records:.4f}"
        table.add_row(one, other, f"{each.confidence:.3f}", support, short_number(each.frequency))
    return table


def _value(value: str | None) -> str:
    return "(missing)" if value is None else value


def _entropies(found: Prediction) -> Table:
    table = titled_table("Entropy of a row, in bits")
    for title in (
        "largest possible\nME = log2(n)",
        "independent\nEE = Σ H(A)",
        "shuffled\nRDE",
        "the data\nTDE",
    ):
        table.add_column(title, justify="right", no_wrap=True)
    bits = found.entropies
    every = (bits.maximum, bits.experience, bits.random, bits.target)
    table.add_row(*("–" if each is None else f"{each:.4f}" for each in every))
    return table


def _rules(found: Prediction) -> Table:
    table = titled_table("The four rules of Yang et al. 2020, checked here")
    table.add_column("", no_wrap=True)
    table.add_column("rule")
    table.add_column("", no_wrap=True)
    for each in found.rules:
        table.add_row(f"R{each.rule}", safe_text(f"{each.statement}. {each.figures}"), HOLDS[each.holds])
    return table


def _risk(value: float) -> str:
    return f"{value:.4f}" if value >= 0.001 else short_number(value)
