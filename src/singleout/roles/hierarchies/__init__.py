"""How values become coarser: generalisation hierarchies, their rules and files."""
