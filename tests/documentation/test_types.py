"""What type checkers say to whoever uses singleout: the README's example is sound, a typo is an error."""

import re
from pathlib import Path

import pytest
from mypy import api

PROJECT = Path(__file__).parents[2]
EXAMPLE = re.search(r"```python\n(.*?)```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (EXAMPLE[1] if EXAMPLE else "", ""),
        ("import singleout\n\nsingleout.asess('shop.csv')\n", 'Module has no attribute "asess"'),
        (
            "import singleout\n\nsingleout.assess('s', usr='who')\n",
            'Unexpected keyword argument "usr"',
        ),
        ("import singleout\n\nsingleout.assess('shop.csv', progress=False)\n", ""),
    ],
    ids=("readme", "name", "parameter", "progress"),
)
def test_types_of_what_users_write(code: str, complaint: str, tmp_path: Path) -> None:
    (path := tmp_path / "example.py").write_text(code, encoding="utf-8")
    config = ["--config-file", str(PROJECT / "pyproject.toml"), "--cache-dir", str(PROJECT / ".mypy_cache")]
    said, mistakes, code_of_exit = api.run([*config, "--strict", str(path)])
    assert code, "the README has no example"
    assert (complaint in said, mistakes, code_of_exit) == (True, "", 1 if complaint else 0), said
