"""Whole records: the nearest ones, votes of single records, and the likelihood of each (Bayes linkage)."""
