"""Public faults of comparable systems that concern cube, match score and resigning, by their numbers."""

from dataclasses import replace
from typing import Any

import pytest
from tests.engine.script_words import ONE_EACH, ROLL_OFF, START, check, do, no, ok, script

from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import State
from gammon_engine.referee_script import Script, read_script
from gammon_engine.settings import GameId, MatchPlay, Settings
from gammon_engine.violation import Fault
from gammon_wire.state import state_from_bytes, state_to_bytes

HYPER_GAMMON = "1:1,off:2 6:3"


@pytest.mark.parametrize(
    ("play", "field"),
    [
        ({"match": {"points": 5, "jacoby": True}}, "match.jacoby"),
        ({"match": {"points": 5, "automatic_doubles": 1}}, "match.automatic_doubles"),
        ({"session": {"crawford": True}}, "session.crawford"),
        ({"session": {"holland": True}}, "session.holland"),
    ],
    ids=str,
)
def test_c11_crawford_is_of_matches_only_and_jacoby_of_sessions_only(play: dict[str, Any], field: str) -> None:
    fault = read_script({"game": "backgammon", "seats": 2, "actions": [], **play})
    assert isinstance(fault, Fault)
    assert fault.field == field


@pytest.mark.parametrize(("position", "level"), [(START, 3), ("6:14,off:1 24:15", 1), ("6:14,off:1 24:15", 3)])
def test_c19_a_resignation_is_priced_by_its_offer_and_counts_once_it_is_accepted(position: str, level: int) -> None:
    check(
        script(
            f"C19 at level {level}",
            [do(0, "resign", level=level), do(1, "decline"), do(0, "resign", level=level), do(1, "accept")],
            {"0": ok(score=[0, 0]), "1": ok(score=[0, 0], phase="to_roll"), "3": ok(score=[0, level], game=2)},
            position=position,
        )
    )


def test_c18_an_offer_sent_again_is_refused_while_it_is_open() -> None:
    """The same request sent again is the match service's to know: tests/match."""
    check(
        script(
            "C18",
            [do(0, "resign", level=3), do(0, "resign", level=3), do(1, "accept"), do(1, "accept")],
            {"1": no("8.1"), "2": ok(score=[0, 3], game=2, over=None), "3": no("1.7")},
        )
    )


def test_c21_the_three_checker_game_has_no_gammons_under_jacoby_until_the_cube_is_turned() -> None:
    won = [do(0, "roll", dice=[2, 1]), do(0, "play", text="1/off")]
    hyper = {"game": "hypergammon", "session": {"games": 2, "jacoby": True}, "position": HYPER_GAMMON}
    check(script("C21 not turned", won, {"1": ok(score=[1, -1])}, **hyper))
    turned = [do(0, "double"), do(1, "take"), *won]
    check(script("C21 turned", turned, {"3": ok(score=[4, -4])}, **hyper))


def test_c25_nothing_of_a_game_is_carried_into_the_next_however_it_ended() -> None:
    agreed = Settings(GameId.BACKGAMMON, MatchPlay(7))
    opened = rule(agreed, begin(agreed), act.Open((3, 1)))
    assert isinstance(opened, Ruling)
    played = rule(agreed, opened.state, act.MakePlay(0, "8/5 6/5"))
    assert isinstance(played, Ruling)
    ends = ((act.Double(1), act.Drop(0)), (act.Resign(0, 1), act.Accept(1)), (act.Forfeit(0, act.Scope.GAME, 1),))
    found = []
    for actions in ends:
        state = played.state
        for action in actions:
            ruling = rule(agreed, state, action)
            assert isinstance(ruling, Ruling)
            state = ruling.state
        found.append(state)
    assert found[0] == found[1] == found[2]
    assert found[0] == replace(begin(agreed), score=found[0].score, game_number=2)


def test_c26_a_state_restored_just_before_the_win_ends_with_it() -> None:
    read = read_script(
        {"game": "backgammon", "seats": 2, "match": {"points": 1}, "position": ONE_EACH, "turn": 0, "actions": []}
    )
    assert isinstance(read, Script)
    rolled = rule(read.settings, read.state, act.RollDice(0, (2, 1)))
    assert isinstance(rolled, Ruling)
    restored = state_from_bytes(read.settings, state_to_bytes(read.settings, rolled.state))
    assert isinstance(restored, State)
    won = rule(read.settings, restored, act.MakePlay(0, "1/off"))
    assert isinstance(won, Ruling)
    over = state_from_bytes(read.settings, state_to_bytes(read.settings, won.state))
    assert isinstance(over, State)
    for action in (act.RollDice(1, (2, 1)), act.Double(1), act.Open((2, 1))):
        refused = rule(read.settings, over, action)
        assert not isinstance(refused, Ruling)
        assert refused.rule == "7.1"
    # A position in which the game is won is no place to go on from.
    lost = read_script(
        {"game": "backgammon", "seats": 2, "match": {"points": 5}, "position": "off:15 6:15", "turn": 1, "actions": []}
    )
    assert isinstance(lost, Fault)
    assert (lost.rule, lost.field) == ("1.8", "position")


def test_c26_the_end_of_a_game_comes_with_the_play_and_nothing_in_between() -> None:
    check(
        script(
            "C26",
            [*ROLL_OFF, do(1, "roll", dice=[6, 6]), do(None, "open", dice=[2, 1])],
            {"1": ok(phase="opening", game=2, position=START), "2": no("1.7"), "3": ok(phase="to_play")},
            position=ONE_EACH,
        )
    )
