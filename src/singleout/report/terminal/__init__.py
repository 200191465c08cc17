"""Results at a terminal: one file a command."""
