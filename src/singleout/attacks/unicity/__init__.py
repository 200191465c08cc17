"""How many people a few known records single out."""
