"""One-to-one assignment of people, and equally good ones shared."""
