"""What the keys of a policy mean; their names come from the code, and one without words stops the build."""

from __future__ import annotations

EXAMPLE = (
    "[data]",
    'user = "customer"',
    'columns = ["date", "goods"]',
    "",
    "[[rule]]",
    'measure = "k"',
    "at_least = 5",
    'reason = "nobody stands alone"',
)
PART_WORDS = {
    "allow_identifiers": "columns that may be released though they look like [direct "
    "identifiers](../how-to/direct-identifiers.md), as a list at the top of the file: "
    '`allow_identifiers = ["receipt"]`',
    "allow_unjudged": "columns that may be released though no rule looked at them, as somebody answers for "
    'them: `allow_unjudged = ["colour"]`; without it such a column is unknown, and does not pass; '
    '"other contents" are what the file holds beside the table, such as other sheets, labels or notes',
    "data": "what the columns of the table mean, and which files stand beside it",
    "attackers": "attackers of your own",
    "rule": "`[[rule]]`, once for each demand",
}
KINDS = {
    "text": "a text",
    "names": "a list of texts",
    "text or names": "a text or a list of texts",
    "missing": "`value`, `drop` or `wildcard`",
    "renaming": "a table of old and new names",
    "flag": "true or false",
    "few": "a whole number from 1 to 1,000",
    "count": "a whole number, 1 or more",
    "whole": "a whole number",
    "share": "above 0, at most 1",
    "positive": "a number above 0",
    "limit": "a number",
    "when": "`history`, `one record a person`, `sensitive` or `original`",
}
FAMILIES = {
    "classes": "classes",
    "attribute": "one attribute",
    "set": "one set of attributes",
    "combinations": "all combinations",
    "record": "single records",
    "sensitive": "sensitive columns",
    "inference": "sensitive values that are guessed",
    "domain": "domains",
    "prediction": "predictions",
    "attack": "attacks",
    "points": "known records",
    "utility": "the use that is left",
    "population": "the population",
    "reference": "a table of everybody",
    "weighted": "survey weights",
}
ONE_RECORD = "An attacker knows one record here."
# where more records are known, or no attacker is asked about
RECORDS = {
    "attack": "An attacker knows a share of each person's records; in `points_N` and `worst_points_N`, N of "
    "them; `best` takes both. What an attack could not look at is told in the rule's reason, and one that "
    "could only guess is unknown.",
    "points": "An attacker knows some records of each person. Beside an original, the worst is told of all "
    "columns together and of each alone, for an attacker may ignore what was changed.",
    "inference": "An attacker knows all records of each person, but for the sensitive column, and of other "
    "people also that. What is estimated counts by the end of its interval that is on the safe side.",
    "domain": "",
    "prediction": "",
    "utility": "",
    "population": "An attacker knows one record here, and does not know who was sampled. Of the models "
    "that held in their back-test, the end of all intervals counts that is on the safe side; where none did, "
    "it is unknown.",
    "reference": "An attacker knows one record here, and does not know who was sampled.",
    "weighted": "An attacker knows one record here, and does not know who was sampled.",
}
RULE_WORDS = {
    "measure": "what is measured, such as `k`",
    "at_least": "the measure must not be lower",
    "at_most": "it must not be higher",
    "equals": "it must be exactly this",
    "columns": "of these columns only",
    "attacker": "what an [attacker](#attackers) knows; each measure below says of how many records",
    "name": "what the rule is called in results (default: its measure)",
    "reason": "why you want it; repeated in results",
    "source": "where the limit is from; repeated in results",
    "when": "asked of such tables only; of others the rule is told as not asked",
    "missing": "what a missing value does here",
    "points": "of known records: how many are known",
    "worst": "of known records: the most telling ones, not random ones",
    "narrow": "of known records: how few candidates count as found",
    "draws": "of known records: how often they are drawn",
    "share": "of attacks: the share of each person's records that is known",
    "allow": "of sets: classes of at most so many people are at risk",
    "synergy": "of combinations: how many times riskier than their parts",
    "sampled": "of DIS-SUDA: the share of the population that the data is",
    "sensitive": "of sensitive columns and inference: the column; `*`: the worst of all",
    "l": "of (c,l)-diversity: the l that c is for",
    "known": "of domains: how many records are known",
    "times": "of rare values: seen at most so often",
}
DATA_WORDS = {
    "user": "the column that names the person; `none`: each record is its own person",
    "columns": "what an attacker may know",
    "study": "a study file",
    "sensitive": "what must not be learned about people; `none`: there is no such column",
    "missing": "what a missing value does",
    "original": "the table that the checked one is a release of",
    "truth": "who is who: CSV release_user,original_user",
    "release_user": "the user column of the release",
    "renamed": "what the release calls columns",
    "without_records": "people of the map whom a table lacks have no records",
    "item": "what was bought or used",
    "time": "dates or times",
    "amount": "a price, a fare",
    "place": "places passed",
    "category": "the kind of a record",
    "pair": "columns that belong together",
    "number": "how many were bought at that price",
    "receipt": "what was bought at once",
    "entry": "where a journey began",
    "exit": "where it ended",
    "routes": "lines of a journey's beginning and end",
    "location": "where a record was made",
    "groups": "what people are, such as sex",
    "people_table": "a table of one row a person",
    "release_people_table": "the same of the release",
    "recipe": "the recipe by which the data was made, or its diary: attacks replay it",
    "hierarchies": "of generalised columns, for their loss; of sensitive ones, for t-closeness",
    "domains": "kinds of use, as `singleout entropy --domain` takes them",
    "seed": "of the random draws",
    "population": "how many people the data is a sample of",
    "sampled": "or the share of them that it is",
    "reference": "a table of all of them",
    "reference_user": "the column that names the person there",
    "weight": "survey weights: how many people each stands for",
    "household": "who lives together, for the risk by weights",
}
ATTACKER_KEYS = {
    "based_on": "one of the attackers above; the other keys change it",
    "title": "what the attacker is called in results",
    "knows": "what is known, in a sentence",
    "reason": "why that is plausible",
    "roles": "the roles of the columns that are known",
    "columns": "or their names",
    "points": 'how many random records of each person are known, where a few are looked for; or `"all"`',
    "granularity": 'how coarsely, by column or role: `{ time = "day" }`',
    "share": "which share of the records is known, where whole people are compared",
}
