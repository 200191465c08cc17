"""WHAT columns mean: roles, domains, the study file that `roles` writes, how coarsely a value is known."""
