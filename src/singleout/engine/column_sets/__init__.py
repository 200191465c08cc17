"""Many sets of columns counted at once, for `combinations` (paper 1): walks over the lattice of sets."""
