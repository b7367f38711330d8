"""What no test noticed when a tool changed it (docs/mutants.md): told words, and cases at the edge."""

from dataclasses import replace

from gammon_engine.faults import faults
from gammon_engine.games import rungammon, trackgammon
from gammon_engine.games.catchgammon import Catchgammon
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase
from gammon_engine.referee_answer import answer_script
from gammon_engine.settings import GameId, MatchPlay, RunnerRelease, SessionPlay, Settings
from gammon_engine.violation import Violation

BOTH = rungammon.of(Settings(GameId.RUNGAMMON, SessionPlay(), runner_release=RunnerRelease.BOTH))
FOR_THREE = Settings(GameId.TRACKGAMMON, SessionPlay(2), 3)


def test_how_many_seats_a_game_has_is_told() -> None:
    track = faults(Settings(GameId.TRACKGAMMON, SessionPlay(), 5))
    catch = faults(Settings(GameId.CATCHGAMMON, SessionPlay(), 3))
    assert [fault.reason for fault in (*track, *catch)] == ["this game has 2 to 4 seats", "this game has 2 seats"]


def test_4_4_one_checker_off_has_passed_for_the_other_player_too() -> None:
    # Seat 1's only checker away from its 24 is off, so under `both` each is released and the second may move.
    position = BOTH.parse("24:14,11:1 24:14,off:1")
    assert isinstance(position, int), position
    found = BOTH.legal_plays(position, 0, (2, 1)).texts()
    assert "24:13,22:1,10:1 24:14,off:1" in found


def test_6_11_a_double_on_which_all_stay_was_taken() -> None:
    state = replace(begin(FOR_THREE), phase=Phase.TO_ROLL, turn=0, starter=0)
    for action in (act.Double(0), act.Stay(1), act.Stay(2)):
        ruling = rule(FOR_THREE, state, action)
        assert isinstance(ruling, Ruling), ruling
        state = ruling.state
    assert (state.phase, state.cube.exponent, state.cube.last_doubler, state.raised) == (Phase.TO_ROLL, 1, 0, True)


def test_a_recorded_play_is_of_the_seat_on_turn_whichever_asks() -> None:
    agreed = Settings(GameId.BACKGAMMON, MatchPlay(3))
    for dice, other in (((6, 5), 1), ((5, 6), 0)):
        opened = rule(agreed, begin(agreed), act.Open(dice))
        assert isinstance(opened, Ruling), opened
        wrong = "24:2,13:3,8:4,6:5,2:1 24:2,13:5,8:3,6:5"
        refused = rule(agreed, opened.state, act.RecordPlay(other, (), wrong))
        assert isinstance(refused, Violation)
        assert refused.rule == "1.3"


def test_a_script_may_name_the_disc_of_a_step() -> None:
    script = {
        "game": "trackgammon",
        "match": {"points": 1},
        "actions": [
            {"seat": None, "do": "open", "dice": [6, 1, 3, 5]},
            {"seat": 0, "do": "play", "steps": [[5, 1, 6, 1], [3, 1, 4, 2]]},
        ],
    }
    last = list(answer_script(script, 0))[-1]
    assert last["ok"], last
    assert last["state"]["position"] == "6,4,1,1,1 1,1,1,1,1"


def test_a_number_that_does_not_lead_there_is_told_with_both_points() -> None:
    track = trackgammon.of(Settings(GameId.TRACKGAMMON, SessionPlay()))
    refused = track.read_play("2:1@1-6 3:2@1-4", track.start(), 0, (5, 3))
    assert isinstance(refused, Violation)
    assert "from 1 to 6" in refused.reason


def test_the_other_players_numbers_of_all_24_points_are_in_the_view() -> None:
    game = Catchgammon()
    assert game.view(game.start()).other == (0, *(25 - point for point in range(1, 25)))
