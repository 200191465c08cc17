"""The documentation in a real browser, from disk and without a network: read, searched, on a telephone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browser import NARROW, WIDE, opened, scrolls_sideways, serious_faults
from tests.support.docs_site import built_site

pytestmark = pytest.mark.xdist_group("browser")

PAGES = ("index", "tutorial", "how-to/assess", "reference/measures")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory.mktemp("docs"))


@pytest.mark.parametrize("width", (WIDE, NARROW))
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_disk_and_axe_finds_no_serious_fault(
    browser: Browser, site: Path, name: str, width: int
) -> None:
    with opened(browser, site / f"{name}.html", width) as page:
        assert page.locator("h1").is_visible()
        assert not scrolls_sideways(page)
        assert serious_faults(page, colours=width == WIDE) == []


@pytest.mark.parametrize("asked", ("entropy", "k", "budget"))
def test_the_search_finds_words_without_a_server(browser: Browser, site: Path, asked: str) -> None:
    with opened(browser, site / "index.html") as page:
        page.locator("input[name=q]:visible").fill(asked)
        page.keyboard.press("Enter")
        found = page.locator("#search-results li a")
        found.first.wait_for()
        # results come one by one, and what is clicked must not move meanwhile
        page.wait_for_function("() => Search._pulse_status < 0")
        found.first.click()
        page.wait_for_url(lambda address: "search.html" not in address)
        assert asked in page.locator("article").inner_text().lower()
