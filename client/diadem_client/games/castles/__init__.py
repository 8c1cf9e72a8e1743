"""Diamoniak and Piratatak on the screen."""
