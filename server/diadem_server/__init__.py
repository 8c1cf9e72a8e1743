"""The Diadem server: sockets, lobby, tables, journal and clocks. No rules live here."""

from diadem import VERSION as VERSION
