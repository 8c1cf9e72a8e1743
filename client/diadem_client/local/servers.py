"""The servers that this client has started on this machine; at most one for each purpose."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from diadem_client.local.child import ChildServer
from diadem_client.local.host import HostServer
from diadem_client.local.kept_matches import KeptMatches
from diadem_client.local.own_words import InOwnWords, OwnWords
from diadem_client.local.solo import SoloServer
from diadem_client.settings import SettingsStore

if TYPE_CHECKING:
    from diadem_client.local.home_statistics import HomeStatistics
    from diadem_client.local.kept_analyses import KeptAnalyses
    from diadem_client.local.kept_shuffles import KeptShuffles
    from diadem_client.net.address import Address


class LocalServers:
    def __init__(self, store: SettingsStore, word_list: str = "") -> None:
        """With a file of words that was named on the command line; else that of the settings is taken."""
        self._store = store
        self._word_list = word_list
        self.kept_matches = KeptMatches(store.past_matches_folder())
        self.solo: SoloServer | None = None
        self.host: HostServer | None = None

    def statistics(self, in_own_words: InOwnWords) -> "HomeStatistics":
        """Of all that was played from this machine."""
        from diadem_client.local.home_statistics import HomeStatistics  # noqa: PLC0415, few look

        counted = self._store.counted_matches_file()
        return HomeStatistics(self.kept_matches, counted, in_own_words)

    def kept_analyses(self) -> "KeptAnalyses":
        """Of matches of every origin."""
        from diadem_client.local.kept_analyses import KeptAnalyses  # noqa: PLC0415, as above

        return KeptAnalyses(self._store.analyses_folder())

    def kept_shuffles(self, address: "Address") -> "KeptShuffles":
        """Of tables at this address."""
        from diadem_client.local.kept_shuffles import KeptShuffles  # noqa: PLC0415, not when alone

        return KeptShuffles(self._store.shuffles_folder(), address)

    @property
    def words(self) -> OwnWords:
        """Of the player's own, if they have named a file."""
        return OwnWords(self._word_list or self._store.settings().word_list)

    def start_solo(self, game: str) -> SoloServer:
        words = self.words if self.words.for_game(game) else None
        self.solo = SoloServer(self._store.match_folder(game), words)
        return self.solo

    def start_lesson(self) -> SoloServer:
        """Nothing of it is kept."""
        self.solo = SoloServer(None)
        return self.solo

    def start_host(self, name: str, page_opened: Callable[[], object]) -> HostServer:
        self.host = HostServer(self._store.host_folder(), name, self.words, page_opened)
        return self.host

    def stop_solo(self) -> Callable[[], None]:
        """Forget it, so that another may be started; what is returned ends it, which takes a moment."""
        solo, self.solo = self.solo, None
        return partial(_close, solo)

    def stop_host(self) -> None:
        host, self.host = self.host, None
        _close(host)

    def close(self) -> None:
        self.stop_solo()()
        self.stop_host()


def _close(server: ChildServer | None) -> None:
    if server is not None:
        with suppress(OSError):
            server.close()
