"""Many servers as one Diadem, over one PostgreSQL."""
