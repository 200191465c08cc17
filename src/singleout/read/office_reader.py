"""The process that reads a file of an office: a request comes in, a line and an Arrow stream go out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from singleout import limited_process
from singleout.errors import SingleoutError, UsageError
from singleout.read.excel_file import read_excel
from singleout.read.office_table import OfficeTable, labels_content
from singleout.read.statistics_file import labels_of, read_statistics


def main() -> int:
    request = limited_process.take_request()
    path, kind = Path(request["path"]), request["kind"]
    with os.fdopen(limited_process.answer_file(), "wb") as answer:
        try:
            if request.get("labels"):
                _say(answer, labels=labels_content(labels_of(path, kind)))
            else:
                _say_table(answer, _table(path, kind, request["sheet"]))
        except SingleoutError as error:
            _say(answer, fault=str(error), usage=isinstance(error, UsageError))
        except OSError as error:
            _say(answer, fault=f"{path}: {error.strerror or error}", usage=False)
    return 0


def _table(path: Path, kind: str, sheet: str | None) -> OfficeTable:
    return read_excel(path, sheet) if kind == "excel" else read_statistics(path, kind)


def _say(answer: BinaryIO, **content: Any) -> None:
    answer.write(json.dumps(content).encode() + b"\n")


def _say_table(answer: BinaryIO, read: OfficeTable) -> None:
    import pyarrow

    _say(answer, remarks=read.remarks, merged=read.merged, other_contents=read.other_contents)
    with pyarrow.ipc.new_stream(answer, read.table.schema) as writer:
        writer.write_table(read.table)


if __name__ == "__main__":
    sys.exit(main())
