"""`predict`: the risk from statistics alone (Yang et al. 2020)."""
