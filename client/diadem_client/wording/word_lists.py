"""What is said about lists of words: which they are, what of a file is left out, and which tiles they are for."""

from collections.abc import Mapping

from diadem_client.i18n import N_, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.settings import log_file
from diadem_client.wording.values import grouped
from diadem_shared.lexicon import LeftOut, Unusable
from diadem_shared.lexicon.shelf import WordListLine

TONGUES = {"de": N_("German"), "fr": N_("French"), "en": N_("English")}
WHY = {
    Unusable.NO_TILES: N_("{examples} (a sign that is on no tile)"),
    Unusable.ABBREVIATION: N_("{examples} (written like an abbreviation)"),
    Unusable.TOO_SHORT: N_("{examples} (too short)"),
    Unusable.TOO_LONG: N_("{examples} (too long)"),
}


def word_list(line: WordListLine) -> str:
    """A list that a server offers: whose, in which language, and how large."""
    language = tongue(line.language)
    named = [language] if line.name == line.language else [line.name, language]
    count = ngettext("{count} word", "{count} words", line.words)
    return ", ".join(filter(None, [*named, count.format(count=grouped(line.words))]))


def tongue(language: str) -> str:
    return _(TONGUES[language]) if language in TONGUES else language


def told_left_out(name: str, unusable: Mapping[Unusable, LeftOut]) -> str:
    """How many lines of a file are no words, the first of them, and where more is told; empty if all are."""
    lines = sum(each.lines for each in unusable.values())
    if not lines:
        return ""
    sentence = ngettext(
        "{count} line of {name} is left out: {reasons}. The log tells more: {log}",
        "{count} lines of {name} are left out: {reasons}. The log tells more: {log}",
        lines,
    )
    reasons = "; ".join(_(WHY[why]).format(examples=_some(each)) for why, each in unusable.items())
    return sentence.format(count=grouped(lines), name=name, reasons=reasons, log=log_file())


def _some(left_out: LeftOut) -> str:
    more = [] if left_out.lines <= len(left_out.examples) else ["..."]
    return ", ".join([*left_out.examples, *more])


def for_other_tiles(line: WordListLine, language: str) -> str:
    """That a list is of another language than the tiles; empty if it is not, or nobody has said."""
    if line.language in {"", language}:
        return ""
    sentence = _("The list {name} is {list}, but the tiles are {tiles}: choose either to match.")
    return sentence.format(name=line.name, list=tongue(line.language), tiles=tongue(language))
