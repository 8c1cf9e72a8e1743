"""python -m tools.lexicons [--root DIR] [--out DIR]"""

import argparse
from pathlib import Path

from diadem_shared.lexicon import pack
from tools.lexicons import english, french, german
from tools.lexicons.curation import curate
from tools.lexicons.notices import notice

SOURCES = {"de": german.written, "en": english.written, "fr": french.written}
SHIPPED = Path("shared/diadem_shared/lexicon/data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the packages lie")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="where the lists go")
    given = parser.parse_args()
    for language, source in SOURCES.items():
        lexicon = curate(language, source(given.root))
        data = pack(lexicon)
        (given.out / f"{language}.words").write_bytes(data)
        (given.out / f"{language}.LICENSE.txt").write_text(notice(language, given.root), "utf-8")
        print(f"{language}: {len(lexicon):,} words, {len(data):,} bytes")


main()
