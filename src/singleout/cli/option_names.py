"""The vocabulary of options: one meaning for one name, and what names were before they had that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

UNTIL = "0.2"
# what follows an option, by how the page of a command writes it
KINDS: dict[str, tuple[str, ...]] = {
    "columns": ("COL", "COL,…", "A,B", "A,B,…"),
    "pairs of columns": ("A+B,…",),
    "names": ("NAME,…",),
    "a domain": ("NAME=COL+COL@COL=VALUE",),
    "something for each column": ("COL=W,…", "COL=NEW,…", "COL=KIND,…", "COL=G,…"),
    "a table": ("TABLE",),
    "a file that is read": ("FILE", "RECIPE.toml", "PLACE", "POLICY"),
    "a file that is written": ("OUT", "OUT.json"),
    "a map of people": ("MAP",),
    "a folder": ("DIR",),
    "an address": ("URL",),
    "a number": ("N",),
    "numbers": ("1,2,…",),
    "a share from 0 to 1": ("SHARE",),
    "seconds": ("S",),
    "an amount of memory": ("SIZE",),
    "a day": ("DAY",),
    "a text": ("TEXT", "TEXTS"),
    "yes or no": ("yes|no",),
    "one of several words": (),
    "nothing": (),
}


class OptionMeaning(NamedTuple):
    """What follows a name, and what it says, whichever command it is given to."""

    kind: str
    words: str


# every option that more than one command has
SHARED: dict[str, OptionMeaning] = {
    "--user": OptionMeaning("columns", "the column that names the person; `none`: each record is its own"),
    "--columns": OptionMeaning("columns", "the columns that the command is about"),
    "--sensitive": OptionMeaning("columns", "what must not be learned about people"),
    "--together": OptionMeaning("columns", "columns taken together, as if they were one"),
    "--fixed": OptionMeaning("columns", "columns that are released as they are"),
    "--item": OptionMeaning("columns", "what was bought, used or visited"),
    "--time": OptionMeaning("columns", "dates or times"),
    "--amount": OptionMeaning("columns", "numbers to add up, such as a price or a fare"),
    "--number": OptionMeaning("columns", "how many were bought at that price"),
    "--receipt": OptionMeaning("columns", "what was bought at once"),
    "--category": OptionMeaning("columns", "the kind of a record, such as a card's usage"),
    "--place": OptionMeaning("columns", "where a record was made"),
    "--entry": OptionMeaning("columns", "where a journey began"),
    "--exit": OptionMeaning("columns", "where a journey ended"),
    "--routes": OptionMeaning("columns", "lines of a journey's beginning and end"),
    "--groups": OptionMeaning("columns", "what people are, such as sex and nationality"),
    "--household": OptionMeaning("columns", "who lives together"),
    "--weight": OptionMeaning("columns", "survey weights: how many people each stands for"),
    "--reference-user": OptionMeaning("columns", "the person column of the reference"),
    "--release-user": OptionMeaning("columns", "the person column of the release"),
    "--log-linear": OptionMeaning(
        "pairs of columns", "columns that depend on each other, in a log-linear model"
    ),
    "--attacks": OptionMeaning("names", "some attacks by name"),
    "--domain": OptionMeaning("a domain", "a kind of use: its name, its columns, a filter"),
    "--importance": OptionMeaning("something for each column", "how much a column counts"),
    "--renamed": OptionMeaning("something for each column", "what the release calls columns"),
    "--types": OptionMeaning("something for each column", "of what kind values of a CSV file are"),
    "--granularity": OptionMeaning("something for each column", "how coarsely a column is known"),
    "--original": OptionMeaning("a table", "the table as it was before the release was made"),
    "--reference": OptionMeaning("a file that is read", "a table of everybody, with the same columns"),
    "--people-table": OptionMeaning("a file that is read", "a table of one row a person"),
    "--release-people-table": OptionMeaning("a file that is read", "such a table that goes with the release"),
    "--study": OptionMeaning("a file that is read", "a study file with the columns' roles"),
    "--costs": OptionMeaning("a file that is read", "what knowing a column costs an attacker"),
    "--hierarchies": OptionMeaning("a file that is read", "how columns become coarser: a folder or a file"),
    "--policy": OptionMeaning("a file that is read", "the rules of a release: a file, or one by its name"),
    "--recipe": OptionMeaning("a file that is read", "the steps by which a release is made, or was"),
    "--truth": OptionMeaning(
        "a map of people",
        "who is who, a secret: written by commands that make a release, read by those that look at one",
    ),
    "--out": OptionMeaning("a file that is written", "the command's result"),
    "--people-out": OptionMeaning("a file that is written", "a table of people that goes with the result"),
    "--record-risks": OptionMeaning(
        "a file that is written", "one line a record, with what was found about it"
    ),
    "--person-risks": OptionMeaning(
        "a file that is written", "one line a person, with what was found about them"
    ),
    "--diary": OptionMeaning("a file that is written", "what was done and reached"),
    "--html": OptionMeaning("a file that is written", "the report for the person who decides"),
    "--date": OptionMeaning("a day", "the day that stands on the report"),
    "--k": OptionMeaning("a number", "people or records that look alike, at least (k-anonymity)"),
    "--allow": OptionMeaning("a number", "so many people or fewer are too few"),
    "--size": OptionMeaning("a number", "sets of so many columns"),
    "--points": OptionMeaning("numbers", "how many records of a person somebody knows"),
    "--draws": OptionMeaning("a number", "how often something random is drawn"),
    "--seed": OptionMeaning("a number", "of the random draws: the same seed, the same result"),
    "--population": OptionMeaning("a number", "how many people there are in all"),
    "--sampled": OptionMeaning("a share from 0 to 1", "which share of all people is in the table"),
    "--missing": OptionMeaning("one of several words", "what a missing value does"),
    "--order": OptionMeaning("one of several words", "in which order records are written"),
    "--without-records": OptionMeaning("nothing", "people of the map whom a table lacks have no records"),
    "--all": OptionMeaning("nothing", "all there is, not only what matters most"),
    "--show-values": OptionMeaning("nothing", "raw values of the data may be shown or written"),
    "--json": OptionMeaning("nothing", "one JSON document instead of a page for people"),
    "--quiet": OptionMeaning("nothing", "no notes, no bar, no names of written files; errors stay"),
    "--verbose": OptionMeaning("nothing", "each step of the work is told as it begins"),
    "--force": OptionMeaning("nothing", "a file that people edit by hand may be replaced"),
    "--engine": OptionMeaning("one of several words", "which engine counts"),
    "--memory": OptionMeaning("an amount of memory", "most memory to use, such as 4GB"),
    "--threads": OptionMeaning("a number", "processor threads to use"),
    "--seconds": OptionMeaning("seconds", "how long something may take"),
    "--folder": OptionMeaning("a folder", "where the platform keeps its files"),
    "--database": OptionMeaning("an address", "where the platform keeps its tables"),
    "--delimiter": OptionMeaning("a text", "between the fields of a CSV file"),
    "--quote": OptionMeaning("a text", "around the fields of a CSV file"),
    "--encoding": OptionMeaning("a text", "of a CSV file"),
    "--header": OptionMeaning("yes or no", "whether a CSV file starts with names"),
    "--missing-text": OptionMeaning("a text", "texts of a CSV file that mean missing"),
}


class OldName(NamedTuple):
    """An option that has another name now; its value may be written another way too."""

    command: str
    name: str
    new: str
    value: Callable[[str], str] = str


def _from_percentages(text: str) -> str:
    """'25,50' as '0.25,0.5'; what is no number is left for the parser to refuse."""
    try:
        return ",".join(f"{float(each) / 100:.15g}" for each in text.replace("%", "").split(","))
    except ValueError:
        return text


def _in_megabytes(text: str) -> str:
    return f"{text}MB" if text.isdecimal() else text


OLD_NAMES = (
    OldName("assess", "--records", "--record-risks"),
    OldName("assess", "--people", "--person-risks"),
    OldName("assess", "--values", "--value-risks"),
    OldName("assess", "--sample", "--sample-values"),
    OldName("assess", "--sampling", "--sample-by"),
    OldName("assess", "--limit", "--attribute-risk"),
    OldName("assess", "--at-most", "--allow"),
    OldName("combinations", "--records", "--record-risks"),
    OldName("combinations", "--from", "--known-already"),
    OldName("combinations", "--share", "--share-at-risk"),
    OldName("entropy", "--known", "--points"),
    OldName("entropy", "--no-pairs", "--alone"),
    OldName("predict", "--records", "--record-counts"),
    OldName("predict", "--samples", "--draws"),
    OldName("predict", "--group", "--together"),
    OldName("attack", "--people", "--person-risks"),
    OldName("attack", "--guesses", "--guesses-out"),
    OldName("attack", "--shares", "--known-shares", _from_percentages),
    OldName("attack", "--weights", "--importance"),
    OldName("attack", "--pair", "--together"),
    OldName("compare", "--location", "--place"),
    OldName("check", "--pair", "--together"),
    # beside --place it goes on meaning another column
    OldName("check", "--location", "--location"),
    OldName("deidentify generalise", "--diverse", "--l-diversity"),
    OldName("deidentify generalise", "--close", "--t-closeness"),
    OldName("deidentify generalise", "--closeness", "--t-distance"),
    OldName("deidentify generalise", "--weights", "--importance"),
    OldName("deidentify generalise", "--keep", "--fixed"),
    OldName("deidentify suppress", "--keep", "--fixed"),
    OldName("deidentify dummies", "--bound", "--recognised"),
    OldName("deidentify dummies", "--dummies", "--dummies-out"),
    OldName("hierarchy", "--dates", "--date-parts"),
    OldName("metric", "--contest", "--contest-file"),
    OldName("serve", "--memory", "--memory", _in_megabytes),
    OldName("worker", "--memory", "--memory", _in_megabytes),
    OldName("metric", "--memory", "--memory", _in_megabytes),
)
UNITS: dict[Callable[[str], str], str] = {
    _from_percentages: ", of 1 and not of 100",
    _in_megabytes: " with a unit, such as 4000MB",
}
# where more than the name is to be said
ADVICE = {("check", "--location"): "--place, or location in the [data] of the policy"}


def new_words(command: str, words: Sequence[str]) -> list[str]:
    """The words of a command with options by their names of today; a note tells of each that had another.

    >>> new_words("combinations", ["shop.csv", "--known-already=date"])
    ['shop.csv', '--known-already=date']
    """
    old_names = {each.name: each for each in OLD_NAMES if each.command == command}
    changed = list(words)
    for index in range(words.index("--") if "--" in words else len(words)):
        name, equals, value = words[index].partition("=")
        if (old := old_names.get(name)) is None:
            continue
        if equals:
            changed[index] = f"{old.new}={old.value(value)}"
        else:
            changed[index : index + 2] = [old.new, *map(old.value, words[index + 1 : index + 2])]
        renamed = changed[index : index + 2] != [*words[index : index + 2]] or (command, name) in ADVICE
        if renamed and "--quiet" not in words:
            _tell(old)
    return changed


def _tell(old: OldName) -> None:
    new = ADVICE.get((old.command, old.name), old.new)
    units = UNITS.get(old.value, "")
    sys.stderr.write(f"note: {old.name} is now {new}{units}; the old way works until version {UNTIL}\n")
