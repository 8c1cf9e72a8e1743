"""What reaches the page: nothing that others wrote steers the window, its title or its clipboard."""

import re
from pathlib import Path

from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.wire import Player
from tests.server import done
from tests.web.rig import host, window

EVIL = (
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\x1b]2;evil title\x07",
    "\x9d52;c;ZXZpbA==\x9c",
    "\x1b[2J\x1b[8;5;5t",
    "\x1bPevil\x1b\\",
    "\u202eevil\u2066",
)
"""Clipboard, link, title; the same in one character; an emptied and resized window; a device; turned text."""
COMMANDS = re.compile(rb"\x1b\]([^;\x07\x1b]*);([^\x07\x1b]*)(?:\x07|\x1b\\)")
OURS = {b"2", b"22"}
"""The title, and the pointer's form, which the client itself sets."""


async def test_names_and_chat_of_others_steer_nothing(tmp_path: Path) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        name = f"a{EVIL[0]}{EVIL[3]}"
        async with window(at.port, name, table=table, lang="\x1b]52;c;eA==\x07") as ana:
            await ana.reads("sits down")
            for number, evil in enumerate(EVIL):
                await bob.ask(protocol.Say, f"line{number} {evil}")
            await done(bob, protocol.Say, "that was all")
            await ana.press("\t")
            await ana.reads("that was all")
            commands = COMMANDS.findall(ana.bytes)
            assert {kind for kind, _ in commands} <= OURS
            assert not any(b"evil" in text or b"ZXZpbA" in text for _, text in commands)
            said = ana.bytes.decode()
            assert not re.search("[\x80-\x9f\u202a-\u202e\u2066-\u2069]", said)
            assert not re.search("\x1b[P_^X]", said)
            assert "\x1b[8;5;5t" not in said
