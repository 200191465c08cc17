"""What an option needs to be answered on an ordinary table: a value that fits, and other options."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from tests.fuzz.backups import sound_backup
from tests.fuzz.command_options import BACKUP, Command
from tests.fuzz.table_files import csv_text
from tests.fuzz.tables import Table, ordinary_table

POLICY = """[[rule]]
measure = "k"
at_least = 1
[[rule]]
measure = "average_risk"
at_most = 1
"""
LEVELS = """{"attributes": {
 "goods": {"levels": [{"type": "raw"}, {"type": "prefix", "keep": 1}, {"type": "suppress"}]},
 "date": {"levels": [{"type": "raw"}, {"type": "date", "to": "year"}, {"type": "suppress"}]},
 "number": {"levels": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]},
 "illness": {"levels": [{"type": "raw"}, {"type": "suppress"}]}
}}"""
SWEEP = """data = "t.csv"
[measured]
user = "customer"
metrics = ["records_kept"]
attacks = []
[[release]]
[[release.step]]
step = "sample"
share = 0.5
"""
RECIPE = '[[step]]\nstep = "sample"\nshare = 0.5\n'
STUDY = '[columns]\ncustomer = "user"\nillness = "sensitive"\n'
AVFM = "column,value,frequency\ngoods,a,3\ngoods,b,2\ntown,x,4\ntown,y,1\n"
PAIRS = (
    "column,value,other_column,other_value,frequency\ngoods,a,town,x,3\ngoods,b,town,x,1\ngoods,b,town,y,1\n"
)
KNOWLEDGE = "column,value,on_column,on_value,confidence,frequency\ngoods,a,town,x,0.9,3\n"


def sound_table(draw: Random) -> Table:
    """An ordinary history, and of each person the same household and weight in all records."""
    table = ordinary_table(draw)
    people = {
        person: (f"h{draw.randrange(3)}", str(draw.randint(1, 9))) for person in table.cells("customer")
    }
    numbers = {table.names.index("price"), table.names.index("number")}
    rows = tuple(
        (
            *("1" if cell is None and place in numbers else cell for place, cell in enumerate(row)),
            *people[row[0]],
        )
        for row in table.rows
    )
    return Table((*table.names, "home", "weight"), (*table.kinds, "home", "weight"), rows)


def sound_files(table: Table) -> dict[str, bytes]:
    """The table, a part of it as its release, and all that an option may name."""
    release = replace(table, rows=table.rows[::2])
    people = list(dict.fromkeys(table.cells("customer")))
    released = list(dict.fromkeys(release.cells("customer")))
    texts = {
        "policy.toml": POLICY, "levels.json": LEVELS, "sweep.toml": SWEEP, "recipe.toml": RECIPE,
        "study.toml": STUDY, "avfm.csv": AVFM, "pairs.csv": PAIRS, "knowledge.csv": KNOWLEDGE,
        "costs.csv": "attribute,cost\ngoods,2\ntown,1\ndate,3\n", "sets.txt": "goods,town\n",
        "truth.csv": _csv([("release_user", "original_user"), *zip(released, released, strict=True)]),
        "people.csv": _csv([("customer", "age"), *((each, 20 + i % 3) for i, each in enumerate(people))]),
        "rpeople.csv": _csv([("customer", "age"), *((each, 20 + i % 3) for i, each in enumerate(released))]),
        "key": "so_0123456789abcdef",
    }  # fmt: skip
    tables = {"t.csv": table, "r.csv": release, "r2.csv": replace(table, rows=table.rows[1::2])}
    return {
        **{name: csv_text(each).encode() for name, each in tables.items()},
        **{name: text.encode() for name, text in texts.items()},
        BACKUP: sound_backup(),
    }


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


# by the option's name in the parser, for all commands or for one
SOUND: dict[str, str] = {
    "user": "customer", "release_user": "customer", "columns": "goods,town", "sensitive": "illness",
    "item": "goods", "amount": "price", "number": "number", "time": "date", "receipt": "town",
    "category": "town", "entry": "goods", "exit": "town", "routes": "goods,town", "place": "town",
    "location": "town", "groups": "age", "pair": "goods,town", "together": "goods,town",
    "household": "home", "weight": "weight", "domains": "bought=goods", "given": "bought=v1",
    "study": "study.toml", "policy": "policy.toml", "hierarchies": "levels.json", "costs": "costs.csv",
    "recipe": "recipe.toml", "truth": "truth.csv", "sets": "sets.txt", "knowledge": "knowledge.csv",
    "avfm": "avfm.csv", "pairs": "pairs.csv", "people_table": "people.csv",
    "release_people_table": "rpeople.csv", "original": "t.csv", "reference": "t.csv",
    "reference_user": "customer",
    "knowledge_from": "t.csv", "contained_in": "r.csv", "source": "t.csv",
    "delimiter": ",", "quote": '"', "encoding": "utf-8", "header": "yes", "types": "goods=text",
    "missing_text": "", "engine": "duckdb", "memory": "1GB", "threads": "1", "seed": "7",
    "date": "2026-11-18", "renamed": "goods=goods", "granularity": "date=month", "tolerance": "price=5%",
    "points": "1,2", "population": "500", "sampled": "0.1", "log_linear": "goods+town",
    "attacks": "jaccard,nearest", "weights": "goods=2", "shares": "0.5,1", "narrow": "1,5", "draws": "2",
    "metrics": "records_kept", "periods": "2024-06-01", "methods": "closed_form", "samples": "3",
    "add": "age=3", "drop": "goods", "records": "new-records.csv", "people": "new-people.csv",
    "values": "new-values.csv", "guesses": "new-guesses.csv", "html": "new.html", "plot": "new.svg",
    "out": "new-out.csv", "diary": "new-diary.json", "dummies": "new-dummies.csv",
    "people_out": "new-people.csv", "recipe_out": "new.recipe", "evidence": "new.json", "junit": "new.xml",
    "write_policy": "new.toml", "write_avfm": "new-avfm.csv", "write_pairs": "new-pairs.csv",
    "write_knowledge": "new-knowledge.csv", "averages": "new-averages.csv",
    "known": "goods", "start": "goods", "allow": "1", "size": "2", "synergy": "1", "largest": "3",
    "share": "0.5", "identify": "0.5", "resource": "2", "record": "1", "limit": "0.5", "sample": "5",
    "sample_sizes": "5,10", "confidence": "0.9", "k": "2", "suppress": "0.5", "average_risk": "0.9",
    "diverse": "2", "close": "0.9", "entropy_l": "1.1", "recursive_c": "9", "recursive_l": "2",
    "beta_basic": "9", "beta_enhanced": "9", "delta": "9", "delta_of_present": "9", "alpha": "0.9",
    "k_map": "2", "presence": "0,1", "levels": "goods=1", "alternatives": "2", "nodes": "50",
    "seconds": "1", "keep": "town", "keep_suppressed": "", "importance": "goods=2", "blank": "?",
    "clusters": "2", "smallest": "2", "bound": "0.5", "with_item": "town", "with_person": "illness",
    "tries": "1", "minutes": "0.05", "fixed": "town", "forbid": "round", "lose_people": "0.5",
    "lose_records": "0.5", "column": "goods", "prefixes": "1", "intervals": "5,10", "dates": "month,year",
    "origin": "1", "capacity": "100", "frequent": "0.5", "strong": "0.5", "likely": "0.5", "sure": "0.9",
    "token_file": "key", "server": "http://127.0.0.1:9", "contest": "demo", "wait": "0", "comment": "first",
    "folder": "platform", "target": "1", "host": "127.0.0.1", "port": "0", "names": "localhost",
    "workers": "0", "database": "sqlite:///own.db",
}  # fmt: skip
OF_COMMAND: dict[tuple[str, str], str] = {
    ("protect", "keep"): "records_kept=1",
    ("protect", "truth"): "new-truth.csv",
    ("deidentify apply", "truth"): "new-truth.csv",
    ("deidentify dummies", "truth"): "new-truth.csv",
    ("deidentify generalise", "columns"): "goods,number",
    ("deidentify generalise", "weights"): "goods=2",
    ("sample", "people"): "5",
    ("sample", "people_out"): "new-people.csv",
    ("predict", "records"): "5,10",
    ("assess", "together"): "goods,town",
    ("combinations", "allow"): "2",
    ("combinations", "columns"): "goods,town,date",
    ("entropy", "known"): "1,2",
    ("predict", "groups"): "goods,town",
    ("roles", "check"): "study.toml",
    ("submit", "guesses"): "truth.csv",
}
# without which a command does nothing, unless it is excluded by what is asked
BASE: dict[str, tuple[str, ...]] = {
    "combinations": ("user", "allow", "columns"), "entropy": ("user", "domains"), "check": ("user", "policy"),
    "protect": ("user", "policy", "out", "tries", "nearest"), "deidentify apply": ("user", "recipe", "out"),
    "deidentify dummies": ("user", "item", "clusters", "out"),
    "deidentify generalise": ("user", "hierarchies", "k", "columns"),
    "deidentify suppress": ("user", "k", "columns"),
    "hierarchy": ("column", "prefixes"), "roles": ("suggest",), "sweep": ("out",), "data": ("source",),
    "sample": ("people", "out"), "submit": ("server", "contest", "token_file"), "serve": ("folder",),
    "attack": ("user",), "assess": ("user",), "compare": ("user",), "describe": ("user",),
    "predict": ("user",),
}  # fmt: skip
# what an option is about
NEEDS: dict[str, tuple[str, ...]] = {
    "household": ("weight",), "log_linear": ("population",), "granularity": ("points",),
    "contained_in": ("sketch",), "portable": ("sketch",),
    "limit": ("html",), "periods": ("time",), "attacks": ("item",),
    "draw_numbers": ("number",), "people_out": ("people_table",),
    "force": ("write_policy", "recipe_out", "out"),
    "k_map": ("reference",), "presence": ("reference",), "reference_user": ("reference",),
    "keep_suppressed": ("out", "suppress"), "diary": ("out",), "order": ("out",), "dummies": ("out",),
    "share": ("criterion",), "maximal": ("resource",), "prune": ("all",), "all": ("out",),
    "origin": ("intervals",),
    "pairs": ("avfm",), "write_knowledge": ("show_values",), "target": ("guesses",), "guesses": ("target",),
    "average_risk": ("suppress",), "recursive_l": ("recursive_c",), "closeness": ("close",),
    **dict.fromkeys(
        ("diverse", "close", "entropy_l", "recursive_c", "beta_basic", "beta_enhanced", "delta",
         "delta_of_present", "alpha"),
        ("sensitive",),
    ),
}  # fmt: skip
NEEDS_OF: dict[tuple[str, str], tuple[str, ...]] = {
    ("assess", "hierarchies"): ("sensitive",),
    ("assess", "points"): ("population",),
    ("assess", "granularity"): ("points",),
    ("assess", "allow"): ("sketch",),
    ("assess", "costs"): ("html",),
    ("assess", "show_values"): ("records",),
    ("attack", "granularity"): (),
    ("attack", "guesses"): (),
    ("attack", "reference_user"): (),
    ("combinations", "sampled"): ("records",),
    ("combinations", "weight"): ("records",),
    ("combinations", "points"): ("resource",),
    ("combinations", "out"): ("all",),
    ("compare", "groups"): ("people_table", "release_people_table"),
    ("compare", "people_table"): ("groups", "release_people_table"),
    ("compare", "release_people_table"): ("groups", "people_table"),
    ("check", "groups"): ("people_table", "release_people_table"),
    ("check", "diary"): (),
    ("deidentify dummies", "people_table"): ("people_out",),
    ("deidentify generalise", "reference"): ("k_map",),
    ("deidentify generalise", "sampled"): ("k_map",),
    ("deidentify generalise", "keep"): ("out",),
    ("predict", "write_avfm"): (),
    ("roles", "force"): ("out",),
    ("protect", "force"): ("recipe_out",),
    ("entropy", "pairs"): (),
}


def sound_words(command: Command, pair: Sequence[argparse.Action]) -> list[str]:
    """A call with these options, and with what they need."""
    known = {each.dest: each for each in command.options}
    wanted = [each.dest for each in pair]
    shut = _excluded(command, wanted)
    for name in (*BASE.get(command.name, ()), *(each.dest for each in command.options if each.required)):
        if name in known and name not in shut:
            wanted.append(name)
    for name in wanted:
        shut |= _excluded(command, [name])
        needed = NEEDS_OF.get((command.name, name), NEEDS.get(name, ()))
        wanted += [each for each in needed if each in known and each not in {*wanted, *shut}]
    names = list(dict.fromkeys(wanted))
    words = [*command.words, *_positionals(command, names)]
    for name in names:
        words += _option(command, known[name], names)
    return words


def _excluded(command: Command, names: Sequence[str]) -> set[str]:
    groups = [{each.dest for each in group} for group in command.exclusive]
    beside = {each for group in groups for each in group if group & {*names}}
    return (beside | {each for name in names for each in EXCLUDES.get((command.name, name), ())}) - {*names}


def _positionals(command: Command, names: Sequence[str]) -> list[str]:
    if command.name in POSITIONALS:
        return list(POSITIONALS[command.name])
    if {*names} & {*NO_TABLE}:
        return []
    if "plot" in names:  # of several releases
        return ["t.csv", "r.csv", "r2.csv"]
    given = {"release": "r.csv", "releases": "r.csv"}
    without = {"release"} if "periods" in names else set()
    return [given.get(each.dest, "t.csv") for each in command.positionals if each.dest not in without]


def _option(command: Command, option: argparse.Action, names: Sequence[str]) -> list[str]:
    word = option.option_strings[-1]
    if option.nargs == 0:
        return [word]
    for other in names:
        if (other, option.dest) in BESIDE:
            return [word, BESIDE[other, option.dest]]
    if (command.name, option.dest) in OF_COMMAND:
        return [word, OF_COMMAND[command.name, option.dest]]
    value = str(next(iter(option.choices))) if option.choices else SOUND.get(option.dest, "1")
    return [word, value]


POSITIONALS: dict[str, tuple[str, ...]] = {
    "sample": ("card",), "sweep": ("sweep.toml",), "doctor": (), "serve": ("restore", BACKUP),
    "data": ("t1",), "completion": ("bash",), "help": ("assess",),
}  # fmt: skip
# where the question is not about a table
NO_TABLE = ("avfm", "list_attackers", "list_measures", "list_policies", "write_policy")
EXCLUDES: dict[tuple[str, str], tuple[str, ...]] = {
    ("predict", "avfm"): ("user",),
    ("predict", "pairs"): ("user",),
    ("deidentify dummies", "bound"): ("clusters",),
    ("deidentify dummies", "smallest"): ("clusters",),
    ("deidentify generalise", "sampled"): ("reference",),
    ("hierarchy", "origin"): ("prefixes", "dates"),
}
# values that fit beside others
BESIDE: dict[tuple[str, str], str] = {
    ("log_linear", "user"): "none",
    ("share", "criterion"): "share",
    ("write_policy", "policy"): "public",
    ("intervals", "column"): "number",
    ("dates", "column"): "date",
}
