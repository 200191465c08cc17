"""Many sets of columns counted at once, for `combinations` (Unknown n.d.): walks over the lattice of sets."""
