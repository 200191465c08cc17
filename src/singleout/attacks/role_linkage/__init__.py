"""Renamed values matched by the part they play: colour refinement of people and items."""
