"""A generalisation for a person at a terminal: what is reached and lost, then level by level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table

from singleout.deidentify.generalise.local_result import LocalGeneralisation
from singleout.deidentify.generalise.result import Generalisation, Option
from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.terminal.layout import bar, safe_text, share_text, short_number, show_page, titled_table
from singleout.result_table import table_size

SHOWN = 12


def show_generalisation(found: Generalisation) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.source}: {table_size(found.records, found.people)}"
    show_page(title, sentences(found), _tables(found), _definitions(found), found.remarks)


def sentences(found: Generalisation) -> list[str]:
    texts = [_goals_sentence(found), _loss_sentence(found)]
    if found.minimal is not None:
        texts.append(
            f"{_many_minimal(len(found.minimal))} the goals and can't be made finer in any "
            "attribute (minimal)."
        )
    if found.out is None:
        texts.append(
            "Nothing is written: add --out FILE to make the release, --levels to choose other levels."
        )
    else:
        texts.append(
            f"{found.out} holds {found.written:,} records. It was read back and counted again: "
            "every class reaches the goals."
        )
    return texts


def _look_alikes(found: Generalisation | LocalGeneralisation) -> str:
    if found.user is None:
        return f"is one of at least {found.k:,} records alike"
    return f"fits at least {found.k:,} {'person' if found.k == 1 else 'people'}"


def _goals_sentence(found: Generalisation) -> str:
    parts = [f"Every released record {_look_alikes(found)} (k-anonymity)"]
    parts += [
        f"among them at least {number:,} values of {name} (l-diversity)"
        for name, number in found.diversity.items()
    ]
    parts += [
        f"with {name} spread as in the table, up to a distance of {number:.3g} (t-closeness)"
        for name, number in found.closeness.items()
    ]
    parts += [
        f"with {name} at {number:.3g} by {goal} ({found.sensitive_measures[goal].title})"
        for name, numbers in found.spread.items()
        for goal, number in numbers.items()
    ]
    parts += _hidden(found.reference)
    left = (
        f"{found.suppressed:,} of {found.records:,} records ({share_text(found.suppressed / found.records)})"
    )
    gone = found.people - found.released_people
    people = f", and with them {gone:,} people," if found.user is not None and gone else ""
    risk = (
        "to somebody who knows the values of one record, the highest risk is "
        f"{short_number(1 / found.k)} and the average risk {short_number(found.average_risk)}"
    )
    written = ", and written with * in every attribute" if (found.written or 0) > found.released else ""
    gone_too = f"{left}{people} are suppressed{written}." if found.suppressed else "No record is suppressed."
    return f"{', '.join(parts)}: {risk}. {gone_too}"


def _many_minimal(number: int) -> str:
    return "1 generalisation reaches" if number == 1 else f"{number:,} generalisations reach"


def _loss_sentence(found: Generalisation) -> str:
    count = f"{found.evaluated:,} of {found.lattice:,} generalisations were counted"
    if found.optimal:
        rest = ", the others ruled out" if found.evaluated < found.lattice else ""
        return (
            f"The loss is {found.loss:.5g}, and no other generalisation that reaches the goals "
            f"loses less: {count}{rest}."
        )
    return (
        f"The loss is {found.loss:.5g}, the least found before the search was stopped: {count}. None of the "
        f"others can lose less than {found.bound:.5g}."
    )


def _tables(found: Generalisation) -> Iterator[Table]:
    yield _attributes(found)
    if found.alternatives:
        yield _options("Nearly as good", found, found.alternatives)
    if found.minimal:
        yield _options("No attribute can be finer (minimal)", found, found.minimal)


def _attributes(found: Generalisation) -> Table:
    table = titled_table("What becomes of each attribute")
    table.add_column("attribute", overflow="fold", min_width=12)
    table.add_column("level", justify="right", no_wrap=True)
    table.add_column("what values become", overflow="fold", max_width=28)
    table.add_column("values", justify="right", no_wrap=True)
    table.add_column("loss", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.attributes:
        values = f"{each.values_before:,} → {each.values:,}"
        lost = bar(each.loss) if each.loss is not None else ""
        level = f"{each.level} of {each.height}"
        rule = each.rule if each.example is None else f"such as {each.example}"
        table.add_row(safe_text(each.name), level, safe_text(rule), values, short_number(each.loss), lost)
    return table


def _options(title: str, found: Generalisation, options: Sequence[Option]) -> Table:
    """Only the levels that differ from the best: all of them would hide it."""
    cut = f" (the first {SHOWN} of {len(options):,})" if len(options) > SHOWN else ""
    table = titled_table(f"{title}{cut}")
    for heading in ("loss", "suppressed", "classes"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("levels that differ from the best", overflow="fold")
    for each in options[:SHOWN]:
        differs = [f"{name}={level}" for name, level in each.levels.items() if level != found.levels[name]]
        numbers = (f"{each.loss:.5g}", short_number(each.suppressed), short_number(each.classes))
        table.add_row(*numbers, safe_text(", ".join(differs) or "none"))
    return table


def _definitions(found: Generalisation) -> list[tuple[str, str]]:
    measure = found.loss_by.measure
    who = "records" if found.user is None else "people"
    return [
        (measure.title, f"{measure.formula}; from {measure.lowest:g}, lower is better"),
        (
            "risk",
            f"1 / {who} in the class of the same generalised values (equivalence class), over "
            "released records",
        ),
        ("missing", MISSING_WORDS[found.missing]),
    ]


def _hidden(reference: Mapping[str, float] | None) -> list[str]:
    if reference is None:
        return []
    return [
        f"and at least {reference['k_map']:,} people of the reference (k-map), of whom the table has from "
        f"{reference['presence_low']:.3g} to {reference['presence_high']:.3g} (δ-presence)"
    ]


def show_local_generalisation(found: LocalGeneralisation) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.source}: {table_size(found.records, found.people)}"
    tables = [_local_attributes(found), _rounds(found)]
    show_page(title, local_sentences(found), tables, _local_definitions(found), found.remarks)


def local_sentences(found: LocalGeneralisation) -> list[str]:
    parts = [f"Every released record {_look_alikes(found)} (k-anonymity)"]
    parts += [f"among them at least {number:,} values of {name}" for name, number in found.diversity.items()]
    parts += _hidden(found.reference)
    gone = f"{found.suppressed:,} of {found.records:,} records are" if found.suppressed else "No record is"
    risk = (
        "to somebody who knows the values of one record and how the release was made, the highest risk is "
        f"{short_number(1 / found.k)} and the average risk {short_number(found.average_risk)}"
    )
    texts = [
        f"{', '.join(parts)}: {risk}. {gone} suppressed.",
        f"Different records have different levels (local recoding). The loss is {found.loss:.5g}; no way to "
        f"generalise these records loses less than {found.bound:.3g}, and what lies between is not known.",
    ]
    if found.out is None:
        return [*texts, "Nothing is written: add --out FILE to make the release."]
    counted = "It was read back and counted again: every class reaches the goals."
    return [*texts, f"{found.out} holds {found.written:,} records. {counted}"]


def _local_attributes(found: LocalGeneralisation) -> Table:
    table = titled_table("What becomes of each attribute")
    table.add_column("attribute", overflow="fold", min_width=12)
    table.add_column("records at each level, from the finest", overflow="fold")
    table.add_column("loss", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.attributes:
        levels = ", ".join(f"{records:,}" for records in each.records)
        table.add_row(safe_text(each.name), levels, short_number(each.loss), bar(each.loss))
    return table


def _rounds(found: LocalGeneralisation) -> Table:
    most = sorted(found.rounds, key=lambda each: -each.records)[:SHOWN]
    cut = f" (the {SHOWN} most frequent of {len(found.rounds):,})" if len(found.rounds) > SHOWN else ""
    table = titled_table(f"Levels that records have{cut}")
    table.add_column("records", justify="right", no_wrap=True)
    table.add_column("loss", justify="right", no_wrap=True)
    table.add_column("attributes that are coarser, and their level", overflow="fold")
    for each in most:
        coarser = ", ".join(f"{name}={level}" for name, level in each.levels.items() if level)
        table.add_row(f"{each.records:,}", f"{each.loss:.4g}", safe_text(coarser or "none"))
    return table


def _local_definitions(found: LocalGeneralisation) -> list[tuple[str, str]]:
    measure = found.loss_by.measure
    who = "records" if found.user is None else "people"
    return [
        (measure.title, f"{measure.formula}; from {measure.lowest:g}, lower is better"),
        ("risk", f"1 / {who} in the class of the same released values, over released records"),
        ("missing", MISSING_WORDS[found.missing]),
    ]
