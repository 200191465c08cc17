"""Direct identifiers: what names a person, or leads to one, by itself."""
