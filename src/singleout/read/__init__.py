"""WHERE the data is: files and databases, how a CSV file is written, and what `sample` generates."""
