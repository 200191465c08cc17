"""`deidentify dummies`: item sets hidden among others by dummy records (Ito et al. 2020)."""
