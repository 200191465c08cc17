"""The documentation as a site, built the way `make docs` does: a warning is an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def built_site(target: Path) -> Path:
    """Build the site below a folder; what is returned holds its `index.html`."""
    site = target / "site"
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q", "-E",
         "-d", str(target / "doctrees"), str(ROOT / "docs"), str(site)],
        capture_output=True, text=True, cwd=target,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return site
