"""From two columns of entries to the integers that are counted."""
