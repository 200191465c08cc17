"""Takes the README's picture of a report again; a test fails while the report opens with other words."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from html import unescape
from pathlib import Path

PICTURE = Path(__file__).parent / "how-to" / "report.png"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 1100, 1000
# the examples of the README
SAMPLE = ["sample", "shop", "--out", "shop.csv"]
REPORT = ["assess", "shop.csv", "--user", "customer", "--columns", "date,time,goods,price,number"]
OPENING = re.compile(r'<h1>.*?(?=<dl class="made">)', re.DOTALL)
HEADER_BYTES = 8 + 4 + 4 + 13 + 4
KEYWORD = b"Description"


def opening_words(page: str) -> str:
    """The title of a report, its verdict and what it is about, without marks of HTML."""
    found = OPENING.search(page)
    if found is None:
        raise ValueError("the report does not open as expected; correct OPENING in docs/build_pictures.py")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[0])).split())


def told_words(picture: bytes) -> str:
    """The words that the picture shows, which it was given when it was taken."""
    start = picture.index(b"iTXt" + KEYWORD)
    length: int = struct.unpack(">I", picture[start - 4 : start])[0]
    # compressed or not, its method, the language and its translation: all empty
    return picture[start + 4 : start + 4 + length].removeprefix(KEYWORD + b"\0" * 5).decode()


def with_words(picture: bytes, words: str) -> bytes:
    chunk = b"iTXt" + KEYWORD + b"\0" * 5 + words.encode()
    whole = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return picture[:HEADER_BYTES] + whole + picture[HEADER_BYTES:]


def build() -> None:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise SystemExit(f"none of {', '.join(PROGRAMS)} is installed; install one")
    with tempfile.TemporaryDirectory() as folder:
        for words in (SAMPLE, [*REPORT, "--html", "report.html"]):
            subprocess.run([sys.executable, "-m", "singleout", *words], cwd=folder, check=True)
        subprocess.run(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--window-size={WIDTH},{HEIGHT}", "--screenshot=report.png", "report.html"],
            cwd=folder, check=True,
        )  # fmt: skip
        page, taken = Path(folder, "report.html").read_text(), Path(folder, "report.png").read_bytes()
    PICTURE.write_bytes(with_words(taken, opening_words(page)))


if __name__ == "__main__":
    build()
