"""The engines DuckDB, PostgreSQL and Spark, and the one SQL text by which all of them count."""
