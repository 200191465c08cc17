"""`entropy`: what one record tells about its person, in bits (paper 3)."""
