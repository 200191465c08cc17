"""The diary of a de-identification, read as the recipe that it followed."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.errors import InputError
from singleout.recipe.level_assignment import LevelAssignment
from singleout.roles.hierarchies.definition_file import KINDS, definition_of
from singleout.roles.hierarchies.hierarchy import Hierarchy, read_hierarchies
from singleout.roles.hierarchies.level_rules import MappedLevel, RawLevel, SuppressAll

Content = Mapping[str, Any]
Hierarchies = str | PathLike[str] | Mapping[str, Any]

GIVE_THEM = "give the hierarchies by --hierarchies, a folder or a file"
# what each level says of itself, and the one that can be told without a file
TOLD_BY_RULE = {RawLevel.words: "raw", SuppressAll.words: "suppress"}
EDITED = "is the diary of dummies that removed records too, which attacks do not know of; leave it out"


def is_diary(content: Any) -> bool:
    """Whether `deidentify apply`, `generalise`, `suppress` or `dummies` has written it.

    >>> is_diary({"recipe": {"step": []}, "steps": []}), is_diary({"step": []})
    (True, False)
    """
    return isinstance(content, Mapping) and (
        _is_of_apply(content)
        or _is_of_search(content)
        or _is_of_dummies(content)
        or _is_of_local_recoding(content)
    )


def _is_of_apply(content: Content) -> bool:
    return isinstance(content.get("recipe"), Mapping) and "steps" in content


def _is_of_search(content: Content) -> bool:
    return all(isinstance(content.get(name), kind) for name, kind in (("levels", dict), ("attributes", list)))


def _is_of_dummies(content: Content) -> bool:
    return content.get("command") == "deidentify dummies"


def _is_of_local_recoding(content: Content) -> bool:
    return isinstance(content.get("recoded"), Mapping)


def recipe_content(content: Content, path: str, hierarchies: Hierarchies | None) -> dict[str, Any]:
    """What the file of the recipe would hold.

    Of a search also what became of suppressed records, of dummies the column whose values were added.
    """
    try:
        if _is_of_local_recoding(content):
            found = _of_local_recoding(content, path, hierarchies)
        elif _is_of_dummies(content):
            found = _of_dummies(content, path)
        else:
            found = _of_apply(content) if _is_of_apply(content) else _of_search(content, path, hierarchies)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: is no whole diary; let deidentify write it again") from error
    return {name: value for name, value in found.items() if value is not None}


def _of_apply(content: Content) -> dict[str, Any]:
    recipe = content["recipe"]
    parts = {name: recipe[name] for name in ("seed", "columns", "step")}
    return {**parts, "user": content["user"]}


def _of_dummies(content: Content, path: str) -> dict[str, Any]:
    released = list(content["parameters"]["released"])
    if content["parameters"].get("edit", "add") != "add":
        raise InputError(f"{path}: {EDITED}")
    steps = list(content.get("step", ()))
    return {"user": content["user"], "columns": released, "step": steps, "dummies": str(content["item"])}


def _of_local_recoding(content: Content, path: str, hierarchies: Hierarchies | None) -> dict[str, Any]:
    """The levels of each record; a hierarchy that the diary does not tell has to be given."""
    recoded = dict(content["recoded"])
    entries = dict(recoded["hierarchies"])
    if hierarchies is not None:
        given = read_hierarchies(hierarchies, list(content["released_columns"]))[0]
        entries |= {
            name: hierarchy_entry(each, listed_values=True) for name, each in given.items() if name in entries
        }
    for name, entry in entries.items():
        if entry is None:
            raise InputError(f"{path}: does not tell the hierarchy of {name!r}; {GIVE_THEM}")
        if "file" in entry and not Path(entry["file"]).is_file():
            raise InputError(f"{path}: the hierarchy of {name!r} is not where it was; {GIVE_THEM}")
    assignment = LevelAssignment.from_dict(recoded | {"hierarchies": entries})
    drop = {"step": "suppress", "columns": list(content["counted"]), "what": "records", "missing": True}
    steps = [*([] if content["missing"] != "drop" else [drop]), *content.get("step", ())]
    columns = list(content["released_columns"])
    return {"user": content["user"], "columns": columns, "step": steps, "recoded": assignment}


def _of_search(content: Content, path: str, hierarchies: Hierarchies | None) -> dict[str, Any]:
    """The chosen level of each column; which records fail the goals, no step says."""
    entries = dict(content.get("hierarchies", {}))
    if hierarchies is not None:
        given = _given_hierarchies(content, hierarchies)
        entries |= {name: hierarchy_entry(each, listed_values=True) for name, each in given.items()}
    steps = [] if content["missing"] != "drop" else [_drop_step(content)]
    steps += [_generalise_step(each, entries.get(each["name"]), path) for each in content["attributes"]]
    released = [tuple(each["columns"]) for each in content["diary"] if each["step"] == "arrange"]
    suppressed = content.get("suppressed_as", "records") if content["suppressed"] else None
    columns = list(released[0]) if released else None
    return {"user": content["user"], "columns": columns, "step": steps, "suppressed": suppressed}


def _given_hierarchies(content: Content, hierarchies: Hierarchies) -> dict[str, Hierarchy]:
    names = [name for each in content["diary"] for name in each["columns"]]
    return read_hierarchies(hierarchies, list(dict.fromkeys([*content["levels"], *names])))[0]


def _drop_step(content: Content) -> dict[str, Any]:
    """Records with a missing value in a column that counts were not read."""
    counted = list(dict.fromkeys([*content["levels"], *content["diversity"], *content["closeness"]]))
    return {"step": "suppress", "columns": counted, "what": "records", "missing": True}


def _generalise_step(attribute: Content, entry: Content | None, path: str) -> dict[str, Any]:
    name, level = attribute["name"], attribute["level"]
    step = {"step": "generalise", "columns": [name]}
    if kind := TOLD_BY_RULE.get(attribute["rule"]):
        return {**step, "level": 0, "levels": [{"type": kind}]}
    if entry is None:
        raise InputError(f"{path}: does not tell the hierarchy of {name!r}; {GIVE_THEM}")
    if "file" in entry and not Path(entry["file"]).is_file():
        raise InputError(f"{path}: the hierarchy of {name!r} is not where it was; {GIVE_THEM}")
    return {**step, "level": level, **({"hierarchy": entry["file"]} if "file" in entry else entry)}


def hierarchy_entry(hierarchy: Hierarchy, listed_values: bool = False) -> dict[str, Any] | None:
    """A hierarchy as a diary tells it: its file, or its rules if they list no values of the data, else None.

    >>> hierarchy_entry(Hierarchy("age", (RawLevel(), SuppressAll())))
    {'levels': [{'type': 'raw'}, {'type': 'suppress'}]}
    """
    if hierarchy.path is not None:
        return {"file": hierarchy.path}
    definable = all(isinstance(rule, tuple(KINDS.values())) for rule in hierarchy.rules)
    lists_values = any(isinstance(rule, MappedLevel) for rule in hierarchy.rules)
    if not definable or (lists_values and not listed_values):
        return None
    return {"levels": [definition_of(rule) for rule in hierarchy.rules]}
