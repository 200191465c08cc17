"""Charts of a contest: what submissions keep, whom they give away (Ito et al. n.d., Figs 13, 15, 16)."""
