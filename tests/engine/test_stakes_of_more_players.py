"""What leaving costs and staying wins with three or four players: rules 6.11 and 6.12, worked out by hand."""

from fractions import Fraction

import pytest
from tests.engine.race import quick_games
from tests.engine.test_rounds_and_leaving import FOUR, THREE, after, net, placed, turn_of

from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Cube, Phase

__all__ = ["quick_games"]
pytestmark = pytest.mark.usefixtures("quick_games")


def test_6_11_a_double_that_somebody_stays_for_doubles_the_stake() -> None:
    state = after(THREE, placed(THREE, 0, 0, 0), act.Double(0), act.Leave(1), act.Stay(2))
    assert (state.phase, state.turn, state.cube) == (Phase.TO_ROLL, 0, Cube(1, last_doubler=0))


def test_6_11_the_only_seat_still_in_wins_at_once() -> None:
    state = after(THREE, placed(THREE, 0, 0, 0), act.Leave(0))
    assert (state.phase, state.turn) == (Phase.TO_ROLL, 1)
    state = after(THREE, state, act.Leave(1))
    assert (state.phase, state.game_number, state.score) == (Phase.OPENING, 2, net(-1, -1, 2))


def test_6_12_a_leaver_pays_the_stake_of_then_and_who_stays_the_stake_of_now() -> None:
    # Seat 1 leaves at one, seats 0 and 2 play on at two; seat 0 finishes.
    state = after(THREE, placed(THREE, 12, 0, 0), act.Double(0), act.Leave(1), act.Stay(2), *turn_of(0), *turn_of(2))
    assert state.score == net(3, -1, -2)


def test_6_12_winners_share_equally_in_exact_fractions() -> None:
    # One of four loses one point to three winners.
    plays = [action for seat in range(4) for action in turn_of(seat)]
    state = after(FOUR, placed(FOUR, 12, 12, 12, 0), *plays)
    assert state.score == net(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), -1)
