"""Reading tables of scores and writing results."""
