"""`investigate` and `roles --suggest`: one table looked at from all sides, and what would help."""
