"""Plays that the law does not allow, of matches played elsewhere: what the referee takes, and from whom."""

from collections.abc import Sequence

import pytest

from gammon_engine.play import Step
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, facts, rule
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import GameId, MatchPlay, Settings
from gammon_engine.violation import Violation

AGREED = Settings(GameId.BACKGAMMON, MatchPlay(3))
# Seat 0 has played a 6 and a 5 as two checkers of 13 to 2 and to 8.
WRONG = "24:2,13:3,8:4,6:5,2:1 24:2,13:5,8:3,6:5"


def after(*actions: act.Action) -> State:
    state = begin(AGREED)
    for action in actions:
        ruling = rule(AGREED, state, action)
        assert isinstance(ruling, Ruling), ruling
        state = ruling.state
    return state


def to_play() -> State:
    """Seat 0 has a 6 and a 5 to play from the start."""
    return after(act.Open((6, 5)))


def test_the_game_goes_on_from_the_position_of_the_record() -> None:
    steps = (Step(11, 13, 2), Step(5, 13, 8))
    ruling = rule(AGREED, to_play(), act.RecordPlay(0, steps, WRONG))
    assert isinstance(ruling, Ruling)
    (told,) = ruling.facts
    assert isinstance(told, facts.IllegalPlayRecorded)
    assert (told.seat, told.play, told.position, told.broken.rule) == (0, steps, WRONG, "1.3")
    assert (ruling.state.phase, ruling.state.turn, ruling.state.dice) == (Phase.TO_ROLL, 1, None)
    assert isinstance(rule(AGREED, ruling.state, act.RollDice(1, (3, 1))), Ruling)


def test_without_steps_the_position_alone_is_against_the_law() -> None:
    ruling = rule(AGREED, to_play(), act.RecordPlay(0, (), WRONG))
    assert isinstance(ruling, Ruling)
    assert isinstance(ruling.facts[0], facts.IllegalPlayRecorded)
    # No step at all uses fewer numbers than can be used.
    assert ruling.facts[0].broken.rule == "1.4"


def test_legal_steps_that_lead_elsewhere_do_not_make_the_position_legal() -> None:
    ruling = rule(AGREED, to_play(), act.RecordPlay(0, (Step(6, 24, 18), Step(5, 18, 13)), WRONG))
    assert isinstance(ruling, Ruling)
    assert isinstance(ruling.facts[0], facts.IllegalPlayRecorded)
    assert ruling.facts[0].broken.rule == "1.9"


@pytest.mark.parametrize(
    ("position", "rule_number"),
    [
        ("24:1,13:6,8:3,6:5 24:2,13:5,8:3,6:5", "1.9"),  # 24/18 18/13 is legal
        ("24:2,13:3,8:4,6:5 24:2,13:5,8:3,6:5", "9.3"),  # a checker is missing
        ("24:2,13:3,8:4,6:5,1:1 24:2,13:5,8:3,6:5", "9.3"),  # on a point of the opponent
        ("nowhere", "9.1"),
        ("24:2,13:5,8:3,6:5 off:15", "1.8"),  # the opponent would have won
    ],
)
def test_no_other_position_is_taken(position: str, rule_number: str) -> None:
    refused = rule(AGREED, to_play(), act.RecordPlay(0, (), position))
    assert isinstance(refused, Violation)
    assert refused.rule == rule_number


@pytest.mark.parametrize(
    ("actions", "seat", "rule_number"),
    [
        ((), 0, "1.7"),
        ((act.Open((6, 5)),), 1, "1.3"),
        ((act.Open((6, 5)), act.MakePlay(0, "24/18 18/13")), 1, "1.3"),
        ((act.Open((6, 5)), act.MakePlay(0, "24/18 18/13"), act.Double(1)), 0, "6.2"),
        ((act.Open((6, 5)), act.Resign(1, 1)), 0, "8.1"),
        ((act.Open((6, 5)),), 2, "1.1"),
    ],
)
def test_only_who_has_a_roll_to_play(actions: Sequence[act.Action], seat: int, rule_number: str) -> None:
    refused = rule(AGREED, after(*actions), act.RecordPlay(seat, (), WRONG))
    assert isinstance(refused, Violation)
    assert refused.rule == rule_number


def test_who_moved_where_the_turn_passed() -> None:
    # Seat 1 holds its 6 point, where a 6 would enter: with 6-6 seat 0 cannot move, and the turn passes.
    closed = "bar:2,13:5,8:3,6:5 24:2,13:5,6:8"
    state = begin(AGREED)
    opened = rule(AGREED, to_play(), act.RecordPlay(0, (), closed))
    assert isinstance(opened, Ruling)
    state = after_all(opened.state, act.RollDice(1, (2, 1)), act.MakePlay(1, "13/11 6/5"), act.RollDice(0, (6, 6)))
    assert (state.phase, state.turn) == (Phase.TO_ROLL, 1)
    here = "bar:2,13:5,8:3,6:5 24:2,13:4,11:1,6:7,5:1"
    refused = rule(AGREED, state, act.RecordPlay(0, (), here))
    assert isinstance(refused, Violation)
    assert refused.rule == "1.9"
    moved = rule(
        AGREED, state, act.RecordPlay(0, (Step(6, 13, 7),), here.replace("13:5,8:3,6:5 24", "13:4,8:3,7:1,6:5 24"))
    )
    assert isinstance(moved, Ruling)
    assert isinstance(moved.facts[0], facts.IllegalPlayRecorded)
    assert moved.facts[0].broken.rule == "1.5"
    assert (moved.state.phase, moved.state.turn) == (Phase.TO_ROLL, 1)


def after_all(state: State, *actions: act.Action) -> State:
    for action in actions:
        ruling = rule(AGREED, state, action)
        assert isinstance(ruling, Ruling), ruling
        state = ruling.state
    return state


def test_an_illegal_play_can_end_the_game() -> None:
    ruling = rule(AGREED, to_play(), act.RecordPlay(0, (), "off:15 24:2,13:5,8:3,6:5"))
    assert isinstance(ruling, Ruling)
    (_, ended, over) = ruling.facts
    assert isinstance(ended, facts.GameEnded)
    assert (ended.winners, ended.level) == ((0,), 3)
    assert isinstance(over, facts.PlayEnded)
