"""`gammon demo` as a newcomer runs it."""

import re
from pathlib import Path

from tests.cli.command import gammon


def test_the_demo_shows_a_board_a_result_and_a_verdict_within_a_minute(tmp_path: Path) -> None:
    done = gammon("demo", timeout=60.0, HOME=str(tmp_path), TMPDIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert out.index("+---") < out.rindex("Result: ") < out.index("Audit verdict: ")
    assert "wins the match" in out[out.rindex("Result: ") :]
    assert out.count("BAR") == 4, "three boards of a record and the end of the bots' match"
    assert "Audit verdict: INCOMPLETE" in out, "nobody can check dice that the service threw"
    assert out.count("PASS") >= 12
    assert "FAIL" not in out
    assert "\x1b" not in out, "colours are for terminals"
    assert list(tmp_path.iterdir()) == [], "the temporary place is gone"
    _all_were_rated_once(out)
    audits = re.findall(r"^│ (m_\w+) │ (\w+)", out, re.MULTILINE)
    assert len({match_id for match_id, _ in audits}) == 4, "the bots' match and three records"
    assert {verdict for _, verdict in audits} == {"INCOMPLETE"}


def _all_were_rated_once(out: str) -> None:
    """Experience is the sum of the lengths of what was rated: three records to 3 in a ring, and one match to 5."""
    assert "Rating: 4 of 4 matches" in out
    imported, main = (_leaderboard(out, pool) for pool in ("imported", "main"))
    names = dict(re.findall(r"(p_[0-9a-f]{40}) is (\w+)$", out, re.MULTILINE))
    # Ada beat Ben and Cleo, and Ben beat Cleo: so say the files.
    assert [names[player] for player, *_ in imported] == ["Ada", "Ben", "Cleo"]
    assert [(experience, rated) for _, _, experience, rated in imported] == [(6, 2)] * 3
    assert imported[0][1] > 1500 > imported[2][1]
    assert {player for player, *_ in main} == {"bot:0", "bot:1"}
    assert [(experience, rated) for _, _, experience, rated in main] == [(5, 1)] * 2
    # FIBS between newcomers, K = 5 and even chances: 4 * 5 * sqrt(5) * 1/2 = 22.36 from the loser to the winner.
    assert [rating for _, rating, *_ in main] == [1522.36, 1477.64]


def _leaderboard(out: str, pool: str) -> list[tuple[str, float, int, int]]:
    """Player, rating, experience and how many were rated, as the table shows them; long references are folded."""
    table = out[out.index(f"ratings, pool {pool}") :]
    rows: list[list[str]] = []
    for line in table[: table.index("└")].splitlines():
        cells = [cell.strip() for cell in line.strip("│").split("│")]
        if line.startswith("│") and cells[0]:
            rows.append(cells)
        elif line.startswith("│"):
            rows[-1][1] += cells[1]
    return [(player, float(rating), int(experience), int(rated)) for _, player, rating, experience, rated in rows]


def test_the_demo_says_what_does_not_start_and_why(tmp_path: Path) -> None:
    done = gammon("demo", GAMMON_LOG_LEVEL="loud", TMPDIR=str(tmp_path))
    assert done.returncode == 2
    assert "rules did not start" in done.stderr
    assert "GAMMON_LOG_LEVEL" in done.stderr
    assert list(tmp_path.iterdir()) == []
