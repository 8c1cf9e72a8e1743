"""Server and clients as hosts of their own on a network: namespaces joined by a bridge."""
