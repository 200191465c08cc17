"""MAY it be released: `check`, a policy's rules, what they ask of the data, and the verdict."""
