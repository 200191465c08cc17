"""`deidentify apply`: a recipe of steps, applied to a history and the person table beside it."""
