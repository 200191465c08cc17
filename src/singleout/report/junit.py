"""Verdicts as JUnit XML, which systems for continuous integration show as tests."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from singleout.errors import one_line, printable_text
from singleout.policy.result import Verdict
from singleout.policy.verdict.decision import Observation
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.report.wording import identifier_line
from singleout.version import VERSION

IDENTIFIERS = "no direct identifiers but those that the policy allows"


def junit(verdicts: Sequence[Verdict]) -> str:
    """One test suite a table, one test case a rule and one for identifiers; no times: they would differ."""
    root = ElementTree.Element("testsuites", _counts(verdicts))
    root.set("name", "singleout check")
    for each in verdicts:
        root.append(_suite(each))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(verdict: Verdict) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": _clean(verdict.source), **_counts([verdict])})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _facts(verdict):
        ElementTree.SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for each in verdict.rules:
        suite.append(_case(each, verdict))
    suite.append(_identifier_case(verdict))
    suite.extend(_observation_case(each, verdict) for each in verdict.observations)
    return suite


def _facts(verdict: Verdict) -> list[tuple[str, str]]:
    facts = [
        ("singleout", VERSION),
        ("policy", verdict.policy),
        ("engine", verdict.engine),
        ("seed", str(verdict.seed)),
        ("records", str(verdict.records)),
        ("people", str(verdict.people)),
    ]
    return facts + [(f"{each.what} sha256", each.sha256 or str(each.reason)) for each in verdict.inputs]


def _case(each: RuleVerdict, verdict: Verdict) -> ElementTree.Element:
    name = f"rule {each.number}: {each.rule.called} {each.rule.limit_words}"
    # GitLab shows the class in place of the suite, and of a failure its text alone
    case = ElementTree.Element("testcase", {"classname": _clean(verdict.source), "name": _clean(name)})
    if not each.passed:
        message = f"{each.rule.called}: {each.reason}"
        kind = "unknown" if each.answer.value is None else "limit"
        failure = ElementTree.SubElement(case, "failure", {"message": _clean(message), "type": kind})
        failure.text = "\n".join(map(_clean, _lines(each)))
    return case


def _identifier_case(verdict: Verdict) -> ElementTree.Element:
    """Whether a column names people, which no rule need ask about."""
    case = ElementTree.Element("testcase", {"classname": _clean(verdict.source), "name": IDENTIFIERS})
    if verdict.blocking:
        lines = [identifier_line(each) for each in verdict.blocking]
        message = _clean("; ".join(lines))
        failure = ElementTree.SubElement(case, "failure", {"message": message, "type": "identifiers"})
        failure.text = "\n".join(map(_clean, lines))
    return case


def _observation_case(each: Observation, verdict: Verdict) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"classname": _clean(verdict.source), "name": each.topic})
    kind = "limit" if each.forbids else "unknown"
    failure = ElementTree.SubElement(case, "failure", {"message": _clean(each.words), "type": kind})
    failure.text = _clean(each.words)
    return case


def _lines(each: RuleVerdict) -> list[str]:
    columns = f"of {', '.join(each.answer.columns)}" if each.answer.columns else ""
    attacker = f"to {each.rule.attacker}, who knows {each.answer.assumption}" if each.rule.attacker else ""
    why = f"wanted because {each.rule.reason}" if each.rule.reason else ""
    question = f"{each.measure.question} Counted over {each.measure.counted_over}."
    told = (f"{each.rule.measure}: {each.reason}", columns, attacker, why, question, each.missing_rule)
    return [line for line in told if line]


def _counts(verdicts: Sequence[Verdict]) -> dict[str, str]:
    tests = sum(len(each.rules) + 1 + len(each.observations) for each in verdicts)
    failures = sum(len(each.failed) + bool(each.blocking) + len(each.observations) for each in verdicts)
    return {"tests": str(tests), "failures": str(failures), "errors": "0", "skipped": "0"}


def _clean(text: str) -> str:
    """One line of characters that XML can hold: others as their escapes."""
    return printable_text(one_line(text))
