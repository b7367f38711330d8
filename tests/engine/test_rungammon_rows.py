"""Rungammon against public faults of other systems with games without hitting (rows V).

V1, V3 and V4 are about pinned checkers, which this game has not; V11 about drawn games, which do not arise in it.
"""

import pytest
from tests.engine.rungammon_boards import BOTH, OWN, ROLLS, START, at, broken, deadlock, ways

from gammon_engine.outcome import Remi


def test_v5_no_step_round_the_corner_of_the_board_bears_off() -> None:
    # A seat's 13 and 12 are the other's 1 and 24.
    for text in (START, "24:14,13:1 24:14,8:1", "24:9,13:5,8:1 24:9,8:6", "24:9,8:6 24:9,13:5,8:1"):
        for seat in (0, 1):
            found = [OWN.legal_plays(at(text), seat, roll) for roll in ROLLS]
            steps = [step for plays in found for _, play in plays.plays() for step in play]
            assert steps
            assert all(step.target == step.origin - step.number > 0 for step in steps)


def test_v7_the_ban_is_on_ones_own_start_table() -> None:
    mine, theirs = "24:6,23:2,22:2,21:2,20:2,10:1", "24:14,5:1"
    assert broken(f"{mine} {theirs}", (5, 1), (5, 24)) == "4.5"
    assert broken(f"{theirs} {mine}", (5, 1), (5, 24), seat=1) == "4.5"
    # The same six points are the other's 12 to 7, where they may stand.
    on_their_start = "24:3,13:2,11:2,10:2,9:2,8:2,7:2"
    assert ways(f"{on_their_start} 8:1,off:14", (1, 1)) != ["-"]
    assert any("13/12" in way for way in ways(f"{on_their_start} 8:1,off:14", (2, 1)))


def test_v8_nobody_has_to_open_a_prime_with_the_whole_army_behind_it() -> None:
    text = "24:3,11:2,10:2,9:2,8:2,7:2,6:2 24:15"
    for roll in ROLLS:
        assert ways(text, roll, seat=1) == ["-"]
        assert OWN.must_pass(at(text), 1, roll)
    assert "24/22 24/23" in ways(text, (2, 1))
    assert OWN.outcome(at(text), 0) is OWN.outcome(at(text), 1) is None


@pytest.mark.parametrize(
    ("first", "free"),
    [(13, False), (12, False), (11, True), (7, True), (6, True)],
    ids=["one short", "exactly on it", "past it", "on their last start point", "at home"],
)
def test_v9_the_gate_is_their_starting_point_passed(first: int, free: bool) -> None:
    assert broken(f"24:14,{first}:1 6:14,2:1", (4, 3), (4, 24), (3, 24)) == (None if free else "4.3")


def test_v9_6_6_in_turn_one_is_one_move() -> None:
    for game in (OWN, BOTH):
        assert ways(START, (6, 6), game) == ["24/18"]
        assert broken(START, (6, 6), (6, 24), (6, 18), game=game) == "4.2"
        assert broken(START, (6, 6), (6, 24), (6, 24), game=game) == "4.3"


def test_v12_a_deadlock_ends_the_game_and_is_not_passed_for_ever() -> None:
    assert OWN.outcome(deadlock(), 0) == Remi()
