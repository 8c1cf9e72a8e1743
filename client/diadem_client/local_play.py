"""What the application does with servers of its own: a game alone, and a server for others to come to."""

import asyncio
import time
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from diadem_client.i18n import gettext as _
from diadem_client.local import lessons, own_words
from diadem_client.local.child import ServerFailed
from diadem_client.local.host import addresses
from diadem_client.local.own_words import OwnWords
from diadem_client.local.servers import LocalServers
from diadem_client.local.solo import SOLO_ADDRESS, bots_for, setup_for
from diadem_client.net import requests
from diadem_client.net.address import Address, is_loopback
from diadem_client.net.client import Client
from diadem_client.net.session import ClientSession
from diadem_client.refusals import ClientCode
from diadem_client.settings import log_file
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.state.coach import Coach
from diadem_client.state.forms import FileReader, UnusableFile
from diadem_client.state.invitation import Way, page_door, ways
from diadem_client.ui.screens.resume import ResumeScreen
from diadem_client.ui.widgets.dialogs import SelectDialog
from diadem_client.wording.options import game_name
from diadem_client.wording.word_lists import told_left_out
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.game import Seat
from diadem_shared.lesson import is_lesson
from diadem_shared.match import Phase
from diadem_shared.match_file import MatchFile
from diadem_shared.protocol import WEB, Door
from diadem_shared.refusals import About, Refusal

if TYPE_CHECKING:
    from diadem_client.app import DiademApp
    from diadem_client.match_analysis import AnalysisJobs

LOCALHOST = "127.0.0.1"
NOWHERE = Address("", port=0)
ENDS, STAYS = "ends", "stays"


class LocalPlay:
    """Belongs to an application; whatever it starts ends with that."""

    def __init__(self, app: "DiademApp", servers: LocalServers | None) -> None:
        self._app = app
        self.servers = servers
        self.is_alone = servers is not None and servers.solo is not None
        """Whether the server that is played on is one for this player alone."""
        self.is_starting = self.is_alone
        self.offers_to_resume = False
        """Whether a match was left here that has to be asked about before it is shown."""
        self.coach: Coach | None = None
        """Who guides the player through their first game; see `coach_at`."""
        self._told_words = ""
        """The file of which it was said last what is left out."""
        self._left_out = ""
        """What is still to be said about it."""

    def token_key(self) -> tuple[Address, str] | None:
        """The key of a token that is kept. A solo server has another port at every start."""
        solo = self.servers.solo if self.servers is not None else None
        setup = self._app.launch.setup
        return (SOLO_ADDRESS, setup.game) if solo and solo.is_kept and setup else None

    @cached_property
    def weighings(self) -> "AnalysisJobs":
        from diadem_client.match_analysis import AnalysisJobs  # noqa: PLC0415, few look back

        kept = None if self.servers is None else self.servers.kept_analyses()
        run = partial(self._app.run_worker, group="weighings")
        return AnalysisJobs(kept, run, self.in_own_words)

    def in_own_words(self, file: MatchFile) -> MatchFile:
        """A match that is over, by the player's own word list if it was played by one that is called so."""
        reader = self._app.launch.file_reader
        if self.servers is None or reader is None:
            return file
        try:
            return self.servers.words.in_place(file, reader)
        except UnusableFile:
            return file

    @property
    def _name(self) -> str:
        """What a player is called who has not been asked."""
        app = self._app
        return app.settings.name or app.launch.name or app.launch.own_name

    def client_at(
        self, address: Address, session: ClientSession, changed: Callable[[ClientState], None]
    ) -> Client:
        is_of_others = self.servers is not None and address.host != LOCALHOST
        memories = self.servers.kept_shuffles(address) if self.servers and is_of_others else None
        return Client(address, session, changed, self.keep_match, memories)

    def keep_match(self, file: bytes, seat: Seat) -> None:
        """Of a match that is over, on a machine of the player's own."""
        if self.servers is not None:
            keep = self.servers.kept_matches.keep
            self._app.run_worker(asyncio.to_thread(keep, file, seat, time.time()), group="matches")

    # For others

    @property
    def open_port(self) -> int | None:
        """Where the player's own server listens, if it does."""
        host = self.servers.host if self.servers is not None else None
        return host.open_port if host is not None else None

    @property
    def own_doors(self) -> tuple[Door, ...]:
        """Of the player's own server, once it is open."""
        host = self.servers.host if self.servers is not None else None
        return host.doors if host is not None else ()

    @property
    def is_at_own_server(self) -> bool:
        client = self._app.client
        return client is not None and client.address == Address(LOCALHOST, self.open_port or 0)

    def open_host(self) -> None:
        """Start a server for others, if there is none yet."""
        if self.servers is not None and self.servers.host is None:
            name = _("At {name}'s").format(name=self._name)
            self.servers.start_host(name, lambda: self._app.call_later(self._show_host))
            self._app.run_worker(self._open_host(), group="host")

    async def _open_host(self) -> None:
        host = self.servers.host if self.servers is not None else None
        if host is None:
            return
        try:
            await host.port()
        except ServerFailed:
            self.stop_hosting()
            self._app.go_home(Refusal(ClientCode.HOST_FAILED, {"log": str(log_file())}))
        else:
            self._show_host()
            self.tell_words(host.words)

    def _show_host(self) -> None:
        """Show where others come to, as far as it is known by now."""
        self._app.show_state(self._app.client_state)

    def go_to_own_server(self) -> None:
        if self.open_port is not None:
            self._app.connect(Address(LOCALHOST, self.open_port), self._name)

    def stop_hosting(self) -> None:
        if self.servers is not None:
            stop = self.servers.stop_host
            self._app.run_worker(asyncio.to_thread(stop), group="closing")

    def ask_what_becomes_of_host(self) -> None:
        """As the player quits."""

        def quit_so(choice: str | None) -> None:
            if choice == STAYS:
                self.let_host_run()
            if choice is not None:
                self._app.quit()

        question = _("Your server is open for others. What becomes of it?")
        choices = [(ENDS, _("End it with me")), (STAYS, _("Let it run on for the others"))]
        if not any(isinstance(screen, SelectDialog) for screen in self._app.screen_stack):
            self._app.push_screen(SelectDialog(question, choices), quit_so)

    def let_host_run(self) -> None:
        """The player's server outlives the client; how to end it is said once the screen is gone."""
        host = self.servers.host if self.servers is not None else None
        if self.servers is not None and host is not None and host.open_port is not None:
            host.leave_running()
            self.servers.host = None
            sentence = _("Your server runs on at port {port}. To end it: kill {pid}")
            self._app.farewell = sentence.format(port=host.open_port, pid=host.pid)

    def ways(self, table: str) -> tuple[Way, ...]:
        """By which others come to the server that is played on, or to one of its tables."""
        if self._app.client is None or self.is_alone:
            return ()
        doors, page = self._app.client_state.doors, page_door(self._app.launch.page)
        if not any(door.kind == WEB and door.host for door in doors):
            doors = (*page, *doors)
        return ways(doors, self._reached(self._app.client.address, known=bool(doors)), table)

    def _reached(self, address: Address, *, known: bool) -> Address:
        """Where others find the server. `known`: whether it says that they can."""
        launch = self._app.launch
        if launch.address is not None:
            return Address(launch.reached, port=0)
        if not is_loopback(address.host):
            return address
        return next(iter(addresses(address.port)), NOWHERE) if known else NOWHERE

    # A first game

    def learn(self, game: str) -> None:
        """Begin the guided first game: at the server where the player is, or at one of their own; else at the only one that
        they may use."""
        client = self._app.client
        setup, bots = lessons.setup_of(game), bots_for(game, lessons.OPPONENTS)
        if client is not None and client.is_connected and setup is not None:
            self._app.run_request(requests.make(client, client.ask(protocol.Make, setup), bots))
        elif self.servers is not None:
            self.prepare_lesson(game)
            self.connect_solo()
        else:
            self._app.launch = replace(self._app.launch, setup=setup, bots=bots, table="")
            self._app.join()

    def prepare_lesson(self, game: str) -> None:
        """Start its server, before there is a screen, too."""
        setup, bots = lessons.setup_of(game), bots_for(game, lessons.OPPONENTS)
        if self.servers is not None and setup is not None:
            self._app.launch = replace(self._app.launch, setup=setup, bots=bots, table="")
            self.is_alone = self.is_starting = True
            self.servers.start_lesson()

    def coach_at(self, table: TableState) -> Coach | None:
        """Who guides the player through their first game, if this is one. A new one begins at a new table."""
        setup = table.public.setup
        if not table.is_lesson:
            self.coach = None
        elif self.coach is None or not self.coach.teaches(setup):
            self.coach = lessons.coach_at(setup)
        return self.coach

    def learn_again(self) -> None:
        if self.coach is not None:
            self._leave_lesson_for(lessons.setup_of(self.coach.game), self.learn, starts=True)

    def play_in_earnest(self) -> None:
        """The game that was learned, against gentle bots."""
        if self.coach is not None:
            self._leave_lesson_for(lessons.in_earnest(self.coach.game), self.play)

    def _leave_lesson_for(
        self, setup: Setup | None, alone: Callable[[str], None], *, starts: bool = False
    ) -> None:
        """`alone` is how that begins on a server of the player's own."""
        client = self._app.client
        if setup is None or client is None:
            return
        if self.is_alone:
            self._app.go_home()
            alone(setup.game)
        else:
            bots = bots_for(setup.game, lessons.OPPONENTS if starts else None)
            self._app.run_request(requests.make_instead(client, setup, bots, starts=starts))

    # Words of the player's own

    def tell_words(self, words: OwnWords) -> None:
        """Say once what of their file is left out."""
        reader = self._app.launch.file_reader
        if words.path and reader is not None and words.path != self._told_words:
            self._told_words = words.path
            self._app.run_worker(self._tell_words(words, reader), group="words", exclusive=True)

    async def _tell_words(self, words: OwnWords, reader: FileReader) -> None:
        try:
            unusable = await asyncio.to_thread(own_words.unusable_lines, words.path, reader)
        except UnusableFile:
            return  # it was there a moment ago, and the server will say why it is no more
        self._left_out = told_left_out(words.name, unusable)
        self._say_what_is_left_out()

    def _say_what_is_left_out(self) -> None:
        """Who plays alone reads it at the table: the screens before it are gone at once."""
        if self._left_out and not (self.is_alone and self._app.client_state.table is None):
            self._app.say(self._left_out)
            self._left_out = ""

    # Alone

    def play(self, game: str) -> None:
        """Start a game alone, against gentle bots, or find the one that was left."""
        if self.servers is None:
            return
        setup = setup_for(game, self.servers.words)
        self._app.launch = replace(self._app.launch, setup=setup, bots=bots_for(game), table="")
        self.is_alone = self.is_starting = True
        self.servers.start_solo(game)
        self.connect_solo()

    def connect_solo(self) -> None:
        self._app.run_worker(self._connect_solo(), group="local", exclusive=True)

    async def _connect_solo(self) -> None:
        solo = self.servers.solo if self.servers is not None else None
        if solo is None:
            return
        try:
            port = await solo.port()
        except ServerFailed:
            self.is_starting = False
            about: About = {"log": str(log_file())}
            if file := solo.words.path:
                why = Refusal(ClientCode.WORDS_FAILED, about | {"file": file})
            else:
                why = Refusal(ClientCode.SOLO_FAILED, about)
            self._app.go_home(why)
        else:
            self.is_starting = False
            self.tell_words(solo.words)
            self._app.connect(Address(LOCALHOST, port), self._name)

    def arrived(self, client: Client) -> bool:
        """The server has let the player in; whether they have a table there already."""
        setup = self._app.launch.setup
        if client.session.table is None:
            return False
        if setup is not None and is_lesson(setup) and not self.is_alone:
            self._app.say(_("You have a seat here already. Learn once you have left it."))
        self.offers_to_resume = self.is_alone
        return True

    def follow(self, client: Client, client_state: ClientState) -> None:
        """Offer to go on with a match that was left, as soon as it is there."""
        table = client_state.table
        self._say_what_is_left_out()
        if self.offers_to_resume and table is not None:
            self._offer_to_resume(client, table)

    def _offer_to_resume(self, client: Client, table: TableState) -> None:
        if table.public.phase is Phase.OVER:
            self._resume_or_replace(client, ResumeScreen.NEW)
        elif table.public.phase is Phase.GATHERING:
            self._resume_or_replace(client, None)
        elif not any(isinstance(screen, ResumeScreen) for screen in self._app.screen_stack):
            self._app.push_screen(ResumeScreen(table), partial(self._resume_or_replace, client))

    def _resume_or_replace(self, client: Client, choice: str | None) -> None:
        """Go on with the match that was left, or make a new one in its place."""
        self.offers_to_resume = False
        launch = self._app.launch
        if choice == ResumeScreen.NEW and launch.setup is not None:
            self._app.run_request(requests.make_instead(client, launch.setup, launch.bots))
        else:
            self._app.show_state(self._app.client_state)

    def leave(self) -> None:
        """Nothing of a game alone is needed any more; its match is kept on disk."""
        self.is_alone = self.is_starting = self.offers_to_resume = False
        self.coach = None
        if self.servers is not None and self.servers.solo is not None:
            stop = self.servers.stop_solo()
            self._app.run_worker(asyncio.to_thread(stop), group="closing")

    def kept(self, table: TableState) -> str:
        """What to say to somebody who leaves a running game alone."""
        if table.is_lesson:
            return ""
        sentence = _("Your match of {game} is kept: choose it again to go on.")
        return sentence.format(game=game_name(table.public.setup.game))
