"""How long a test waits for something that should happen at once: PATIENCE seconds, from the environment.

Short by default, so that a wrong word on a screen fails while you look at it. `make test` and CI wait longer: the machine is
busy there, and clients hosted by a gate run at a lower priority than everything else.
"""

import os

PATIENCE = float(os.environ.get("PATIENCE", "5"))
