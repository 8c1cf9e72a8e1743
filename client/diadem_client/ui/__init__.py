"""What Textual shows besides the games: screens, widgets, actions, themes."""
