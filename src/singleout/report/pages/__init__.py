"""Results as one HTML file, for `--html` and `report_on`: one file a kind of report."""
