"""`make watch` notices which files were saved."""

from pathlib import Path

from tools.watch import saved, stamps


def test_a_file_that_is_new_or_was_written_was_saved(tmp_path: Path) -> None:
    folder = tmp_path / "server" / "table"
    folder.mkdir(parents=True)
    for name in ("same.py", "written.py", "gone.py", "left-behind.pyc"):
        (folder / name).touch()
    before = stamps(tmp_path)
    (folder / "gone.py").unlink()
    (folder / "new.py").touch()
    now = stamps(tmp_path) | {str(folder / "written.py"): 0}
    assert saved(before, now) == {str(folder / "new.py"), str(folder / "written.py")}
    assert saved(now, now) == set()
    assert str(folder / "left-behind.pyc") not in now
