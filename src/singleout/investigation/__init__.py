"""ALL SIDES of one table: `investigate`, `assess --html` and `roles --suggest`, and what would help."""
