"""What `/metrics` shows, in the text format that Prometheus reads."""

from dataclasses import dataclass, fields

HELP = {
    "connections": ("gauge", "Open connections."),
    "tables": ("gauge", "Tables that are open."),
    "entries": ("counter", "Entries made since the start."),
    "refusals": ("counter", "Commands refused since the start."),
    "bad_frames": ("counter", "Frames that were no message of the protocol."),
    "journal_waiting": ("gauge", "Writes the disk has not taken yet."),
    "ssh_sessions": ("gauge", "Players who are here over ssh."),
    "web_sessions": ("gauge", "Players who are here in a browser."),
    "passwords_wrong": ("counter", "Wrong passwords since the start."),
    "turned_away": ("counter", "Connections refused because of a limit."),
}


@dataclass
class Metrics:
    connections: int = 0
    tables: int = 0
    entries: int = 0
    refusals: int = 0
    bad_frames: int = 0
    journal_waiting: int = 0
    ssh_sessions: int = 0
    web_sessions: int = 0
    passwords_wrong: int = 0
    turned_away: int = 0

    def __str__(self) -> str:
        lines = []
        for each in fields(self):
            kind, help_ = HELP[each.name]
            name = f"diadem_{each.name}" + ("_total" if kind == "counter" else "")
            lines += [
                f"# HELP {name} {help_}",
                f"# TYPE {name} {kind}",
                f"{name} {getattr(self, each.name)}",
            ]
        return "\n".join(lines) + "\n"
