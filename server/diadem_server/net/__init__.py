"""What carries bytes between the server and its clients, and what holds back who sends too many."""
