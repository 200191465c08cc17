"""A policy to start from: what `singleout check --write-policy` writes."""

FIRST_POLICY = """\
# What must hold before data may be released. Run it by
#   singleout check release.csv --policy policy.toml
# It ends with 0 if every rule passes, with 1 if one fails, with 2 if something is wrong with the input.
# These rules are examples: decide what your data needs, and say why in each `reason`.
#   singleout check --list-measures     tells everything that a rule can be about
#   singleout check --list-attackers    tells what each attacker knows, and why

# A column that names people, such as an e-mail address, fails the check whatever the rules are. Columns that
# only look so, or may be released all the same, are named here:
# allow_identifiers = ["receipt"]
# Nor does a column pass that is in the file and that no rule looked at, unless somebody answers for it:
# allow_unjudged = ["colour"]

# What the command line can say too, and goes before it. Files are looked for beside this one.
[data]
# user = "customer"            # the column that names the person; "none": each record is its own person
# columns = ["date", "goods"]  # what attackers may know; without it all columns but the user's
# study = "study.toml"         # what columns mean: singleout roles FILE --suggest --out study.toml
# original = "shop.csv"        # the table as it was, for rules about attacks and utility
# truth = "who.csv"            # who is who: CSV release_user,original_user
# item = "goods"               # what was bought or used; also: time, amount, place, category

# An attacker of your own, made from a preset or from columns.
# [attackers.postman]
# based_on = "neighbour"
# points = 5                   # records known of each person
# granularity = { time = "hour" }
# reason = "comes every day and sees what is delivered"

# In a history, where people have many records, people.k counts people instead of records.
[[rule]]
measure = "k"
at_least = 5
reason = "every record should have four others that look like it"

[[rule]]
measure = "unique_share"
equals = 0
reason = "no record may be the only one of its kind"

[[rule]]
name = "no attribute alone"
measure = "attribute.*.risk"
at_most = 0.05
reason = "one value of a record, learned by chance, should not give away the person"

# Of the attackers, points.* and attack.* take as many records as each knows; other measures take one.
[[rule]]
measure = "points.rate"
attacker = "neighbour"
at_most = 0.05
reason = "who sees people come and go should not find their records"

# With an original:
# [[rule]]
# measure = "attack.best.rate"     # of all attacks that have their columns; the reason tells which it lacks
# at_most = 0.15                   # attack.best.high is the upper end of its 95 % interval
#
# [[rule]]
# measure = "counts.median_error"  # what counting by some values is off by, half of the time
# at_most = 0.1
"""
