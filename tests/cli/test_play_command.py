"""`gammon play` as people use it: through pipes and a terminal, against bots and each other, left and gone on with."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.command import GAMMON, Up, environment, gammon, running_up
from tests.cli.terminal import WITHIN_S, Terminal

# Enter rolls and makes forced plays, 1 is the first legal play; where they are no answer they are refused, and it is
# asked again.
ALWAYS_THE_FIRST = b"\n1\n" * 1000
COPIED = ("  gammon play --join", "To go on: ", "To look at it again: ")


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A suite that runs."""
    with running_up(tmp_path_factory.mktemp("suite")) as running:
        yield running


def _play(up: Up, *arguments: str, typed: bytes = ALWAYS_THE_FIRST) -> subprocess.CompletedProcess[str]:
    return gammon("play", *arguments, "--endpoints", str(up.endpoints), stdin=typed, timeout=WITHIN_S)


def _match_id(told: str) -> str:
    found = re.search(r"^Match (m_\w+)\.", told, re.MULTILINE)
    assert found, told
    return found[1]


def _audited(up: Up, match_id: str) -> dict[str, object]:
    done = gammon("audit", match_id, "--json", "--endpoints", str(up.endpoints))
    assert done.returncode == 0, done.stdout + done.stderr
    report: dict[str, object] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (("backgammon", "--points", "1"), r"^(You win|O \(bot:1\) wins) the match: X [0-3]  O [0-3]\.$"),
        (("trackgammon", "--seats", "3", "--no-cube"), r"^The session has ended: X \S+  O \S+  Y \S+\.$"),
    ],
)
def test_a_game_against_bots_from_a_pipe_to_its_end(up: Up, arguments: tuple[str, ...], end: str) -> None:
    done = _play(up, *arguments)
    assert done.returncode == 0, done.stderr
    assert re.search(end, done.stdout, re.MULTILINE), done.stdout[-2000:]
    assert done.stdout.count("You: rolls ") > 3
    assert done.stdout.count("O (bot:1): rolls ") > 3
    assert "\x1b" not in done.stdout, "colours are for terminals"
    lines = [line for line in done.stdout.splitlines() if not line.startswith(COPIED)]
    assert max(map(len, lines)) <= 80
    assert _audited(up, _match_id(done.stdout))["verdict"] == "INCOMPLETE", "nobody can check the service's dice"


def test_who_leaves_is_told_how_to_go_on_and_does(up: Up) -> None:
    left = _play(up, "hypergammon", "--points", "1", "--player", "alice", typed=b"\n1\n8/9\nq\n")
    assert left.returncode == 0, left.stderr
    match_id = _match_id(left.stdout)
    assert f"You left match {match_id}." in left.stdout
    command = f"gammon play --join {match_id} --seat 0 --player alice --endpoints {up.endpoints}"
    assert left.stdout.splitlines()[-1] == f"To go on: {command}"
    gone_on = gammon(*command.split()[1:], stdin=ALWAYS_THE_FIRST, timeout=WITHIN_S)
    assert gone_on.returncode == 0, gone_on.stderr
    assert _match_id(gone_on.stdout) == match_id
    assert "the match: X" in gone_on.stdout
    assert _audited(up, match_id)["verdict"] == "INCOMPLETE"


def test_two_people_in_two_processes_play_on_the_suite_of_the_first(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [*GAMMON, "play", "hypergammon", "--points", "1", "--against", "people"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(TMPDIR=str(tmp_path)),
        cwd=tmp_path,
    )
    assert first.stdin is not None
    assert first.stdout is not None
    try:
        before = ""
        line = ""
        while "gammon play --join" not in line:
            line = first.stdout.readline().decode()
            assert line, f"it ended: {before}"
            before += line
        arguments = line.split()[1:]
        first.stdin.write(ALWAYS_THE_FIRST)
        first.stdin.flush()
        second = gammon(*arguments, stdin=ALWAYS_THE_FIRST, timeout=WITHIN_S)
        rest = first.communicate(timeout=WITHIN_S)[0].decode()
    finally:
        first.kill()
        first.wait()
    assert first.returncode == 0, rest
    assert second.returncode == 0, second.stderr
    assert "player:1 takes seat 1; the match starts" in rest
    wins = {"You win the match" in rest, "You win the match" in second.stdout}
    assert wins == {True, False}
    assert "O (player:1): rolls" in rest
    assert "X (player:0): rolls" in second.stdout
    assert list(tmp_path.iterdir()) == [], "its temporary place is gone"


def test_at_a_terminal_ctrl_c_leaves_with_the_way_back(up: Up) -> None:
    with Terminal("play", "backgammon", "--endpoints", str(up.endpoints)) as person:
        person.wait_for("X> ")
        person.type("\n")
        # Whoever starts, the person is asked next, or after the bot has played.
        person.wait_for(r"Your (turn|roll).*X> ")
        person.type("q now\n")
        person.wait_for("q now is no command.*X> ")
        person.type("\x03")
        person.wait_for(r"You left match m_\w+\..*To go on: gammon play --join m_\w+ --seat 0 --endpoints ")
        assert person.ended() == 0
    assert "\x1b[" in person.seen, "colours at a terminal"


def test_the_last_act_is_taken_back_with_the_bots_consent_and_a_resignation_has_its_price(up: Up) -> None:
    with Terminal("play", "hypergammon", "--take-backs", "--endpoints", str(up.endpoints)) as person:
        person.wait_for("X> ")
        person.type("back\n")
        person.wait_for("nothing stands that you did.*X> ")
        person.answer("\n", asked_for=r"Your (turn|roll).*X> $")
        # The bot may have started, and a roll that cannot be played is followed by another.
        while not re.search(r"Your roll[^>]*X> $", person.plain()):
            person.answer("\n", asked_for=r"Your (turn|roll).*X> $")
        person.answer("1\n", asked_for=r"You: \d\d: .*Your (turn|roll).*X> $")
        person.answer("cost resign 1\n", asked_for=r"It comes to X 0  O 1\..*X> $")
        agreed = r"You: proposes to go back to event \d+.*O \(bot:1\): consents to go back; the match goes back"
        person.answer("back\n", asked_for=agreed + r".*by consent.*Your roll.*X> $")
        person.type("q\n")
        assert person.ended() == 0


def test_the_service_rolls_and_plays_for_who_wants_it_and_says_why(up: Up) -> None:
    # Only what is to be decided is typed: the opening throws, and plays where there are several.
    done = _play(up, "hypergammon", "--points", "1", "--auto")
    assert done.returncode == 0, done.stderr
    assert "You: by the service, as no double is possible; rolls" in done.stdout
    assert "You: rolls" not in done.stdout
    assert _audited(up, _match_id(done.stdout))["verdict"] == "INCOMPLETE"


def test_a_suite_of_its_own_is_stopped_and_gone_when_the_terminal_is(tmp_path: Path) -> None:
    with Terminal("play", "hypergammon", TMPDIR=str(tmp_path)) as person:
        person.wait_for("X> ")
        assert len(list(tmp_path.iterdir())) == 1
        person.hang_up()
        person.ended()
    assert list(tmp_path.iterdir()) == []


def test_at_a_terminal_the_end_of_input_leaves(up: Up) -> None:
    with Terminal("play", "trackgammon", "--endpoints", str(up.endpoints)) as person:
        person.wait_for("X> ")
        person.type("\x04")
        person.wait_for("You left match")
        assert person.ended() == 0


def test_what_cannot_be_played_or_joined_is_told_before_anything_starts(up: Up, tmp_path: Path) -> None:
    seats = gammon("play", "rungammon", "--seats", "3")
    assert (seats.returncode, seats.stderr) == (2, "gammon: seats: this game has 2 seats (rule 4), got 3\n")
    neither = gammon("play")
    assert neither.returncode == 2
    assert "name a game, or a match with --join" in neither.stderr
    for arguments, why in (
        (("--points", "3", "--games", "2"), "a match or a session, not both"),
        (("--points", "3", "--beavers"), "belongs to a session: say --games"),
        (("--player", "a name"), "1 to 64 of A-Z a-z 0-9"),
    ):
        refused = gammon("play", "backgammon", *arguments)
        assert refused.returncode == 2
        assert why in refused.stderr
    for terms in (("--points", "5"), ("--no-cube",), ("--against", "bot"), ("--clock", "delay")):
        joining = gammon("play", "--join", "m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA", *terms)
        assert joining.returncode == 2
        assert "belongs to a new match" in joining.stderr
        assert terms[0].removeprefix("--no-").removeprefix("--") in joining.stderr
    seat = gammon("play", "Backgammon", "--seat", "2")
    assert (seat.returncode, seat.stderr) == (2, "gammon: seat: expected a number from 0 to 1 (rule 1.1), got 2\n")
    unknown = _play(up, "--join", "m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA")
    assert unknown.returncode == 2
    assert "MATCH_NOT_FOUND" in unknown.stderr
    nowhere = gammon("play", "backgammon", "--endpoints", str(tmp_path / "none.json"))
    assert nowhere.returncode == 2
    assert "no running suite found" in nowhere.stderr


def test_a_match_that_is_full_has_no_seat_for_a_third(up: Up) -> None:
    left = _play(up, "backgammon", "--player", "alice", typed=b"")
    third = _play(up, "--join", _match_id(left.stdout))
    assert third.returncode == 2
    assert "no seat is open" in " ".join(third.stderr.replace("│", " ").split())
    bots = _play(up, "--join", _match_id(left.stdout), "--seat", "1")
    assert bots.returncode == 2
    assert "SEAT_TAKEN" in bots.stderr
