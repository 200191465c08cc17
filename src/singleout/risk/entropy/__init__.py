"""`entropy`: what records of one domain or of several tell about their person, in bits (Ito et al. n.d.)."""
