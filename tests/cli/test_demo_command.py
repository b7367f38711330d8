"""`gammon demo` as a newcomer runs it."""

from pathlib import Path

from tests.cli.command import gammon


def test_the_demo_shows_a_board_a_result_and_a_verdict_within_a_minute(tmp_path: Path) -> None:
    done = gammon("demo", timeout=60.0, HOME=str(tmp_path), TMPDIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert out.index("+---") < out.rindex("Result: ") < out.index("Audit verdict: ")
    assert "wins the match" in out[out.rindex("Result: ") :]
    assert out.count("BAR") == 4, "three boards of the record and the end of the bots' match"
    assert "Audit verdict: INCOMPLETE" in out, "nobody can check dice that the service threw"
    assert out.count("PASS") >= 12
    assert "FAIL" not in out
    assert "\x1b" not in out, "colours are for terminals"
    assert list(tmp_path.iterdir()) == [], "the temporary place is gone"


def test_the_demo_says_what_does_not_start_and_why(tmp_path: Path) -> None:
    done = gammon("demo", GAMMON_LOG_LEVEL="loud", TMPDIR=str(tmp_path))
    assert done.returncode == 2
    assert "rules did not start" in done.stderr
    assert "GAMMON_LOG_LEVEL" in done.stderr
    assert list(tmp_path.iterdir()) == []
