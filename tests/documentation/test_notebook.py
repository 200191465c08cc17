"""A notebook, executed cell by cell: frames of each kind go in and come back, results show themselves."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

MAKE = {
    "pandas": "import pandas as library\nframe = library.DataFrame(rows)",
    "polars": "import polars as library\nframe = library.DataFrame(rows)",
    "pyarrow": "import pyarrow as library\nframe = library.table(rows)",
}
ROWS = "rows = {'who': ['ann', 'ann', 'bob', 'eve'], 'goods': ['tea', 'milk', 'tea', 'salt']}"
# loops may be compiled in a cell, and a busy machine gives a part of each second
PATIENCE = 1500
PROTECT = "made = singleout.apply(frame, {'step': [{'step': 'pseudonymise'}]}, user='who')"


@pytest.mark.parametrize("library", MAKE)
def test_frames_go_in_and_come_back(library: str, tmp_path: Path) -> None:
    book = nbformat.v4.new_notebook()
    cells = [
        f"import singleout\n{ROWS}\n{MAKE[library]}",
        "singleout.assess(frame, user='who')",
        f"{PROTECT}\nback = made.release.to_frame()",
        "print(type(back).__module__, type(back) is type(frame), len(back))",
        "singleout.report_on(singleout.assess(frame, user='who'))",
    ]
    book.cells = [nbformat.v4.new_code_cell(each) for each in cells]
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=PATIENCE, startup_timeout=PATIENCE, resources=resources).execute()
    shown = [each.outputs for each in book.cells]
    assert "text/html" in shown[1][-1].data
    told = "".join(each.text for each in shown[3] if each.output_type == "stream" and each.name == "stdout")
    module, same, records = told.split()
    assert (module.partition(".")[0], same, records) == (library, "True", "4")
    assert "<html" in shown[4][-1].data["text/html"] or "srcdoc" in shown[4][-1].data["text/html"]
