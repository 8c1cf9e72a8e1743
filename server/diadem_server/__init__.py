"""The Diadem server: sockets, lobby, tables, journal and clocks. No rules live here."""

from importlib.metadata import version

VERSION = version("diadem")
