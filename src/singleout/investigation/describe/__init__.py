"""The command `describe`: what kind of data a table is, before anybody judges it."""
