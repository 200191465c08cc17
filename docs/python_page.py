"""The page of every public name of the Python package."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, is_typeddict

from page_pieces import block, docstring, link, table

import singleout

ABOUT = """\
`import singleout` loads nothing heavy: the names below load on first use. `data` may be a path, a database
address with `::table`, or anything that speaks Arrow, such as a pandas, polars or pyarrow table. Every error
is a `SingleoutError` with one line that says what would be right."""
WIDTH = 96


def python_page() -> str:
    functions = [name for name in singleout.__all__ if inspect.isfunction(getattr(singleout, name))]
    classes = [name for name in singleout.__all__ if inspect.isclass(getattr(singleout, name))]
    choices = [name for name in singleout.__all__ if name not in (*functions, *classes)]
    lines = ["# Python", "", ABOUT, ""]
    for title, names in (
        ("Functions", functions), ("Results and other classes", classes), ("Choices", choices)
    ):  # fmt: skip
        lines += [f"## {title}", "", *table(["name", "what it is"], [_listed(name) for name in names])]
        for name in names:
            lines += [f"### {_heading(name)}", "", *_shown(name, getattr(singleout, name))]
    return "\n".join(lines)


def _heading(name: str) -> str:
    return f"singleout.{name}"


def _listed(name: str) -> list[str]:
    about = _about(name)
    return [link(f"`{name}`", _heading(name)), " ".join(about[: about.index("")])]


def _shown(name: str, thing: Any) -> list[str]:
    if inspect.isfunction(thing):
        return [*block("text", _call(name, thing)), *docstring(thing)]
    return [*_about(name), *(_members(thing) if inspect.isclass(thing) else [])]


def _about(name: str) -> list[str]:
    """What a name's docstring says; a choice of texts has none, and tells them and what they are for."""
    thing = getattr(singleout, name)
    if get_origin(thing) is not Literal:
        return docstring(thing)
    texts = ", ".join(f'`"{each}"`' for each in get_args(thing))
    return [f"What `{'`, `'.join(_uses(name))}` can be: {texts}.", ""]


def _uses(name: str) -> list[str]:
    """The parameters and fields that are of a type, each name once."""
    written = [pair for public in singleout.__all__ for pair in _annotations(getattr(singleout, public))]
    return [*dict.fromkeys(part for part, kind in written if re.search(rf"\b{name}\b", kind))]


def _annotations(thing: Any) -> list[tuple[str, str]]:
    if inspect.isfunction(thing):
        return [(each.name, str(each.annotation)) for each in inspect.signature(thing).parameters.values()]
    return [(each.name, str(each.type)) for each in fields(thing)] if is_dataclass(thing) else []


def _members(thing: type) -> list[str]:
    """What an object of the class has: its fields, then what can be asked of it."""
    held = [[f"`{each.name}`", f"`{each.type}`"] for each in fields(thing)] if is_dataclass(thing) else []
    if is_typeddict(thing):
        held = [[f"`{name}`", f"`{each.__forward_arg__}`"] for name, each in thing.__annotations__.items()]
    public = [(name, each) for name, each in vars(thing).items() if _is_public(name, each)]
    asked = [[f"`{_asked(name, each)}`", _first(each)] for name, each in public]
    lines = table(["field", "type"], held) if held else []
    return lines + (table(["ask", "for"], asked) if asked else [])


def _is_public(name: str, member: object) -> bool:
    return not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))


def _asked(name: str, member: object) -> str:
    return f"{name}{_signature(member)}" if inspect.isfunction(member) else name


def _first(member: object) -> str:
    return (inspect.cleandoc(member.__doc__ or "").split("\n\n")[0]).replace("\n", " ")


def _call(name: str, function: Any) -> str:
    indent = " " * (len(name) + 1)
    return "\n".join(textwrap.wrap(f"{name}{_signature(function)}", WIDTH, subsequent_indent=indent))


def _signature(function: Any) -> str:
    shown = []
    starred = False
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.KEYWORD_ONLY and not starred:
            shown.append("*")
        starred = starred or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        shown.append(_parameter(each))
    return "(" + ", ".join(each for each in shown if each != "self") + ")"


def _parameter(each: inspect.Parameter) -> str:
    stars = "**" if each.kind is each.VAR_KEYWORD else "*" if each.kind is each.VAR_POSITIONAL else ""
    default = getattr(each.default, "__name__", repr(each.default))
    return f"{stars}{each.name}" + ("" if each.default is each.empty else f"={default}")
