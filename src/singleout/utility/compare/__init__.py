"""`compare`: releases beside their original, measured, attacked and ranked (Ito et al. 2020 and n.d.)."""
