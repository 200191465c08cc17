"""What is LEFT of the data: metrics, one file a family."""
