"""Results at a terminal: one file a command, and the pieces that pages are laid out from."""
