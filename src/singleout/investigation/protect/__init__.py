"""`protect`: the change of a table that keeps a policy and costs the least."""
