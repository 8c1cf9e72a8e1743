"""Matches that were played from this machine to their end, each kept as the file that its server has given.

Names of files are our own: when it ended, the seat, and a digest. Nothing that a server says is part of one.
"""

import logging
import os
import re
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec

from diadem.entries import Changed, Entry, Left, Sat, Started
from diadem.game import Seat
from diadem.match_file import MOST_BYTES, End, Header
from diadem.protocol import ReplayLine
from diadem_client.state.past_matches import PastMatch, past_match

log = logging.getLogger(__name__)

MOST_MATCHES = 500
MOST_TOGETHER = 64 * 1024 * 1024
"""Bytes of all files. Beyond these bounds the oldest go."""
NAME = re.compile(r"(\d{10,12})-(\d|x)-([0-9a-f]{32})\.jsonl")
UNKNOWN_SEAT = "x"
HEAD, TAIL = 64 * 1024, 16 * 1024
"""Bytes at either end of a file in which there is what a list shows of it."""


class KeptMatches:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, data: bytes, seat: Seat | None, now: float) -> None:
        """Unless it is kept already. What cannot be written is not kept; the match was played all the same."""
        digest = blake2b(data, digest_size=16).hexdigest()
        if len(data) > MOST_BYTES or any(digest in name for name in self._names()):
            return
        own = UNKNOWN_SEAT if seat is None else str(seat)
        path = self._folder / f"{int(now):010d}-{own}-{digest}.jsonl"
        draft = path.with_suffix(f".{os.getpid()}")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.touch(mode=0o600)
            draft.write_bytes(data)
            draft.replace(path)
        except OSError as error:
            log.warning("a match cannot be kept in %s: %s", self._folder, error)
        else:
            self._prune()

    def listed(self) -> list[PastMatch]:
        """The newest first; what cannot be read is left out."""
        return [match for name in self._names() if (match := self._summary(name)) is not None]

    def read(self, name: str) -> bytes | None:
        """The whole file; None if it is gone."""
        if NAME.fullmatch(name) is None:
            return None
        with suppress(OSError), (self._folder / name).open("rb") as file:
            return file.read(MOST_BYTES + 1)
        return None

    def find(self, code: str) -> PastMatch | None:
        """The newest one of this table."""
        return next((match for match in self.listed() if match.code == code), None)

    def _names(self) -> list[str]:
        """The newest first."""
        found: list[str] = []
        with suppress(OSError):
            found = [path.name for path in self._folder.iterdir() if NAME.fullmatch(path.name)]
        return sorted(found, reverse=True)

    def _prune(self) -> None:
        together = 0
        for number, name in enumerate(self._names(), start=1):
            path = self._folder / name
            with suppress(OSError):
                together += path.stat().st_size
                if number > MOST_MATCHES or together > MOST_TOGETHER:
                    path.unlink()

    def _summary(self, name: str) -> PastMatch | None:
        ended, own, _digest = NAME.fullmatch(name).groups()  # type: ignore[union-attr]  # as of _names
        try:
            with (self._folder / name).open("rb") as file:
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
