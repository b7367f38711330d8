"""Text of Trackgammon plays: what is written (9.5) and what is read (9.6)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.track_boards import FOUR, START, TWO, at, rolls, texts, track

from gammon_engine.play import Roll, Step
from gammon_engine.settings import Centres
from gammon_engine.violation import Violation


def read(text: str, roll: Roll, mine: str = START, theirs: str = START) -> str:
    """The written form of what is read, or the rule that refuses it and why."""
    play = TWO.read_play(text, at(TWO, mine, theirs), 0, roll)
    return f"{play.rule}: {play.reason}" if isinstance(play, Violation) else TWO.write_play(play)


def test_9_5_one_word_a_step() -> None:
    play = (Step(5, 1, 6, piece=1), Step(6, 11, 14, piece=5), Step(6, 6, 12, hit=True, piece=4))
    assert TWO.write_play(play) == "5:1@1-6 6:5@11-14 6:4@6-12x"
    assert TWO.write_play(()) == "-"


def test_9_5_the_examples_are_plays() -> None:
    assert read("5:1@1-6 3:2@1-4", (5, 3)) == "5:1@1-6 3:2@1-4"
    assert read("6:5@11-14 1:1@1-2", (6, 1), "1,1,1,1,11") == "6:5@11-14 1:1@1-2"
    assert read("6:4@6-12x 1:1@1-2", (6, 1), "1,1,1,6,1", "1,1,1,3,1") == "6:4@6-12x 1:1@1-2"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3:1@1-4 5:2@1-6", "3:1@1-4 5:2@1-6"),
        # Disc 2 can only go when disc 1 has gone.
        ("5:2@1-6 3:1@1-4", "3:1@1-4 5:2@1-6"),
        ("  5:1@1-6\t3:2@1-4\n", "5:1@1-6 3:2@1-4"),
        ("1@1-6 2@1-4", "5:1@1-6 3:2@1-4"),
        ("2@1-4 1@1-6", "5:1@1-6 3:2@1-4"),
        ("1@1-6 3:2@1-4", "5:1@1-6 3:2@1-4"),
        ("1@1-6-9", "5:1@1-6 3:1@6-9"),
        ("1@1-4-9", "3:1@1-4 5:1@4-9"),
        ("1@1-9", "5:1@1-6 3:1@6-9"),
        ("3:1@4-1 5:1@1-6", "5.4: there is no disc 1 on 4"),
    ],
)
def test_9_6_any_order_omitted_numbers_and_joined_steps(text: str, written: str) -> None:
    assert read(text, (5, 3)) == written


def test_9_6_a_joined_move_of_a_double_has_up_to_four_steps() -> None:
    assert read("1@1-14-13", (6, 6)) == "6:1@1-7 6:1@7-13 1:1@13-14 1:1@14-13"
    assert read("1@1-1", (6, 6)) == "6:1@1-7 6:1@7-1 1:1@1-2 1:1@2-1"
    # Disc 2 has to land on 8 before disc 1 does.
    assert read("1@1-7-8 2@1-8", (6, 6)) == "6:1@1-7 1:2@1-2 6:2@2-8 1:1@7-8"


def test_9_6_a_step_that_ends_where_it_began() -> None:
    assert read("1@13-13 1@13-14", (2, 1), "13,1,1,1,1") == "2:1@13-13 1:1@13-14"
    assert read("1@13-14", (2, 1), "13,1,1,1,1") == "2:1@13-13 1:1@13-14"


CAPTURE = ("14,14,4,1,1", "1,5,9,1,1")  # disc 3 of the other stands on 6


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2:3@4-6x 1:1@14-13", "2:3@4-6x 1:1@14-13"),
        ("2:3@4-6 1:1@14-13", "2:3@4-6x 1:1@14-13"),
        ("2:3@4-6X 1:1@14-13", "2:3@4-6x 1:1@14-13"),
        ("3@4-6x 1@14-13", "2:3@4-6x 1:1@14-13"),
        ("2:3@4-6 1:1@14-13x", "9.6: 1:1@14-13 captures nothing"),
        ("3@4-6x-5", "2:3@4-6x 1:3@6-5"),
        # The way over 3 captures nothing.
        ("3@4-5", "1:3@4-3 2:3@3-5"),
        ("3@4-6-5", "2:3@4-6x 1:3@6-5"),
        ("3@4-3x-5", "9.6: 1:3@4-3 captures nothing"),
    ],
)
def test_9_6_the_mark_of_a_capture_may_be_left_out_but_not_be_false(text: str, written: str) -> None:
    assert read(text, (2, 1), *CAPTURE) == written


def test_9_6_a_capture_on_the_only_way_must_be_written() -> None:
    # The other way is barred: disc 1 of the other stands on 9.
    mine, theirs = "14,14,4,1,1", "6,5,9,1,1"
    assert read("3@4-9", (3, 2), "14,14,4,1,1", "1,5,9,1,1") == "3:3@4-7 2:3@7-9"
    mine = "7,14,4,1,1"
    assert read("3@4-9", (3, 2), mine, "1,5,9,1,1") == "9.6: 2:3@4-6x would capture on the way, which must be written"
    assert read("3@4-6-9", (3, 2), mine, "1,5,9,1,1") == "2:3@4-6x 3:3@6-9"
    assert read("3@4-9", (3, 2), mine, theirs) == "9.6: 2:3@4-6x would capture on the way, which must be written"


def test_9_6_the_number_of_a_step_is_taken_at_its_word() -> None:
    assert read("6:5@11-14 5:1@1-6", (6, 5), "1,1,1,1,11") == "6:5@11-14 5:1@1-6"
    assert read("5:5@11-14 5:1@1-6", (6, 5), "1,1,1,1,11").startswith("9.6: ")
    assert read("5@11-14 1@1-6", (6, 5), "1,1,1,1,11") == "6:5@11-14 5:1@1-6"
    assert read("5@11-14 1@1-7", (6, 5), "1,1,1,1,11") == "5:5@11-14 6:1@1-7"
    assert read("3:1@1-6 5:2@1-4", (5, 3)).startswith("5.6: ")


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "1",
        "1@",
        "1@1",
        "5:1",
        "5:1@1",
        "6@1-4",
        "0@1-4",
        "7:1@1-6",
        "5:1@1/6",
        "1@1-6-",
        "1@0-5",
        "1@1-15",
        "1x@1-6",
        "1@1x-6",
        "5:1@1-6xx",
        "5:1@1-6 -",
        "8/5",
        "5:1@1-6-9",
        "5:1@1-6(2)",
        "1@1-100",
        "\u0661@1-6",
        "1@1-\u0666",
    ],
)
def test_9_6_what_is_no_play_is_refused(text: str) -> None:
    assert read(text, (5, 3)).startswith("9.6: ")


@pytest.mark.parametrize("text", ["", "-", "pass", "PASS"])
def test_9_6_a_pass_is_read_and_never_legal(text: str) -> None:
    assert read(text, (5, 3)) == "5.10: 2 of the numbers are not used"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("5:2@1-6 3:2@6-9", "5.4"),
        ("2@1-6 2@6-9", "5.4"),
        ("5:1@1-6 3:1@1-4", "5.4"),
        ("5:1@1-6 5:1@6-11", "9.6"),
        ("5:1@1-6", "5.10"),
        ("1@1-6 1@6-9 1@9-10", "9.6"),
        ("5:1@1-7 3:2@1-4", "5.6"),
    ],
)
def test_9_6_the_rule_that_is_broken_is_named(text: str, rule: str) -> None:
    refused = TWO.read_play(text, TWO.start(), 0, (5, 3))
    assert isinstance(refused, Violation)
    assert refused.rule == rule


def test_9_6_a_play_that_finishes_may_leave_numbers() -> None:
    assert read("6:1@13-14", (6, 1), "13,14,14,14,14") == "6:1@13-14"
    assert read("1@13-14", (6, 1), "13,14,14,14,14") == "6:1@13-14"
    assert read("1:1@13-14 6:1@14-8", (6, 1), "13,14,14,14,14").startswith("5.13: ")


@settings(max_examples=60, deadline=None)
@given(st.data(), rolls, st.randoms(use_true_random=False))
def test_9_6_legal_plays_are_read_in_any_order_without_numbers_and_marks(
    data: st.DataObject, roll: Roll, chance: Random
) -> None:
    game = track(4, Centres.TWO) if data.draw(st.booleans()) else FOUR
    centres = Centres.FOUR if game is FOUR else Centres.TWO
    position = game.parse(data.draw(texts(4, centres)))
    assert isinstance(position, int)
    seat = data.draw(st.integers(0, 3))
    plays = game.legal_plays(position, seat, roll)
    result = data.draw(st.sampled_from(list(plays)))
    words = game.write_play(plays.way(result)).upper().replace("X", "").split()
    chance.shuffle(words)
    for shown in (words, [word.partition(":")[2] for word in words if ":" in word]):
        read_back = game.read_play(" ".join(shown), position, seat, roll)
        if shown:
            assert isinstance(read_back, tuple), read_back
            assert game.apply(position, seat, read_back)[0] == result
