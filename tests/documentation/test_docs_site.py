"""The documentation as a site: it builds without a warning, loads nothing from elsewhere, has everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import build_reference
import pytest

from singleout.recipe.steps.catalogue import STEPS
from singleout.roles.role import ROLES
from tests.support.docs_site import built_site

LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}
FROM_ELSEWHERE = re.compile(r"@import|url\(\s*['\"]?(?:https?:)?//", re.IGNORECASE)


class Page(HTMLParser):
    """What a page loads, what it links to, and which places others may link to."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self.place = place
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.words: list[str] = []
        self.feed(place.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.ids |= {given["id"]} if "id" in given else set()
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.loaded += [given[LOADING[tag]]] if LOADING.get(tag) in given else []

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory.mktemp("docs"))


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {place.resolve(): Page(place.resolve()) for place in site.rglob("*.html")}


def inside(page: Page, links: list[str]) -> Iterator[tuple[Path, str]]:
    """The file and the place in it that relative links name."""
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme:
            path = unquote(parts.path)
            yield (page.place.parent / path).resolve() if path else page.place, unquote(parts.fragment)


def test_pages_load_nothing_from_elsewhere(pages: dict[Path, Page]) -> None:
    for page in pages.values():
        for address in page.loaded:
            parts = urlsplit(address)
            assert not parts.scheme or parts.scheme == "data", f"{page.place.name} loads {address}"
            assert not parts.netloc, f"{page.place.name} loads {address}"
        assert [place for place, _ in inside(page, page.loaded) if not place.exists()] == []


def test_styles_load_nothing_from_elsewhere(site: Path) -> None:
    styles = [*site.rglob("*.css"), *site.rglob("*.html")]
    assert [each.name for each in styles if FROM_ELSEWHERE.search(each.read_text(encoding="utf-8"))] == []


def test_links_lead_to_pages_and_places_that_are_there(pages: dict[Path, Page]) -> None:
    for page in pages.values():
        for place, name in inside(page, page.links):
            assert place in pages or place.exists(), f"{page.place.name}: {place}"
            assert not name or name in pages[place].ids, f"{page.place.name}: {place.name}#{name}"


def test_every_page_is_in_the_navigation(site: Path, pages: dict[Path, Page]) -> None:
    front = pages[(site / "index.html").resolve()]
    listed = {place for place, _ in inside(front, front.links)}
    written = {each.with_suffix("").relative_to(ROOT_OF_PAGES) for each in ROOT_OF_PAGES.rglob("*.md")}
    assert {(site / f"{each}.html").resolve() for each in written} - listed == set()


def test_the_site_has_every_command_measure_step_and_setting(site: Path, pages: dict[Path, Page]) -> None:
    def on(name: str) -> Page:
        return pages[(site / "reference" / name).resolve()]

    for name in build_reference.commands():
        assert f"singleout-{name.replace(' ', '-')}" in on("commands.html").ids
    for measure in build_reference.EVERY_MEASURE:
        assert "measure-" + re.sub(r"[._]", "-", measure.name) in on("measures.html").ids
        assert measure.question in on("measures.html").text
    for step in STEPS:
        assert f"step-{step.replace('_', '-')}" in on("steps.html").ids
    assert all(role in on("settings.html").text for role in ROLES)


def test_a_search_finds_measures_without_a_server(site: Path) -> None:
    """The index is a script, which a page from disk may load; it has the words and the headings."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert '"Measure people_alone"' in index


ROOT_OF_PAGES = Path(build_reference.__file__).parent
