"""Rungammon by the paragraphs of its rules, on positions made by hand."""

import pytest
from tests.engine.rungammon_boards import BOTH, OWN, ROLLS, START, at, broken, deadlock, ways

from gammon_engine.games.rungammon import DESCRIPTION, of
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Outcome, Remi, Win
from gammon_engine.play import Play, Roll, Step
from gammon_engine.settings import GameId, RunnerRelease, SessionPlay, Settings
from gammon_engine.view import GammonBoard, Pile
from gammon_engine.violation import Violation


def ended(text: str, seat: int = 0) -> Outcome | None:
    return OWN.outcome(at(text), seat)


# -- 4.1, 4.2


def test_4_1_all_start_on_their_own_24() -> None:
    assert OWN.text(OWN.start()) == START
    assert OWN.parse(START) == OWN.start() == BOTH.start()


def test_4_the_opponents_points_are_half_a_board_away() -> None:
    board = OWN.view(at("24:14,7:1 24:14,13:1"))
    assert isinstance(board, GammonBoard)
    assert board.other[1:] == (*range(13, 25), *range(1, 13))
    held = {point: piles for point, piles in enumerate(board.points) if piles}
    assert held == {24: (Pile(0, 14),), 7: (Pile(0, 1),), 12: (Pile(1, 14),), 1: (Pile(1, 1),)}
    assert (board.bar, board.off) == ((0, 0), (0, 0))


def test_4_2_one_checker_makes_a_point() -> None:
    text = "24:14,5:1 9:1,6:1,off:13"  # their 6 is my 18, their 9 my 21
    assert ways(text, (6, 3)) == ["5/2"]
    assert broken(text, (6, 3), (6, 24)) == "4.2"
    assert broken(text, (6, 3), (3, 24)) == "4.2"


def test_4_2_nothing_is_hit() -> None:
    position = at("24:14,5:1 6:15")
    refusal = OWN.explain(position, 0, (2, 1), (Step(2, 24, 22, hit=True), Step(1, 24, 23)))
    assert refusal is not None
    assert (refusal.rule, refusal.field) == ("4.2", "play[0]")
    marked = OWN.read_play("24/22* 24/23", position, 0, (2, 1))
    assert isinstance(marked, Violation)
    assert marked.rule == "9.6"


# -- 4.3, 4.4


def test_4_3_only_the_runner_moves_until_it_has_passed() -> None:
    text = "24:14,20:1 24:15"
    assert ways(text, (3, 1)) == ["20/17 17/16"]
    assert broken(text, (3, 1), (3, 24), (1, 20)) == "4.3"
    assert broken(text, (3, 1), (3, 20), (1, 24)) == "4.3"
    assert broken(START, (3, 1), (3, 24), (1, 24)) == "4.3"


def test_4_3_own_or_both_is_an_option() -> None:
    assert of(Settings(GameId.RUNGAMMON, SessionPlay())) == OWN
    assert of(Settings(GameId.RUNGAMMON, SessionPlay(), runner_release=RunnerRelease.OWN)) == OWN
    assert of(Settings(GameId.RUNGAMMON, SessionPlay(), runner_release=RunnerRelease.BOTH)) == BOTH
    text = "24:14,9:1 24:14,13:1"
    assert ways(text, (2, 1)) == ["24/22 22/21", "24/22 24/23", "24/22 9/8", "9/7 24/23", "9/7 7/6"]
    assert ways(text, (2, 1), BOTH) == ["9/7 7/6"]
    assert broken(text, (2, 1), (2, 24), (1, 24), game=BOTH) == "4.3"


@pytest.mark.parametrize(
    ("runner", "free"), [("13:1", False), ("12:1", False), ("11:1", True), ("1:1", True), ("off:1", True)]
)
def test_4_4_a_runner_has_passed_on_11_or_off_and_not_on_12(runner: str, free: bool) -> None:
    text = f"24:14,{runner} 6:14,off:1"
    assert ("24/21 24/22" in ways(text, (3, 2))) is free
    assert broken(text, (3, 2), (3, 24), (2, 24)) == (None if free else "4.3")


def test_4_4_the_second_is_free_once_the_runner_passes_with_the_first_number() -> None:
    text = "24:14,15:1 24:14,8:1"
    for game in (OWN, BOTH):
        assert ways(text, (4, 2), game) == ["15/11 11/9", "15/11 24/22"]
        assert broken(text, (4, 2), (4, 15), (2, 24), game=game) is None
        assert broken(text, (4, 2), (2, 24), (4, 15), game=game) == "4.3"
        for chosen, origins in (((), {15}), ((Step(4, 15, 11),), {24, 11})):
            found = game.next_steps(at(text, game), 0, (4, 2), chosen)
            assert isinstance(found, NextSteps)
            assert {step.origin for step in found.steps} == origins
    # 14/12 is not enough, and from 13 the two leads past.
    assert ways("24:14,14:1 6:5,1:10", (2, 1)) == ["14/12 12/11"]


def test_4_4_under_both_a_runner_that_has_passed_waits_for_the_other() -> None:
    text = "24:14,3:1 24:14,20:1"
    assert ways(text, (2, 1), BOTH) == ["3/1"]
    # It cannot bear off, and if it cannot move the turn passes.
    assert broken(text, (5, 4), (5, 3), game=BOTH) == "1.6"
    assert ways(text, (5, 4), BOTH) == ["-"]
    assert BOTH.must_pass(at(text, BOTH), 0, (5, 4))
    assert not OWN.must_pass(at(text), 0, (5, 4))
    # The other's step onto its 11 sets both free.
    assert not BOTH.must_pass(at("24:14,3:1 24:14,11:1", BOTH), 0, (5, 4))


# -- 4.5


def test_4_4_under_both_a_runner_that_is_off_too_soon_leaves_nothing_to_move() -> None:
    """No game gets there, since it may not bear off, but 9.3 lets the position be asked about."""
    text = "24:14,off:1 24:14,13:1"
    assert BOTH.must_pass(at(text, BOTH), 0, (6, 1))
    assert ways(text, (6, 1), BOTH) == ["-"]
    assert broken(text, (6, 1), (6, 24), game=BOTH) == "4.3"


def test_4_5_the_start_prime_may_not_be_completed() -> None:
    text = "24:6,23:2,22:2,21:2,20:2,10:1 24:14,5:1"
    assert broken(text, (5, 1), (5, 24), (1, 10)) == "4.5"
    assert not any("24/19" in way for way in ways(text, (5, 1)))
    assert "20/15 20/19" in ways(text, (5, 1))  # 20 is left as 19 is filled


def test_4_5_not_even_if_the_next_step_opens_it_again() -> None:
    text = "24:7,23:2,22:2,21:2,20:1,10:1 24:14,5:1"
    assert broken(text, (5, 1), (5, 24), (1, 20)) == "4.5"
    assert broken(text, (5, 1), (1, 20), (5, 24)) is None
    through = "24:6,22:2,21:2,20:2,19:2,10:1 24:14,5:1"
    assert broken(through, (2, 1), (1, 24), (2, 23)) == "4.5"
    assert broken(through, (2, 1), (2, 24), (1, 22)) is None


def test_4_5_the_whole_roll_is_owed_all_the_same() -> None:
    # Their men hold 18 to 15. The five needs another gap than 19 first, and the three can make one.
    text = "24:10,23:1,22:1,21:1,20:1,1:1 6:4,5:4,4:4,3:3"
    assert ways(text, (5, 3)) == ["22/19 19/14", "22/19 24/19", "23/20 24/19"]
    assert broken(text, (5, 3), (3, 24)) == "1.4"
    assert ways(text, (5, 5)) == ["-"]


@pytest.mark.parametrize(
    ("text", "roll", "step"),
    [
        ("24:2,19:2,18:2,17:2,16:2,15:2,14:2,off:1 8:1,off:14", (6, 1), (6, 19)),
        ("24:3,13:2,11:2,10:2,9:2,8:2,7:2 8:1,off:14", (6, 1), (1, 13)),  # on their start points
        ("24:2,20:3,19:2,18:2,17:2,16:2,off:2 1:1,off:14", (5, 1), (5, 20)),  # two of them start points
    ],
)
def test_4_5_six_in_a_row_elsewhere_are_allowed(text: str, roll: Roll, step: tuple[int, int]) -> None:
    refusal = broken(text, roll, step)
    assert refusal == "1.4"  # the step is legal, and only the other number is missing


# -- 4.6, 4.7, 8.4


@pytest.mark.parametrize(
    ("loser", "level"),
    [
        ("6:14,off:1", 1),
        ("12:1,6:14", 2),
        ("1:15", 2),
        ("13:1,6:14", 3),
        ("24:1,6:14", 3),
        ("24:15", 3),
    ],
)
def test_4_6_levels(loser: str, level: int) -> None:
    assert ended(f"off:15 {loser}") == Win(0, level)
    assert ended(f"{loser} off:15", seat=1) == Win(1, level)
    assert ended(f"off:15 {loser}", seat=1) is None
    assert OWN.top_level == 3


def test_4_7_where_nobody_can_move_it_is_a_remi() -> None:
    for roll in ROLLS:
        assert OWN.must_pass(deadlock(), 0, roll)
        assert OWN.must_pass(deadlock(), 1, roll)
    assert OWN.outcome(deadlock(), 0) == OWN.outcome(deadlock(), 1) == Remi()
    assert ended(START) is None
    # Seat 0 alone is shut in: its turns pass, and the game goes on.
    text = "24:14,12:1 23:3,22:3,21:2,20:2,19:2,18:2,off:1"
    assert all(OWN.must_pass(at(text), 0, roll) for roll in ROLLS)
    assert ended(text) is ended(text, seat=1) is None


def test_8_4_who_abandons_loses_single_after_bearing_off_and_triple_before() -> None:
    position = at("6:14,off:1 6:15")
    assert (OWN.lapse_level(position, 0), OWN.lapse_level(position, 1)) == (1, 3)


# -- 9.3, and what the game says


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("9.3", "bar:1,24:14 24:15"),
        ("9.3", "24:14,7:1 24:14,19:1"),
        ("9.3", "24:14,13:1 24:14,1:1"),
        ("9.3", "24:9,23:1,22:1,21:1,20:1,19:1,off:1 24:15"),
        ("9.3", "24:15 24:1,23:1,22:1,21:1,20:1,19:1,off:9"),
        ("9.3", "24:13,23:1,22:1 24:15"),
        ("9.3", "24:13,23:1,12:1 6:15"),
        ("9.3", "24:13,23:2 24:15"),
        ("9.3", "24:15 12:15"),
        ("9.3", "24:15 24:14"),
        ("9.1", "24:14,18:1t 24:13,7:2"),
        ("9.1", "24:15"),
    ],
)
def test_9_3_positions_that_are_refused(rule: str, text: str) -> None:
    for game in (OWN, BOTH):
        refusal = game.parse(text)
        assert isinstance(refusal, Violation), text
        assert (refusal.rule, refusal.field) == (rule, "position")


def test_9_3_before_release_at_most_one_checker_is_off_24() -> None:
    for game in (OWN, BOTH):
        for text in (START, "24:14,13:1 24:15", "24:14,11:1 24:14,14:1", "24:12,23:2,11:1 24:13,22:1,9:1"):
            assert game.text(at(text, game)) == text
    text = "24:13,23:1,11:1 24:14,14:1"  # released under `own` only
    assert OWN.text(at(text)) == text
    assert isinstance(BOTH.parse(text), Violation)
    assert isinstance(BOTH.parse(" ".join(reversed(text.split()))), Violation)


def test_every_ruling_of_section_4_is_told() -> None:
    assert {note.rule for note in DESCRIPTION.rulings} == {"4.3", "4.4", "4.5", "4.6", "4.7"}
    assert (DESCRIPTION.name, DESCRIPTION.options) == ("Rungammon", ("runner_release",))


def test_text_is_read_by_the_rules() -> None:
    def read(text: str, roll: Roll) -> Play | str:
        found = OWN.read_play(text, OWN.start(), 0, roll)
        return found.rule if isinstance(found, Violation) else found

    assert read("24/14", (6, 4)) == (Step(6, 24, 18), Step(4, 18, 14))
    assert read("24/12", (6, 6)) == "4.2"
    assert read("24/18 24/20", (6, 4)) == "4.3"
    assert read("24/18", (6, 6)) == (Step(6, 24, 18),)
    assert read("-", (6, 6)) == "1.4"
