"""Record linkage for `attack`: the best candidates by sets, numbers, vectors or records (papers 2 and 3)."""
