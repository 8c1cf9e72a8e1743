"""A real browser, told what to do by the DevTools protocol."""

import asyncio
import base64
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.patience import PATIENCE
from tests.programs import tied

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",  # which root has none of; it opens nothing but our own page
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    "--remote-debugging-port=0",
)
POLL = 0.03


class Device(NamedTuple):
    """What a page is looked at with, in pixels of its style sheet."""

    width: int
    height: int
    ratio: float = 1
    touch: bool = False


DESKTOP = Device(1440, 900)
TABLET = Device(1024, 768, 2, touch=True)
PHONE = Device(844, 390, 3, touch=True)
PHONE_UPRIGHT = Device(390, 844, 3, touch=True)
COARSE_PHONE = PHONE._replace(ratio=1)
"""One with the same cells of a ninth of the pixels: nothing here paints faster than a processor."""

STEPS = 10
"""In which a finger moves."""
OTHER_TEXT = """
before => new Promise(done => {
  const text = document.querySelector("#text");
  if (text.textContent !== before) return done();
  const change = new MutationObserver(() => { change.disconnect(); done() });
  change.observe(text, { childList: true, characterData: true, subtree: true });
  setTimeout(() => { change.disconnect(); done() }, 1000);
})
"""
"""Waits until something else stands on the screen, or for a second."""
SCREEN = "document.querySelector('#screen')"
Answer = dict[str, Any]
"""What the browser says has many shapes."""


class Browser:
    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Answer]] = {}
        self.windows: dict[str, Window] = {}

    async def listen(self) -> None:
        with suppress(ConnectionClosed):
            async for said in self._line:
                heard = json.loads(said)
                if "id" in heard:
                    asked = self._asked.pop(heard["id"])
                    if not asked.done():  # whoever asked may have given up
                        asked.set_result(heard)
                elif (window := self.windows.get(heard.get("sessionId", ""))) is not None:
                    window.heard(heard["method"], heard["params"])

    async def ask(self, method: str, session: str = "", **given: Any) -> Answer:
        number = next(self._numbers)
        asked = self._asked[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": given}
        await self._line.send(json.dumps(message | ({"sessionId": session} if session else {})))
        async with asyncio.timeout(PATIENCE):
            heard = await asked
        assert "error" not in heard, (method, heard["error"])
        result: Answer = heard["result"]
        return result

    async def open(
        self, address: str, device: Device = DESKTOP, *, language: str = "en"
    ) -> "Window":
        """A window with cookies of its own, as another person has it."""
        context = (await self.ask("Target.createBrowserContext"))["browserContextId"]
        return await self.open_beside(context, address, device, language=language)

    async def close_windows(self) -> None:
        for context in {window.context for window in self.windows.values()}:
            await self.ask("Target.disposeBrowserContext", browserContextId=context)
        self.windows.clear()

    async def open_beside(
        self, context: str, address: str, device: Device, *, language: str = "en"
    ) -> "Window":
        made = await self.ask("Target.createTarget", url="about:blank", browserContextId=context)
        target = made["targetId"]
        attached = await self.ask("Target.attachToTarget", targetId=target, flatten=True)
        window = Window(self, context, target, attached["sessionId"])
        self.windows[attached["sessionId"]] = window
        for part in ("Page", "Runtime", "Log"):
            await window.ask(f"{part}.enable")
        locale = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}[language]
        agent = (await self.ask("Browser.getVersion"))["userAgent"]
        await window.ask("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=locale)
        await window.ask(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark"}],
        )
        await window.hold(device)
        await window.go(address)
        return window


class Window:
    """One tab, and the hands and eyes before it."""

    def __init__(self, browser: Browser, context: str, target: str, session: str) -> None:
        self.browser = browser
        self.context = context
        self._target = target
        self._session = session
        self.complaints: list[str] = []
        """Errors and refused content, as the browser's console has them."""

    def heard(self, event: str, given: Answer) -> None:
        if event == "Runtime.exceptionThrown":
            self.complaints.append(str(given["exceptionDetails"].get("exception", given)))
        elif event == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.complaints.append(given["entry"]["text"])

    async def ask(self, method: str, **given: Any) -> Answer:
        return await self.browser.ask(method, self._session, **given)

    async def run(self, expression: str, **given: Any) -> Any:
        """What an expression comes to in the page, as JSON has it."""
        answer = await self.ask(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            **given,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def go(self, address: str) -> None:
        await self.ask("Page.navigate", url=address)
        await self.painted()

    async def painted(self) -> None:
        """Until all has come: before the first frame a browser passes on no keys."""
        await self.until_true("document.readyState === 'complete'")
        await self.run("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    async def hold(self, device: Device) -> None:
        width, height, ratio, touch = device
        await self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=ratio,
            mobile=touch,
        )
        await self.ask("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5)

    async def identity(self) -> str:
        """As whom the page's cookie makes the gate know this browser."""
        (cookie,) = (await self.ask("Network.getCookies"))["cookies"]
        return str(cookie["value"])

    async def reload(self) -> None:
        await self.ask("Page.reload")
        await self.painted()

    # Hands

    async def come_forward(self) -> None:
        """A window behind another paints nothing."""
        await self.ask("Page.bringToFront")

    async def press(self, key: str, *, ctrl: bool = False) -> None:
        """A key by its name or letter, as the browser calls it."""
        modifiers = 2 if ctrl else 0
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not ctrl else "")
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "Backspace": 8}
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        given = {"key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **given)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **given)

    async def types(self, words: str) -> None:
        """Letter behind letter, without waiting for one to be dealt with."""
        async with asyncio.TaskGroup() as group:
            for letter in words:
                group.create_task(self.press(letter))

    async def inserts(self, words: str) -> None:
        """As a keyboard that composes puts words into a field."""
        await self.ask("Input.insertText", text=words)

    async def tap_at(self, x: float, y: float) -> None:
        """With a finger where there is touch."""
        if await self.run("matchMedia('(pointer: coarse)').matches"):
            await self._touches(("touchStart", [(x, y)]), ("touchEnd", []))
            return
        given = {"x": x, "y": y, "button": "left", "clickCount": 1}
        await self.ask("Input.dispatchMouseEvent", type="mousePressed", **given)
        await self.ask("Input.dispatchMouseEvent", type="mouseReleased", **given)

    async def _touches(self, *said: tuple[str, Sequence[tuple[float, float]]]) -> None:
        """One after the other, without waiting: a finger that rests for long, as on a busy machine, is no tap."""
        async with asyncio.TaskGroup() as group:
            for kind, fingers in said:
                points = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(fingers)]
                touch = self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)
                group.create_task(touch)

    async def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """With one finger."""
        moves = [("touchMove", [between(start, end, at / STEPS)]) for at in range(1, STEPS + 1)]
        await self._touches(("touchStart", [start]), *moves, ("touchEnd", []))

    async def spread(self, middle: tuple[float, float], before: float, after: float) -> None:
        """Two fingers, so far from each other before and after."""

        def fingers(apart: float) -> list[tuple[float, float]]:
            x, y = middle
            return [(x - apart / 2, y), (x + apart / 2, y)]

        first, last = fingers(before), fingers(after)
        moves = [
            ("touchMove", [between(*each, at / STEPS) for each in zip(first, last, strict=True)])
            for at in range(1, STEPS + 1)
        ]
        await self._touches(("touchStart", first), *moves, ("touchEnd", []))

    async def tap_on(self, selector: str) -> None:
        """An element of the page."""
        x, y = await self.run(
            f"(box => [box.x + box.width / 2, box.y + box.height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        await self.tap_at(x, y)

    async def tap_cell(self, row: int, column: int) -> None:
        columns, rows = await self.run(
            f"(({{columns, rows}}) => [+columns, +rows])({SCREEN}.dataset)"
        )
        left, top, width, height = await self.run(
            f"(box => [box.x, box.y, box.width, box.height])({SCREEN}.getBoundingClientRect())"
        )
        await self.tap_at(
            left + width * (column + 0.5) / columns, top + height * (row + 0.5) / rows
        )

    async def tap(self, words: str, at: int | None = None) -> None:
        """The middle of some words on the screen, or a letter, once they stand there; the lowest of them."""
        rows = (await self.reads(words)).split("\n")
        row = max(at for at, line in enumerate(rows) if words in line)
        await self.tap_cell(
            row, rows[row].rindex(words) + ((len(words) - 1) // 2 if at is None else at)
        )

    # Eyes

    async def text(self) -> str:
        """What stands on the screen, as a screen reader is told it."""
        text = await self.run("document.querySelector('#text').textContent")
        return str(text)

    async def until(self, found: Callable[[str], object], what: str) -> str:
        """Wait until the screen is as wished; the screen."""
        text = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while not found(text := await self.text()):
                    await self.run(f"({OTHER_TEXT})({json.dumps(text)})")
        except TimeoutError:
            seen = await self._seen()
            raise AssertionError(f"waited in vain for {what}:\n{seen}") from None
        return text

    async def _seen(self) -> str:
        """All that may tell why what is waited for does not come."""
        over = await self.run("over.hidden ? '' : over.innerText")
        return f"{await self.text()}\nover it: {over!r}\n{self.complaints}"

    async def reads(self, *words: str) -> str:
        return await self.until(lambda text: all(each in text for each in words), f"all of {words}")

    async def settled(self) -> str:
        """The screen once nothing more is painted on it."""
        before = ""
        while (text := await self.text()) != before:
            before = text
            await self.run("new Promise(done => setTimeout(done, 700))")
        return text

    async def told(self, words: str) -> None:
        """Wait for the page's own word over the screen."""
        await self.until_true(f"!over.hidden && over.innerText.includes({json.dumps(words)})")

    async def until_true(self, expression: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self.run(expression):  # noqa: ASYNC110, as above
                    await asyncio.sleep(POLL)
        except TimeoutError:
            raise AssertionError(f"never true: {expression}\n{await self._seen()}") from None

    async def picture(self, path: Path) -> None:
        """Take a picture to look at, if DIADEM_TESTS_TAKE_PICTURES is set: it costs more than the rest of a test."""
        if not os.environ.get("DIADEM_TESTS_TAKE_PICTURES"):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        shot = await self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))


def between(
    start: tuple[float, float], end: tuple[float, float], part: float
) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


@asynccontextmanager
async def browser(folder: Path, *flags: str) -> AsyncIterator[Browser]:
    """Started anew, with nothing that an earlier one knew."""
    assert CHROMIUM is not None
    process = await asyncio.create_subprocess_exec(
        *tied(CHROMIUM, *FLAGS, *flags, f"--user-data-dir={folder}", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        port_file = folder / "DevToolsActivePort"
        async with asyncio.timeout(PATIENCE):
            while not port_file.exists() or "\n" not in port_file.read_text():  # noqa: ASYNC110
                await asyncio.sleep(POLL)
        port, path = port_file.read_text().splitlines()
        async with connect(f"ws://127.0.0.1:{port}{path}", max_size=None, proxy=None) as line:
            opened = Browser(line)
            listens = asyncio.create_task(opened.listen())
            try:
                yield opened
                with suppress(ConnectionClosed):
                    await opened.ask("Browser.close")
            finally:
                listens.cancel()
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
