"""A match that is over is written to a file, in the form that is chosen."""

import asyncio
from pathlib import Path

from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.local.match_exports import exported, forms, save
from diadem_client.net.match_audit import NotExported
from diadem_client.state.past_matches import Form, Load
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.base import BaseScreen
from diadem_client.ui.widgets.dialogs import SelectDialog
from diadem_client.wording.past_matches import not_shown
from diadem_shared import match_file
from diadem_shared.match_file import Untrue
from diadem_shared.refusals import RefusalError

EXPORT = Action(
    "export", ("x",), N_("export"), N_("Write the match to a file, to read or to keep.")
)
MOST_COPIED = 64 * 1024
"""Letters; terminals take no more at once."""
LABELS = {
    Form.TEXT: N_("a text to read"),
    Form.JSON: N_("the file of the match (JSON), to verify or to look at again"),
    Form.GCG: N_("a score sheet (GCG), for programs of word games"),
}


class Exporting(BaseScreen):
    def ask_for_form(self, game: str, load: Load) -> None:
        def export(chosen: str | None) -> None:
            if chosen:
                self.run_worker(self._export(load, Form(chosen)))

        among = [(form.value, _(LABELS[form])) for form in forms(game)]
        self.app.push_screen(SelectDialog(_("Write this match as"), among), export)

    async def _export(self, load: Load, form: Form) -> None:
        try:
            data = await load()
            file = await asyncio.to_thread(match_file.read, data)
            texts = await asyncio.to_thread(self._exported, file, data, form)
        except Untrue as untrue:
            self.tell(not_shown(untrue))
        except NotExported as gone:
            self.tell(not_shown(gone.answer))
        except RefusalError:
            self.tell(_("This match cannot be played again here."))
        else:
            if self.diadem.local.servers is None:
                self._copy("\n".join(texts))
            else:
                self.tell(await asyncio.to_thread(self._written, file, form, texts))

    def _exported(self, file: match_file.MatchFile, data: bytes, form: Form) -> list[str]:
        return exported(self.diadem.local.in_own_words(file), data, form)

    def _written(self, file: match_file.MatchFile, form: Form, texts: list[str]) -> str:
        try:
            paths = save(self.diadem.store.exports_folder(), file, form, texts)
        except OSError:
            folder = self.diadem.store.exports_folder()
            return _("{file} cannot be written").format(file=folder)
        return _("Written: {files}").format(files=listed(map(_short, paths)))

    def _copy(self, text: str) -> None:
        """A player has no files on the machine of a host."""
        if len(text) > MOST_COPIED:
            told = _("No file is written on the host's machine, and this is too long to be copied.")
            self.tell(told)
        else:
            self.app.copy_to_clipboard(text)
            self.tell(_("Copied, if your terminal lets programs copy."))


def _short(path: Path) -> str:
    """As people write it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
