"""Bring the catalogs up to date with the sources."""

from tools.catalogs import update

for language, lacking in update().items():
    print(f"{language}: {lacking or 'nothing'} left to translate")
