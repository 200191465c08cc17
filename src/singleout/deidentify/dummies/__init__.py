"""`deidentify dummies`: item sets hidden among others by dummy records (paper 2)."""
