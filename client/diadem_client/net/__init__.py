"""The client's side of the protocol, without screens: where a server is, the connection, the session."""
