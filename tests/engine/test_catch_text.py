"""Text of Catchgammon: positions (9.1, 9.3) and plays (9.4, 9.6) with traps; and its view."""

import pytest
from tests.engine.catch_boards import GAME, at, read

from gammon_engine.view import Pile
from gammon_engine.violation import Violation


@pytest.mark.parametrize(
    "text",
    [
        "24:15 24:15",
        "24:14,18:1t 24:13,7:2",  # the example of 9.1
        "24:14,7:1 24:13,19:1,18:1t",
        "24:14,7:1t 24:14,18:1",  # one against one, either way round
        "24:14,7:1 24:14,18:1t",
        "13:1t,12:14 13:1t,12:14",
        "1:1t,off:14 24:15",
        "5:15 20:1t,off:14",
        "24:1t,1:14 24:1t,1:14",
    ],
)
def test_9_1_text_is_read_and_written(text: str) -> None:
    assert GAME.text(at(text)) == text


def test_9_1_who_traps_is_part_of_the_position() -> None:
    assert at("24:14,7:1t 24:14,18:1") != at("24:14,7:1 24:14,18:1t")


@pytest.mark.parametrize(
    ("rule_number", "text"),
    [
        ("9.1", "24:14,18:2t 24:13,7:2"),
        ("9.1", "24:14,18:t 24:13,7:2"),
        ("9.1", "24:14,18:1T 24:13,7:2"),
        ("9.1", "24:13,18:1t,18:1 24:13,7:2"),
        ("9.1", "24:13,18:1,18:1t 24:13,7:2"),
        ("9.1", "24:14,off:1t 24:15"),
        ("9.1", "bar:1t,24:14 24:15"),
        ("3.2", "bar:1,24:14 24:15"),
        ("3.2", "24:15 bar:1,24:14"),
        ("9.3", "24:14,18:1t 24:15"),  # nobody on top
        ("9.3", "24:14,18:1t 24:14,7:1t"),  # each under the other
        ("9.3", "24:14,18:1 24:13,7:2"),  # shared without a trap
        ("9.3", "24:14,18:1t 24:12,7:2"),
        ("9.3", "24:15,18:1t 24:13,7:2"),
    ],
)
def test_9_3_other_text_is_refused(rule_number: str, text: str) -> None:
    refusal = GAME.parse(text)
    assert isinstance(refusal, Violation)
    assert (refusal.rule, refusal.field) == (rule_number, "position")


def test_9_4_a_trap_is_marked_on_the_first_of_equal_steps() -> None:
    position = "8:2,6:2,off:11 24:13,20:1,off:1"
    for text in ("6/5*(2) 8/7(2)", "6/5(2) 8/7(2)"):
        assert read(text, position, (1, 1)) == "6/5*(2) 8/7(2)"


def test_9_6_joined_steps_and_marks() -> None:
    start = "24:14,19:1 24:13,19:1,18:1"
    for text in ("19/7*", "19/7", "19/16/13/10/7*", "19/13/7"):
        assert read(text, start, (3, 3)) == "19/16 16/13 13/10 10/7*"
    assert read("19/13*/7", start, (3, 3)) == "9.6: 16/13 hits nothing"
    either = "11:1,off:14 24:13,21:1,20:1"
    assert read("11/4*", either, (6, 1)) == "11/10 10/4*"
    assert read("11/5*/4*", either, (6, 1)) == "11/5* 5/4*"
    only = "11:1,off:14 24:11,21:1,20:1,15:2"
    assert read("11/4*", only, (6, 1)).startswith("9.6: 11/5* would")
    assert read("11/5*/4*", only, (6, 1)) == "11/5* 5/4*"
    assert read("11/10 10/4", only, (6, 1)).startswith("3.3: ")


def test_9_6_a_mark_for_joining_a_trap_is_false() -> None:
    position = "8:1,5:1,3:1,off:12 24:2,20:1t,off:12"
    assert read("8/5* 3/2", position, (3, 1)) == "9.6: 8/5 hits nothing"
    assert read("8/5 5/4", position, (3, 1)) == "8/5 5/4"
    # Once its trapper has left, the checker is trapped anew.
    assert read("8/5* 5/4", position, (3, 1)) == "5/4 8/5*"


def test_the_view_has_a_trapped_checker_at_the_bottom() -> None:
    board = GAME.view(at("24:14,7:1 24:12,19:1,18:1t,off:1"))
    assert board.points[24] == (Pile(0, 14),)
    assert board.points[7] == (Pile(1, 1), Pile(0, 1))
    assert board.points[6] == (Pile(1, 1),)
    assert board.points[1] == (Pile(1, 12),)
    assert board.points[2] == board.points[0] == ()
    assert (board.bar, board.off, board.other[7]) == ((0, 0), (0, 1), 18)
    assert GAME.view(at("24:14,18:1t 24:13,7:2")).points[18] == (Pile(0, 1), Pile(1, 2))
