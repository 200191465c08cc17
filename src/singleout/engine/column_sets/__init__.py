"""Many sets of columns counted at once, for `combinations` (Anon. n.d.): walks over the lattice of sets."""
