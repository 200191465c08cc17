"""PICTURES for reports: a chart is a Vega-Lite specification filled with records, and the words for it."""
