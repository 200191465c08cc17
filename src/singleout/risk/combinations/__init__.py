"""`combinations`: sets of attributes, minimal sample uniques, SUDA, what an attacker can afford."""
