"""The table of options in docs/hosting/options.md, taken from their declarations.

    python -m tools.option_table

writes it anew.
"""

from collections.abc import Iterator
from pathlib import Path

from diadem_server.command_line import GROUPS, ONLY_TYPED
from diadem_server.options import FOLDER, Declared
from tools import marked

PAGE = Path(__file__).parents[1] / "docs" / "hosting" / "options.md"


def options() -> Iterator[str]:
    for title, group in GROUPS.items():
        yield from ("", f"**{title[0].upper()}{title[1:]}**", "")
        yield from ("| option | default | what | in the environment |", "|---|---|---|---|")
        for each in group:
            kind = each.option.kind
            flag = f"{each.flag} {kind.metavar}".replace("|", "\\|") if kind else each.flag
            allowed = f" ({kind.allowed})" if kind and kind.allowed and not kind.choices else ""
            if kind and kind.collect:
                allowed = " (may be given more than once)"
            variable = "" if each.name in ONLY_TYPED else f"`{each.variable}`"
            yield f"| `{flag}` | {_default(each)} | {each.option.help}{allowed} | {variable} |"


def _default(declared: Declared) -> str:
    if declared.option.kind is FOLDER:
        return "`--help` names it"  # in the home of whoever asks
    return f"`{declared.shown_default}`" if declared.shown_default else ""


def renewed(page: str) -> str:
    """The page with its table as the code has it now."""
    return marked.renewed(page, {"options": options})


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text()))
