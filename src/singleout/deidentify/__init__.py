"""CHANGING the data: `hierarchy` and `deidentify`; what is written is written whole or not at all."""
