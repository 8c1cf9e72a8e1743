"""Letters of scripts that nobody writes together are not in one word of a name; names of families are."""

# ruff: noqa: RUF001, what looks alike is what this is about

import unicodedata

from diadem_server.sessions import names
from diadem_server.sessions.scripts import is_mixed, scripts_of
from tests.server.sessions.test_names import OF_A_FAMILY, OF_EVERY_SCRIPT

OF_FAMILIES = (
    *(
        "Jürgen",
        "Größe",
        "Zoë",
        "François",
        "Łukasz",
        "Søren",
        "Þór",
        "İpek",
        "Nguyễn",
        "O'Brien-Łuk",
    ),
    *(
        "Ольга",
        "Ґалина",
        "Ђорђе",
        "Αλέξανδρος",
        "Ελένη",
        "محمد",
        "گلناز",
        "ישראל",
        "Արամ",
        "გიორგი",
    ),
    *("李雷", "諸葛亮", "さくら", "サクラ", "佐々木ハナ子", "김민준", "李민준", "ㄅㄆㄇ李"),
    *("Tomさん", "김Tom", "李Tom", "Ken太郎", "Ольга & Tom", "Anna-Ольга", "Tom (محمد)", "Ольга2"),
    *("Player 1", "🦊", "Ana🦊", "ʻOkina", "ⴰⵏⴰ", "ᐊᓇ", "ᎠᏂ"),
)


def test_names_of_families_are_not_mixed() -> None:
    every = {*OF_FAMILIES, *OF_EVERY_SCRIPT, *(name for pair in OF_A_FAMILY for name in pair)}
    assert {name for name in every if is_mixed(name) or names.against(names.clean(name))} == set()


MIXED = (
    *("ⴷna", "ᗩna", "Ғritz", "Carӏ", "Anа", "Αna", "Bօb", "ꓮna", "Ꭺna", "Tоm Smith"),
    *("Иvan", "אna", "علیTom", "нana", "さむソン한", "ηρωs"),
)


def test_scripts_that_nobody_writes_together_are_refused() -> None:
    refusals = {name: names.against(names.clean(name)) for name in MIXED}
    codes = {name: refusal and refusal.code for name, refusal in refusals.items()}
    assert codes == dict.fromkeys(MIXED, "name_mixed")


def test_what_every_script_has_belongs_to_none() -> None:
    assert {each: scripts_of(each) for each in "1-.é😀"} == {
        "1": frozenset(),
        "-": frozenset(),
        ".": frozenset(),
        "é": frozenset({"Latn"}),
        "😀": frozenset(),
    }
    assert scripts_of("ー") == {"Hira", "Kana", "Jpan"}
    assert scripts_of("\U0010ffff") == frozenset()


def test_all_letters_of_this_python_are_in_the_table_or_of_every_script() -> None:
    """But for what came after the table's version of Unicode."""
    named = {
        "LATIN": "Latn",
        "CYRILLIC": "Cyrl",
        "GREEK": "Grek",
        "HEBREW": "Hebr",
        "HANGUL": "Hang",
    }
    wrong = set()
    for point in range(0x250):
        name = unicodedata.name(chr(point), "").partition(" ")[0]
        if name in named and unicodedata.category(chr(point))[0] == "L":
            wrong |= {chr(point)} - (
                {chr(point)} if named[name] in scripts_of(chr(point)) else set()
            )
    assert wrong == set()
