"""Charts of a contest."""
