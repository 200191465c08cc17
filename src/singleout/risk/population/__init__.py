"""What a sample says about everybody: the population's uniqueness and risk, by models that may be refused."""
