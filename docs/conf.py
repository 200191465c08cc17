"""How Sphinx builds the site: from the Markdown pages, with nothing from elsewhere."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

import singleout

project = "singleout"
version = release = singleout.__version__
language = "en"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_static"]

myst_heading_anchors = 4  # links such as measures.md#measure-k work here as they do in the repository
nitpicky = True
suppress_warnings = ["config.cache"]
highlight_language = "text"
smartquotes = False  # they would turn the dashes of options into others

html_theme = "furo"
html_title = f"singleout {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"priority": 100})]  # before the marking of words that were searched for
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # a page that was opened from disk may not read others
html_last_updated_fmt = None
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def say_levels(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:  # noqa: ARG001
    """The headings between the pages at the side say of which level they are, as screen readers need it."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", say_levels, priority=900)
