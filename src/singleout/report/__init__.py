"""SAYING it: sentences, terminal pages, HTML pages and charts."""
