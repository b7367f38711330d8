"""Laws of the referee that hold whatever is asked of it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.boards import BACKGAMMON

from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, facts, legal_actions, rule, summary
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Violation

BG = GameId.BACKGAMMON
START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
MONEY = Settings(BG, SessionPlay(2, jacoby=True, beavers=True, raccoons=True, automatic_doubles=1))


dice = st.integers(1, 6)
seats = st.integers(0, 1)
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
)
any_action = st.one_of(
    st.builds(act.Open, st.lists(dice, max_size=6).map(tuple)),
    st.builds(act.RollDice, seats, st.tuples(dice, dice)),
    st.builds(act.MakePlay, seats, st.sampled_from(("-", "8/5 6/5", "24/18"))),
    st.one_of(*(st.builds(kind, seats) for kind in plain)),
    st.builds(act.Resign, seats, st.integers(0, 4)),
    st.builds(act.Settle, seats, st.fractions(-1, 5), seats),
    st.builds(act.Choose, seats, st.sampled_from(GameId)),
    st.builds(act.Forfeit, seats, st.sampled_from(act.Scope), st.none() | st.integers(0, 3)),
    st.builds(act.Lapse, st.integers(-1, 2)),
    st.just(act.EndSession()),
)
agreements = st.sampled_from(
    (
        MONEY,
        Settings(BG, SessionPlay()),
        Settings(BG, MatchPlay(3, holland=True)),
        Settings(BG, MatchPlay(1)),
        Settings(BG, MatchPlay(9), cube=False),
    )
)


@settings(max_examples=150, deadline=None)
@given(agreements, st.data())
def test_laws_of_every_sequence_of_actions(agreed: Settings, data: st.DataObject) -> None:
    state = begin(agreed)
    crawford_games = set()
    for _ in range(25):
        action = data.draw(any_action | likely_actions(state))
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
        if state.crawford is Crawford.NOW:
            crawford_games.add(state.game_number)
            assert state.cube == Cube()
        assert len(crawford_games) <= 1


def likely_actions(state: State) -> st.SearchStrategy[act.Action]:
    """What goes on with the game: the throw, the roll or any legal play."""
    if state.phase is Phase.OPENING:
        return st.just(act.Open((3, 1)))
    if state.turn is None:
        return st.just(act.EndSession())
    if state.phase is Phase.TO_PLAY and state.dice is not None:
        plays = BACKGAMMON.legal_plays(state.position, state.turn, state.dice)
        return st.sampled_from(list(plays)).map(plays.way).map(lambda play: act.MakePlay(state.turn or 0, play))
    return st.builds(act.RollDice, st.just(state.turn), st.tuples(dice, dice))


def check(agreed: Settings, before: State, state: State, found: tuple[facts.Fact, ...]) -> None:
    """What is true of every ruling."""
    ended = [fact for fact in found if isinstance(fact, facts.GameEnded)]
    scored = [sum(column) for column in zip(before.score, *(fact.points for fact in ended), strict=True)]
    assert list(state.score) == scored
    if isinstance(agreed.play, SessionPlay):
        assert sum(state.score) == 0
    assert (state.turn is None) == (
        state.phase in (Phase.OPENING, Phase.OVER) or (state.offer is not None and state.offer.back is Phase.OPENING)
    )
    assert (state.dice is not None) == (
        state.phase is Phase.TO_PLAY or (state.offer is not None and state.offer.back is Phase.TO_PLAY)
    )
    assert (state.offer is not None) == (state.phase in (Phase.RESIGNING, Phase.SETTLING))
    assert (
        (state.over is not None)
        == (state.phase is Phase.OVER)
        == any(isinstance(fact, facts.PlayEnded) for fact in found)
    )
    acting = summary(state).seats_to_act
    assert bool(acting) == (state.phase is not Phase.OVER)
    if state.phase is not Phase.OPENING:
        assert all(legal_actions(agreed, state, seat) for seat in acting)
    assert state.game_number - before.game_number == (len(ended) if state.phase is not Phase.OVER else 0)
