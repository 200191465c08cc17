"""What the data answers: the rules of a policy as questions to a table, and one file a family of answers."""
