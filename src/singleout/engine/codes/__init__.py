"""Columns as dictionary codes, and compiled loops over them: for large tables, and for two side by side."""
