"""Measurements: `make bench`. Ratios taken in one run, never a test."""
