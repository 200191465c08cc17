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


@pytest.mark.parametrize("clipboard", [True, False], ids=["clipboard", "no clipboard"])
def test_code_is_copied_by_a_button_and_output_has_none(
    browser: Browser, site: Path, clipboard: bool
) -> None:
    with opened(browser, site / "how-to/assess.html") as page:
        if clipboard:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        else:
            page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')) }")
        page.evaluate("() => { document.addEventListener('copy', () => { window.marked = true }) }")
        button = page.locator(".highlight-bash button.copy").first
        button.focus()
        page.keyboard.press("Enter")
        page.get_by_text("Copied", exact=True).wait_for()
        if clipboard:
            text = page.evaluate("navigator.clipboard.readText()")
            assert text.strip() == "singleout sample shop --people 50 --out shop.csv"
        else:
            assert page.evaluate("window.marked")
        assert page.locator(".highlight-text button").count() == 0


def test_what_is_to_be_typed_has_a_button(browser: Browser, site: Path) -> None:
    with opened(browser, site / "install.html") as page:
        assert (
            page.locator(".highlight-shell").count()
            == page.locator(".highlight-shell button.copy").count()
            > 3
        )


@pytest.mark.parametrize("name", ["coming-from", "reference/options", "how-to/assess"])
@pytest.mark.parametrize("width", (WIDE, NARROW))
def test_options_are_not_broken(browser: Browser, site: Path, name: str, width: int) -> None:
    """Each stands on one line, however narrow the page is, which still does not scroll sideways."""
    lines = """() => [...document.querySelectorAll("article code .pre")]
        .filter((each) => each.textContent.startsWith("--"))
        .map((each) => [each.textContent, new Set([...each.getClientRects()].map((one) => one.top)).size])"""
    with opened(browser, site / f"{name}.html", width) as page:
        found = page.evaluate(lines)
        assert len(found) > 5
        assert [option for option, count in found if count != 1] == []
        assert not scrolls_sideways(page)
