"""What follows from COUNTING: equivalence classes and the measures on them; a room for each command."""
