"""python -m tools.lexicons.against_hunspell [--root DIR]

Asks the real hunspell about every French form the expansion made, and says how many it refuses.
"""

import argparse
import subprocess
from pathlib import Path

from tools.lexicons import french


def refused(words: list[str], dictionary: Path) -> list[str]:
    command = ["hunspell", "-i", "utf-8", "-d", str(dictionary), "-l"]
    answer = subprocess.run(
        command, input="\n".join(words), capture_output=True, check=True, encoding="utf-8"
    )
    return answer.stdout.split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the package lies")
    root = parser.parse_args().root
    words = sorted(set(french.written(root)))
    unknown = refused(words, root / french.FOLDER / "fr")
    print(f"{len(unknown):,} of {len(words):,} forms refused ({len(unknown) / len(words):.2%})")
    print(*unknown[:20], sep="\n")


if __name__ == "__main__":
    main()
