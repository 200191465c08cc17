"""`predict`: the risk from statistics alone (paper 4)."""
