"""Laws of the referee that hold whatever is asked of it."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.race import quick_games

from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, facts, legal_actions, rule, summary
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Violation

__all__ = ["quick_games"]
BG = GameId.BACKGAMMON
MONEY = Settings(BG, SessionPlay(2, jacoby=True, beavers=True, raccoons=True, automatic_doubles=1))


dice = st.integers(1, 6)
seats = st.integers(0, 3)
plain = (
    act.Double,
    act.Take,
    act.Drop,
    act.Beaver,
    act.Raccoon,
    act.Accept,
    act.Decline,
    act.Stay,
    act.Leave,
    act.OfferNoResult,
    act.Withdraw,
)


def points(score: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, score))


any_action = st.one_of(
    st.builds(act.Open, st.lists(dice, max_size=6).map(tuple)),
    st.builds(act.RollDice, seats, st.tuples(dice, dice)),
    st.builds(act.MakePlay, seats, st.sampled_from(("-", "8/5 6/5", "24/18"))),
    st.one_of(*(st.builds(kind, seats) for kind in plain)),
    st.builds(act.Resign, seats, st.integers(0, 4)),
    st.builds(act.Settle, seats, st.fractions(-1, 5), seats),
    st.builds(act.Choose, seats, st.sampled_from(GameId)),
    st.builds(act.Forfeit, seats, st.sampled_from(act.Scope), st.none() | st.integers(0, 3)),
    st.builds(act.Lapse, st.integers(-1, 4)),
    st.sampled_from((act.EndSession(), act.VoidGame())),
    st.builds(act.SetScore, st.sampled_from(((1, 0), (2, 1), (1, -1), (0, 0), (1, 1, -2))).map(points), st.booleans()),
)
agreements = st.sampled_from(
    (
        MONEY,
        Settings(BG, SessionPlay()),
        Settings(BG, MatchPlay(3, holland=True)),
        Settings(BG, MatchPlay(1)),
        Settings(BG, MatchPlay(9), cube=False),
        Settings(GameId.GAMMON, MatchPlay(4)),
        Settings(GameId.TRACKGAMMON, MatchPlay(3)),
        Settings(GameId.TRACKGAMMON, SessionPlay(4), seats=3),
        Settings(GameId.TRACKGAMMON, SessionPlay(), seats=4),
    )
)


@pytest.mark.usefixtures("quick_games")
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(agreements, st.data())
def test_laws_of_every_sequence_of_actions(agreed: Settings, data: st.DataObject) -> None:
    state = begin(agreed)
    crawford_games: set[int] = set()
    for _ in range(25):
        action = data.draw(any_action | likely_actions(agreed, state))
        before = state
        ruling = rule(agreed, state, action)
        assert state == before
        if isinstance(ruling, Violation):
            assert ruling.rule
            assert ruling.reason
            continue
        assert before.phase is not Phase.OVER
        assert ruling.facts
        state = ruling.state
        check(agreed, before, state, ruling.facts)
        ruled = any(isinstance(fact, facts.ScoreSet) for fact in ruling.facts)
        if state.crawford is Crawford.NOW:
            assert state.cube == Cube()
            crawford_games = {state.game_number} if ruled else crawford_games | {state.game_number}
        # 7.4: a game without points hands its Crawford status on to the next.
        pointless = any(isinstance(fact, facts.GameEnded) and not any(fact.points) for fact in ruling.facts)
        if pointless and state.crawford is Crawford.NOW:
            crawford_games = {state.game_number}
        assert len(crawford_games) <= 1


def likely_actions(agreed: Settings, state: State) -> st.SearchStrategy[act.Action]:
    """What goes on with the game: the throw, the roll, any legal play, or an answer."""
    if state.phase is Phase.OPENING:
        draw = summary(state).draw
        return st.lists(dice, min_size=draw.count if draw else 0, max_size=draw.count if draw else 0).map(
            lambda faces: act.Open(tuple(faces))
        )
    if state.turn is None:
        return st.builds(act.Choose, seats, st.sampled_from((GameId.CATCHGAMMON, GameId.RUNGAMMON)))
    if state.phase is Phase.TO_PLAY and state.dice is not None:
        plays = game_of(agreed, state.playing).legal_plays(state.position, state.turn, state.dice)
        return st.sampled_from(list(plays)).map(plays.way).map(lambda play: act.MakePlay(state.turn or 0, play))
    if state.phase is Phase.TO_ROLL:
        return st.builds(act.RollDice, st.just(state.turn), st.tuples(dice, dice))
    acting = st.sampled_from(summary(state).seats_to_act)
    return st.one_of(*(st.builds(kind, acting) for kind in (act.Take, act.Stay, act.Leave, act.Accept, act.Decline)))


def check(agreed: Settings, before: State, state: State, found: tuple[facts.Fact, ...]) -> None:
    """What is true of every ruling."""
    ended = [fact for fact in found if isinstance(fact, facts.GameEnded)]
    if not any(isinstance(fact, facts.ScoreSet) for fact in found):
        assert list(state.score) == [
            sum(own) for own in zip(before.score, *(fact.points for fact in ended), strict=True)
        ]
    if isinstance(agreed.play, SessionPlay):
        assert sum(state.score) == 0
    nobody = (Phase.OPENING, Phase.CHOOSING, Phase.OVER)
    back = state.phase if state.offer is None else state.offer.back
    assert (state.turn is None) == (back in nobody)
    assert (state.dice is not None) == (back is Phase.TO_PLAY)
    assert (state.offer is not None) == (state.phase in (Phase.RESIGNING, Phase.SETTLING))
    assert (state.chooser is not None) == (state.phase is Phase.CHOOSING)
    assert (
        (state.over is not None)
        == (state.phase is Phase.OVER)
        == any(isinstance(fact, facts.PlayEnded) for fact in found)
    )
    of_the_game(state)
    acting = summary(state).seats_to_act
    assert bool(acting) == (state.phase is not Phase.OVER)
    assert set(acting) <= set(state.seats_in)
    if state.phase is not Phase.OPENING:
        assert all(legal_actions(agreed, state, seat) for seat in acting)
    replayed = [fact for fact in ended if not fact.winners and fact.how is not facts.How.AGREEMENT]
    counted = len(ended) - len(replayed)
    assert state.game_number - before.game_number == (counted if state.phase is not Phase.OVER else 0)


def of_the_game(state: State) -> None:
    """Who is in, has left and paid, has finished, and answers."""
    if state.phase is not Phase.OVER:
        assert len(state.seats_in) > 1
        assert state.turn is None or (state.turn in state.seats_in and state.turn not in state.finished)
    assert {seat for seat, paid in enumerate(state.paid) if paid} == set(range(len(state.score))) - set(state.seats_in)
    assert set(state.finished) | set(state.contenders) | set(state.stayed) <= set(state.seats_in)
    assert not state.stayed or (state.phase is Phase.DOUBLED and state.turn not in state.stayed)
    assert state.cube.owner is None or state.cube.last_doubler is None
