"""Makes the shipped word lists again from ordinary Debian packages."""
