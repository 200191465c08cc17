"""How values become coarser, for `hierarchy` and `deidentify generalise`: levels, rules and files."""
