"""What must never come of an input, whatever it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from singleout.policy.release_conditions import TABLE_ALONE
from tests.fuzz.case import Case
from tests.fuzz.hostile_texts import TAG, VALUE
from tests.fuzz.readers import ADDRESS
from tests.fuzz.run import Outcome

# a release, its secrets and lists of people hold values of the data; all else does only if asked
HOLD_VALUES = (
    *(
        "--out",
        "--truth",
        "--dummies-out",
        "--person-risks",
        "--people-out",
        "--record-risks",
        "--guesses-out",
    ),
)
# commands that judge: 1 is their verdict, and so is a goal of `deidentify` that can't be reached
VERDICTS = ("check", "deidentify generalise", "deidentify dummies", "protect")
NOTES = re.compile(r"((note|warning): .*\n( .*\n)*)*")
# where the table is, and what follows from the way it is stored
OF_THE_PLACE = (
    "file",
    "data",
    "source",
    "engine",
    "remarks",
    "table",
    "place",
    "original",
    "memory",
    "types",
    "type",
)
# of a database, that its table is released and not its file
OF_THE_FILE = TABLE_ALONE.partition("{}")[0]
# the interval of a hierarchy that most records fall into: its bounds are the hierarchy's
COARSE = re.compile(r"\[[-0-9.]+,|[-0-9.]+\)|\b[0-9.]+-[0-9.]+\b")


@dataclass(frozen=True)
class Finding:
    """What is wrong; those of one `kind` and `place` are told as one."""

    kind: str
    place: str
    detail: str = ""


def findings(case: Case, outcomes: tuple[Outcome, ...]) -> list[Finding]:
    found = [each for outcome in outcomes for each in _of_one(case, outcome)]
    if len(outcomes) > 1:
        found += _differences(case, *outcomes)
    return found


def _of_one(case: Case, outcome: Outcome) -> Iterator[Finding]:
    command = _command(case)
    if outcome.fault:
        yield Finding("traceback", outcome.fault.partition(": ")[0], outcome.fault)
        return
    if outcome.code not in (0, 1, 2):
        yield Finding("exit code", command, str(outcome.code))
    if outcome.code == 1 and command not in VERDICTS:
        yield Finding("exit 1 is no verdict", command, outcome.err)
    yield from _of_streams(case, outcome, command)
    yield from _of_files(case, outcome, command)
    if case.secret and "--show-values" not in case.words:
        yield from _values(case, outcome, command)


def _command(case: Case) -> str:
    return " ".join(case.words[:2]) if case.words[0] == "deidentify" else case.words[0]


def _of_streams(case: Case, outcome: Outcome, command: str) -> Iterator[Finding]:
    *notes, last = outcome.err.splitlines(keepends=True) or [""]
    failed = last.startswith("error: ")
    if outcome.code == 2 and not (failed and last.endswith("\n")):
        yield Finding("no line of error", command, outcome.err)
    rest = "".join(notes) if failed else outcome.err
    if not case.frame and not NOTES.fullmatch(rest):
        yield Finding("other words on standard error", command, rest)
    if outcome.code == 2 and outcome.out:
        yield Finding("output beside an error", command, outcome.out)
    if "a mistake of singleout itself" in outcome.err:
        yield Finding("own mistake", command, outcome.err)
    if "failed to import" in outcome.err:
        yield Finding("a package is lacking", command, outcome.err)
    if "not enough memory" in outcome.err and "--memory" not in case.words:
        yield Finding("memory", command, outcome.err)
    as_json = "--json" in case.words and not failed
    shown = outcome.err if as_json else outcome.out + outcome.err
    if odd := [each for each in shown if not (each.isprintable() or each == "\n")]:
        yield Finding("steers the terminal", command, ascii("".join(odd)))
    if as_json and "--help" not in case.words and not _is_json(outcome.out):
        yield Finding("no JSON", command, outcome.out[:500])


def _is_json(text: str) -> bool:
    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


def _of_files(case: Case, outcome: Outcome, command: str) -> Iterator[Finding]:
    if outcome.leftovers:
        yield Finding("leftover", command, str(outcome.leftovers))
    new = [name for name in outcome.files if name not in case.files]
    if outcome.code == 2 and new:
        yield Finding("a file beside an error", command, str(new))
    if half := [name for name in new if name.endswith((".part", ".unfinished"))]:
        yield Finding("half a file", command, str(half))
    words = " ".join(case.words)
    for name, data in case.files.items():
        if outcome.files.get(name) != data and not (name in words and _writes(case, name)):
            yield Finding("changed input", command, name)
    for name in new:
        if name.endswith((".html", ".svg")) and TAG.encode() in outcome.files[name]:
            yield Finding("a tag of the data", command, name)


def _writes(case: Case, name: str) -> bool:
    """Whether an option asks to write there; the data itself is never written to."""
    return any(word == name for word in case.words[2:])


def _values(case: Case, outcome: Outcome, command: str) -> Iterator[Finding]:
    # what is typed may be told, but for passwords
    typed = "" if case.words[0] == ADDRESS else " ".join(case.words)
    texts = {"standard output": outcome.out, "standard error": outcome.err}
    if command == "hierarchy":
        del texts["standard output"]  # coarser values are what was asked for
    open_files = _allowed(case)
    for name, data in outcome.files.items():
        if name not in case.files and name not in open_files:
            texts[f"*{name[name.rfind('.') :]}" if "." in name else "a file"] = data.decode(
                "utf-8", "replace"
            )
    if command == "deidentify generalise":
        texts = {place: COARSE.sub("", text) for place, text in texts.items()}
    for place, text in texts.items():
        if (leak := VALUE.search(text)) and leak[0] not in typed:
            around = text[max(leak.start() - 80, 0) : leak.end() + 40]
            yield Finding("a value of the data", f"{command}, {place}", around)


def _allowed(case: Case) -> list[str]:
    if case.frame:
        return ["new-out.csv"]
    if case.words[0] == "sweep":
        return []  # a table of measures
    words = [
        part for word in case.words for part in (word.split("=", 1) if word.startswith("--") else [word])
    ]
    return [words[index + 1] for index, word in enumerate(words[:-1]) if word in HOLD_VALUES]


def _differences(case: Case, one: Outcome, other: Outcome) -> Iterator[Finding]:
    places = f"{case.words[0]}: {case.words[1].rpartition('.')[2]} and {case.equal_to[1].rpartition('.')[2]}"
    if one.code != other.code:
        yield Finding("differs", places, f"{one.code} and {other.code}: {one.err}{other.err}")
        return
    if one.code == 0 and (told := _difference(_answer(one.out), _answer(other.out))):
        yield Finding("differs", places, told)


def _answer(text: str) -> Any:
    return _without(json.loads(text))


def _without(content: Any) -> Any:
    if isinstance(content, dict):
        kept = {key: _without(each) for key, each in content.items() if key not in OF_THE_PLACE}
        if kept.get("answer") == "conditions" and not kept.get("conditions"):
            kept["answer"] = "no_objection"
        return kept
    if isinstance(content, list):
        return [_without(each) for each in content if not str(each).startswith(OF_THE_FILE)]
    return content


def _difference(one: Any, other: Any, path: str = "") -> str:
    """The first place where they differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next((told for key in one if (told := _difference(one[key], other[key], f"{path}.{key}"))), "")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next((told for index, (a, b) in pairs if (told := _difference(a, b, f"{path}[{index}]"))), "")
    return "" if one == other else f"{path}: {one!r} and {other!r}"
