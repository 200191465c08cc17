"""Inputs that nobody would write by hand, tried by the thousand, and what must never come of them."""
