"""An R script as a metric: the tables as data frames, the value of its last expression as the answer."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pyarrow
import pyarrow.csv

R_HOMES = ("/usr/lib/R", "/usr/lib64/R", "/usr/local/lib/R")
SCRATCH = Path("/tmp")
MISSING = "\\N"
# what the script prints goes to its log; only the answer goes where the result is awaited
PROGRAM = """\
sink(stderr())
# packages look for programs when they are loaded, and no program can be started here
unlockBinding("Sys.which", baseenv())
assign("Sys.which", function(names) structure(rep("", length(names)), names = names), baseenv())
for (.package in c("methods", "datasets", "utils", "grDevices", "graphics", "stats"))
  library(.package, character.only = TRUE)
options(warn = 1, digits = 15)
.read <- function(name, classes) read.csv(
  file.path("/tmp", paste0(name, ".csv")), colClasses = classes, na.strings = "\\\\N",
  check.names = FALSE, encoding = "UTF-8", fileEncoding = "UTF-8", quote = "\\"", comment.char = "")
.space <- new.env()
{assignments}
.space$parameters <- {parameters}
.told <- tryCatch({{
  .value <- source("/tmp/metric.R", local = .space, echo = FALSE, keep.source = FALSE)$value
  if (is.null(.value) || identical(.value, NA)) "null"
  else if (!is.numeric(.value) || length(.value) != 1) stop("the last value is not one number")
  else if (is.na(.value)) "null" else if (!is.finite(.value)) stop("it gave no finite number")
  else sprintf("%.17g", as.numeric(.value))
}}, error = function(fault) fault)
while (sink.number() > 0) sink()
if (inherits(.told, "error")) {{
  .words <- iconv(enc2utf8(conditionMessage(.told)), "UTF-8", "UTF-8", " ")
  .words <- substr(gsub("[[:cntrl:]\\"\\\\\\\\]", " ", .words), 1, 400)
  cat('{{"value": null, "reason": "R: ', .words, '"}}', sep = "")
}} else cat('{{"value": ', .told, ', "reason": null}}', sep = "")
quit("no", 0, FALSE)
"""


def r_home() -> str | None:
    """Where R is installed; None if it is not."""
    return next((each for each in R_HOMES if Path(each, "bin", "exec", "R").is_file()), None)


def become_r(request: dict[str, Any], tables: dict[str, Any], result: int) -> NoReturn:
    """R writes its answer to its standard output, which is the result; there are no processes to start."""
    home = r_home()
    if home is None:
        raise OSError("R is not installed")
    assignments = []
    for name, table in tables.items():
        pyarrow.csv.write_csv(_marked(table), SCRATCH / f"{name}.csv")
        classes = ", ".join("'numeric'" if _is_number(each.type) else "'character'" for each in table.schema)
        assignments.append(f".space${name} <- .read('{name}', c({classes}))")
    (SCRATCH / "metric.R").write_text(request["text"], encoding="utf-8")
    program = PROGRAM.format(assignments="\n".join(assignments), parameters=_r_list(request["parameters"]))
    (SCRATCH / "run.R").write_text(program, encoding="utf-8")
    os.dup2(result, 1)
    os.close(result)
    environment = {
        "R_HOME": home, "R_SHARE_DIR": "/usr/share/R/share", "R_INCLUDE_DIR": "/usr/share/R/include",
        "R_DOC_DIR": "/usr/share/R/doc", "LD_LIBRARY_PATH": f"{home}/lib", "TMPDIR": str(SCRATCH),
        "HOME": str(SCRATCH), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin", "TZ": "UTC",
        "R_DEFAULT_PACKAGES": "NULL", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    }  # fmt: skip
    os.execve(
        f"{home}/bin/exec/R", ["R", "--vanilla", "--no-echo", f"--file={SCRATCH / 'run.R'}"], environment
    )


def _is_number(kind: Any) -> bool:
    return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind))


def _marked(table: pyarrow.Table) -> pyarrow.Table:
    """A missing text is told apart from an empty one."""
    for index, each in enumerate(table.schema):
        if not _is_number(each.type):
            texts = table.column(index).cast(pyarrow.string()).fill_null(MISSING)
            table = table.set_column(index, each.name, texts)
    return table


def _r_list(parameters: dict[str, Any]) -> str:
    """JSON's texts and numbers are written in R as in JSON."""
    told = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in parameters.items()]
    return f"list({', '.join(told)})"
