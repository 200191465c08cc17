"""Record linkage: the best candidates for each person, by sets, numbers, vectors and records."""
