"""Results as one HTML file: one file a kind of report."""
