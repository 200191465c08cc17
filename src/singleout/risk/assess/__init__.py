"""`assess`: every attribute by itself, and all of them together (Ito et al. 2019)."""
