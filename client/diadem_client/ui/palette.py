"""The command palette: everything that has a key here, found by typing."""

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from diadem_client.i18n import gettext as _
from diadem_client.ui.widgets.key_hints import active_actions, key_label


class Palette(Provider):
    def _offers(self) -> list[tuple[str, str, Callable[[], Any]]]:
        return [
            (
                f"{_(binding.description)}  ({key_label(binding.key)})",
                _(binding.tooltip),
                partial(self.app.run_action, binding.action, node),
            )
            for node, binding, *_rest in active_actions(self.screen)
            if binding.action != "command_palette"
        ]

    async def discover(self) -> Hits:
        for words, help_, run in self._offers():
            yield DiscoveryHit(words, run, help=help_)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for words, help_, run in self._offers():
            if (score := max(matcher.match(words), matcher.match(help_))) > 0:
                yield Hit(score, matcher.highlight(words), run, help=help_)
