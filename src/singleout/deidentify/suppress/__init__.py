"""`deidentify suppress`: the fewest cells to blank so that nobody stands out in some sets of columns."""
