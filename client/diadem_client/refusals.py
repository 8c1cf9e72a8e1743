"""Refusal codes of the client itself, for what fails before a server answers."""

from diadem_shared.refusals import RefusalCode


class ClientCode(RefusalCode):
    # of a connection that cannot be opened, or breaks
    BAD_ADDRESS = "bad_address"
    CONNECTION_LOST = "connection_lost"
    CONNECTION_REFUSED = "connection_refused"
    FORBIDDEN = "forbidden"
    NO_ANSWER = "no_answer"
    NO_SUCH_HOST = "no_such_host"
    NOT_DIADEM = "not_diadem"
    NOT_SECURE = "not_secure"
    NOT_UNDERSTOOD = "not_understood"
    SERVER_FULL = "server_full"
    VERSION_DIFFERS = "version_differs"

    # of the client
    BAD_FILE = "bad_file"
    HOST_FAILED = "host_failed"
    NOT_CONNECTED = "not_connected"
    SOLO_FAILED = "solo_failed"
    WORDS_FAILED = "words_failed"
