"""The Diadem client: what a player sees and types. No rules live here."""

from importlib.metadata import version

VERSION = version("diadem")
