"""Gates: processes of their own that accept connections from strangers and run hosted clients for them."""
