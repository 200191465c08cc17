"""One file a change of the schema of the database, each building on the one before."""
