"""`deidentify generalise`: the least lossy generalisation that reaches k and other goals (paper 1)."""
