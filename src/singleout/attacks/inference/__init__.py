"""Attribute inference: how well a sensitive value is guessed by somebody who knows the other columns."""
