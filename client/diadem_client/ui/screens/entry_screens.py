"""The screens on the way to a table, loaded when one is shown: at a table none of them is needed."""

from diadem_client.ui.screens.base import BaseScreen


def start_screen() -> type[BaseScreen]:
    from diadem_client.ui.screens.start import StartScreen  # noqa: PLC0415

    return StartScreen


def connect_screen() -> type[BaseScreen]:
    from diadem_client.ui.screens.connect import ConnectScreen  # noqa: PLC0415

    return ConnectScreen


def lobby_screen() -> type[BaseScreen]:
    from diadem_client.ui.screens.lobby import LobbyScreen  # noqa: PLC0415

    return LobbyScreen
