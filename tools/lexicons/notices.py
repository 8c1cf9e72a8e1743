"""The licence that stands beside each list: where it comes from, then the licence, whole."""

from pathlib import Path

NOTICES = Path(__file__).parent / "notices"
LICENCES = {
    "de": "usr/share/common-licenses/CC0-1.0",
    "en": "usr/share/doc/scowl/copyright",
    "fr": "usr/share/common-licenses/MPL-2.0",
}
SYSTEM = Path("/")


def notice(language: str, root: Path) -> str:
    """Licence texts that come with Debian itself are in no package that was unpacked."""
    file = root / LICENCES[language]
    if not file.exists():
        file = SYSTEM / LICENCES[language]
    preface = (NOTICES / f"{language}.txt").read_text("utf-8")
    return f"{preface}\n{'-' * 78}\n\n{file.read_text('utf-8')}"
