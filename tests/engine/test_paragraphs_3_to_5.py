"""Catchgammon, Rungammon and Trackgammon: what rules.md says and no other test asks by its number."""

from tests.engine.catch_boards import GAME as CATCHGAMMON
from tests.engine.catch_boards import at

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
