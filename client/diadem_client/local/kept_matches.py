"""Matches that were played from this machine to their end, each kept as the file that its server has given.

A name is when it ended, the seat, and a digest. Nothing that a server says is part of one.
"""

import os
import re
from hashlib import blake2b
from pathlib import Path

import msgspec

from diadem_client.local.kept_files import KeptFiles
from diadem_client.state.past_matches import PastMatch, past_match
from diadem_shared.entries import Changed, Entry, Left, Sat, Started
from diadem_shared.game import Seat
from diadem_shared.match_file import MOST_BYTES, End, Header
from diadem_shared.protocol import ReplayLine

MOST_MATCHES = 500
MOST_TOGETHER = 64 * 1024 * 1024
"""Bytes of all files. Beyond these bounds the oldest go."""
NAME = re.compile(r"(\d{10,12})-(\d|x)-([0-9a-f]{32})\.jsonl")
UNKNOWN_SEAT = "x"
HEAD, TAIL = 64 * 1024, 16 * 1024
"""Bytes at either end of a file in which there is what a list shows of it."""


class KeptMatches:
    def __init__(self, folder: Path) -> None:
        self._files = KeptFiles(folder, NAME, MOST_MATCHES, MOST_TOGETHER)

    def keep(self, data: bytes, seat: Seat | None, now: float) -> None:
        """Unless it is kept already. What cannot be written is not kept; the match was played all the same."""
        digest = blake2b(data, digest_size=16).hexdigest()
        if len(data) > MOST_BYTES or self._files.find(digest):
            return
        own = UNKNOWN_SEAT if seat is None else str(seat)
        self._files.keep(f"{int(now):010d}-{own}-{digest}.jsonl", data)

    def listed(self) -> list[PastMatch]:
        """The newest first; what cannot be read is left out."""
        names = self._files.names()
        return [match for name in names if (match := self._summary(name)) is not None]

    def read(self, name: str) -> bytes | None:
        """The whole file; None if it is gone."""
        return self._files.read(name, MOST_BYTES)

    def find(self, code: str) -> PastMatch | None:
        """The newest one of this table."""
        return next((match for match in self.listed() if match.code == code), None)

    def _summary(self, name: str) -> PastMatch | None:
        ended, own, _digest = NAME.fullmatch(name).groups()  # type: ignore[union-attr]  # as of _names
        try:
            with (self._files.folder / name).open("rb") as file:
                head = file.read(HEAD)
                file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
                last = file.read(TAIL).rstrip().rpartition(b"\n")[2]
            seat = None if own == UNKNOWN_SEAT else int(own)
            return past_match(_line_of(head, last, int(ended), seat), name)
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
            return None


def _line_of(head: bytes, last: bytes, ended: int, seat: Seat | None) -> ReplayLine:
    first, *lines = head.split(b"\n")
    header = msgspec.json.decode(first, type=Header)
    end = msgspec.json.decode(last, type=End)
    setup, names = header.setup, list[str]()
    for line in lines:
        match msgspec.json.decode(line, type=Entry):
            case Sat(name):
                names.append(name)
            case Left(left) if left in range(len(names)):
                del names[left]
            case Changed(changed):
                setup = changed
            case Started():
                break
            case _:
                pass
    return ReplayLine(header.table, setup.game, tuple(names), end.totals, ended, seat)
