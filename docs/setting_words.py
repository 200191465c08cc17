"""What settings mean, in words; their names come from the code, and one without words stops the build."""

from __future__ import annotations

PLACES = {
    "csv": "a path; of several files make Parquet files first",
    "parquet": "a path, a folder, or a pattern such as `2024-*.parquet`: all its files, one below the other",
    "arrow": "a path or a pattern; files and streams",
    "json": "a path: an array of objects, or one object a line",
    "excel": "`people.xlsx`, or `people.xlsx::Sheet 2` where there are several sheets (extra `excel`)",
    "spss": "a path (extra `stats`)",
    "stata": "a path (extra `stats`)",
    "sas": "a path (extra `stats`)",
    "duckdb": "`sales.duckdb::purchases`",
    "sqlite": "`sales.sqlite::purchases`",
    "postgres": "`postgresql://reader@host/sales::shop.purchases`",
    "spark": "`spark::sales.purchases` in the running session; `sc://host:15002::sales.purchases` elsewhere",
    "frame": "Python only: a pandas, polars or pyarrow table, or anything else that speaks Arrow",
}
VALUES = {
    "text": "as it is written: `08:45` and `8:45` differ",
    "integer": "a whole number",
    "number": "a number: `1.5` and `1.50` are one",
    "boolean": "true or false",
    "date": "a day, as `2024-01-31`",
    "timestamp": "a day and a time, as `2024-01-31 08:45:00`",
}
STUDY_EXAMPLE = (
    "[columns]",
    'customer = "user"',
    'date = "time"',
    'goods = "item"',
    "",
    "[costs]",
    "goods = 2",
    "date = { month = 1, day = 3 }",
    "",
    "[renamed]",
    'goods = "article"',
)
STUDY_TABLES = {
    "columns": "the [role](#roles) of a column; one without a line is a quasi-identifier",
    "costs": "what it [costs](#costs) to learn a column, or each granularity of it",
    "renamed": "what a release calls the column, for `attack` and `compare`",
    "population": "how many people the table is a sample of: `size = 20000`, or `sampled = 0.1`",
}
COST_KEYS = {
    "attribute": "the column",
    "granularity": "how coarsely it is known; empty or `exact` is the exact value",
    "cost": "0 or more, as an exact decimal; a column that is not named costs 1",
}
GRANULARITIES = {
    "year": "of dates like 2024-01-31 or 2024/01/31 08:45: the year",
    "month": "the year and the month",
    "day": "the whole date",
    "hour": "also the hour; of times like 08:45, the hour alone",
    "minute": "up to the minute",
    "second": "up to the second",
    "first N": "the first N characters",
    "round X": "numbers, rounded down to a multiple of X (`attack` only)",
    "exact": "the value as it is",
}
TOLERANCES = {
    "second": "times so near, either way; also `15 seconds`",
    "minute": "likewise; also `30 minutes`",
    "hour": "likewise; also `2 hours`",
    "day": "likewise, of dates or times; also `3 days`",
    "5%": "numbers within so much of the known value",
    "0.5": "numbers no farther off than this",
}
LEVELS = {
    "raw": "itself",
    "interval": "the interval it lies in: from `origin` on, each `width` wide",
    "prefix": "its first `keep` characters",
    "map": "what `map` says, else `default`",
    "date": "its hour, day, month, quarter, year or decade",
    "suppress": "`*`",
}
RECIPE_KEYS = {
    "seed": "of all draws (default: 0; the option `--seed` goes first)",
    "user": "the column that names the person; `none`: each record is its own person",
    "columns": "what is released, in this order (default: all that are left)",
    "step": "`[[step]]`, once for each step, in their order",
}
STEP_KEYS = {
    "step": "its name",
    "table": '`"history"` (default), or `"people"`: the person table beside it',
}
EXIT_CODES = {
    0: "done; of `check`: every rule is kept",
    1: "of `check`: a rule is broken; of `protect`, `generalise` and `dummies`: the goal can't be reached; "
    "of `submit`: the file was refused; of `metric run`: the metric gave no value",
    2: "bad usage or bad input, told in one line",
    130: "interrupted; no file is left half-written",
}
ENVIRONMENT = {
    "COLUMNS": "how many characters wide the output is (default: the terminal's width)",
    "NO_COLOR": "set to anything: no colours",
    "NUMBA_CACHE_DIR": "where compiled loops are kept, if the installation can't be written to",
    "PGPASSWORD, PGPASSFILE, PGHOST …": "of PostgreSQL: what its address does not say, such as the password",
    "SPARK_HOME, SPARK_REMOTE …": "of Spark",
}
