"""The Diadem client: what a player sees and types. No rules live here."""

from diadem_shared import VERSION as VERSION
