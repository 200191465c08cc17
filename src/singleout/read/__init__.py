"""WHERE the data is: files and databases, how a CSV file is written, generated samples."""
