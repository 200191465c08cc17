"""The command `sweep`: how privacy and utility change with the parameters of recipes."""
