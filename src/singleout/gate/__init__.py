"""MAY it be released: a policy's rules, what they ask of the data, and the verdict."""
