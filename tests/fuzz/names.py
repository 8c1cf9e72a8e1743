"""Whatever name or chat is sent comes out bounded, in one line, and as it would come out again."""

import unicodedata

from diadem_server.sessions.confusables import looks
from diadem_server.sessions.names import against, clean, clean_text

INSTRUMENTED = ("diadem_server.sessions.names", "diadem_server.sessions.confusables")
SEEDS = [
    b"Ana",
    "A\u0301\u0302\u0303\u0304na: \u202ehello".encode(),
    "\u0e01\u0e49\u0e49\u0e49 \uff21\ufb01 \u1100\u1161\u11a8".encode(),
    "VV/rn/cl \U0001f469\u200d\U0001f680".encode(),
    "Server\u3164 \u115f".encode(),
]


def one_input(data: bytes) -> None:
    text = data.decode(errors="replace")
    name = clean(text)
    assert clean(name) == name, "a clean name is clean"
    assert name == name.strip()
    assert ":" not in name
    against(name)
    assert looks(name) == looks(name)
    for shown in (name, clean_text(text)):
        assert not any(unicodedata.category(each) in {"Cc", "Cf", "Zl", "Zp"} for each in shown)
        assert "\n" not in shown
    assert clean_text(clean_text(text)) == clean_text(text), "clean chat is clean"
