"""What the shipped word lists cost, as ratios."""

import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter

from diadem_shared.lexicon import from_text, shipped, unpack
from diadem_shared.lexicon.packing import streams

ROUNDS = 15
MOST_TIME = 1.5
MOST_MEMORY = 0.8

# Each runs in a process of its own and prints its resident memory in KB when all is loaded. The
# set is made from the very same words, and what it was made from is gone when it is weighed.
WEIGH = """
def resident(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key))
"""
AS_LEXICON = """
from diadem_shared.lexicon import shipped
lexicon = shipped.load({language!r})
assert "AS" in lexicon and "QQ" not in lexicon
print(resident("VmHWM"))
"""
AS_SET = """
import sys
words = {{line.rstrip("\\n") for line in sys.stdin}}
assert "AS" in words and "QQ" not in words
print(resident("VmRSS"))
"""


def words_of(language: str) -> list[str]:
    lexicon = shipped.load(language)
    return [
        lexicon.packed(length)[at : at + length].decode()
        for length in lexicon.lengths
        for at in range(0, len(lexicon.packed(length)), length)
    ]


def weigh(script: str, given: str = "") -> int:
    process = subprocess.run(
        [sys.executable, "-c", WEIGH + script],
        input=given,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return int(process.stdout)


def seconds(*actions: Callable[[], object]) -> list[float]:
    """The median time of each, taken in turns so that a slow spell hits all alike."""
    taken: list[list[float]] = [[] for _ in actions]
    for _ in range(ROUNDS):
        for times, action in zip(taken, actions, strict=True):
            start = perf_counter()
            action()
            times.append(perf_counter() - start)
    return [median(times) for times in taken]


def loading(language: str) -> str:
    data = shipped.packed(language)
    lexicon = shipped.load(language)
    sizes = [len(lexicon.packed(length)) for length in lexicon.lengths]
    deflated = list(zip(streams(data), sizes, strict=True))

    def inflate() -> None:
        # As fast as zlib can: told the size, so that no output is moved. All are kept until the
        # end, as a loaded list keeps them.
        _ = [zlib.decompress(stream, bufsize=size) for stream, size in deflated]

    bare, load = seconds(inflate, lambda: unpack(shipped.packed(language)))
    return (
        f"{language} load / bare inflate of its words: {load / bare:.2f}"
        f" (at most {MOST_TIME}; {load * 1e3:.1f} ms)"
    )


def memory(language: str) -> str:
    words = "\n".join(words_of(language))
    lexicon, plain = weigh(AS_LEXICON.format(language=language)), weigh(AS_SET.format(), words)
    return (
        f"{language} memory, peak of a process with the list / resident with a set:"
        f" {lexicon / plain:.2f} (at most {MOST_MEMORY}; {lexicon / 1024:.0f} MB)"
    )


def lookup(language: str) -> str:
    lexicon = shipped.load(language)
    words = words_of(language)
    sample = words[:: len(words) // 10_000]
    plain = set(words)
    listed, hashed = seconds(
        lambda: [word in lexicon for word in sample], lambda: [word in plain for word in sample]
    )
    return (
        f"{language} lookup / lookup in a set: {listed / hashed:.0f}"
        f" ({listed / len(sample) * 1e6:.1f} us)"
    )


def reading(language: str) -> str:
    words = words_of(language)
    text = "\n".join(words).lower()
    start = perf_counter()
    from_text(text, language)
    return (
        f"{language} from_text, seconds for 500,000 lines: "
        f"{(perf_counter() - start) * 500_000 / len(words):.1f}"
    )


def run() -> Iterator[str]:
    for language in shipped.languages():
        for measure in (loading, memory, lookup, reading):
            yield measure(language)
