"""Catchgammon, Rungammon and Trackgammon: what rules.md says and no other test asks by its number."""

from tests.engine.catch_boards import GAME as CATCHGAMMON
from tests.engine.catch_boards import at
from tests.engine.rungammon_boards import OWN as RUNGAMMON

from gammon_engine.play import Step


def test_3_2_a_freed_checker_can_be_trapped_again_in_the_same_play() -> None:
    # The trapper on 10 leaves with 10/8/6, and 12/10 traps anew.
    board = at("12:1,10:1,off:13 15:1t,off:14")
    play = (Step(2, 10, 8), Step(2, 8, 6), Step(2, 12, 10, hit=True), Step(2, 10, 8))
    assert CATCHGAMMON.explain(board, 0, (2, 2), play) is None
    joining = (Step(2, 12, 10, hit=True), Step(2, 10, 8), Step(2, 10, 8), Step(2, 8, 6))
    refused = CATCHGAMMON.explain(board, 0, (2, 2), joining)
    assert refused is not None
    assert refused.rule == "3.2"


def test_3_3_the_trappers_own_checkers_may_join_it() -> None:
    board = at("8:1,5:1,off:13 24:2,20:1t,off:12")
    assert CATCHGAMMON.explain(board, 0, (3, 1), (Step(3, 8, 5), Step(1, 5, 4))) is None


def test_4_7_while_one_player_can_move_the_game_goes_on() -> None:
    # Their 11 to 5 are my 23 to 17: seat 0 is shut in, and seat 1 has every number.
    board = RUNGAMMON.parse("24:15 11:2,10:2,9:2,8:2,7:2,6:2,5:3")
    assert isinstance(board, int)
    assert all(RUNGAMMON.must_pass(board, 0, (die, die)) for die in range(1, 7))
    assert (RUNGAMMON.outcome(board, 0), RUNGAMMON.outcome(board, 1)) == (None, None)
