"""Who evaluates submissions: takes jobs from the queue and scores each in a process with limits."""
