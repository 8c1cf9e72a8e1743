"""The servers that this client has started on this machine; at most one for each purpose."""

from contextlib import suppress

from diadem_client.local.child import ChildServer
from diadem_client.local.host import HostServer
from diadem_client.local.solo import SoloServer
from diadem_client.settings import SettingsStore


class LocalServers:
    def __init__(self, store: SettingsStore) -> None:
        self._store = store
        self.solo: SoloServer | None = None
        self.host: HostServer | None = None

    def start_solo(self, game: str) -> SoloServer:
        self.solo = SoloServer(self._store.match_folder(game))
        return self.solo

    def start_host(self, name: str) -> HostServer:
        self.host = HostServer(self._store.host_folder(), name)
        return self.host

    def stop_solo(self) -> None:
        solo, self.solo = self.solo, None
        _close(solo)

    def stop_host(self) -> None:
        host, self.host = self.host, None
        _close(host)

    def close(self) -> None:
        self.stop_solo()
        self.stop_host()


def _close(server: ChildServer | None) -> None:
    if server is not None:
        with suppress(OSError):
            server.close()
