"""Many sets of columns counted at once: walks over the lattice of sets."""
