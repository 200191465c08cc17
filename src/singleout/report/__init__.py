"""SAYING it, for every command: sentences, terminal pages, HTML pages with charts, and JUnit."""
