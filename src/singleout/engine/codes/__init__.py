"""Columns as dictionary codes, and the compiled loops that count them."""
