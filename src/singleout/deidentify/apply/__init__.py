"""`deidentify apply`: a recipe of steps."""
