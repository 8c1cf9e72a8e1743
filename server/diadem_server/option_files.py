"""Files that the host names: password, certificate, word lists. Errors are told in a line."""

import logging
import os
import re
import ssl
from pathlib import Path

import diadem_shared.lexicon.shelf as word_lists
from diadem_server.app import tls
from diadem_server.config import Config
from diadem_server.options import WordListFile
from diadem_server.storage import text_file
from diadem_server.storage.private_files import others_may_read
from diadem_shared import lexicon
from diadem_shared.lexicon import LONGEST, SHORTEST, Fault, Unusable, WordListRefused
from diadem_shared.protocol import MAX_SECRET

log = logging.getLogger("diadem_server")

DATABASE_SCHEMES = ("postgresql://", "postgres://")
DATABASE_PASSWORD = re.compile("(?<=://)([^/@:]*):[^/@]*(?=@)")
DATABASE_PASSWORD_OPTION = re.compile("(?<=[?&]password=)[^&]+")
LONGEST_URL = 4096
LONGEST_WORD_LIST = 64 << 20
"""The longest word list in bytes."""
LEFT_OUT = {
    Unusable.NO_TILES: "with something that is on no tile",
    Unusable.ABBREVIATION: "like an abbreviation",
    Unusable.TOO_SHORT: f"of less than {SHORTEST} letters",
    Unusable.TOO_LONG: f"of more than {LONGEST} letters",
}


class BadFile(Exception):
    """A file that the host named cannot be used, told in a line."""


def read_password(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            if others_may_read(os.fstat(file.fileno()), path):
                raise BadFile(
                    f"the password file {path} can be read by others;"
                    f" see that only you can: chmod 600 {path}"
                )
            password = file.readline(2 * MAX_SECRET).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"the password file {path} cannot be read: {_why(error)}") from None
    if not password:
        raise BadFile(f"the first line of the password file {path} is empty")
    if len(password) > MAX_SECRET:
        raise BadFile(f"the password in {path} is longer than {MAX_SECRET} letters")
    return password


def read_database(given: str) -> str:
    """The URL of a database, or the first line of a file that holds it."""
    if is_url(given):
        return given
    path = Path(given)
    try:
        with path.open(encoding="utf-8") as file:
            if others_may_read(os.fstat(file.fileno()), path):
                raise BadFile(
                    f"{path} can be read by others; see that only you can: chmod 600 {path}"
                )
            url = file.readline(LONGEST_URL).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(
            f"--cluster {given} is no postgresql://... and no file that can be read: {_why(error)}"
        ) from None
    if not is_url(url):
        raise BadFile(f"the first line of {path} is no postgresql://...")
    return url


def is_url(database: str) -> bool:
    return database.startswith(DATABASE_SCHEMES)


def without_password(url: str) -> str:
    return DATABASE_PASSWORD_OPTION.sub("", DATABASE_PASSWORD.sub(r"\1", url))


def shows_password(typed: str) -> bool:
    """Whether it is the URL of a database, with a password."""
    return any(scheme in typed for scheme in DATABASE_SCHEMES) and without_password(typed) != typed


def check_certificate(config: Config) -> None:
    try:
        tls(config.tls_cert, config.tls_key)
    except OSError as error:
        with_key = f" with the key {config.tls_key}" if config.tls_key else ""
        raise BadFile(
            f"the certificate {config.tls_cert} cannot be used{with_key}: {_why(error)}"
        ) from None
    key = config.tls_key or config.tls_cert
    if key is not None and others_may_read(key.stat(), key):
        log.warning(
            "the key %s can be read by others; see that only you can: chmod 600 %s", key, key
        )


def load_word_list(name: str, file: WordListFile) -> None:
    try:
        text = text_file.read_text(file.path, LONGEST_WORD_LIST)
        parsed = lexicon.read_text(text, file.language)
    except text_file.Unreadable as error:
        raise BadFile(f"the word list {file.path} cannot be read: {error}") from None
    except WordListRefused as refused:
        raise BadFile(f"the word list {file.path} is of no use: {_refused(refused)}") from None
    word_lists.put(name, parsed.lexicon)
    log.info("word list %s: %s", name, _count(len(parsed.lexicon), "word"))
    for why, left_out in parsed.unusable.items():
        examples = ", ".join(left_out.examples)
        more = ", ..." if left_out.lines > len(left_out.examples) else ""
        lines = _count(left_out.lines, "line")
        log.info("word list %s: left out %s %s: %s%s", name, lines, LEFT_OUT[why], examples, more)


def _count(number: int, of_what: str) -> str:
    return f"{number:,} {of_what}" if number == 1 else f"{number:,} {of_what}s"


def _refused(refused: WordListRefused) -> str:
    if refused.code is Fault.TOO_MANY:
        return f"it has more than {refused.params['most']} words"
    return f"it has no word of {SHORTEST} to {LONGEST} letters"


def _why(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, ssl.SSLError) and error.reason is None:
        return "not in PEM"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
