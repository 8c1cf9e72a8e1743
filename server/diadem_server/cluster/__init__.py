"""Many servers that are one Diadem over one PostgreSQL: the journal, the register of nodes, and who has which table."""
