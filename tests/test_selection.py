"""`tests/for` finds the test modules that concern files."""

import subprocess
from pathlib import Path

from tests.mirror import ROOT, TRIED_ELSEWHERE, modules
from tests.selection import concerned, imported, split


def found(path: str) -> set[str]:
    return set(map(str, concerned(Path(path))))


def test_a_module_is_tested_by_its_mirror_and_by_those_that_import_it() -> None:
    tests = found("server/diadem_server/table/clocks.py")
    assert "tests/server/table/test_clocks.py" in tests
    for path in tests - {"tests/server/table/test_clocks.py"}:
        assert "diadem_server.table.clocks" in (ROOT / path).read_text()


def test_every_module_that_has_to_have_a_test_is_tested() -> None:
    types_alone = {path for path, test in TRIED_ELSEWHERE.items() if not test}
    missing = {str(path) for path in modules() if not concerned(path)} - types_alone
    assert missing == set()
    wrong = {
        path: test for path, test in TRIED_ELSEWHERE.items() if test and test not in found(path)
    }
    assert wrong == {}


def test_the_tests_of_all_kinds_of_files_are_found() -> None:
    wanted = {
        "tests/server/table/test_clocks.py": "tests/server/table/test_clocks.py",
        "tests/tools/conftest.py": "tests/tools/test_confusables.py",
        "tests/fuzz/names.py": "tests/fuzz/test_corpus.py",
        "tools/bench/_figures.py": "tests/tools/test_bench_figures.py",
        "shared/diadem_shared/games/castles/notation.py": "tests/shared/games/castles/test_notation.py",
        "shared/diadem_shared/games/diamino/no_importer.py": "tests/shared/games/diamino/test_finder.py",
        "shared/diadem_shared/protocol/no_importer.py": "tests/shared/test_schema.py",
        "docs/hosting.md": "tests/test_docs.py",
        "docs/protocol.md": "tests/tools/test_protocol_page.py",
        "client/diadem_client/locale/de/LC_MESSAGES/diadem.po": "tests/client/test_i18n.py",
        "client/diadem_client/look/palettes/dark.txt": "tests/client/look/test_palette.py",
        "tests/client/scenes/snapshots/any.txt": "tests/client/scenes/test_looks.py",
        "tests/recorded/any.json": "tests/rig/test_recorded.py",
        "Makefile": "tests/test_project.py",
    }
    assert {path: found(path) for path, test in wanted.items() if test not in found(path)} == {}


def test_a_test_module_that_is_gone_concerns_nothing() -> None:
    assert found("tests/server/table/test_gone.py") == set()


def test_what_a_source_imports() -> None:
    source = (
        "import os, a.b\nfrom c.d import (\n    e,\n    f as g,\n)\ndef h():\n    from i import j\n"
    )
    assert set(imported(source)) == {"os", "a.b", "c.d", "c.d.e", "c.d.f", "i", "i.j"}


def test_options_of_pytest_stand_behind_two_dashes() -> None:
    assert split(["a.py", "--", "-x", "-k", "b"]) == (["a.py"], ["-x", "-k", "b"])


def test_the_command_lists_from_any_folder() -> None:
    listed = subprocess.run(
        [ROOT / "tests/for", "--list", "../README.md"],
        cwd=ROOT / "docs",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tests/test_docs.py\n" in listed.stdout
