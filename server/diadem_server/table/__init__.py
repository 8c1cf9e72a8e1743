"""One table: its match, its people, its clocks, its bots, and what each viewer is shown."""
