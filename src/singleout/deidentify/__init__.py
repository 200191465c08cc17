"""CHANGING the data: tables read whole, changed, and delivered all or not at all."""
