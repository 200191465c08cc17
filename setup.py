"""What package indexes show: the README, whose links to files beside it would lead nowhere there."""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup

PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n+")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)")


def index_page(readme: str) -> str:
    """Pictures go, a link becomes the name of its file, which is in the source package.

    >>> index_page("![A board](board.png)\\n\\n[How to](docs/how-to.md#first), [more](https://example.org)")
    'How to (`docs/how-to.md`), [more](https://example.org)'
    """
    return LINK.sub(r"\1 (`\2`)", PICTURE.sub("", readme))


if __name__ == "__main__":
    text = Path("README.md").read_text(encoding="utf-8")
    setup(long_description=index_page(text), long_description_content_type="text/markdown")
