"""The page in chromium: what comes before something is painted, and the time from a key to the cells that it changes.

A cell counts as painted when the canvas has it; the compositor shows it with the next frame. Nothing is drawn by a
graphics card here, so that painting is slower than on a player's machine.
"""

from statistics import quantiles

from tests.web.browser import Browser, Device

KEYS = 100
PAUSE = 120
"""Milliseconds between two keys: each is answered before the next."""
LOOKS = """
(canvas => {
  const figures = window.figures = { letters: 0, keys: [] };
  let pressed = 0;
  addEventListener('keydown', event => pressed = event.timeStamp, true);
  const fill = canvas.fillText;
  canvas.fillText = function (...given) { figures.letters ||= performance.now(); return fill.apply(this, given); };
  const paint = canvas.fillRect;
  canvas.fillRect = function (...given) {
    if (pressed) figures.keys.push(performance.now() - pressed);
    pressed = 0;
    return paint.apply(this, given);
  };
})(CanvasRenderingContext2D.prototype)
"""
"""Wraps what the page paints with, before the page begins."""
LOADED = """
(entries => ({
  size: entries.reduce((sum, each) => sum + each.transferSize, 0),
  files: entries.length,
  first: performance.getEntriesByName('first-paint')[0]?.startTime ?? NaN,
  letters: figures.letters,
}))([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')])
"""


async def measured(chromium: Browser, address: str, device: Device) -> str:
    """In a window of its own, whose player has been here before, and does not have to give a name."""
    window = await chromium.open(address, device)
    await window.ask("Page.addScriptToEvaluateOnNewDocument", source=LOOKS)
    await window.run("localStorage.setItem('name', 'Bob')")
    await window.ask("Network.enable")
    await window.ask("Network.setCacheDisabled", cacheDisabled=True)
    await window.reload()
    await window.reads("Diadem, as Bob")
    loaded = await window.run(LOADED)
    await window.press("m")
    await window.reads("What is played here?")
    await window.settled()
    await window.run("figures.keys.length = 0")
    for _ in range(KEYS):
        await window.press("ArrowRight")
        await window.run(f"new Promise(done => setTimeout(done, {PAUSE}))")
    felt = quantiles(await window.run("figures.keys"), n=100)
    await chromium.close_windows()
    return (
        f"{loaded['size'] / 1000:.1f} kB in {loaded['files']} files, painted after {loaded['first']:.0f} ms,"
        f" the client's first letters after {loaded['letters']:.0f} ms; a key is painted after"
        f" {felt[49]:.1f} ms (p50), {felt[89]:.1f} (p90)"
    )
