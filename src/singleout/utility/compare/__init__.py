"""`compare`: releases beside their original, measured, attacked and ranked (papers 2 and 3)."""
