"""The Diadem server: sockets, lobby, tables, journal and clocks. No rules live here."""

from diadem_shared import VERSION as VERSION
