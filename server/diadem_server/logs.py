"""How the log is written: for people, or as JSON for programs."""

import json
import logging
import sys
from datetime import UTC, datetime


def write_log(style: str, *, verbose: bool) -> None:
    """To standard output. `verbose` lets libraries tell of connections that went wrong.

    Where nobody reads it any more, or the disk is full, the server goes on without.
    """
    logging.raiseExceptions = False
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        JsonFormatter()
        if style == "json"
        else logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("websockets").setLevel(logging.INFO if verbose else logging.CRITICAL)
    logging.getLogger("zeroconf").propagate = verbose


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if record.exc_text:
            told["error"] = record.exc_text
        elif record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told)
