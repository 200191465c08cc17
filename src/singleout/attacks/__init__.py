"""What follows from TRYING: `attack`, which links people of a release to the original."""
