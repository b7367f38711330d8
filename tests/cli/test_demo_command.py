"""`gammon demo` as a newcomer runs it."""

import re
from pathlib import Path

from tests.cli.command import gammon

TITLES = (
    "backgammon, a match to 5",
    "catchgammon, a match to 3",
    "rungammon, a match to 3",
    "gammon, a match to 5",
    "trackgammon, a match to 3",
    "trackgammon, one game for 3",
)


def test_the_demo_shows_boards_results_and_verdicts_of_every_game_within_two_minutes(tmp_path: Path) -> None:
    done = gammon("demo", timeout=120.0, HOME=str(tmp_path), TMPDIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert out.index("+---") < out.rindex("Result: ") < out.index("Audit verdict: ")
    ends = [out.index(f"The end of {title}") for title in TITLES]
    assert ends == sorted(ends)
    results = re.findall("^Result: (.*)", out, re.MULTILINE)
    assert ["the match is closed" in result for result in results] == [True] * 6
    assert ["wins the match" in result for result in results] == [True] * 5 + [False]
    assert "the session ends" in results[-1]
    assert out.count("BAR") == 7, "three boards of a record and the ends of four contests on that board"
    assert "Audit verdict: INCOMPLETE" in out, "nobody can check dice that the service threw"
    assert out.count("PASS") >= 12
    assert "FAIL" not in out
    assert "\x1b" not in out, "colours are for terminals"
    assert list(tmp_path.iterdir()) == [], "the temporary place is gone"
    _all_were_rated_once(out)
    audits = re.findall(r"^│ (m_\w+) │ (\w+)", out, re.MULTILINE)
    assert len({match_id for match_id, _ in audits}) == 9, "six contests of bots and three records"
    assert {verdict for _, verdict in audits} == {"INCOMPLETE"}


def _all_were_rated_once(out: str) -> None:
    """Experience is the sum of the lengths of what was rated: three records to 3 in a ring, and five matches."""
    assert "Rating: 8 of 8 matches" in out
    imported, main = (_leaderboard(out, pool) for pool in ("imported", "main"))
    names = dict(re.findall(r"(p_[0-9a-f]{40}) is (\w+)$", out, re.MULTILINE))
    # Ada beat Ben and Cleo, and Ben beat Cleo: so say the files.
    assert [names[player] for player, *_ in imported] == ["Ada", "Ben", "Cleo"]
    assert [(experience, rated) for _, _, experience, rated in imported] == [(6, 2)] * 3
    assert imported[0][1] > 1500 > imported[2][1]
    assert {player for player, *_ in main} == {"bot:0", "bot:1"}
    assert [(experience, rated) for _, _, experience, rated in main] == [(5 + 3 + 3 + 5 + 3, 5)] * 2
    assert round(sum(rating for _, rating, *_ in main), 2) == 3000


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


def test_the_demo_of_one_game_rates_one_match(tmp_path: Path) -> None:
    done = gammon("demo", "--game", "backgammon", timeout=60.0, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.findall("The end of (.*), m_", done.stdout) == ["backgammon, a match to 5"]
    assert "pool imported" not in done.stdout
    # FIBS between newcomers, K = 5 and even chances: 4 * 5 * sqrt(5) * 1/2 = 22.36 from the loser to the winner.
    assert [rating for _, rating, *_ in _leaderboard(done.stdout, "main")] == [1522.36, 1477.64]


def test_the_demo_plays_a_game_for_four(tmp_path: Path) -> None:
    done = gammon("demo", "--game", "trackgammon", "--seats", "4", timeout=60.0, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.findall("The end of (.*), m_", done.stdout) == ["trackgammon, one game for 4"]
    assert re.search(r"the session ends \S+ : \S+ : \S+ : \S+; the match is closed", done.stdout)
    assert "ratings" not in done.stdout, "a game for four is not rated here"


def test_a_demo_that_cannot_be_played_names_the_rule(tmp_path: Path) -> None:
    done = gammon("demo", "--game", "rungammon", "--seats", "3", TMPDIR=str(tmp_path))
    assert done.returncode == 2
    assert "--seats" in done.stderr
    assert "this game has 2 seats (rule 4)" in " ".join(done.stderr.replace("│", " ").split())


def test_the_demo_says_what_does_not_start_and_why(tmp_path: Path) -> None:
    done = gammon("demo", GAMMON_LOG_LEVEL="loud", TMPDIR=str(tmp_path))
    assert done.returncode == 2
    assert "rules did not start" in done.stderr
    assert "GAMMON_LOG_LEVEL" in done.stderr
    assert list(tmp_path.iterdir()) == []
