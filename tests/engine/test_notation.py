"""Text of plays: what is written (9.4), what is read (9.6), and rows M19 to M26."""

import pytest
from tests.engine.boards import BACKGAMMON, facing

from gammon_engine.play import Step
from gammon_engine.violation import Violation


def read(text: str, mover: str, roll: tuple[int, int], opponent: str = "") -> str:
    """The written form of what is read, or the rule that refuses it and why."""
    play = BACKGAMMON.read_play(text, facing(mover, opponent), 0, roll)
    return f"{play.rule}: {play.reason}" if isinstance(play, Violation) else BACKGAMMON.write_play(play)


START = ("24:2 13:5 8:3 6:5", "1:2 12:5 17:3 19:5")


@pytest.mark.parametrize(
    ("text", "roll", "written"),
    [
        ("8/5 6/5", (3, 1), "8/5 6/5"),
        ("6/5 8/5", (3, 1), "6/5 8/5"),
        ("  8/5   6/5\n", (3, 1), "8/5 6/5"),
        ("24/14", (6, 4), "24/18 18/14"),
        ("24/18/14", (6, 4), "24/18 18/14"),
        ("24/20/14", (6, 4), "24/20 20/14"),
        ("8/5(2) 6/3(2)", (3, 3), "8/5(2) 6/3(2)"),
        ("13/7(2)", (3, 3), "13/10 10/7 13/10 10/7"),
        ("13/4 13/10", (3, 3), "13/10 10/7 7/4 13/10"),
        ("24/22(2) 6/4(2)", (2, 2), "24/22(2) 6/4(2)"),
    ],
)
def test_9_6_any_order_and_joined_steps(text: str, roll: tuple[int, int], written: str) -> None:
    assert read(text, START[0], roll, START[1]) == written


def test_m19_joined_text_means_the_way_that_hits_nothing_between() -> None:
    mover, opponent = "11:1 20:2", "5:1 4:1"
    assert read("11/4*", mover, (6, 1), opponent) == "11/10 10/4*"
    assert read("11/10/4*", mover, (6, 1), opponent) == "11/10 10/4*"
    assert read("11/5*/4*", mover, (6, 1), opponent) == "11/5* 5/4*"
    assert read("11/5*/4", mover, (6, 1), opponent) == "11/5* 5/4*"


def test_9_6_a_hit_on_the_only_way_must_be_written() -> None:
    # M19, second half: 10 is held.
    mover, opponent = "11:1 20:2", "5:1 4:1 10:2"
    assert read("11/4*", mover, (6, 1), opponent) == "9.6: 11/5* would hit on the way, which must be written"
    assert read("11/5*/4*", mover, (6, 1), opponent) == "11/5* 5/4*"


def test_m20_entering_and_moving_on_in_one() -> None:
    for text in ("bar/16", "25/16", "BAR/16", "Bar/22/16", "bar/19/16"):
        assert read(text, "bar:1 6:2", (6, 3)).endswith("/16")
    assert read("bar/16", "bar:1 6:2", (6, 3), "19:2") == "bar/22 22/16"


def test_m21_a_legal_step_is_not_ambiguous() -> None:
    assert read("11/10(2) 10/9(2)", "13:2 11:2", (1, 1), "12:2") == "11/10(2) 10/9(2)"
    assert read("11/9(2)", "13:2 11:2", (1, 1), "12:2") == "11/10 10/9 11/10 10/9"


def test_m25_hit_marks_may_be_left_out_and_case_does_not_matter() -> None:
    assert read("13/7 8/7", "13:1 8:1 20:2", (6, 1), "7:1") == "13/7* 8/7"
    assert read("13/7", "13:1 20:2", (5, 1), "7:1 24:1") == "13/8 8/7*"
    # One number enters, the other has no legal step.
    assert read("Bar/24", "bar:1 6:2", (6, 1), "19:2 18:2") == "bar/24"


@pytest.mark.parametrize("text", ["-", "", "pass", "Pass", "  "])
def test_m25_no_legal_step(text: str) -> None:
    assert read(text, "bar:1 6:2", (6, 6), "19:2") == "-"


def test_m25_a_pass_is_refused_while_a_step_is_legal() -> None:
    assert read("-", "8:1 6:2", (2, 1)).startswith("1.4: 0 of the numbers used where 2 can be")
    assert read("8/6 pass", "8:1 6:2", (2, 1)).startswith("1.4: 1 of the numbers used where 2 can be")
    assert read("8/6 6/5 pass", "8:1 6:2", (2, 1)) == "9.6: uses the whole roll, and passes"


@pytest.mark.parametrize("text", ["bar/24 -", "Bar/24 Pass", "bar/24"])
def test_m25_a_pass_may_be_written_for_what_cannot_be_played(text: str) -> None:
    assert read(text, "bar:1 6:2", (6, 1), "19:2 18:2") == "bar/24"


@pytest.mark.parametrize(
    "text",
    [
        "5/8",
        "8/8",
        "26/20",
        "8",
        "8/",
        "/8",
        "8/5/",
        "8/5(0)",
        "8/5(5)",
        "8/5x",
        "*8/5",
        "8*/5",
        "x",
        "8/5((2)",
    ],
)
def test_m26_what_is_no_play_is_refused(text: str) -> None:
    assert read(text, "8:3 6:5", (3, 1)).startswith("9.6: ")


def test_9_text_is_ascii() -> None:
    assert read("\u0668/\u0665 \u0666/\u0665", START[0], (3, 1), START[1]).startswith("9.6")


def test_9_6_false_hit_marks_are_errors() -> None:
    assert read("8/5* 6/5", "8:3 6:5", (3, 1)) == "9.6: 8/5 hits nothing"
    assert read("8/5 6/5*", "8:3 6:5", (3, 1), "5:1 24:1") == "6/5* 8/5"
    assert read("8/5* 6/5*", "8:3 6:5", (3, 1), "5:1 24:1").startswith("9.6: ")


def test_9_4_the_hit_of_equal_steps_is_on_the_first() -> None:
    assert read("6/5*(2) 8/7(2)", "8:2 6:2 20:2", (1, 1), "5:1 24:1") == "6/5*(2) 8/7(2)"
    assert read("6/5(2) 8/7(2)", "8:2 6:2 20:2", (1, 1), "5:1 24:1") == "6/5*(2) 8/7(2)"


def test_9_6_text_that_does_not_fit_the_roll() -> None:
    assert read("8/4 6/5", "8:3 6:5", (3, 1)) == "9.6: does not fit the roll 3-1"
    assert read("8/5 8/5 8/5", "8:3 6:5", (3, 1)) == "9.6: has more steps than the roll 3-1 gives"


def test_9_6_a_broken_rule_is_named() -> None:
    assert read("8/5 6/5", "8:3 6:5", (3, 1), "5:2 24:1") == "2.2: point 5 is held by the opponent"
    assert read("6/off 5/off", "8:1 6:5 5:2", (6, 5)).startswith("1.6: ")


def test_bearing_off_with_a_larger_number() -> None:
    assert read("5/off 4/off", "5:1 4:1", (6, 4)) == "5/off 4/off"
    assert read("5/0 4/0", "5:1 4:1", (6, 5)) == "5/off 4/off"
    # 4/2 2/off is the only legal way off.
    assert read("4/off", "4:1", (5, 2)) == "4/2 2/off"


def test_written_form() -> None:
    play = (Step(6, 25, 19, True), Step(6, 24, 18), Step(6, 24, 18), Step(6, 6, 0))
    assert BACKGAMMON.write_play(play) == "bar/19* 24/18(2) 6/off"
    assert BACKGAMMON.write_play(()) == "-"
