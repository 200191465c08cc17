"""HOW to count, for every command: what an engine answers, how one is opened, the list of class sizes."""
