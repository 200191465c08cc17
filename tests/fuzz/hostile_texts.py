"""Texts that steer a terminal, end a quotation or open a tag; and marks of values that nobody may see."""

from __future__ import annotations

import re

# one of them is in each value of the fourth record and all later ones
TEXT_MARK, NUMBER_MARK, YEAR_MARK = "qzkv", "8642097", "2963"
VALUE = re.compile(rf"{TEXT_MARK}|{NUMBER_MARK}|(?<!\d){YEAR_MARK}[-/]\d\d[-/]")
# ends a script or an attribute wherever it is written unescaped
TAG = "</script><b fuzz>"
HOSTILE = (
    "a'b", 'a"b', "a`b", "a;b", "a,b", "a|b", "a\tb", "a\\b", "a\\", "'", '"', "''", '""',
    "'; DROP TABLE t; --", '"; SELECT 1; --', "x' OR 1=1 --", "$1", "%s", "%(a)s", ":a", "?", "@a", "$$",
    "E'\\n'", "{0}", "{a}", "{{a}}", "{", "}", "%d%n", "{0.__class__}", "[bold]x[/]", "[/]", "[red",
    "\\[x]", TAG, "<b>", "&amp;", "&", "javascript:1", "<!--", "]]>", "=1+1", "+1", "-1", "@SUM(A1)",
    "\x1b[31mred", "\x1b]0;t\x07", "a\rb", "a\x08b", "\x9b31m", "\u202eabc", "\u2066a\u2069", "\u200b",
    "\ufeffa", "e\u0301", "é", "名前", "ﬁ", "İ", "ß", "😀", "\U0010ffff", "\x7f", "\x01", "select", "rowid",
    "t", "row_number", "count(*)", "size", "k0", "null", "NULL", "None", "nan", "true", "*", "**", "0",
    "-0", "0.0", "1e5", "１", "0x10", " a", "a ", "  ", "a=b", "a+b", "a@b=c", "a::b", "#a", "--a", "-",
    "a" * 60, "index", "__index_level_0__", "user", "none", "column1", "records", "size;size", "a.b",
    "a/b", "../a", "~",
)  # fmt: skip
BOUNDARIES = (
    "", " ", "0", "1", "-1", "2", "3", "0.5", "1.0", "-0.0", "1e308", "-1e308", "1e309", "1e-320", "nan",
    "inf", "-inf", "0.1", "0.9999999999999999", "1.0000000000000002", "99", "2147483647", "2147483648",
    "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775809",
    "1" * 40, "1" * 5000, "1_0", "1,2", "1,", ",", ",,", "=", "a=", "=1", "a=1,a=1", "a=b=c", "0x1", "1e",
    "٣", "³", "½", "none", "None", "null", "all", "*", "\x1b[31m", "\u202e", "\udcff", "a" * 300, "a/b",
    "..", "/", "/dev/null", "/dev/full", "/proc/self/mem", ".", "--", "-", "--json", "yes", "no",
    "secret", "first 0", "first 1", "round 0", "month", "1 day", "5%", "0%", "4GB", "0GB", "1KB", "-1GB",
    "1e3GB", "2024-01-01", "2024-13-45", "0000-00-00", "9999-12-31", "utf-16", "base64", "idna", "\t",
    "\n", "\r\n", "''", '"', '"a', "é", "\0", "points_1", "worst_points_2", "best", "attack.*", "$(id)",
    "%s", "{0}",
)  # fmt: skip
