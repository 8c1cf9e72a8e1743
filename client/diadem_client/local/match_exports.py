"""A match that is over in the forms that others read: as a text, as its file, and for Diamino as score sheets in GCG."""

import re
from contextlib import suppress
from pathlib import Path

from diadem_client.state.past_matches import Form
from diadem_client.wording.transcript import transcript
from diadem_shared.match_file import MatchFile, read
from diadem_shared.playback import Playback
from diadem_shared.verification import play

MOST_OF_A_NAME = 99
"""Files of one match and form in one folder."""
CODE = re.compile(r"[0-9A-Za-z]{1,12}")


ENDINGS = {Form.TEXT: "txt", Form.JSON: "jsonl", Form.GCG: "gcg"}


class NoSuchForm(Exception):
    """There is none of this kind of that game."""


def forms(game: str) -> list[Form]:
    """Those that there are of a game."""
    return [each for each in Form if each is not Form.GCG or game.startswith("diamino")]


def exported(file: MatchFile, data: bytes, form: Form) -> list[str]:
    """What is to be written: one text, or one for each round. `data` is the file as it came."""
    match form:
        case Form.TEXT:
            lines = transcript(file.header.table, play(file))
            return ["".join(f"{line}\n" for line in lines)]
        case Form.JSON:
            return [data.decode()]
        case Form.GCG:
            from diadem_shared.gcg import score_sheets  # noqa: PLC0415, wanted by few

            return score_sheets(play(file))


def printed(data: bytes, form: Form) -> str:
    """What is to be printed of the file of a match. Raises Untrue, and NoSuchForm."""
    file = read(data)
    playback = Playback(file)
    for _number in playback.prepare():
        pass
    if form not in forms(playback.match_at(playback.last).setup.game):
        raise NoSuchForm
    return "\n".join(exported(file, data, form))


def save(folder: Path, file: MatchFile, form: Form, texts: list[str]) -> list[Path]:
    """Write them to new files, named by us; raises OSError. Nothing that is there already is touched."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    code = file.header.table if CODE.fullmatch(file.header.table) else "match"
    stem = f"diadem-{code}"
    rounds = [f"-round{number}" for number in range(1, len(texts) + 1)] if len(texts) > 1 else [""]
    return [
        _save(folder, stem + round_, ENDINGS[form], text)
        for round_, text in zip(rounds, texts, strict=True)
    ]


def _save(folder: Path, stem: str, ending: str, text: str) -> Path:
    for number in range(1, MOST_OF_A_NAME + 1):
        path = folder / (f"{stem}.{ending}" if number == 1 else f"{stem}-{number}.{ending}")
        with suppress(FileExistsError), path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            return path
    raise FileExistsError(stem)
