"""Reports in a real browser, from disk and without a network: seen, pointed at, by keyboard, on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import escape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support import browser as driver
from tests.support.browser import NARROW, WIDE, opened, scrolls_sideways, serious_faults
from tests.support.report_files import ODD_FILE, ODD_NAMES, RAW_VALUE, report_files

pytestmark = pytest.mark.xdist_group("browser")

Reports = Callable[[str], Path]
ReportPage = Callable[..., AbstractContextManager[Page]]
KINDS = ("history", "one_record_each", "attack", "comparison")
LARGEST_FILE = 3_000_000
MOST_WORDS = 1_500
# of A4 between the margins, in the browser's points of 1/96 inch
PRINTED = {"width": 688, "height": 1001}
MARKS = ".role-mark [aria-label]"
# keys pressed one after another from a drawing's first mark, and the mark they lead to
WALK = {"ArrowLeft": 0, "ArrowRight": 1, "ArrowUp": 0, "ArrowDown": 1, "End": -1, "Home": 0}
every_kind = pytest.mark.parametrize("kind", KINDS)
every_width = pytest.mark.parametrize("width", (WIDE, NARROW))
some_widths = pytest.mark.parametrize(
    ("kind", "width"), [*((kind, WIDE) for kind in KINDS), ("history", NARROW)]
)

OPEN_EVIDENCE = "() => document.querySelectorAll('details.evidence').forEach(each => each.open = true)"
OPEN_ALL = "() => document.querySelectorAll('details').forEach(each => each.open = true)"
TOLD = """() => {
    const tip = document.getElementById('tooltip'), box = tip.getBoundingClientRect();
    if (!tip.checkVisibility()) return ['', true];
    const inside = box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
    return [tip.innerText.trim().replace(/\\s+/g, ' '), inside];
}"""
# each drawing's labelled marks, and how many of them take up any room
DRAWN = """() => [...document.querySelectorAll('figure')].map(figure => {
    const marks = [...figure.querySelectorAll('svg.drawing .role-mark [aria-label]')];
    const boxes = marks.map(each => each.getBoundingClientRect());
    return {
        name: figure.id, label: figure.querySelector('svg.drawing').getAttribute('aria-label'),
        seen: boxes.filter(each => each.width > 0 && each.height > 0).length,
        rows: figure.querySelectorAll('details tbody tr').length,
        silent: marks.filter(each => !each.getAttribute('aria-label').trim()).length,
    };
})"""
# where the pointer meets this mark and no other; null if others lie above all of it
MEETING_POINT = """mark => {
    mark.scrollIntoView({ block: 'center' });
    const box = mark.getBoundingClientRect();
    for (let part = 0; part < 900; part++) {
        const x = Math.round(box.left + box.width * (part % 30 + .5) / 30);
        const y = Math.round(box.top + box.height * (Math.floor(part / 30) + .5) / 30);
        if (document.elementFromPoint(x, y) === mark) return [x, y];
    }
    return null;
}"""
SMALLEST_LETTERS = """() => Math.min(...[...document.querySelectorAll('.drawing text')].map(each => {
    const turn = each.getScreenCTM();
    return parseFloat(getComputedStyle(each).fontSize) * Math.hypot(turn.a, turn.b);
}))"""
CUT_OFF = """() => [...document.querySelectorAll('.drawing text')].filter(each => {
    const drawing = each.closest('svg'), shown = getComputedStyle(drawing).overflow === 'visible';
    const own = each.getBoundingClientRect();
    const all = (shown ? drawing.closest('figure') : drawing).getBoundingClientRect();
    return own.left < all.left - 1 || own.right > all.right + 1
        || own.top < all.top - 1 || own.bottom > all.bottom + 1;
}).map(each => each.textContent)"""
SHUT = """() => [...document.querySelectorAll('details')].filter(each =>
    each.checkVisibility() && ![...each.children].slice(1).some(one => one.checkVisibility())
).map(each => each.innerText)"""
FOCUS_BEFORE = f"""mark => {{
    const stops = ({driver.STOPS})();
    scrollTo(0, 0);
    stops[stops.indexOf(mark) - 1].focus({{ preventScroll: true }});
}}"""
WORDY_CELLS = """() => [...document.querySelectorAll('.wordy td')].map(each => ({
    right: each.getBoundingClientRect().right, of: getComputedStyle(each, '::before').content.length > 2,
}))"""
# whether a page may end inside of them, and after them
BREAKS = """() => Object.fromEntries(
    ['.evidence > summary', '.evidence > p:not(.note)', '.evidence > .note:not(:has(+ .note))', 'tr',
     'table:not(.long)', 'table.long', 'article', 'figure'].map(each => [
        each, [...new Set([...document.querySelectorAll(each)].map(getComputedStyle).map(
            look => `${look.breakInside} ${look.breakAfter}`))],
    ]))"""
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
NAMES = "() => [...document.querySelectorAll('[id]')].map(each => each.id)"
POINTED_AT = """() => [
    ...[...document.querySelectorAll('a[href^="#"]')].map(each => each.getAttribute('href').slice(1)),
    ...[...document.querySelectorAll('[popovertarget]')].map(each => each.getAttribute('popovertarget')),
]"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    return report_files(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="module")
def report_page(browser: Browser, reports: Reports) -> ReportPage:
    return lambda kind, width=WIDE: opened(browser, reports(kind), width)


@pytest.fixture(scope="module")
def evidence_page(report_page: ReportPage) -> ReportPage:
    """With all evidence open, but for the tables behind its drawings."""

    @contextmanager
    def page_of(kind: str, width: int = WIDE) -> Iterator[Page]:
        with report_page(kind, width) as page:
            page.evaluate(OPEN_EVIDENCE)
            yield page

    return page_of


def told(page: Page) -> str:
    """What the tooltip says, while it shows, and then it lies within the window; else nothing."""
    words, inside = page.evaluate(TOLD)
    assert inside
    return str(words)


def words_of(mark: Locator) -> str:
    return " ".join((mark.get_attribute("aria-label") or "").split())


def test_the_watch_notices_errors_dialogs_and_requests_elsewhere(browser: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text("<script>console.error('oh'); alert('ah'); fetch('https://example.org/x'); no()</script>")
    with pytest.raises(AssertionError) as caught, opened(browser, bad) as page:
        page.wait_for_timeout(100)
    for fault in ("error: oh", "dialog: ah", "asks for https://example.org/x", "no is not defined"):
        assert fault in str(caught.value)


def test_the_watch_notices_blank_pages_and_what_tab_misses(browser: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    turn = '<div style="break-after: page"></div>'
    stops = '<a href="#">a</a><button style="outline: 0">b</button><button tabindex="-1">c</button>'
    bad.write_text(f"{stops}{turn}{turn}<p>after a blank page")
    with opened(browser, bad) as page:
        reached, unfocused = driver.tab_round(page), driver.looks_unfocused(page)
        assert [name[0] for name, look in reached.items() if look == unfocused[name]] == ["b"]
        assert [name[-1] for name in driver.tab_stops(page) if name not in reached] == ["c"]
        assert [letters > 0 for letters in driver.letters_on_pages(page.pdf())] == [True, False, True]


@every_width
@pytest.mark.parametrize("kind", (*KINDS, "odd_names"))
def test_a_report_fits_its_window_and_axe_finds_no_serious_fault(
    report_page: ReportPage, kind: str, width: int
) -> None:
    with report_page(kind, width) as page:
        assert page.locator("h1").count() == 1
        assert page.locator("#verdict").count() == 1
        assert 1 <= page.locator("#conclusions article").count() <= 12
        assert not scrolls_sideways(page)
        page.evaluate(OPEN_ALL)
        assert not scrolls_sideways(page)
        assert serious_faults(page, colours=width == WIDE) == []


@pytest.mark.parametrize("kind", (*KINDS, "odd_names"))
def test_every_chart_is_drawn_with_a_table_behind_it(evidence_page: ReportPage, kind: str) -> None:
    with evidence_page(kind) as page:
        figures = page.evaluate(DRAWN)
        assert figures
        for each in figures:
            assert each["label"], each
            assert each["seen"] >= 1, each
            assert each["rows"] >= 1, each
            assert each["silent"] == 0, each
        assert page.evaluate(CUT_OFF) == []


@every_kind
def test_the_letters_of_charts_can_be_read_on_a_telephone(evidence_page: ReportPage, kind: str) -> None:
    with evidence_page(kind, NARROW) as page:
        assert page.evaluate(SMALLEST_LETTERS) >= 8


@some_widths
def test_pointing_at_a_mark_tells_it(evidence_page: ReportPage, kind: str, width: int) -> None:
    with evidence_page(kind, width) as page:
        for drawing in page.locator("svg.drawing").all():
            marks = drawing.locator(MARKS).all()
            met = [is_told(page, mark) for mark in marks[:: max(1, len(marks) // 3)]]
            assert any(met)
        page.mouse.move(1, 1)
        assert told(page) == ""


def is_told(page: Page, mark: Locator) -> bool:
    """Whether the pointer can meet it; then the tooltip says its words."""
    point = mark.evaluate(MEETING_POINT)
    if point:
        page.mouse.move(1, 1)
        page.evaluate(
            "() => new Promise(requestAnimationFrame)"
        )  # scrolling hides the tooltip, a frame later
        page.mouse.move(*point)
        assert told(page) == words_of(mark)
    return bool(point)


@some_widths
def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    report_page: ReportPage, kind: str, width: int
) -> None:
    with report_page(kind, width) as page:
        closed = driver.tab_stops(page)
        page.evaluate(OPEN_ALL)
        assert len(driver.tab_stops(page)) > len(closed)
        reached = driver.tab_round(page)
        assert sorted(reached) == driver.tab_stops(page)
        unfocused = driver.looks_unfocused(page)
        assert [name for name, look in reached.items() if look == unfocused[name]] == []
        for drawing in page.locator("svg.drawing").all():
            assert drawing.locator('[tabindex="0"]').count() == 1


@every_kind
def test_arrow_keys_go_along_the_marks(evidence_page: ReportPage, kind: str) -> None:
    with evidence_page(kind) as page:
        for drawing in page.locator("svg.drawing").all():
            marks = drawing.locator(MARKS)
            drawing.locator('[tabindex="0"]').focus()
            assert told(page) == words_of(marks.first)
            for key, place in WALK.items():
                page.keyboard.press(key)
                assert told(page) == words_of(marks.nth(min(place, marks.count() - 1))), key
            page.keyboard.press("Escape")
            assert told(page) == ""


def test_a_mark_that_tab_scrolls_to_keeps_its_words(evidence_page: ReportPage) -> None:
    with evidence_page("history") as page:
        last = page.locator("svg.drawing").last
        last.locator('[tabindex="0"]').evaluate(FOCUS_BEFORE)
        page.keyboard.press("Tab")
        page.wait_for_function("() => scrollY > 0")
        page.evaluate(NEXT_FRAME)
        assert told(page) == words_of(last.locator(MARKS).first)


def test_enter_opens_tables_and_definitions_and_escape_closes_these(evidence_page: ReportPage) -> None:
    with evidence_page("history") as page:
        for details in page.locator("figure details").all():
            details.locator("summary").press("Enter")
            assert details.locator("table").is_visible()
        definitions = page.locator("[popover]").all()
        assert definitions
        for definition in definitions:
            button = page.locator(f'[popovertarget="{definition.get_attribute("id")}"]:visible').first
            button.press("Enter")
            for term in ("Counted over", "Missing values", "Reference"):
                assert term in definition.inner_text()
            page.keyboard.press("Escape")
            assert not definition.is_visible()
            assert button.evaluate("each => each === document.activeElement")


@every_kind
def test_the_verdict_and_the_findings_are_all_that_is_to_be_read(report_page: ReportPage, kind: str) -> None:
    """Of some 6,000 words, most of them evidence; a link to a piece of it opens it, each time."""
    with report_page(kind) as page:
        assert len(page.locator("body").inner_text().split()) < MOST_WORDS
        limits = page.locator("#policy table")
        for _ in range(2):
            assert not limits.is_visible()
            page.locator('#verdict a[href="#policy"]').click()
            expect(limits).to_be_visible()
            page.locator("#policy > details > summary").click()


@every_kind
def test_what_is_pointed_at_is_there_once(report_page: ReportPage, kind: str) -> None:
    with report_page(kind) as page:
        names = page.evaluate(NAMES)
        assert len(names) == len(set(names))
        assert set(page.evaluate(POINTED_AT)) <= set(names)


@every_kind
def test_a_report_prints_first_page_charts_and_definitions(report_page: ReportPage, kind: str) -> None:
    with report_page(kind) as page:
        page.emulate_media(media="print")
        page.set_viewport_size(PRINTED)  # type: ignore[arg-type]
        printed = page.locator("figure, [popover]")
        assert [each.get_attribute("id") for each in printed.all() if not each.is_visible()] == []
        assert page.evaluate(SHUT) == []
        assert not scrolls_sideways(page)
        assert page.evaluate(SMALLEST_LETTERS) >= 8  # 6 points of a printer
        verdict = page.locator("#verdict").bounding_box()
        assert verdict
        assert verdict["y"] + verdict["height"] <= PRINTED["height"]
        letters = driver.letters_on_pages(page.pdf(format="A4", prefer_css_page_size=True))
        assert len(letters) >= 2
        assert min(letters) > 3  # so none is blank


@every_kind
def test_sentences_in_tables_are_read_without_scrolling_on_a_telephone(
    report_page: ReportPage, kind: str
) -> None:
    with report_page(kind, NARROW) as page:
        page.evaluate(OPEN_ALL)
        cells = page.evaluate(WORDY_CELLS)
        assert [each for each in cells if each["right"] > NARROW or not each["of"]] == []
        assert cells


def test_nothing_is_torn_apart_on_paper(report_page: ReportPage) -> None:
    """A heading stays with its first sentences and these with what they are about; rows are never split.

    The note of a table ends its section: were it to stay with the next heading too, no page had room.
    """
    with report_page("attack") as page:
        page.emulate_media(media="print")
        breaks = page.evaluate(BREAKS)
        assert breaks == {
            ".evidence > summary": ["auto avoid"], ".evidence > p:not(.note)": ["avoid avoid"],
            ".evidence > .note:not(:has(+ .note))": ["avoid auto"], "tr": ["avoid auto"],
            "table:not(.long)": ["avoid auto"], "table.long": ["auto auto"], "article": ["avoid auto"],
            "figure": ["avoid auto"],
        }  # fmt: skip


@every_kind
def test_a_report_is_light_and_names_no_raw_value(reports: Reports, kind: str) -> None:
    text = reports(kind).read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST_FILE
    assert set(RAW_VALUE.findall(text)) == set()


def test_more_records_and_values_make_no_larger_report(reports: Reports) -> None:
    """Of a million records of 50,000 people it has 240 kB: too long a run for a test."""
    assert reports("many_values").stat().st_size < 1.3 * reports("history").stat().st_size


def test_raw_values_show_when_asked_for(reports: Reports) -> None:
    assert RAW_VALUE.search(reports("with_values").read_text(encoding="utf-8"))


def test_markup_in_names_and_values_stays_text(report_page: ReportPage) -> None:
    with report_page("odd_names") as page:
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1
        page.evaluate(OPEN_ALL)
        text = " ".join(page.locator("body").inner_text().split())
        for name in (*ODD_NAMES, ODD_FILE, '<img src=x onerror="alert(4)">'):
            assert " ".join(name.split()) in text


def test_a_report_in_a_notebook_has_a_frame_of_its_own(browser: Browser, tmp_path: Path) -> None:
    import pyarrow

    import singleout

    table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    shown = singleout.report_on(singleout.assess(table, user="who"))._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><title>{escape('a notebook')}</title>{shown}", encoding="utf-8")
    with opened(browser, notebook) as page:
        frame = page.frame_locator("iframe")
        frame.locator("details.evidence").evaluate_all("all => all.forEach(each => each.open = true)")
        frame.locator(MARKS).first.focus()
        assert frame.locator("#tooltip").inner_text()
