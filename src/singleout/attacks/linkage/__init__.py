"""Record linkage for `attack`: the best candidates by sets, numbers, vectors or records."""
