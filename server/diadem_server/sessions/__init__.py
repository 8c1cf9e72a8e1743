"""Who is who: identities, their names, and what each has been answered."""
