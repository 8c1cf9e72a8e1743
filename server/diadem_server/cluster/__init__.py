"""What many servers need to be one Diadem over one PostgreSQL: a journal, and the register of nodes. Not used yet."""
