"""Hypothesis judges what is true, not how fast this machine is today."""

from hypothesis import settings

settings.register_profile("diadem", deadline=None, print_blob=True)
settings.load_profile("diadem")
