"""The Diadem client: what a player sees and types. No rules live here."""

from diadem import VERSION as VERSION
