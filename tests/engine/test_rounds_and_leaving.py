"""Openings, rounds, staying, leaving and shares with two to four players: rules 5.14 to 5.16, 6.10 to 6.12, 8.2 to 8.4.

Played with the race of `race.py`, whose plays follow from the dice; every figure is worked out by hand from the rules.
"""

from fractions import Fraction

import pytest
from tests.engine.race import HOME, quick_games

from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, facts, legal_actions, rule, set_up, summary
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.referee.summary import DrawNeeded, Purpose
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Violation

__all__ = ["quick_games"]
pytestmark = pytest.mark.usefixtures("quick_games")

TRACK = GameId.TRACKGAMMON
THREE = Settings(TRACK, SessionPlay(3), seats=3)
FOUR = Settings(TRACK, SessionPlay(3), seats=4)
TWO = Settings(TRACK, SessionPlay(3))


def after(agreed: Settings, state: State, *actions: act.Action) -> State:
    """The state after actions that must all succeed."""
    for action in actions:
        ruling = rule(agreed, state, action)
        assert isinstance(ruling, Ruling), (action, ruling)
        state = ruling.state
    return state


def told(agreed: Settings, state: State, action: act.Action) -> tuple[facts.Fact, ...]:
    """What a ruling establishes."""
    ruling = rule(agreed, state, action)
    assert isinstance(ruling, Ruling), (action, ruling)
    return ruling.facts


def refused(agreed: Settings, state: State, action: act.Action) -> str:
    """The rule that an action breaks."""
    ruling = rule(agreed, state, action)
    assert isinstance(ruling, Violation), (action, ruling)
    return ruling.rule


def placed(agreed: Settings, *points: int, turn: int = 0, cube: Cube = Cube()) -> State:  # noqa: B008 - frozen
    """A game in progress, `turn` its starter and to roll."""
    position = game_of(agreed).parse(" ".join(map(str, points)))
    assert isinstance(position, int)
    state = set_up(agreed, position, turn, cube=cube)
    assert isinstance(state, State), state
    return state


def net(*own: Fraction | int) -> tuple[Fraction, ...]:
    """Points, one entry a seat."""
    return tuple(map(Fraction, own))


def turn_of(seat: int, a: int = 1, b: int = 2) -> tuple[act.Action, act.Action]:
    """A roll and its play."""
    return act.RollDice(seat, (a, b)), act.MakePlay(seat, "")


def test_5_15_ties_throw_again_among_themselves_and_the_starter_throws_both_dice() -> None:
    state = begin(FOUR)
    assert summary(state).draw == DrawNeeded(4, Purpose.OPENING, (0, 1, 2, 3), at_once=False)
    tied = after(FOUR, state, act.Open((6, 2, 6, 6)))
    assert (tied.phase, tied.contenders) == (Phase.OPENING, (0, 2, 3))
    assert summary(tied).draw == DrawNeeded(3, Purpose.OPENING, (0, 2, 3), at_once=True)
    tied = after(FOUR, tied, act.Open((1, 5, 5)))
    assert tied.contenders == (2, 3)
    found = after(FOUR, tied, act.Open((2, 4)))
    assert (found.phase, found.turn, found.contenders) == (Phase.OPENING, None, (3,))
    assert summary(found).draw == DrawNeeded(2, Purpose.TURN, (3,), at_once=True)
    assert summary(found).seats_to_act == (3,)
    started = after(FOUR, found, act.Open((2, 5)))
    assert (started.phase, started.turn, started.starter, started.dice) == (Phase.TO_PLAY, 3, 3, (5, 2))
    assert started.rolls == (0, 0, 0, 1)
    # The same dice as one flat list in draw order lead to the same state, and a throw may end the list anywhere.
    flat = act.Open((6, 2, 6, 6, 1, 5, 5, 2, 4, 2, 5))
    assert after(FOUR, state, flat) == started
    assert told(FOUR, state, flat) == (
        facts.OpeningThrown((0, 1, 2, 3), (6, 2, 6, 6)),
        facts.OpeningThrown((0, 2, 3), (1, 5, 5)),
        facts.OpeningThrown((2, 3), (2, 4)),
        facts.GameOpened(1, TRACK, 3, "0 0 0 0"),
        facts.Rolled(3, (2, 5)),
    )
    assert after(FOUR, started, act.MakePlay(3, "")).turn == 0


@pytest.mark.parametrize("dice", [(6, 2, 6), (6, 2, 6, 6, 1, 5), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6, 1), ()])
def test_5_15_an_opening_takes_the_dice_it_needs(dice: tuple[int, ...]) -> None:
    assert refused(FOUR, begin(FOUR), act.Open(dice)) == "1.7"


def test_5_15_holds_for_two_players_as_well() -> None:
    state = after(TWO, begin(TWO), act.Open((5, 3)))
    assert (state.phase, state.contenders) == (Phase.OPENING, (0,))
    started = after(TWO, state, act.Open((1, 1)))
    assert (started.turn, started.dice, started.rolls) == (0, (1, 1), (1, 0))


def test_5_14_everybody_has_the_turns_of_the_first_to_finish() -> None:
    state = placed(THREE, 12, 0, 0, turn=1)
    state = after(THREE, state, *turn_of(1), *turn_of(2), act.RollDice(0, (1, 2)))
    # Seat 0 is the last of the round that seat 1 began: nobody has a turn left.
    ended = after(THREE, state, act.MakePlay(0, ""))
    assert (ended.phase, ended.game_number, ended.score) == (Phase.OPENING, 2, net(2, -1, -1))
    # The first of a round to finish waits for the others, and one that cannot move has had its turn too.
    state = after(THREE, placed(THREE, 12, 0, 0), *turn_of(0))
    assert (state.phase, state.turn, state.finished) == (Phase.TO_ROLL, 1, (0,))
    state = after(THREE, state, *turn_of(1))
    assert state.turn == 2
    found = told(THREE, state, act.RollDice(2, (1, 1)))
    assert found[:2] == (facts.Rolled(2, (1, 1)), facts.TurnPassed(2))
    assert found[2] == facts.GameEnded(
        game_number=1,
        game=TRACK,
        winners=(0,),
        how=facts.How.BOARD,
        level=1,
        counted=1,
        exponent=0,
        points=(Fraction(2), Fraction(-1), Fraction(-1)),
        score=(Fraction(2), Fraction(-1), Fraction(-1)),
        position="14 3 0",
    )


def test_5_14_finishers_tie_and_share() -> None:
    state = after(THREE, placed(THREE, 12, 12, 0), *turn_of(0), *turn_of(1))
    assert state.finished == (0, 1)
    ended = after(THREE, state, *turn_of(2))
    assert ended.score == net(Fraction(1, 2), Fraction(1, 2), -1)
    state = after(FOUR, placed(FOUR, 12, 0, 12, 12), *turn_of(0), *turn_of(1), *turn_of(2), *turn_of(3))
    assert state.score == net(Fraction(1, 3), -1, Fraction(1, 3), Fraction(1, 3))


def test_6_12_if_all_still_in_win_they_share_what_leavers_paid() -> None:
    state = after(FOUR, placed(FOUR, 12, 12, 0, 12), *turn_of(0), *turn_of(1), act.Leave(2), *turn_of(3))
    assert state.score == net(Fraction(1, 3), Fraction(1, 3), -1, Fraction(1, 3))
    state = after(THREE, placed(THREE, 12, 12, 12), *turn_of(0), *turn_of(1), *turn_of(2))
    assert (state.score, state.game_number) == (net(0, 0, 0), 2)


def test_5_14_rounds_are_counted_from_a_starter_who_has_left() -> None:
    # Seat 1 starts and leaves. Seat 2 now begins each round: when it finishes, seats 3 and 0 have a turn left.
    state = after(FOUR, placed(FOUR, 0, 0, 12, 0, turn=1), act.Leave(1))
    assert (state.turn, state.starter) == (2, 1)
    state = after(FOUR, state, *turn_of(2))
    assert state.turn == 3
    state = after(FOUR, state, *turn_of(3))
    assert state.turn == 0
    assert after(FOUR, state, *turn_of(0)).score == net(-1, -1, 3, -1)
    # And when seat 0 finishes, the round is over.
    state = after(FOUR, placed(FOUR, 12, 0, 0, 0, turn=1), act.Leave(1), *turn_of(2), *turn_of(3), *turn_of(0))
    assert (state.game_number, state.score) == (2, net(3, -1, -1, -1))


def test_7_4_a_tie_of_two_scores_nothing_counts_as_a_game_and_keeps_the_crawford_status() -> None:
    tied = (*turn_of(0), *turn_of(1))
    state = after(TWO, placed(TWO, 12, 12), *tied)
    assert (state.phase, state.game_number, state.score, state.cube) == (Phase.OPENING, 2, net(0, 0), Cube())
    ended = told(TWO, after(TWO, placed(TWO, 12, 12), *tied[:3]), tied[3])[-1]
    assert isinstance(ended, facts.GameEnded)
    assert (ended.winners, ended.points) == ((0, 1), net(0, 0))
    last = Settings(TRACK, SessionPlay(1))
    assert after(last, placed(last, 12, 12), *tied).phase is Phase.OVER

    match = Settings(TRACK, MatchPlay(5))
    position = game_of(match).parse("12 12")
    assert isinstance(position, int)
    crawford = set_up(match, position, 0, (4, 0))
    assert isinstance(crawford, State)
    assert refused(match, crawford, act.Double(0)) == "7.2"
    state = after(match, crawford, *tied)
    assert (state.crawford, state.score, state.game_number) == (Crawford.NOW, net(4, 0), 2)


def test_two_players_win_the_cube_and_resign_at_single_only() -> None:
    state = after(TWO, placed(TWO, 12, 0), act.Double(0), act.Take(1), *turn_of(0), *turn_of(1))
    assert state.score == net(2, -2)
    match = Settings(TRACK, MatchPlay(5))
    state = after(match, placed(match, 12, 0), act.Double(0), act.Take(1), *turn_of(0), *turn_of(1))
    assert state.score == net(2, 0)
    assert refused(TWO, placed(TWO, 0, 0), act.Resign(0, 2)) == "5.16"
    assert after(TWO, placed(TWO, 0, 0), act.Resign(0, 1), act.Accept(1)).score == net(-1, 1)
    assert refused(TWO, placed(TWO, 0, 0), act.Forfeit(0, act.Scope.GAME, 3)) == "5.16"
    assert rule(TWO, placed(TWO, 0, 0), act.Forfeit(0, act.Scope.GAME)) == Violation(
        "8.3", "the ruling names a level", "level", "none"
    )


def test_6_1_6_10_nobody_doubles_once_a_player_has_finished() -> None:
    state = after(TWO, placed(TWO, 12, 0), *turn_of(0))
    assert refused(TWO, state, act.Double(1)) == "6.1"
    assert act.Double not in legal_actions(TWO, state, 1)
    state = after(THREE, placed(THREE, 12, 0, 0), *turn_of(0))
    assert refused(THREE, state, act.Double(1)) == "6.1"


def test_6_10_answers_go_clockwise_and_nothing_else_happens_meanwhile() -> None:
    state = after(FOUR, placed(FOUR, 0, 0, 0, 0, turn=2), act.Double(2))
    assert (state.phase, state.turn, state.cube) == (Phase.DOUBLED, 2, Cube())
    assert summary(state).seats_to_act == (3,)
    assert legal_actions(FOUR, state, 3) == (act.Stay, act.Leave)
    for answer in (act.Stay(0), act.Leave(0), act.Stay(2), act.Leave(2)):
        assert refused(FOUR, state, answer) == "6.10"
    for kind in (act.Take, act.Drop):
        assert refused(FOUR, state, kind(3)) == "6.2"
    for action in (act.RollDice(2, (1, 2)), act.Double(2), act.OfferNoResult(3)):
        assert refused(FOUR, state, action) == "6.2"
    state = after(FOUR, state, act.Stay(3))
    assert (state.stayed, summary(state).seats_to_act) == ((3,), (0,))
    assert refused(FOUR, state, act.Stay(3)) == "6.10"
    state = after(FOUR, state, act.Leave(0))
    assert (state.seats_in, summary(state).seats_to_act) == ((1, 2, 3), (1,))
    # All others but one leave: the double stands for the one who stays.
    state = after(FOUR, state, act.Leave(1))
    assert (state.phase, state.turn, state.cube) == (Phase.TO_ROLL, 2, Cube(1, last_doubler=2))
    assert state.paid == net(1, 1, 0, 0)
    assert refused(FOUR, state, act.RollDice(0, (1, 2))) == "8.3"
    # Seat 2 rolls on and may not double before another has.
    state = after(FOUR, state, *turn_of(2), *turn_of(3))
    assert refused(FOUR, state, act.Double(2)) == "6.10"
    state = after(FOUR, state, *turn_of(2), act.Double(3), act.Stay(2))
    assert state.cube == Cube(2, last_doubler=3)
    # Seat 3 finishes, last of the round: seat 2 pays four, 0 and 1 have paid one each.
    state = after(FOUR, state, *turn_of(3, 6, 6))
    assert state.game_number == 2
    assert state.score == net(-1, -1, -4, 6)


def test_6_11_if_all_leave_the_doubler_has_won_the_stake_before_the_double() -> None:
    cube = Cube(1, last_doubler=1)
    state = after(THREE, placed(THREE, 0, 0, 0, cube=cube), act.Double(0), act.Leave(1))
    found = told(THREE, state, act.Leave(2))
    assert found[0] == facts.SeatLeft(2, Fraction(2))
    ended = found[1]
    assert isinstance(ended, facts.GameEnded)
    assert (ended.winners, ended.how, ended.level, ended.exponent) == ((0,), facts.How.DROP, None, 1)
    assert ended.points == net(4, -2, -2)


def test_6_10_who_did_not_double_last_may_double_even_when_that_doubler_has_left() -> None:
    state = after(THREE, placed(THREE, 0, 0, 0), act.Double(0), act.Stay(1), act.Stay(2), act.Leave(0))
    assert (state.turn, state.cube) == (1, Cube(1, last_doubler=0))
    state = after(THREE, state, act.Double(1), act.Stay(2))
    assert state.cube == Cube(2, last_doubler=1)


def test_8_2_a_player_leaves_on_their_own_turn_and_an_unplayed_roll_is_void() -> None:
    state = placed(THREE, 0, 0, 0)
    assert refused(THREE, state, act.Leave(1)) == "8.2"
    assert refused(THREE, begin(THREE), act.Leave(0)) == "1.7"
    for rolled in ((), (act.RollDice(0, (6, 6)),)):
        left = after(THREE, state, *rolled, act.Leave(0))
        assert (left.phase, left.turn, left.dice, left.seats_in) == (Phase.TO_ROLL, 1, None, (1, 2))
        assert left.position == state.position
        assert left.paid == net(1, 0, 0)
    # The last but one to leave ends it at once.
    assert after(THREE, left, act.Leave(1)).score == net(-1, -1, 2)


def test_8_2_leaving_in_the_afterthrow_ends_the_round_where_no_turn_is_left() -> None:
    state = after(THREE, placed(THREE, 12, 0, 0), *turn_of(0), *turn_of(1))
    found = told(THREE, state, act.Leave(2))
    ended = found[-1]
    assert isinstance(ended, facts.GameEnded)
    assert (ended.winners, ended.how, ended.points) == ((0,), facts.How.BOARD, net(2, -1, -1))


@pytest.mark.parametrize("forfeits", [True, False])
def test_8_3_8_4_a_forfeit_and_a_lapse_are_a_leaving_in_every_phase(forfeits: bool) -> None:
    def goes(seat: int) -> act.Action:
        return act.Forfeit(seat, act.Scope.GAME) if forfeits else act.Lapse(seat)

    # Before the opening throw, and among those who throw again.
    state = after(THREE, begin(THREE), goes(1))
    assert (state.phase, state.seats_in, state.paid) == (Phase.OPENING, (0, 2), net(0, 1, 0))
    assert summary(state).draw == DrawNeeded(2, Purpose.OPENING, (0, 2), at_once=False)
    assert refused(THREE, state, act.EndSession()) == "7.3"
    assert after(THREE, state, act.Open((3, 3, 1, 2, 6, 5))).turn == 2
    tied = after(FOUR, begin(FOUR), act.Open((5, 5, 1, 1)), goes(0))
    assert tied.contenders == (1,)
    assert after(FOUR, tied, act.Open((6, 5))).turn == 1
    # The starter goes before throwing: the others throw for the start anew.
    assert after(FOUR, tied, goes(1)).contenders == ()
    # On one's own turn, and on another's.
    state = placed(THREE, 0, 0, 0)
    assert after(THREE, state, act.RollDice(0, (1, 2)), goes(0)).turn == 1
    rolled = after(THREE, state, act.RollDice(0, (1, 2)), goes(1))
    assert (rolled.phase, rolled.turn, rolled.dice) == (Phase.TO_PLAY, 0, (2, 1))
    assert after(THREE, rolled, act.MakePlay(0, "")).turn == 2
    # While one's answer is due: on that double.
    doubled = after(THREE, state, act.Double(0))
    gone = after(THREE, doubled, goes(1))
    assert (gone.phase, gone.paid, summary(gone).seats_to_act) == (Phase.DOUBLED, net(0, 1, 0), (2,))
    assert after(THREE, gone, act.Stay(2)).cube == Cube(1, last_doubler=0)
    # The last of those to answer goes, and one has stayed.
    assert after(THREE, doubled, act.Stay(1), goes(2)).cube == Cube(1, last_doubler=0)
    # Who has stayed goes before all have answered: the cube has not been turned yet.
    assert after(THREE, doubled, act.Stay(1), goes(1)).paid == net(0, 1, 0)
    # All go.
    assert after(THREE, doubled, goes(1), goes(2)).score == net(2, -1, -1)
    # The doubler: the double is withdrawn, and who left on it has left.
    state = after(FOUR, placed(FOUR, 0, 0, 0, 0, cube=Cube(1, last_doubler=3)), act.Double(0), act.Leave(1))
    state = after(FOUR, state, act.Stay(2), goes(0))
    assert (state.phase, state.turn, state.cube) == (Phase.TO_ROLL, 2, Cube(1, last_doubler=3))
    assert (state.paid, state.stayed, state.seats_in) == (net(2, 2, 0, 0), (), (2, 3))
    # With an offer open it is closed.
    offered = after(THREE, placed(THREE, 0, 0, 0), act.OfferNoResult(1), act.Accept(2), goes(0))
    assert (offered.phase, offered.turn, offered.offer) == (Phase.TO_ROLL, 1, None)
    # A seat that has left does nothing more in this game.
    assert refused(THREE, offered, goes(0)) == "8.3"
    # After finishing: the seat is not a winner.
    state = after(THREE, placed(THREE, 12, 12, 0), *turn_of(0), *turn_of(1), goes(0))
    assert (state.finished, state.turn) == ((1,), 2)
    assert after(THREE, state, *turn_of(2)).score == net(-1, 2, -1)


def test_8_3_the_only_finisher_goes_and_the_game_goes_on() -> None:
    state = after(THREE, placed(THREE, 12, 0, 0), *turn_of(0), act.Lapse(0))
    state = after(THREE, state, *turn_of(1), *turn_of(2))
    assert (state.turn, state.game_number, state.finished) == (1, 1, ())
    assert after(THREE, state, act.Double(1)).phase is Phase.DOUBLED


def test_8_3_a_leaving_by_ruling_tells_of_the_forfeit_first() -> None:
    state = placed(THREE, 0, 0, 0)
    assert told(THREE, state, act.Forfeit(1, act.Scope.GAME, 1)) == (
        facts.Forfeited(1, 1, lapse=False),
        facts.SeatLeft(1, Fraction(1)),
    )
    assert told(THREE, state, act.Lapse(0)) == (facts.Forfeited(0, 1, lapse=True), facts.SeatLeft(0, Fraction(1)))
    assert refused(THREE, state, act.Forfeit(1, act.Scope.GAME, 2)) == "5.16"
    assert refused(THREE, state, act.Forfeit(1, act.Scope.MATCH)) == "8.3"


def test_all_are_back_in_the_next_game() -> None:
    state = after(THREE, placed(THREE, 0, 0, 0), act.Double(0), act.Leave(1), act.Leave(2))
    assert (state.phase, state.game_number, state.seats_in) == (Phase.OPENING, 2, (0, 1, 2))
    assert (state.paid, state.cube, state.stayed) == (net(0, 0, 0), Cube(), ())


def test_1_11_all_seats_still_in_must_agree_to_end_without_points() -> None:
    state = after(FOUR, placed(FOUR, 0, 0, 0, 0), act.Leave(0), act.OfferNoResult(3))
    assert (state.phase, summary(state).seats_to_act) == (Phase.RESIGNING, (1, 2))
    for action in (act.Accept(3), act.Decline(3), act.Accept(0), act.Withdraw(1), act.RollDice(1, (1, 2))):
        assert refused(FOUR, state, action) in ("8.1", "8.3")
    for last in (act.Decline(1), act.Withdraw(3)):
        back = after(FOUR, state, act.Accept(2), last)
        assert (back.phase, back.turn, back.offer) == (Phase.TO_ROLL, 1, None)
    once = after(FOUR, state, act.Accept(2))
    assert refused(FOUR, once, act.Accept(2)) == "8.1"
    assert legal_actions(FOUR, once, 1) == (act.Accept, act.Decline)
    assert legal_actions(FOUR, once, 3) == (act.Withdraw,)
    ended = after(FOUR, once, act.Accept(1))
    # No points: what the leaver paid is not kept either.
    assert (ended.phase, ended.game_number, ended.score) == (Phase.OPENING, 2, net(0, 0, 0, 0))


def test_what_two_players_do_is_refused_to_more_with_its_rule() -> None:
    state = placed(THREE, 0, 0, 0)
    assert refused(THREE, state, act.Resign(0, 1)) == "8.1"
    assert refused(THREE, state, act.Settle(0, Fraction(1), 1)) == "8.6"
    assert refused(THREE, after(THREE, state, act.Double(0)), act.Beaver(1)) == "6.6"
    for action in (act.Stay(0), act.Leave(0)):
        assert refused(TWO, placed(TWO, 0, 0), action) == "6.10"


def test_a_set_up_names_the_last_doubler_of_three_and_the_owner_of_two() -> None:
    assert refused(THREE, placed(THREE, 0, 0, 0, cube=Cube(1, last_doubler=0)), act.Double(0)) == "6.10"
    for agreed, points, cube in ((THREE, "0 0 0", Cube(1, 0)), (TWO, "0 0", Cube(1, last_doubler=0))):
        position = game_of(agreed).parse(points)
        assert isinstance(position, int)
        refusal = set_up(agreed, position, 0, cube=cube)
        assert isinstance(refusal, Violation)
        assert refusal.rule == "6.10"
    finished = game_of(THREE).parse(f"{HOME} 0 0")
    assert isinstance(finished, int)
    refusal = set_up(THREE, finished, 1)
    assert isinstance(refusal, Violation)


def test_6_4_cube_off_is_for_all_numbers_of_players() -> None:
    agreed = Settings(TRACK, SessionPlay(3), seats=3, cube=False)
    assert refused(agreed, placed(agreed, 0, 0, 0), act.Double(0)) == "6.4"
