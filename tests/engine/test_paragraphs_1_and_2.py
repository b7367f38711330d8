"""Common terms and Backgammon: what rules.md sections 1 and 2 say and no other test asks by its number."""

import pytest
from tests.engine.boards import BACKGAMMON, after, facing, ways
from tests.engine.script_words import ONE_EACH, check, do, no, ok, script

from gammon_engine.full_roll import numbers_of
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Win
from gammon_engine.play import Roll, Step
from gammon_engine.settings import SetUp
from gammon_engine.violation import Violation


def refusal(mover: str, opponent: str, roll: Roll, *play: Step) -> str | None:
    """The rule that a play of seat 0 breaks, both sides in its numbering."""
    found = BACKGAMMON.explain(facing(mover, opponent), 0, roll, play)
    return None if found is None else found.rule


def position(text: str) -> int:
    found = BACKGAMMON.parse(text)
    assert isinstance(found, int), found
    return found


def test_1_1_seats_are_numbered_from_0() -> None:
    check(
        script(
            "seats",
            [do(2, "roll", dice=[2, 1]), do(-1, "resign", level=1), do(0, "roll", dice=[2, 1])],
            {"0": no("1.1"), "1": no("1.1")},
        )
    )


def test_1_1_a_roll_is_two_dice_from_1_to_6() -> None:
    check(
        script(
            "dice",
            [*(do(0, "roll", dice=dice) for dice in ([0, 3], [7, 1], [3], [3, 2, 1])), do(0, "roll", dice=[6, 1])],
            {**{str(number): no("1.1") for number in range(4)}, "4": ok(dice=[6, 1])},
        )
    )


def test_1_2_each_player_moves_down_their_own_points() -> None:
    # One checker each on their own 13, which are points 13 and 12 of the board; a 3 leads either to its 10.
    board = position("13:1,off:14 13:1,off:14")
    first, _ = BACKGAMMON.apply(board, 0, (Step(3, 13, 10),))
    second, _ = BACKGAMMON.apply(board, 1, (Step(3, 13, 10),))
    assert BACKGAMMON.text(first) == "10:1,off:14 13:1,off:14"
    assert BACKGAMMON.text(second) == "13:1,off:14 10:1,off:14"


def test_1_2_a_step_starts_where_a_checker_is_and_goes_its_number() -> None:
    assert refusal("13:1 6:2", "24:2", (2, 1), Step(2, 12, 10)) == "1.2"
    assert refusal("13:1 6:2", "24:2", (2, 1), Step(2, 13, 10)) == "1.2"


def test_1_2_fifteen_checkers_and_three_in_hypergammon() -> None:
    for game, right, wrong in (
        (BACKGAMMON, "24:15 24:15", "24:14 24:14"),
        (Backgammon(SetUp.HYPERGAMMON), "24:3 24:3", "24:15 24:15"),
    ):
        assert isinstance(game.parse(right), int)
        assert isinstance(game.parse(wrong), Violation)


def test_1_3_a_double_gives_its_number_four_times() -> None:
    assert numbers_of((6, 1)) == (6, 1)
    assert numbers_of((4, 4)) == (4, 4, 4, 4)
    assert after("24:1", (6, 1), "1:2") == ["17:1,off:14"]
    assert after("24:1", (5, 5), "1:2") == ["4:1,off:14"]


def test_1_3_either_order_of_the_numbers() -> None:
    # 18 is held, so the 1 comes first; then 23 is held, so the 6 does.
    assert ways("24:1", (6, 1), "18:2") == ["24/23 23/17"]
    assert ways("24:1", (6, 1), "23:2") == ["24/18 18/17"]


def test_1_3_each_number_is_used_once() -> None:
    assert refusal("13:2", "1:2", (2, 1), Step(2, 13, 11), Step(2, 13, 11)) == "1.3"


def test_1_4_as_many_numbers_as_any_sequence() -> None:
    # 24/23 first lets the 6 follow; 2/1 would leave it without a step.
    assert ways("24:1 2:1", (6, 1), "18:2") == ["24/23 23/17"]
    assert refusal("24:1 2:1", "18:2", (6, 1), Step(1, 2, 1)) == "1.4"


def test_1_4_three_of_four_when_the_fourth_is_blocked() -> None:
    assert ways("24:1", (4, 4), "8:2") == ["24/20 20/16 16/12"]
    play = (Step(4, 24, 20), Step(4, 20, 16))
    assert refusal("24:1", "8:2", (4, 4), *play) == "1.4"
    assert refusal("24:1", "8:2", (4, 4), *play, Step(4, 16, 12)) is None


def test_1_4_the_larger_of_two_that_exclude_each_other() -> None:
    assert ways("24:1", (6, 1), "17:2") == ["24/18"]
    assert refusal("24:1", "17:2", (6, 1), Step(1, 24, 23)) == "1.4"
    assert refusal("24:1", "17:2", (6, 1), Step(6, 24, 18)) is None


def test_1_5_no_legal_step_leaves_one_play_without_steps() -> None:
    board = facing("bar:1 6:2", "20:2 19:2")
    for roll in ((6, 6), (6, 5)):
        assert list(BACKGAMMON.legal_plays(board, 0, roll).plays()) == [(board, ())]
        assert BACKGAMMON.must_pass(board, 0, roll)
        assert BACKGAMMON.explain(board, 0, roll, ()) is None


def test_1_6_bearing_off_starts_when_all_are_home() -> None:
    assert after("7:1 6:1", (6, 6)) == ["off:15"]
    assert after("8:1 6:1", (6, 1)) == ["5:1,2:1,off:13", "6:1,1:1,off:13"]
    assert after("8:1 1:1", (6, 1)) == ["1:2,off:13", "2:1,off:14"]
    assert refusal("7:1 6:1", "24:2", (6, 5), Step(6, 6, 0)) == "1.6"
    assert refusal("bar:1 6:1", "19:2", (6, 6), Step(6, 6, 0)) == "2.3"
    # Step by step: the 1 brings the last one home, then the 6 takes one off.
    assert refusal("7:1 6:1", "24:2", (6, 1), Step(1, 7, 6), Step(6, 6, 0)) is None


def test_1_6_a_larger_number_takes_from_the_highest_point() -> None:
    assert ways("4:1 3:1", (6, 5)) == ["4/off 3/off"]
    assert refusal("4:1 3:1", "24:2", (6, 5), Step(6, 3, 0)) == "1.6"
    assert refusal("4:1 3:1", "24:2", (6, 5), Step(6, 4, 0), Step(5, 3, 0)) is None
    # While a higher point is occupied a number that is blocked there takes nothing off below.
    assert after("6:1 3:1", (5, 5), "1:2") == ["6:1,3:1,off:13"]
    assert after("6:1 5:1 3:1", (5, 2)) == ["3:2,1:1,off:12", "4:1,3:1,off:13", "5:1,1:2,off:12", "6:1,1:1,off:13"]


def test_1_6_the_last_checker_may_go_off_with_either_number() -> None:
    assert refusal("2:1", "24:2", (5, 2), Step(5, 2, 0)) is None
    assert refusal("2:1", "24:2", (5, 2), Step(2, 2, 0)) is None
    # But not with one that could have been used before the other.
    assert refusal("4:1", "24:2", (5, 2), Step(5, 4, 0)) == "1.4"
    found = BACKGAMMON.next_steps(facing("2:1"), 0, (5, 2), ())
    assert isinstance(found, NextSteps)
    assert found.steps == (Step(5, 2, 0), Step(2, 2, 0))


def test_1_7_the_higher_die_starts_and_both_are_the_first_roll() -> None:
    base = {"game": "backgammon", "seats": 2, "match": {"points": 5}}
    for dice, starter, roll in (([1, 6], 1, [6, 1]), ([5, 2], 0, [5, 2]), ([3, 3, 2, 4], 1, [4, 2])):
        check(
            {
                "about": "opening",
                **base,
                "actions": [do(None, "open", dice=dice)],
                "expect": {"0": ok(phase="to_play", turn=starter, dice=roll)},
            }
        )
    check(
        {
            "about": "equal dice are thrown again",
            **base,
            "actions": [do(None, "open", dice=[3, 3]), do(0, "roll", dice=[3, 2])],
            "expect": {"0": ok(phase="opening", turn=None, dice=None), "1": no("1.7")},
        }
    )


def test_1_8_who_has_no_checker_left_has_won_after_the_play() -> None:
    assert BACKGAMMON.outcome(position("off:15 1:1,off:14"), 0) == Win(0, 1)
    assert BACKGAMMON.outcome(position("1:1,off:14 1:1,off:14"), 0) is None
    check(
        script(
            "the game ends with the play",
            [do(0, "roll", dice=[2, 1]), do(0, "play", text="1/off")],
            {"0": ok(phase="to_play", game=1), "1": ok(phase="opening", game=2, score=[1, 0])},
            position=ONE_EACH,
        )
    )


def test_1_9_plays_to_one_position_are_one_play() -> None:
    # Four ones on two checkers: many orders, three positions.
    plays = BACKGAMMON.legal_plays(facing("6:2"), 0, (1, 1))
    assert len(plays) == 3
    assert plays.texts() == ["4:2,off:13 1:2,off:13", "5:1,3:1,off:13 1:2,off:13", "6:1,2:1,off:13 1:2,off:13"]
    assert all(BACKGAMMON.apply(facing("6:2"), 0, play)[0] == result for result, play in plays.plays())


def test_1_10_steps_are_judged_in_their_order_and_text_in_any() -> None:
    board = facing("13:1 6:2")
    in_order = (Step(6, 13, 7), Step(1, 7, 6))
    assert refusal("13:1 6:2", "24:2", (6, 1), *in_order) is None
    assert refusal("13:1 6:2", "24:2", (6, 1), *in_order[::-1]) == "1.2"
    assert refusal("13:1 6:2", "24:2", (6, 1), Step(1, 13, 7), Step(6, 7, 1)) == "1.2"
    assert BACKGAMMON.read_play("7/6 13/7", board, 0, (6, 1)) == in_order


@pytest.mark.parametrize("held", [1, 2])
def test_2_2_a_step_may_land_where_at_most_one_opponent_is(held: int) -> None:
    broken = refusal("13:1 6:2", f"11:{held} 1:2", (2, 1), Step(2, 13, 11), Step(1, 11, 10))
    assert broken == (None if held == 1 else "2.2")
    results = after("13:1", (2, 2), f"11:{held} 1:2")
    assert results == (["5:1,off:14"] if held == 1 else ["13:1,off:14"])


def test_2_2_a_blot_that_is_hit_goes_to_its_owners_bar() -> None:
    board = facing("13:1", "11:1 1:2")
    after_hit, play = BACKGAMMON.apply(board, 0, (Step(2, 13, 11), Step(1, 11, 10)))
    assert play == (Step(2, 13, 11, hit=True), Step(1, 11, 10))
    assert BACKGAMMON.text(after_hit) == "10:1,off:14 bar:1,24:2,off:12"
    assert BACKGAMMON.legal_plays(board, 0, (6, 2)).texts() == [
        "5:1,off:14 24:2,14:1,off:12",  # 13/7/5
        "5:1,off:14 bar:1,24:2,off:12",  # 13/11*/5
    ]


def test_2_3_a_checker_on_the_bar_enters_first() -> None:
    assert refusal("bar:1 6:2", "1:2", (2, 1), Step(2, 6, 4), Step(1, 25, 24)) == "2.3"
    assert refusal("bar:1 6:2", "1:2", (2, 1), Step(2, 25, 23), Step(1, 6, 5)) is None
    assert after("bar:2 6:2", (5, 3)) == ["22:1,20:1,6:2,off:11"]


def test_2_3_number_d_enters_on_point_25_less_d() -> None:
    assert ways("bar:1", (6, 6), "13:2") == ["bar/19"]
    assert BACKGAMMON.must_pass(facing("bar:1", "19:2"), 0, (6, 6))
    assert not BACKGAMMON.must_pass(facing("bar:1", "6:2"), 0, (6, 6))
    # 22 is held: only the 5 enters, and both numbers can be used.
    assert after("bar:1 6:1", (5, 3), "22:2") == ["17:1,6:1,off:13", "20:1,3:1,off:13"]
