"""What follows from TRYING: `attack`, by which people of a release are linked to the original."""
