"""Nobody breaks out of the sandbox: each attempt succeeds outside of it, and none within."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import singleout
from singleout.platform.sandbox.break_outs import ATTEMPTS
from singleout.platform.sandbox.confinement import Confinement, Wall
from singleout.platform.sandbox.r_program import r_home
from singleout.platform.sandbox.wall_check import check_wall, check_walls, exposed
from tests.support.sandbox_walls import (
    attempts_outside,
    is_whole_root,
    r_or_skip,
    run,
    wall_or_skip,
)

# what Landlock without another identity leaves: the tests may run as root, and then it stays root
ROOT_STAYS = {"be_root"}


def test_each_attempt_succeeds_where_there_is_no_sandbox(tmp_path: Path) -> None:
    wall_or_skip()
    possible, succeeded = attempts_outside(tmp_path)
    assert len(ATTEMPTS) >= 60
    assert [name for name in possible if name not in succeeded] == []


@pytest.mark.parametrize("wall", ["bubblewrap", "landlock"])
def test_no_attempt_succeeds_behind_a_wall(wall: Wall) -> None:
    check = check_wall(wall_or_skip(wall))
    assert check.tried == len(ATTEMPTS)
    if wall == "landlock" and is_whole_root():
        assert set(check.escaped) <= ROOT_STAYS
    else:
        assert (check.wall, check.escaped) == (wall, ())


def test_a_sandbox_with_a_hole_is_refused() -> None:
    """The wall that is none lets nearly all of them through, and is found out."""
    wall_or_skip()
    check = check_wall(Confinement("none", as_root=False))
    assert check.wall is None and "read_a_file" in check.escaped and "does not hold" in check.says


def test_a_machine_without_walls_says_so() -> None:
    check = check_walls(())
    assert (check.wall, check.confinement) == (None, None)
    assert check.says.startswith("no uploaded metric runs here")


@pytest.mark.parametrize("shown", [sys.prefix, "/usr/share", str(Path(singleout.__file__).parent)])
def test_a_platform_that_metrics_could_read_runs_none(shown: str, tmp_path: Path) -> None:
    """As in a folder of Python's own environment, or of the system."""
    check = exposed([tmp_path, Path(shown) / "data"])
    assert check is not None and check.confinement is None
    assert "data lies in " in check.says and "keep it elsewhere" in check.says
    assert exposed([tmp_path]) is None


SQL_BREAK_OUTS = (
    "COPY (SELECT 1) TO '{folder}/written.csv'",
    "COPY (SELECT 1) TO '{folder}/written.parquet' (FORMAT parquet)",
    "EXPORT DATABASE '{folder}/all'",
    "ATTACH '{folder}/new.duckdb' AS other",
    "SELECT * FROM read_csv('{folder}/file.csv')",
    "SELECT * FROM '{folder}/file.csv'",
    "SELECT * FROM read_text('{folder}/file.csv')",
    "SELECT * FROM read_blob('{folder}/file.csv')",
    "SELECT * FROM read_json('{folder}/file.json')",
    "SELECT * FROM read_csv_auto('{folder}/*.csv')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM sniff_csv('{folder}/file.csv')",
    "CREATE TABLE other AS FROM read_csv('{folder}/file.csv')",
    "COPY original FROM '{folder}/file.csv'",
    "IMPORT DATABASE '{folder}/imported'",
    "SET temp_directory = '{folder}'",
    "SET memory_limit = '100GB'",
    "SET threads = 64",
    "SET extension_directory = '{folder}'",
    "SET secret_directory = '{folder}'",
    "SET home_directory = '{folder}'",
    "SET log_query_path = '{folder}/log'",
    "PRAGMA enable_profiling",
    "SET profiling_output = '{folder}/profile.txt'",
    "CREATE PERSISTENT SECRET stolen (TYPE http, BEARER_TOKEN 'x')",
    "SELECT * FROM outer_table",
    "CALL pragma_version(); COPY (SELECT 1) TO '{folder}/second.csv'",
)
# these need a network, an extension or the shell of DuckDB: outside they can't be shown to succeed here
SQL_WITHOUT_CONTROL = (
    "SELECT getenv('HOME')",
    "SET enable_external_access = true",
    "SET allow_community_extensions = true",
    "INSTALL httpfs",
    "LOAD httpfs",
    "INSTALL spatial FROM community",
    "LOAD '{folder}/own.duckdb_extension'",
    "SELECT * FROM read_csv('https://example.org/x.csv')",
    "SELECT * FROM 's3://bucket/x.parquet'",
    "ATTACH 'postgresql://localhost/x' AS p (TYPE postgres)",
)


def _files(folder: Path) -> None:
    (folder / "file.csv").write_text("a\n1\n")
    (folder / "file.json").write_text('[{"a": 1}]')
    (folder / "imported").mkdir()
    for name in ("schema", "load"):
        (folder / "imported" / f"{name}.sql").write_text("")


@pytest.mark.parametrize("statement", SQL_BREAK_OUTS)
def test_each_statement_succeeds_in_an_open_duckdb(statement: str, tmp_path: Path) -> None:
    _files(tmp_path)
    connection = duckdb.connect(":memory:")
    for setting in ("home_directory", "secret_directory"):
        connection.execute(f"SET {setting} = '{tmp_path}'")
    connection.execute("CREATE TABLE original (a INTEGER)")
    outer_table = connection.sql("SELECT 1")
    connection.execute(statement.format(folder=tmp_path))
    assert outer_table is not None


def test_no_statement_succeeds_in_the_locked_one(tmp_path: Path) -> None:
    """All in one sandbox, by a connection as a metric in SQL gets it."""
    statements = [each.format(folder="/tmp") for each in (*SQL_BREAK_OUTS, *SQL_WITHOUT_CONTROL)]
    found = run(
        "python",
        f"""
from pathlib import Path
import duckdb, pyarrow
from singleout.platform.sandbox.locked_duckdb import locked_duckdb
STATEMENTS = {statements!r}
def metric(original):
    for name, text in (("file.csv", "a\\n1\\n"), ("file.json", '[{{"a": 1}}]')):
        Path("/tmp", name).write_text(text)
    Path("/tmp/imported").mkdir()
    for name in ("schema", "load"):
        Path("/tmp/imported", name + ".sql").write_text("")
    outer_table = pyarrow.table({{"a": [1]}})
    connection = locked_duckdb({{"original": original}}, {{}}, 1000)
    escaped = 0
    for statement in STATEMENTS:
        try:
            connection.execute(statement)
        except duckdb.Error as error:
            continue
        print(statement)
        escaped += 1
    return escaped
""",
        tmp_path,
    )
    assert (found.value, found.log) == (0, "")


R_BREAK_OUTS = """
tried <- 0
try_it <- function(name, code) {
  tried <<- tried + 1
  reached <- tryCatch(suppressWarnings(isTRUE(code)), error = function(fault) FALSE)
  if (reached) { cat(name, "\\n"); escaped <<- escaped + 1 }
}
escaped <- 0
folder <- "FOLDER"
try_it("system", system("exit 0") == 0)
try_it("system2", system2("/bin/true") == 0)
try_it("shell", { system("id", intern = TRUE); TRUE })
try_it("pipe", { p <- pipe("echo x"); on.exit(close(p)); identical(readLines(p), "x") })
try_it("read a file", identical(readLines(file.path(folder, "file.txt")), "canary"))
try_it("write a file", { writeLines("x", file.path(folder, "written.txt")); TRUE })
try_it("accounts", length(readLines("/etc/passwd")) > 0)
try_it("environment", identical(Sys.getenv("SINGLEOUT_CANARY"), "canary"))
try_it("list", "file.txt" %in% list.files(folder))
try_it("copy", file.copy(file.path(folder, "file.txt"), file.path(tempdir(), "copied.txt")))
try_it("link", {
  l <- tempfile(); file.symlink(file.path(folder, "file.txt"), l); identical(readLines(l), "canary")
})
try_it("server", { s <- serverSocket(0L); close(s); TRUE })
try_it("change R", { f <- file(file.path(R.home("library"), "base", "DESCRIPTION"), "a"); close(f); TRUE })
try_it("fork", { j <- parallel::mcparallel(1); parallel::mccollect(j); TRUE })
"""


def test_no_way_out_of_r(tmp_path: Path) -> None:
    """Each of them succeeds in an R of one's own."""
    r_or_skip()
    place = tmp_path / "open"
    place.mkdir()
    (place / "file.txt").write_text("canary\n")
    script = R_BREAK_OUTS.replace("FOLDER", str(place))
    (tmp_path / "outside.R").write_text(script + "cat('tried', tried, 'escaped', escaped)\n")
    home = r_home()
    assert home is not None
    program = [f"{home}/bin/Rscript", "--vanilla", str(tmp_path / "outside.R")]
    environment = {"SINGLEOUT_CANARY": "canary", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    said = subprocess.run(program, capture_output=True, text=True, check=True, env=environment).stdout
    assert said.endswith("tried 14 escaped 14"), said
    found = run("r", script + "escaped\n", tmp_path)
    assert (found.value, found.log.strip()) == (0, ""), found


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import time\ndef metric():\n    time.sleep(60)", "it took longer than 1 seconds"),
        ("def metric():\n    while True: pass", "1 seconds"),
        ("def metric():\n    while True: print('x' * 100_000)", "it printed more than"),
        (
            "import os\ndef metric():\n    while True: os.write(3, b'x' * 100_000)",
            "its answer is larger than",
        ),
        ("import os\ndef metric():\n    os.write(3, b'[' * 100_000)\n    os._exit(0)", "not one JSON object"),
        (
            "import os\ndef metric():\n    os.write(3, b'{\"value\": 1}')\n    os._exit(0)",
            "not one JSON object",
        ),
        ("import os\ndef metric():\n    os.close(3)\n    os._exit(0)", "ended without an answer"),
        ("import sys\ndef metric():\n    sys.exit(0)", "SystemExit"),
        ("import ctypes\ndef metric():\n    ctypes.string_at(0)", "it crashed (SIGSEGV)"),
        ("def metric():\n    return 'x' * 10**10", "MB of memory"),
        ("def metric():\n    def deeper(n): return deeper(n + 1)\n    return deeper(0)", "RecursionError"),
        ("def metric():\n    return float('nan')", "no finite number"),
        ("def metric():\n    return 10**400", "OverflowError"),
        ("def metric():\n    return '1'", "instead of a number"),
        ("def metric(mapping):\n    return 1", "asks for mapping"),
        ("def one():\n    return 1\ndef two():\n    return 2", "there are 2"),
    ],
)
def test_what_ends_a_metric_is_told_to_its_author(body: str, reason: str, tmp_path: Path) -> None:
    found = run("python", body, tmp_path, seconds=1 if "1 seconds" in reason else 30)
    assert found.value is None and not found.by_platform
    assert reason in (found.reason or "")
