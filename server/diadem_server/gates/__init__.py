"""Processes of their own that listen to strangers and run hosted clients for them."""
