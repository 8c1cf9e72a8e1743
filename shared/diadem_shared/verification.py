"""Whether a match is what its file says: it is played again, and everything in it is held against everything else."""

from collections.abc import Generator, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct

from diadem_shared.chain import Chain
from diadem_shared.entries import Entry, Started
from diadem_shared.game import Seat, digest
from diadem_shared.match import Match, Phase, apply
from diadem_shared.match_file import Fault, MatchFile, Untrue, illegal, opened
from diadem_shared.playout import Step
from diadem_shared.refusals import RefusalError
from diadem_shared.shuffle import commitment_of_server


class SeenView(Struct, frozen=True):
    """What was seen of a table after an entry."""

    link: str
    seat: Seat | None = None
    digest: str = ""
    """Of the game's own view; empty before the first round."""


class SeenShuffle(Struct, frozen=True):
    """A list of commitments of which somebody has opened their own."""

    round: int
    """Counted from 0."""
    entry: int
    """The newest when it was opened, which was sealed by then."""
    link: str
    """Of that entry; empty where the server has told none."""
    commitments: tuple[str, ...]
    opening: str


class Seen(Struct, frozen=True):
    """What a client has kept of a match while it ran, to hold the file against."""

    server: str = ""
    """The commitment of the server."""
    views: Mapping[int, SeenView] = {}
    """By the numbers of their entries."""
    shuffles: Sequence[SeenShuffle] = ()
    """Every list that was opened, in that order."""


class RoundFact(Struct, frozen=True):
    """Who has added to the chance of a round."""

    added: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    """Those who have committed, and have not opened."""


class Verified(Struct, frozen=True):
    """What holds of a match."""

    match: Match
    rounds: tuple[RoundFact, ...]
    is_chained: bool
    dropped: int
    """How often it was sealed what is added, and no round was dealt by that."""
    link: str
    """The last one of the hash chain, which is of no other match."""
    unheard: int
    """Moves that are legal but for words which are not in the list of this machine."""
    dropped_opened: int = 0
    """Lists that were opened by whom it is verified for, and of which entries have left nothing."""


def verify(file: MatchFile, seen: Seen | None = None) -> Generator[int, None, Verified]:
    """Play it again; yields the number of each entry that holds. Raises Untrue for the first thing that does not."""
    return (yield from _Verification(file, seen or Seen()).steps())


def verify_whole(file: MatchFile, seen: Seen | None = None) -> Verified:
    steps = verify(file, seen)
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            verified: Verified = finished.value
            return verified


def play(file: MatchFile) -> Iterator[Step]:
    """The match again, entry by entry, for whoever has verified it."""
    secret, match = bytes.fromhex(file.end.secret), opened(file.header)
    for entry in file.entries:
        match, told = apply(match, entry, secret, recorded=True)
        yield Step(entry, match, told)


class _Verification:
    def __init__(self, file: MatchFile, seen: Seen) -> None:
        self._file = file
        self._seen = seen
        self._secret = bytes.fromhex(file.end.secret)
        self._rounds: list[RoundFact] = []
        self._dropped = self._unheard = self._dropped_opened = 0
        self._opened_at: dict[int, list[SeenShuffle]] = {}
        for each in self._seen.shuffles:
            self._opened_at.setdefault(each.entry, []).append(each)
        self._undealt: list[SeenShuffle] = []
        """By whom it is verified for, and not dealt yet."""

    def steps(self) -> Generator[int, None, Verified]:
        header, end = self._file.header, self._file.end
        committed = commitment_of_server(self._secret).hex()
        if header.commitment != committed or self._seen.server not in {"", committed}:
            raise Untrue(Fault.COMMITMENT)
        match = opened(header)
        chain = Chain(self._secret, self._file.lines[0])
        link = chain.origin
        for number, line in enumerate(self._file.lines[1:], 1):
            link = chain.link(link, line)
            if number == self._file.later:
                self._hold_links_against_seen(chain, link)
                raise Untrue(Fault.OTHER_RULES, number)
            match = self._after(match, number)
            self._hold_against_seen(match, number, link.hex())
            self._hold_against_opened(match, number, link.hex())
            yield number
        if end.chain not in {"", link.hex()}:
            raise Untrue(Fault.CHAIN)
        if match.phase is not Phase.OVER:
            raise Untrue(Fault.NOT_WHOLE)
        if match.totals != end.totals or not self._is_digest(match):
            raise Untrue(Fault.RESULT)
        if any(number > match.entries for number in self._seen.views):
            raise Untrue(Fault.OTHER_MATCH)
        if beyond := [each.entry for each in self._seen.shuffles if each.entry > match.entries]:
            raise Untrue(Fault.OTHER_SHUFFLE, beyond[0])
        return Verified(
            match, tuple(self._rounds), bool(end.chain), self._dropped,
            link.hex(), self._unheard, self._dropped_opened,
        )  # fmt: skip

    def _hold_links_against_seen(self, chain: Chain, link: bytes) -> None:
        """All that can be said of entries from one on that is not understood: whether they are those that were shown."""
        later = self._file.later
        for number, line in enumerate(self._file.lines[later:], later):
            link = link if number == later else chain.link(link, line)
            view, mine = self._seen.views.get(number), self._opened_at.get(number, ())
            if view is not None and view.link not in {"", link.hex()}:
                raise Untrue(Fault.OTHER_MATCH, number)
            if any(each.link not in {"", link.hex()} for each in mine):
                raise Untrue(Fault.OTHER_SHUFFLE, number)
        if self._file.end.chain not in {"", link.hex()}:
            raise Untrue(Fault.CHAIN)

    def _after(self, match: Match, number: int) -> Match:
        entry = self._file.entries[number - 1]
        try:
            after = self._apply(match, entry)
        except Exception as error:
            raise illegal(number, error) from error
        if isinstance(entry, Started):
            self._note_round(match, entry, number)
        elif match.sealed is not UNSET and after.sealed is UNSET:
            self._dropped += 1
            self._dropped_opened += len(self._undealt)
            self._undealt.clear()
        return after

    def _apply(self, match: Match, entry: Entry) -> Match:
        try:
            after, _ = apply(match, entry, self._secret)
        except RefusalError:
            after, _ = apply(match, entry, self._secret, recorded=True)
            self._unheard += 1
        return after

    def _note_round(self, match: Match, started: Started, number: int) -> None:
        sealed = match.commitments
        opened = zip(
            match.players, sealed, started.openings, strict=False
        )  # nobody has, if none is sealed
        answered = [(player.name, bool(opening)) for player, said, opening in opened if said]
        added = tuple(name for name, has_opened in answered if has_opened)
        silent = tuple(name for name, has_opened in answered if not has_opened)
        self._rounds.append(RoundFact(added, silent))
        for mine in self._undealt:
            if mine.commitments != sealed or mine.opening not in started.openings:
                raise Untrue(Fault.LEFT_OUT, number)
        self._undealt.clear()

    def _hold_against_seen(self, match: Match, number: int, link: str) -> None:
        view = self._seen.views.get(number)
        if view is None:
            return
        if view.link not in {"", link}:
            raise Untrue(Fault.OTHER_MATCH, number)
        if view.digest and view.digest != digest_of_view(match, view.seat):
            raise Untrue(Fault.OTHER_VIEW, number)

    def _hold_against_opened(self, match: Match, number: int, link: str) -> None:
        """Each list that was opened stands in the file, sealed where it was opened."""
        for mine in self._opened_at.get(number, ()):
            is_same = match.commitments == mine.commitments and len(match.rounds) == mine.round
            if not is_same or mine.link not in {"", link}:
                raise Untrue(Fault.OTHER_SHUFFLE, number)
            self._undealt.append(mine)

    def _is_digest(self, match: Match) -> bool:
        """Those of older versions are not known to all that read them."""
        return self._file.end.digest in {"", digest(match)}


def digest_of_view(match: Match, seat: Seat | None) -> str:
    if match.state is None or (seat is not None and seat >= len(match.players)):
        return ""
    return digest(match.game.view(match.state, seat))
