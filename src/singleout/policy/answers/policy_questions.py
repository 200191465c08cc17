"""The rules of a policy beside a table: what each is asked of, and all that does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from singleout.engine.missing_values import Missing
from singleout.engine.session import CheckedQuestion
from singleout.errors import InputError, name_hint
from singleout.policy.answers.attacker_columns import AttackerColumns, known_columns_of
from singleout.policy.answers.job_answers import domains_of, parts_of
from singleout.policy.answers.population_answers import NO_REFERENCE, NO_SIZE, NO_WEIGHT, weight_of
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.applicable_rules import numbered_rules
from singleout.policy.check_settings import Inquiry
from singleout.policy.result import AssumedAttacker
from singleout.policy.rules.measure_paths import EVERY, Family, FoundMeasure, find_path
from singleout.policy.rules.policy import Policy
from singleout.policy.rules.rule import Rule, label
from singleout.roles.known_column import KnownColumn
from singleout.utility.information_loss import LOSS

# of the data by itself; the others are about the original's columns
OF_THE_DATA: tuple[Family, ...] = (
    "classes", "attribute", "set", "combinations", "record", "sensitive", "inference", "points",
    "prediction", "population", "reference", "weighted",
)  # fmt: skip
MATCHING_ALL: tuple[Family, ...] = ("classes", "attribute")
WITH_ORIGINAL: tuple[Family, ...] = ("attack", "utility")


def asked_rules(
    policy: Policy, inquiry: Inquiry, plan: CheckedQuestion, attackers: AttackerColumns
) -> tuple[RuleQuestion, ...]:
    """Every rule with what it is asked of; all that does not fit the table is told at once."""
    asked, faults = [], []
    for number, rule in numbered_rules(policy, inquiry):
        measure = find_path(rule.measure)
        assert measure  # the policy was read with all measures
        one = _Rule(rule, measure, inquiry, plan)
        if mistakes := [*one.mistakes()]:
            faults.append(f"{label(number, rule)}{'; '.join(mistakes)}")
            continue
        assumed = attackers.of(policy.attacker(rule.attacker)) if rule.attacker else None
        asked.append(
            RuleQuestion(number, rule, measure, one.columns(assumed), assumed, one.missing, one.sensitive)
        )
    if faults:
        raise InputError(f"{policy.called}: {'; '.join(faults)}")
    return tuple(asked)


@dataclass(frozen=True, eq=False)
class _Rule:
    rule: Rule
    found: FoundMeasure
    inquiry: Inquiry
    plan: CheckedQuestion

    @property
    def family(self) -> Family:
        return self.found.path.family

    @property
    def missing(self) -> Missing:
        """As the rule says, or the data, or else as the job has it by itself."""
        by_itself: Missing = "drop" if self.family == "domain" else "value"
        said: Missing = self.rule.missing or self.inquiry.missing or by_itself  # type: ignore[assignment]
        return said

    def columns(self, assumed: AssumedAttacker | None) -> tuple[KnownColumn, ...] | None:
        """What is known, or asked about; None for what a job takes by itself."""
        if assumed is not None:
            return self._known_columns(assumed)
        if self.family in OF_THE_DATA and self.family != "prediction":
            named = self.rule.columns or self.plan.columns
        else:
            given = self.rule.columns or self.inquiry.columns
            if given is None or self.family == "domain":
                return None
            named = given
        return tuple(KnownColumn(name) for name in dict.fromkeys(named) if name not in self.sensitive)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The column that the rule names, or all that are."""
        named = self.rule.parameters.get("sensitive")
        return () if named is None else self.inquiry.sensitive if named == EVERY else (named,)

    def _known_columns(self, assumed: AssumedAttacker) -> tuple[KnownColumn, ...]:
        known = known_columns_of(assumed)
        known = self.inquiry.shared_columns(known) if self.family in WITH_ORIGINAL else known
        scope, guarded = self.rule.columns, self.sensitive
        return tuple(
            each for each in known if (scope is None or each.name in scope) and each.name not in guarded
        )

    def mistakes(self) -> Iterator[str]:
        yield from self._unmet_needs()
        names = self.inquiry.names if self.family in OF_THE_DATA else self.inquiry.original_names
        if self.family not in WITH_ORIGINAL or self.inquiry.original is not None:
            for name in self._named_columns():
                if name not in names:
                    yield f"there is no column {name!r}; {name_hint(name, names)}"
                elif name in (self.inquiry.user, self.inquiry.original_user):
                    yield f"{name!r} is the user column; an attacker who knows it needs nothing else"
        if self.sensitive and {*(self.rule.columns or ())} == {*self.sensitive}:
            named = ", ".join(map(repr, self.sensitive))
            yield f"{named} is the sensitive column; let columns name others too"
        if self.missing == "wildcard" and self.family not in MATCHING_ALL:
            yield 'wildcard is for classes and attributes; say missing = "value" or "drop" here'
        if self.family == "domain" and self.inquiry.said.get("domains"):
            yield from self._domain_mistakes()

    def _unmet_needs(self) -> Iterator[str]:
        """What a measure needs, and nobody has said."""
        said = self.inquiry.said
        if self.family in WITH_ORIGINAL and self.inquiry.original is None:
            yield f"{self.rule.measure} compares with the original; name it by --original, or in [data]"
        if self.rule.parameters.get("sensitive") == EVERY and not self.sensitive:
            yield "no column was named as sensitive; name it by --sensitive, or in a study file"
        if self.found.path.measure is LOSS and said.get("hierarchies") is None:
            yield "loss needs hierarchies; name them by --hierarchies, or in [data]"
        if self.family == "population" and self.inquiry.population is None:
            yield NO_SIZE.format(self.rule.measure)
        if self.family == "reference" and said.get("reference") is None:
            yield NO_REFERENCE.format(self.rule.measure)
        if self.family == "weighted" and weight_of(self.inquiry) is None:
            yield NO_WEIGHT.format(self.rule.measure)
        if self.family == "domain" and not said.get("domains"):
            yield 'say what the domains are by --domain, or in [data] like domains = ["goods=item"]'

    def _named_columns(self) -> Iterator[str]:
        yield from self.rule.columns or ()
        yield from self.sensitive
        of_a_column = self.found.path.words.startswith("attribute.")
        if of_a_column and not self.found.every:
            name = self.found.plain_name
            single = self.found.is_quoted or name in self.inquiry.names
            yield from [name] if single else name.split("+")

    def _domain_mistakes(self) -> Iterator[str]:
        names = [each.name for each in domains_of(self.inquiry)]
        name = self.found.plain_name
        if self.found.every or name in names:
            return
        for each in sorted(parts_of(name)):
            if each not in names:
                yield f"there is no domain {each!r}; {name_hint(each, names)}"
        if len(parts_of(name)) > 3:
            yield f"{name!r} are more than three domains; name two or three"
