"""`assess`: every attribute by itself, and all of them together (paper 0)."""
