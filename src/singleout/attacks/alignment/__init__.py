"""What the values of an original and its release have in common: writings, forms and levels."""
