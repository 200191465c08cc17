"""HOW a release was made: a recipe of steps, the records that they change, and what they leave."""
