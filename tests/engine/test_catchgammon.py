"""Catchgammon paragraph by paragraph (rules.md section 3), and rows V of public faults."""

from fractions import Fraction

import pytest
from tests.engine.catch_boards import GAME, after, at, read, results

from gammon_engine.games.catchgammon import DESCRIPTION
from gammon_engine.outcome import Remi, Win
from gammon_engine.play import Roll, Step
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, facts, rule, set_up
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, State
from gammon_engine.settings import GameId, MatchPlay, Settings
from gammon_engine.violation import Violation

MATCH = Settings(GameId.CATCHGAMMON, MatchPlay(3))


def refused(position: str, roll: Roll, *steps: Step) -> str | None:
    """The rule that a play of seat 0 breaks."""
    refusal = GAME.explain(at(position), 0, roll, steps)
    return refusal.rule if refusal else None


def test_3_1_all_on_their_own_24_and_360_pips_each() -> None:
    assert GAME.text(GAME.start()) == "24:15 24:15"
    board = GAME.view(GAME.start())
    pips = [0, 0]
    for point, piles in enumerate(board.points):
        for pile in piles:
            pips[pile.seat] += pile.count * (point if pile.seat == 0 else board.other[point])
    assert pips == [360, 360]


def test_the_figures_of_the_source() -> None:
    position = GAME.start()
    turns: list[tuple[int, Roll, str]] = [
        (0, (3, 2), "24/21/19"),
        (1, (6, 5), "24/18 24/19"),
        (0, (3, 3), "19/16/13/10/7"),
    ]
    written = []
    for seat, roll, text in turns:
        play = GAME.read_play(text, position, seat, roll)
        assert not isinstance(play, Violation)
        position, play = GAME.apply(position, seat, play)
        written.append(GAME.write_play(play))
    assert GAME.text(position) == "24:14,7:1 24:13,19:1,18:1t"
    assert written[2] == "19/16 16/13 13/10 10/7*"
    # A second checker cannot reach the trapped one by 3-3; figure 3 shows the only way there.
    trapping = [text for text in GAME.legal_plays(at("24:14,19:1 24:13,19:1,18:1"), 0, (3, 3)).texts() if "t" in text]
    assert trapping == ["24:14,7:1 24:13,19:1,18:1t"]


def test_3_2_landing_on_a_lone_checker_traps_it_and_sends_nothing_back() -> None:
    assert after("7/3 7/4*", "7:2,off:13 21:1,off:14", (4, 3)) == "4:1,3:1,off:13 21:1t,off:14"


def test_3_2_a_trapped_checker_may_not_move() -> None:
    position = "20:1t,10:1,off:13 5:1,1:2,off:12"
    assert refused(position, (4, 3), Step(4, 20, 16), Step(3, 10, 7)) == "3.2"
    assert results(position, (4, 3)) == ["20:1t,3:1,off:13"]


def test_3_2_it_is_a_blot_again_when_the_last_trapper_leaves() -> None:
    assert after("10/8 9/8", "10:2,9:1,off:12 15:1t,off:14", (2, 1)) == "10:1,8:2,off:12 15:1t,off:14"
    freed = after("10/9 10/8", "10:2,9:1,off:12 15:1t,off:14", (2, 1))
    assert freed == "9:2,8:1,off:12 15:1,off:14"
    assert after("15/12 12/8", freed, (4, 3), seat=1) == "9:2,8:1,off:12 8:1,off:14"


def test_3_2_a_trapper_may_leave_and_another_trap_again_in_one_play() -> None:
    position = "12:1,10:1,off:13 15:1t,off:14"
    assert read("10/8 12/10*", position, (2, 2)).startswith("1.4")
    assert read("10/8/6 12/10*/8", position, (2, 2)) == "10/8 8/6 12/10* 10/8"
    assert after("10/7 12/10", "12:1,10:1,off:13 15:1t,off:14", (3, 2)) == "10:1,7:1,off:13 15:1t,off:14"


@pytest.mark.parametrize(
    ("opponent", "legal"),
    [
        ("21:1,off:14", True),  # a lone checker
        ("21:2,off:13", False),  # two make the point
        ("21:1,off:14 trapping", False),  # one that traps makes it too
    ],
)
def test_3_3_where_the_opponent_may_not_land(opponent: str, legal: bool) -> None:
    theirs, *trapping = opponent.split()
    position = f"8:1,4:1t,off:13 {theirs}" if trapping else f"8:1,off:14 {theirs}"
    assert (refused(position, (4, 4), Step(4, 8, 4)) != "3.3") is legal
    assert GAME.must_pass(at(position), 0, (4, 4)) is not legal


def test_3_3_the_trappers_own_may_join_the_trapped_sides_may_not() -> None:
    position = "8:1,5:1,off:13 24:2,20:1t,off:12"
    assert after("8/5 5/4", position, (3, 1)) == "5:1,4:1,off:13 24:2,20:1t,off:12"
    refusal = GAME.explain(at(position), 1, (4, 1), (Step(4, 24, 20),))
    assert refusal == Violation("3.3", "point 20 is made by the opponent", "play[0]", "24/20")


def test_3_4_v1_no_bearing_off_while_a_checker_is_trapped() -> None:
    trapped = "6:1t,5:2,4:4,3:2,2:3,1:3 19:1,7:1,6:1,3:1,2:7,1:4"
    assert refused(trapped, (5, 1), Step(5, 5, 0)) == "3.4"
    assert all("off" not in side for side in results(trapped, (5, 1)))
    # The six has no other use, so only the one is played.
    assert refused(trapped, (6, 1), Step(1, 2, 1)) is None
    assert refused("6:1,5:2,4:4,3:2,2:3,1:3 18:1,7:1,6:1,3:1,2:7,1:4", (5, 1), Step(5, 5, 0), Step(1, 2, 1)) is None


def test_3_4_v1_also_when_bearing_off_has_begun() -> None:
    assert GAME.must_pass(at("2:1,1:1t,off:13 24:2,off:13"), 0, (6, 6))
    assert results("2:1,1:1t,off:13 24:2,off:13", (6, 1)) == ["2:1,1:1t,off:13"]
    freed = after("24/21 24/20", "2:1,1:1t,off:13 24:2,off:13", (4, 3), seat=1)
    assert results(freed, (6, 1)) == ["1:1,off:14", "off:15"]


def test_1_6_all_must_be_home_and_larger_numbers_take_from_the_highest_point() -> None:
    assert refused("7:1,6:1,off:13 24:15", (6, 5), Step(6, 6, 0)) == "1.6"
    assert refused("6:1,5:1,off:13 24:15", (6, 5), Step(6, 5, 0)) == "1.6"
    assert results("4:1,3:1,off:13 20:2,off:13", (6, 5)) == ["off:15"]


def test_1_6_is_judged_step_by_step() -> None:
    assert results("6:1,off:14 24:15", (2, 1)) == ["3:1,off:14"]
    # 8/6 brings the last one home, and the one goes off; or 8/6/5.
    assert results("8:1,1:1,off:13 18:15", (2, 1)) == ["5:1,1:1,off:13", "6:1,off:14"]
    # Three ones bring the last one home.
    assert results("9:1,6:1,1:1,off:12 14:15", (1, 1)) == [
        "6:1,5:1,1:1,off:12",
        "6:2,off:13",
        "7:1,4:1,1:1,off:12",
        "8:1,3:1,1:1,off:12",
        "9:1,2:1,1:1,off:12",
    ]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("off:15 6:14,off:1", 1),
        ("off:15 6:15", 2),
        ("off:15 18:1,6:14", 2),
        ("off:15 19:1,6:14", 3),
        ("off:15 24:1,6:14", 3),
        ("off:15 24:1,6:13,off:1", 3),
    ],
)
def test_3_5_levels(text: str, level: int) -> None:
    assert GAME.outcome(at(text), 0) == Win(0, level)
    assert GAME.outcome(at(text), 1) is None
    assert GAME.top_level == 3


def test_3_5_a_checker_freed_by_the_last_step_counts_as_still_there() -> None:
    ended = after("2/off", "2:1,off:14 23:1t,6:14", (6, 5))
    assert ended == "off:15 23:1,6:14"
    assert GAME.outcome(at(ended), 0) == Win(0, 3)


def test_3_6_v3_both_last_checkers_trapped_at_their_start_is_a_remi() -> None:
    start = "24:1t,6:13,1:1 24:1t,6:13,1:1"
    assert [GAME.outcome(at(start), seat) for seat in (0, 1)] == [Remi(), Remi()]
    made = GAME.legal_plays(at("24:1t,6:13,2:1 24:1,6:13,1:1"), 0, (1, 1))
    assert any(GAME.outcome(result, 0) == Remi() for result in made)
    assert any(GAME.outcome(result, 0) is None for result in made)


def test_3_6_v4_one_last_checker_trapped_does_not_end_the_game() -> None:
    # There is no rule of the mother: it goes on, even if the other player has left 24 with all checkers.
    for text in ("24:1t,6:14 24:14,1:1", "24:1t,6:14 24:1,6:13,1:1", "24:1t,6:14 6:14,1:1"):
        assert GAME.outcome(at(text), 0) is None
        assert GAME.outcome(at(text), 1) is None


def test_3_6_v12_where_neither_player_can_move_the_game_is_a_remi() -> None:
    stuck = at("24:1t,1:14 24:1t,1:14")
    assert all(GAME.must_pass(stuck, seat, (die, 7 - die)) for seat in (0, 1) for die in range(1, 7))
    assert [GAME.outcome(stuck, seat) for seat in (0, 1)] == [Remi(), Remi()]


def test_3_6_v12_where_one_player_cannot_move_the_other_goes_on() -> None:
    closed = at("24:2,off:13 7:2,6:2,5:2,4:2,3:2,2:2,off:3")
    assert all(GAME.must_pass(closed, 0, (die, die)) for die in range(1, 7))
    assert list(GAME.legal_plays(closed, 0, (6, 5)).plays()) == [(closed, ())]
    assert (GAME.outcome(closed, 0), GAME.outcome(closed, 1)) == (None, None)


def test_3_6_v11_a_remi_leaves_score_and_crawford_as_they_were() -> None:
    before = set_up(MATCH, at("24:1t,9:1,6:13 24:1,7:1,6:12,1:1"), 0, score=(2, 1))
    assert isinstance(before, State)
    assert before.crawford is Crawford.NOW
    made: list[facts.Fact] = []
    state = before
    for action in (act.RollDice(0, (5, 3)), act.MakePlay(0, "6/1* 9/6")):
        ruling = rule(MATCH, state, action)
        assert isinstance(ruling, Ruling), ruling
        state, made = ruling.state, [*made, *ruling.facts]
    ended = made[-1]
    assert isinstance(ended, facts.GameEnded)
    assert (ended.winners, ended.points) == ((), (Fraction(0), Fraction(0)))
    assert (state.score, state.crawford, state.game_number) == (before.score, Crawford.NOW, before.game_number)
    assert state.position == begin(MATCH).position


def test_3_6_its_ruling_is_told() -> None:
    assert [note.rule for note in DESCRIPTION.rulings] == ["3.6"]
    assert (DESCRIPTION.seats, DESCRIPTION.options) == (range(2, 3), ())


@pytest.mark.parametrize(("text", "level"), [("24:15 24:15", 3), ("6:14,off:1 24:15", 1)])
def test_8_4_the_level_of_a_lapse(text: str, level: int) -> None:
    assert GAME.lapse_level(at(text), 0) == level


@pytest.mark.parametrize(
    ("rule_number", "position", "roll", "step"),
    [
        ("1.2", "13:1,6:2,off:12 24:15", (2, 1), Step(2, 12, 10)),
        ("1.2", "13:1,6:2,off:12 24:15", (2, 1), Step(2, 25, 23)),
        ("1.2", "13:1,6:2,off:12 24:15", (2, 1), Step(2, 13, 10)),
        ("1.2", "13:1,6:2,off:12 24:15", (2, 1), Step(2, 13, 11, piece=1)),
        ("1.3", "13:1,6:2,off:12 24:15", (2, 1), Step(3, 13, 10)),
        ("3.2", "13:1,6:2,off:12 24:15", (2, 1), Step(2, 13, 11, hit=True)),
        ("3.2", "13:1,11:1,off:13 14:1t,off:14", (2, 1), Step(2, 13, 11, hit=True)),
        ("3.2", "6:2,off:13 24:15", (6, 1), Step(6, 6, 0, hit=True)),
        ("1.4", "13:1,6:2,off:12 24:15", (2, 1), Step(2, 13, 11)),
    ],
)
def test_explain_names_the_rule(rule_number: str, position: str, roll: Roll, step: Step) -> None:
    assert refused(position, roll, step) == rule_number
