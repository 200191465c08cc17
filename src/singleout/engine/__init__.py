"""HOW to count: what an engine answers, and how one is opened."""
