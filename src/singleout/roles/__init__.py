"""WHAT columns mean: roles, domains, the study file, how coarsely a value is known."""
