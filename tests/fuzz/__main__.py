"""Run the harnesses one after another, each in a process of its own, for a minute."""

import argparse
import os
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

from tests.fuzz import CORPUS, NAMES, REACHED, harness, reached

FOUND = Path(".fuzz")
"""What is tried next time too; not kept in the repository."""
CHATTER = ("INFO: ", "WARNING: ")
LONGEST_INPUT = 4096
SLOWEST_SECONDS = 10
MOST_MEGABYTES = 2048
MOST_KEPT, MOST_KEPT_BYTES = 100, 12_000
"""Inputs, and bytes of them, that `--keep` writes for a harness."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="HARNESS", help=", ".join(NAMES))
    parser.add_argument("--seconds", type=int, default=60, help="for each (default: 60)")
    parser.add_argument(
        "--seed", type=int, default=0, help="of chance (default: another each time)"
    )
    parser.add_argument("--keep", action="store_true", help=f"write {REACHED.name}/HARNESS.txt")
    given = parser.parse_args()
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join(NAMES)}")
    names = given.names or NAMES
    broken = [name for name in names if not _search(name, given.seconds, given.seed)]
    if given.keep:
        for name in names:
            _keep(name)
    for name in broken:
        print(
            f"{name}: put {FOUND}/{name}-* into {CORPUS.relative_to(Path.cwd())}/{name} and mend it"
        )
    return 1 if broken else 0


def _search(name: str, seconds: int, seed: int) -> bool:
    """Whether nothing was found."""
    known = FOUND / name
    known.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate([*harness(name).SEEDS, *reached(name)]):
        (known / f"seed-{number}").write_bytes(each)
    command = [
        *(sys.executable, "-m", "tests.fuzz.search", name),
        f"-seed={seed}",
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={SLOWEST_SECONDS}",
        f"-rss_limit_mb={MOST_MEGABYTES}",
        f"-artifact_prefix={FOUND / name}-",
        "-verbosity=0",
        "-print_final_stats=1",
        str(known),
        *([str(CORPUS / name)] if (CORPUS / name).is_dir() else []),
    ]
    environment = os.environ | {"LANGUAGE": "en", "PYTHONHASHSEED": "0"}
    ended = subprocess.run(
        command, check=False, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    told = ended.stdout.decode(errors="replace")
    runs = re.search(r"number_of_executed_units: (\d+)", told)
    print(f"== {name}: {runs[1] if runs else 'no'} inputs", flush=True)
    if ended.returncode:
        print("\n".join(line for line in told.splitlines() if not line.startswith(CHATTER)))
    return ended.returncode == 0


def _keep(name: str) -> None:
    """The shortest of those that reached something new when they were found."""
    found = sorted((each.read_bytes() for each in (FOUND / name).iterdir()), key=_by_length)
    kept: list[bytes] = []
    for each in found[:MOST_KEPT]:
        if sum(map(len, kept)) + len(each) <= MOST_KEPT_BYTES:
            kept.append(each)
    lines = "".join(f"{b64encode(each).decode()}\n" for each in kept)
    (REACHED / f"{name}.txt").write_text(lines, "ascii")


def _by_length(data: bytes) -> tuple[int, bytes]:
    return len(data), data


if __name__ == "__main__":
    sys.exit(main())
