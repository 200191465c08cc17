"""`python -m singleout` is the `singleout` command."""

from __future__ import annotations

from singleout.cli.console import console

if __name__ == "__main__":
    raise SystemExit(console())
