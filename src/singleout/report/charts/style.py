"""How every chart looks: colours that the colour-blind can tell apart, letters that can be read."""

from __future__ import annotations

from typing import Any

# Okabe and Ito 2008, dark enough on white to be seen by everybody
BLUE, ORANGE, GREEN, PINK, SKY, RED = "#0072B2", "#B35900", "#00785A", "#A3497F", "#2E86C1", "#B23A00"
INK, SOFT, FAINT = "#1f2933", "#52606d", "#d9dee3"
# fills that dark lines are seen on, to be drawn with an edge
PALE = "#b9d9ee"
SERIES = (BLUE, ORANGE, GREEN, PINK, SKY, RED)
# one colour from light to dark: readable in grey too
RAMP = ("#f2f7fb", "#08306b")
WIDTH = 460

CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12,
        "titleFontWeight": "normal", "gridColor": FAINT, "domainColor": SOFT, "tickColor": SOFT,
        "labelLimit": 160, "titlePadding": 8, "tickCount": 5, "labelSeparation": 6,
    },
    "legend": {
        "labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12,
        "titleFontWeight": "normal", "orient": "top", "direction": "vertical", "columns": 1,
        "labelLimit": 420, "symbolOpacity": 1, "rowPadding": 3, "offset": 8,
    },
    "title": {"color": INK, "fontSize": 12, "fontWeight": "bold", "anchor": "start", "limit": 420},
    "range": {"category": list(SERIES)},
    "bar": {"color": BLUE},
    "line": {"strokeWidth": 2},
    "point": {"filled": True, "size": 60, "opacity": 1},
    "rule": {"color": INK},
    "tick": {"color": INK, "opacity": 1},
    "text": {"color": INK, "fontSize": 12},
}  # fmt: skip
