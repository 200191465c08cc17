"""`deidentify generalise`: the least lossy generalisation that reaches k and other goals (Anon. n.d.)."""
