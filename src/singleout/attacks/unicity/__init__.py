"""Unicity for `attack`: how many people a few known records single out (de Montjoye et al. 2013)."""
