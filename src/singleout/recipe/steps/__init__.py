"""The steps of a recipe for `deidentify apply`, one file each: a frozen value that checks itself."""
