"""What is LEFT of the data, for `compare` and `check`: metrics, one file a family."""
