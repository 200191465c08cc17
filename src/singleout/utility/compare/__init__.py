"""`compare`: releases beside their original, measured, attacked and ranked."""
