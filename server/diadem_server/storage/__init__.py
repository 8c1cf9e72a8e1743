"""What is written to disk and read again: the journal, its backup, private files."""
