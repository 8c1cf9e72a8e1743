"""All tables of a server, how they are found, made, restored and given up."""
