"""`gammon play` with a clock, as people use it: counted down below what they type, paused, lost on time, claimed."""

import asyncio
import re
import time
from collections.abc import Iterator

import pytest
from tests.cli.command import Up, gammon, running_up
from tests.cli.terminal import WITHIN_S, Terminal

from gammon.match.v1 import settings_pb2
from gammon_cli.endpoints import read_endpoints
from gammon_cli.play.clock import ClockName, WantedClock
from gammon_cli.play.wanted import Wanted
from gammon_cli.stored_match import match_service

MY_TURN = r"Your (turn|roll)[^>]*X> $"


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A suite that runs."""
    with running_up(tmp_path_factory.mktemp("suite")) as running:
        yield running


def _there(up: Up) -> tuple[str, str]:
    return "--endpoints", str(up.endpoints)


def _at_turn(person: Terminal) -> None:
    """Throws for the start, and comes to a turn of one's own."""
    person.wait_for("X> $")
    person.answer("\n", asked_for=MY_TURN)


def test_the_clock_counts_down_below_what_is_being_typed(up: Up) -> None:
    clock = ("--clock", "delay", "--reserve", "10m", "--per-move", "2s")
    with Terminal("play", "hypergammon", *clock, *_there(up)) as person:
        person.wait_for("Clock: 0:02 for each move, and 10:00 in all beyond that; whose time is up loses")
        _at_turn(person)
        person.type("resu")
        person.wait_for_footer(r"> X 9:\d\d   O 10:00$")
        first = person.screen()
        assert first.at_cursor() == "X> resu"
        assert first.row < 23
        person.wait_for_footer(rf"^(?!{re.escape(first.line(-1))}$)")
        later = person.screen()
        assert (later.row, later.at_cursor()) == (first.row, "X> resu")
        assert [later.line(row) for row in range(23)] == [first.line(row) for row in range(23)]
        person.answer("me\n", asked_for="the match is not paused.*X> $")
        person.answer("pause\n", asked_for="You: pauses the match, with 5:00 left for that.*resume goes on.*X> $")
        person.wait_for_footer("^ X 9:.. .*paused by X, 4:.. left$")
        person.answer("d\n", asked_for="You have paused the match: resume goes on.*X> $")
        person.answer("resume\n", asked_for=r"You: ends the pause.*Your (turn|roll)[^>]*X> $")
        person.answer("claim\n", asked_for="no other seat is late.*X> $")
        person.answer("h\n", asked_for="leave the terminal; the clocks run on.*X> $")
        person.type("q\n")
        person.wait_for(r"You left match m_\w+. The clocks run on\.")
        assert person.ended() == 0
    left = person.screen()
    assert left.bottom == 23, "the terminal has its last line again"
    assert not re.search("X 9:..", left.line(-1))


def test_whose_time_is_up_is_told_and_loses(up: Up) -> None:
    with Terminal(
        "play", "backgammon", "--clock", "fischer", "--reserve", "3s", "--per-move", "1s", *_there(up)
    ) as late:
        late.wait_for("X> $")
        late.type("\n")
        late.wait_for(r"X is out of time; X lapses; O wins the match.*O \(bot:1\) wins the match")
        assert late.ended() == 0


def test_bots_have_time_for_a_pause_that_all_must_want(up: Up) -> None:
    with Terminal("play", "hypergammon", *_there(up)) as person:
        _at_turn(person)
        person.answer("pause\n", asked_for=r"O \(bot:1\): asks for a pause; the match is paused, as all want it.*X> $")
        person.answer("resume\n", asked_for=r"You: ends the pause.*" + MY_TURN)
        person.type("q\n")
        assert person.ended() == 0


def test_without_a_terminal_the_clock_stands_before_each_question(up: Up) -> None:
    done = gammon("play", "backgammon", "--clock", "fischer", *_there(up), stdin=b"\nb\nq\n", timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Clock: > X [56]:\d\d   O 6:\d\d\nYour (turn|roll)", done.stdout, re.MULTILINE), done.stdout
    assert "\x1b" not in done.stdout


def test_what_does_not_fit_a_clock_is_refused_before_anything_starts() -> None:
    for arguments, reason in (
        (("--reserve", "10m"), "belongs to a clock: say --clock"),
        (("--clock", "delay", "--reserve", "ten"), "is no span of time such as 12s"),
        (("--clock", "sand"), "'sand' is not one of"),
    ):
        done = gammon("play", "backgammon", *arguments)
        assert done.returncode == 2
        assert reason in " ".join(done.stderr.replace("│", " ").split())


def _match_with_absence(up: Up) -> str:
    """A match of two people in which an absence of a second may be claimed."""
    settings = Wanted("hypergammon", points=1, clock=WantedClock(ClockName.DELAY, 600)).settings()
    assert isinstance(settings, settings_pb2.MatchSettings)
    settings.absence.abandonment.seconds = 1

    async def create() -> str:
        async with match_service(read_endpoints(up.endpoints)) as client:
            return (await client.create_match(settings)).match_id

    return asyncio.run(create())


def test_who_goes_away_is_shown_and_can_be_claimed(up: Up) -> None:
    match_id = _match_with_absence(up)
    with Terminal("play", "--join", match_id, *_there(up)) as stays:
        stays.wait_for("Waiting until 1 more seat is taken")
        stays.wait_for_footer("^ X player:0   O open$")
        with Terminal("play", "--join", match_id, *_there(up)) as goes:
            goes.wait_for("O> $")
            stays.wait_for("X> $")
            stays.type("pau")
            goes.type("\n")
            stays.wait_for("opening throw X: ., O: .*(X> $|Waiting for O)")
            # A word that was begun before does not come before the next one.
            stays.answer("claim\n", asked_for="no other seat is late|O has .* s left on its clock")
            _play_until_asked(stays, goes)
            goes.type("q\n")
            assert goes.ended() == 0
        stays.wait_for_footer("O .* gone")
        stays.wait_for_footer("O is late: claim$")
        stays.type("claim\n")
        stays.wait_for("You: claims that O has been away too long; O lapses; X wins the match.*You win the match")
        assert stays.ended() == 0
    told = gammon("replay", match_id, *_there(up)).stdout
    assert "seat 1 is away, and play waits for it" in told
    assert "seat 0: claims that seat 1 has been away too long; seat 1 lapses" in told
    assert re.search(r"   clock 10:00 : \d+:\d\d", told)
    assert gammon("audit", match_id, *_there(up)).returncode == 0


def _play_until_asked(plays: Terminal, waits: Terminal) -> None:
    """Plays at one terminal until the other is asked."""
    deadline = time.monotonic() + WITHIN_S
    while not re.search(r"Your (turn|roll)[^>]*O> $", waits.plain()):
        assert time.monotonic() < deadline, plays.seen
        asked = re.findall(r"Your (turn|roll)", plays.plain())
        plays.type("1\n" if asked and asked[-1] == "roll" else "\n")
        # What comes too late is refused or shows help.
        plays.read_for(0.5)
        waits.read_for(0.5)
