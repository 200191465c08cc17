"""Where uploaded code runs: as nobody, without files, network or other processes, for a while only."""
