"""Legal plays of Backgammon: public faults of other systems (rows M), and the set-ups (2.1)."""

import pytest
from tests.engine.boards import BACKGAMMON, after, facing, ways
from tests.engine.gnubg_id import position_of

from gammon_engine.games.backgammon import Backgammon
from gammon_engine.outcome import Win
from gammon_engine.play import Step
from gammon_engine.referee import begin, rule
from gammon_engine.referee.actions import MakePlay, Open
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase
from gammon_engine.settings import GameId, MatchPlay, Settings, SetUp
from gammon_engine.violation import Violation


def test_m1_both_dice_are_played() -> None:
    assert ways("24:1 8:1 6:13", (6, 2), "4:2 16:2 18:3 19:4 20:4") == ["8/2 24/22"]
    assert after("24:1 8:1 6:13", (6, 2), "4:2 16:2 18:3 19:4 20:4") == ["22:1,6:13,2:1"]


def test_m3_the_same_result_is_listed_once() -> None:
    assert after("4:1 2:4", (6, 4), "1:1 24:1") == ["2:3,off:12"]


def test_m5_one_checker_left() -> None:
    assert ways("1:1", (5, 2)) == ["1/off"]
    position = facing("4:1")
    assert ways("4:1", (5, 2)) == ["4/2 2/off"]
    # Off with the five is one number where two can be used.
    refusal = BACKGAMMON.explain(position, 0, (5, 2), (Step(5, 4, 0),))
    assert refusal is not None
    assert refusal.rule == "1.4"


def test_m6_only_the_smaller_die_can_be_played() -> None:
    position = BACKGAMMON.parse(position_of("YNsWADZsuzsAAA"))
    assert isinstance(position, int)
    plays = [BACKGAMMON.write_play(play) for _, play in BACKGAMMON.legal_plays(position, 0, (6, 5)).plays()]
    assert plays == ["8/3"]


def test_m6_either_die_can_be_played_but_not_both() -> None:
    assert ways("24:1", (6, 5), "13:2") == ["24/18"]
    refusal = BACKGAMMON.explain(facing("24:1", "13:2"), 0, (6, 5), (Step(5, 24, 19),))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == (
        "1.4",
        "either number can be used but not both, so it must be the 6",
    )


def test_m8_no_bearing_off_before_the_last_checker_is_home() -> None:
    mover, opponent = "9:1 6:3 3:3 2:6 1:2", "23:2 22:2 21:3 20:3 19:3 7:1 5:1"
    assert after(mover, (6, 4), opponent) == ["6:2,3:4,2:7,1:2", "6:2,5:1,3:3,2:6,1:2,off:1"]
    refusal = BACKGAMMON.explain(facing(mover, opponent), 0, (6, 4), (Step(6, 6, 0), Step(4, 9, 5)))
    assert refusal is not None
    assert refusal.rule == "1.6"


def test_m10_a_straggler_and_a_double() -> None:
    opponent = "24:1 23:2 22:2 21:2 20:3 19:4"
    found = BACKGAMMON.legal_plays(facing("10:1 6:4 5:3 4:2 3:2 2:2 1:1", opponent), 0, (5, 5))
    assert len(found) == 5
    assert all(len(play) == 4 for _, play in found.plays())


def test_m11_the_number_spent_by_bearing_off_from_a_lower_point() -> None:
    position = BACKGAMMON.parse(position_of("AwAAYDsAAAAAAA"))
    assert isinstance(position, int)
    assert BACKGAMMON.text(position).startswith("5:3,4:2,3:2,off:8 ")
    plays = [play for _, play in BACKGAMMON.legal_plays(position, 0, (6, 2)).plays()]
    assert len(plays) == 3
    assert all(sorted(step.number for step in play) == [2, 6] for play in plays)
    assert all(step.origin == 5 for play in plays for step in play if step.number == 6)


def test_m12_a_number_that_is_blocked_at_first_can_be_played_second() -> None:
    assert ways("11:1", (5, 3), "6:2") == ["11/8 8/3"]


def test_m13_the_other_order() -> None:
    assert ways("24:1", (6, 3), "21:2") == ["24/18 18/15"]


def test_m14_entering_with_the_only_number_that_does() -> None:
    assert after("bar:1 6:1", (5, 3), "20:2") == ["17:1,6:1,off:13", "22:1,1:1,off:13"]


def test_m16_four_checkers_to_enter() -> None:
    assert ways("bar:4", (4, 4), "22:2 20:2") == ["bar/21(4)"]


def test_m18_a_full_dance_leaves_the_position_itself() -> None:
    position = BACKGAMMON.parse(position_of("4HPwATDgc/ABUA"))
    assert isinstance(position, int)
    assert list(BACKGAMMON.legal_plays(position, 0, (6, 6)).plays()) == [(position, ())]
    assert BACKGAMMON.must_pass(position, 0, (6, 6))
    assert BACKGAMMON.explain(position, 0, (6, 6), ()) is None


def test_m21_three_results_and_none_ambiguous() -> None:
    position = facing("13:2 11:2", "12:2")
    assert after("13:2 11:2", (1, 1), "12:2") == [
        "13:2,10:1,8:1,off:11",
        "13:2,11:1,7:1,off:11",
        "13:2,9:2,off:11",
    ]
    assert isinstance(BACKGAMMON.read_play("11/10(2) 10/9(2)", position, 0, (1, 1)), tuple)
    refusal = BACKGAMMON.read_play("11/10", position, 0, (1, 1))
    assert isinstance(refusal, Violation)
    assert refusal.rule == "1.4"


def test_m23_the_step_names_its_number() -> None:
    assert after("5:1 4:1", (6, 4)) == ["1:1,off:14", "off:15"]
    position = facing("5:1 4:1")
    for play in ((Step(6, 5, 0), Step(4, 4, 0)), (Step(4, 5, 1), Step(6, 4, 0))):
        assert BACKGAMMON.explain(position, 0, (6, 4), play) is None
    refusal = BACKGAMMON.explain(position, 0, (6, 4), (Step(4, 4, 0), Step(4, 5, 1)))
    assert refusal is not None
    assert refusal.rule == "1.3"


def test_m24_a_double_is_four_numbers_and_one_turn() -> None:
    settings = Settings(GameId.BACKGAMMON, MatchPlay(5))
    opened = rule(settings, begin(settings), Open((6, 1)))
    assert isinstance(opened, Ruling)
    state = opened.state
    first = rule(settings, state, MakePlay(0, "13/7 8/7"))
    assert isinstance(first, Ruling)
    position = first.state.position
    half = (Step(1, 8, 7), Step(1, 8, 7))
    refusal = BACKGAMMON.explain(position, 1, (1, 1), half)
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("1.4", "2 of the numbers used where 4 can be")
    assert BACKGAMMON.explain(position, 1, (1, 1), (*half, Step(1, 6, 5), Step(1, 6, 5))) is None


def test_m29_a_start_that_kills_the_other_number() -> None:
    assert ways("8:1 7:1", (6, 5), "1:2 4:2") == ["8/2 7/2"]
    refusal = BACKGAMMON.explain(facing("8:1 7:1", "1:2 4:2"), 0, (6, 5), (Step(5, 8, 3),))
    assert refusal is not None


def test_m30_the_second_die_of_the_opening_is_higher() -> None:
    settings = Settings(GameId.BACKGAMMON, MatchPlay(5))
    ruling = rule(settings, begin(settings), Open((2, 5)))
    assert isinstance(ruling, Ruling)
    assert (ruling.state.phase, ruling.state.turn, ruling.state.dice) == (Phase.TO_PLAY, 1, (5, 2))


def test_1_4_also_holds_for_a_play_that_ends_the_game() -> None:
    assert ways("2:1", (6, 1), "1:1 24:14") == ["2/1* 1/off"]


def test_2_2_a_blot_that_both_steps_reach_is_hit_once() -> None:
    plays = BACKGAMMON.legal_plays(facing("8:1 7:1", "4:1 24:1"), 0, (4, 3))
    assert plays.texts() == [
        "4:2,off:13 bar:1,1:1,off:13",  # 8/4* 7/4
        "5:1,3:1,off:13 21:1,1:1,off:13",  # 8/5 7/3
        "7:1,1:1,off:13 21:1,1:1,off:13",  # 8/5/1
        "7:1,1:1,off:13 bar:1,1:1,off:13",  # 8/4*/1
    ]


@pytest.mark.parametrize(
    ("set_up", "text"),
    [
        (SetUp.STANDARD, "24:2,13:5,8:3,6:5"),
        (SetUp.NACKGAMMON, "24:2,23:2,13:4,8:3,6:4"),
        (SetUp.LONGGAMMON, "24:15"),
        (SetUp.HYPERGAMMON, "24:1,23:1,22:1"),
    ],
)
def test_2_1_set_ups(set_up: SetUp, text: str) -> None:
    game = Backgammon(set_up)
    assert game.text(game.start()) == f"{text} {text}"
    assert game.parse(f"{text} {text}") == game.start()


@pytest.mark.parametrize(
    ("rule_number", "mover", "opponent", "roll", "play"),
    [
        ("1.2", "13:1 6:2", "24:2", (2, 1), (Step(2, 12, 10),)),
        ("1.2", "13:1 6:2", "24:2", (2, 1), (Step(2, 13, 10),)),
        ("1.2", "13:1 6:2", "24:2", (2, 1), (Step(2, 13, 11, piece=1),)),
        ("1.3", "13:1 6:2", "24:2", (2, 1), (Step(-9, 13, 22),)),
        ("1.3", "13:1 6:2", "24:2", (2, 1), (Step(3, 13, 10),)),
        ("1.6", "13:1 6:2", "24:2", (6, 1), (Step(6, 6, 0),)),
        ("1.6", "6:1 4:1", "24:2", (5, 1), (Step(5, 4, 0),)),
        ("2.2", "13:1 6:2", "11:2", (2, 1), (Step(2, 13, 11),)),
        ("2.2", "13:1 6:2", "24:2", (2, 1), (Step(2, 13, 11, hit=True), Step(1, 11, 10))),
        ("2.3", "bar:1 6:2", "1:2", (2, 1), (Step(2, 6, 4),)),
    ],
)
def test_explain_names_the_rule(
    rule_number: str, mover: str, opponent: str, roll: tuple[int, int], play: tuple[Step, ...]
) -> None:
    refusal = BACKGAMMON.explain(facing(mover, opponent), 0, roll, play)
    assert refusal is not None
    assert refusal.rule == rule_number
    assert refusal.field == "play[0]"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("off:15 6:14,off:1", 1),
        ("off:15 bar:1,6:13,off:1", 1),
        ("off:15 6:15", 2),
        ("off:15 18:1,6:14", 2),
        ("off:15 19:1,6:14", 3),
        ("off:15 bar:1,6:14", 3),
    ],
)
def test_2_4_levels(text: str, level: int) -> None:
    position = BACKGAMMON.parse(text)
    assert isinstance(position, int)
    outcome = BACKGAMMON.outcome(position, 0)
    assert outcome == Win(0, level)
    assert BACKGAMMON.outcome(position, 1) is None
