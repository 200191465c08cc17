"""Which singleout this is."""

from __future__ import annotations

VERSION = "0.1.0"
