"""The steps of a recipe, one file each: a frozen value that checks itself and changes records."""
