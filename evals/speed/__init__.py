"""How fast a catalog is searched and a turn is answered, beside other engines on the same products and words."""
