"""A match that was played by a list of somebody's own, which is not known here by the name that its file tells."""

from functools import cache

from msgspec.structs import replace

from diadem_shared.entries import Setup
from diadem_shared.lexicon import from_text
from diadem_shared.lexicon.shelf import put
from diadem_shared.playout import play_out
from tests.shared.match_files import SECRET, file_of

WORDS = "ape bear boa cat cow dog eel eland goat hare lion mole mule otter rat seal toad tern"
ZOO = WORDS.replace(" ", "\n")
PLAYED_BY = "as it was played"


@cache
def zoo_match() -> bytes:
    put(PLAYED_BY, from_text(ZOO, ""))
    setup = Setup("diamino-bonus", {"language": "en", "word_list": PLAYED_BY})
    steps = list(play_out(setup, ["normal", "normal"], SECRET))
    named = replace(setup, options={**setup.options, "word_list": "zoo"})
    return file_of(replace(steps[-1].match, setup=named), [step.entry for step in steps])
