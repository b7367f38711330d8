"""Cube, matches, resigning: what rules.md sections 6 to 8 say and no other test asks by its number."""

import pytest
from tests.engine.script_words import ONE_EACH, ROLL_OFF, START, check, do, no, ok, script

# The last checker of seat 0 goes off, and seat 1 has borne off none: a gammon.
GAMMON = "2:1,off:14 6:15"
MIDDLE = {"value": 1, "owner": None}


def test_6_1_only_before_rolling_and_by_the_player_on_turn() -> None:
    check(
        script(
            "6.1",
            [do(1, "double"), do(0, "roll", dice=[2, 1]), do(0, "double")],
            {"0": no("6.1"), "2": no("1.3")},
        )
    )


@pytest.mark.parametrize(("owner", "may"), [(None, True), (0, True), (1, False)])
def test_6_1_only_from_the_middle_or_with_an_own_cube(owner: int | None, may: bool) -> None:
    cube = {"value": 2, "owner": owner}
    check(script("6.1", [do(0, "double")], {"0": ok(phase="doubled") if may else no("6.1")}, cube=cube))


def test_6_1_not_on_the_first_turn_whose_dice_are_thrown() -> None:
    opening = {"game": "backgammon", "seats": 2, "match": {"points": 5}}
    actions = [do(None, "open", dice=[3, 1]), do(0, "double"), do(0, "play", text="8/5 6/5"), do(1, "double")]
    check({"about": "6.1", **opening, "actions": actions, "expect": {"1": no("1.3"), "3": ok(phase="doubled")}})


def test_6_2_a_take_doubles_the_stake_and_owns_the_cube() -> None:
    check(
        script(
            "6.2",
            [do(0, "double"), do(0, "take"), do(0, "roll", dice=[2, 1]), do(1, "take")],
            {"1": no("6.2"), "2": no("6.2"), "3": ok(cube={"value": 2, "owner": 1}, phase="to_roll", turn=0)},
        )
    )


def test_6_2_a_drop_loses_the_stake_before_the_double() -> None:
    check(script("6.2", [do(0, "double"), do(1, "drop")], {"1": ok(score=[2, 0])}, cube={"value": 2, "owner": 0}))


@pytest.mark.parametrize(
    ("position", "points"), [("2:1,off:14 6:14,off:1", 4), ("2:1,off:14 6:15", 8), ("2:1,off:14 19:1,6:14", 12)]
)
def test_6_3_the_cube_times_the_level(position: str, points: int) -> None:
    check(
        script(
            "6.3",
            [do(0, "roll", dice=[2, 1]), do(0, "play", text="2/off")],
            {"1": ok(score=[points, 0])},
            match={"points": 25},
            position=position,
            cube={"value": 4, "owner": 1},
        )
    )


def test_6_5_automatic_doubles_do_not_let_gammons_count() -> None:
    check(
        script(
            "6.5",
            [do(0, "roll", dice=[2, 1]), do(0, "play", text="2/off")],
            {"1": ok(score=[2, -2])},
            session={"games": 2, "jacoby": True, "automatic_doubles": 1},
            position=GAMMON,
            cube={"value": 2, "owner": None},
        )
    )


def test_6_6_the_doubler_drops_a_beaver_at_the_stake_as_first_doubled() -> None:
    check(
        script(
            "6.6",
            [do(0, "double"), do(1, "beaver"), do(1, "drop"), do(0, "drop")],
            {"1": ok(cube={"value": 4, "owner": 1}), "2": no("6.2"), "3": ok(score=[-2, 2])},
            session={"games": 2, "beavers": True},
        )
    )


def test_6_7_after_a_raccoon_the_cube_stays_with_the_beaverer_who_answers() -> None:
    check(
        script(
            "6.7",
            [do(0, "double"), do(1, "beaver"), do(0, "raccoon"), do(1, "raccoon"), do(0, "drop"), do(1, "accept")],
            {
                "2": ok(phase="raccooned", cube={"value": 8, "owner": 1}),
                "3": no("6.7"),
                "4": no("6.2"),
                "5": ok(phase="to_roll", turn=0, cube={"value": 8, "owner": 1}),
            },
            session={"games": 2, "beavers": True, "raccoons": True},
        )
    )


def test_6_8_tied_throws_double_a_cube_that_stays_in_the_middle() -> None:
    opening = {"game": "backgammon", "seats": 2, "session": {"games": 2, "automatic_doubles": 2}}
    actions = [
        do(None, "open", dice=[4, 4]),
        do(None, "open", dice=[2, 2, 5, 5]),
        do(None, "open", dice=[2, 1]),
        do(0, "resign", level=1),
        do(1, "accept"),
    ]
    expect = {
        "0": ok(cube={"value": 2, "owner": None}),
        "1": ok(cube={"value": 4, "owner": None}),
        "2": ok(cube={"value": 4, "owner": None}, turn=0),
        "4": ok(cube=MIDDLE, score=[-4, 4]),
    }
    check({"about": "6.8", **opening, "actions": actions, "expect": expect})


def test_6_9_later_than_the_second_roll_anybody_may_double() -> None:
    turns = [
        action
        for words in ("13/11 6/5", "13/11 11/10", "13/11 24/23")
        for seat in (0, 1)
        for action in (do(seat, "roll", dice=[2, 1]), do(seat, "play", text=words))
    ]
    holland = {"points": 4, "holland": True}
    actions = [*turns, do(0, "double")]
    check(script("6.9", actions, {"12": ok(phase="doubled")}, match=holland, score=[1, 3], crawford_played=True))


def test_7_1_the_first_to_reach_the_points_wins() -> None:
    for score, over in (([3, 0], {"kind": "match", "winners": [0]}), ([2, 0], None)):
        check(
            script(
                "7.1",
                ROLL_OFF,
                {"1": ok(score=[score[0] + 1, 0], over=over)},
                match={"points": 4},
                position=ONE_EACH,
                score=score,
                crawford_played=score == [3, 0],
            )
        )


def test_7_1_more_points_than_needed_win_as_well() -> None:
    actions = [do(0, "roll", dice=[2, 1]), do(0, "play", text="2/off")]
    over = {"kind": "match", "winners": [0]}
    check(
        script("7.1", actions, {"1": ok(score=[4, 0], over=over)}, match={"points": 3}, score=[2, 0], position=GAMMON)
    )


def test_7_2_exactly_one_game_of_a_match_has_no_cube() -> None:
    resigned = [do(0, "resign", level=1), do(1, "accept")]
    check(
        script(
            "7.2",
            [
                *ROLL_OFF,
                do(None, "open", dice=[1, 3]),
                do(1, "play", text="8/5 6/5"),
                do(0, "double"),
                *resigned,
                do(None, "open", dice=[1, 3]),
                do(1, "play", text="8/5 6/5"),
                do(0, "double"),
            ],
            {
                "1": ok(score=[2, 0], crawford=True),
                "4": no("7.2"),
                "6": ok(score=[2, 1], crawford=False),
                "9": ok(phase="doubled"),
            },
            match={"points": 3},
            position=ONE_EACH,
            score=[1, 0],
        )
    )


def test_7_2_crawford_may_be_left_out() -> None:
    check(
        script(
            "7.2",
            [*ROLL_OFF, do(None, "open", dice=[1, 3]), do(1, "play", text="8/5 6/5"), do(0, "double")],
            {"1": ok(score=[2, 0], crawford=False), "4": ok(phase="doubled")},
            match={"points": 3, "crawford": False},
            position=ONE_EACH,
            score=[1, 0],
        )
    )


def test_7_3_the_score_of_a_session_is_net_and_sums_to_zero() -> None:
    actions = [do(0, "roll", dice=[2, 1]), do(0, "play", text="2/off")]
    check(script("7.3", actions, {"1": ok(score=[1, -1])}, session={}, score=[-1, 1], position=GAMMON))


def test_7_5_each_game_starts_with_a_new_opening_throw() -> None:
    check(
        script(
            "7.5",
            [*ROLL_OFF, do(0, "roll", dice=[2, 1]), do(1, "roll", dice=[2, 1]), do(None, "open", dice=[1, 4])],
            {
                "1": ok(phase="opening", turn=None, dice=None, position=START, cube=MIDDLE),
                "2": no("1.7"),
                "3": no("1.7"),
                "4": ok(phase="to_play", turn=1, dice=[4, 1]),
            },
            position=ONE_EACH,
        )
    )


def test_8_1_no_second_offer_while_one_is_open() -> None:
    for offer, answered in ((do(0, "resign", level=2), "8.1"), (do(0, "double"), "6.2")):
        check(script("8.1", [offer, do(1, "resign", level=1)], {"1": no(answered)}))


@pytest.mark.parametrize(("position", "points"), [("6:15 6:15", 6), ("6:14,off:1 6:15", 2)])
def test_8_4_a_lapse_in_a_session_is_priced_by_what_is_borne_off(position: str, points: int) -> None:
    check(
        script(
            "8.4",
            [do(0, "lapse")],
            {"0": ok(score=[-points, points], game=2)},
            session={"games": 5},
            position=position,
            cube={"value": 2, "owner": 0},
        )
    )


def test_8_4_a_lapse_in_a_match_loses_the_match() -> None:
    over = {"kind": "match", "winners": [0]}
    check(script("8.4", [do(1, "lapse")], {"0": ok(phase="over", over=over, score=[0, 0])}))
