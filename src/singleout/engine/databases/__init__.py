"""The engines: one SQL text for all, DuckDB, PostgreSQL and Spark."""
