"""The referee's facts and summaries, and laws that hold whatever is asked of it."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from tests.engine.boards import BACKGAMMON

from gammon_engine import registry
from gammon_engine.description import Description
from gammon_engine.game import Game
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.outcome import Outcome, Remi
from gammon_engine.play import Step
from gammon_engine.position import Position
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, facts, legal_actions, rule, set_up, summary
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, Cube, Ended, State
from gammon_engine.referee.summary import DrawNeeded, Purpose
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

BG = GameId.BACKGAMMON
START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
MONEY = Settings(BG, SessionPlay(2, jacoby=True, beavers=True, raccoons=True, automatic_doubles=1))


def told(agreed: Settings, state: State, *actions: act.Action) -> tuple[State, list[facts.Fact]]:
    """The state after actions that must all succeed, and every fact on the way."""
    found: list[facts.Fact] = []
    for action in actions:
        ruling = rule(agreed, state, action)
        assert isinstance(ruling, Ruling), (action, ruling)
        state = ruling.state
        found += ruling.facts
    return state, found


def placed(agreed: Settings, text: str, turn: int = 0, cube: Cube = Cube()) -> State:  # noqa: B008 - frozen
    position = BACKGAMMON.parse(text)
    assert isinstance(position, int)
    state = set_up(agreed, position, turn, cube=cube)
    assert isinstance(state, State)
    return state


def test_facts_of_a_whole_session() -> None:
    _, found = told(
        MONEY,
        begin(MONEY),
        act.Open((4, 4, 1, 3)),
        act.MakePlay(1, "8/5 6/5"),
        act.Double(0),
        act.Beaver(1),
        act.Raccoon(0),
        act.Accept(1),
        act.RollDice(0, (1, 2)),
        act.MakePlay(0, (Step(2, 13, 11), Step(1, 6, 5))),
        act.Resign(1, 2),
        act.Accept(0),
        act.Open((6, 1)),
        act.Settle(0, Fraction(3, 2), 1),
        act.Decline(1),
        act.Settle(0, Fraction(2), 1),
        act.Accept(1),
    )
    assert found[:13] == [
        facts.OpeningThrown((0, 1), (4, 4)),
        facts.AutomaticallyDoubled(1),
        facts.OpeningThrown((0, 1), (1, 3)),
        facts.GameOpened(1, BG, 1, START),
        facts.Rolled(1, (3, 1)),
        facts.PlayMade(1, (Step(3, 8, 5), Step(1, 6, 5))),
        facts.DoubleOffered(0, 2),
        facts.Beavered(1, 3),
        facts.Raccooned(0, 4),
        facts.RaiseAccepted(1, 4),
        facts.Rolled(0, (1, 2)),
        facts.PlayMade(0, (Step(2, 13, 11), Step(1, 6, 5))),
        facts.ResignationOffered(1, 2),
    ]
    assert found[13:] == [
        facts.OfferAccepted(0),
        facts.GameEnded(
            game_number=1,
            game=BG,
            winners=(0,),
            how=facts.How.RESIGNATION,
            level=2,
            counted=2,
            exponent=4,
            points=(Fraction(32), Fraction(-32)),
            score=(Fraction(32), Fraction(-32)),
            position="24:2,13:4,11:1,8:3,6:4,5:1 24:2,13:5,8:2,6:4,5:2",
        ),
        facts.OpeningThrown((0, 1), (6, 1)),
        facts.GameOpened(2, BG, 0, START),
        facts.Rolled(0, (6, 1)),
        facts.SettlementOffered(0, Fraction(3, 2), 1),
        facts.OfferDeclined(1),
        facts.SettlementOffered(0, Fraction(2), 1),
        facts.OfferAccepted(1),
        facts.GameEnded(
            game_number=2,
            game=BG,
            winners=(1,),
            how=facts.How.SETTLEMENT,
            level=None,
            counted=0,
            exponent=0,
            points=(Fraction(-2), Fraction(2)),
            score=(Fraction(30), Fraction(-30)),
            position=START,
        ),
        facts.PlayEnded(Ended.SESSION, (), (Fraction(30), Fraction(-30))),
    ]


def test_facts_of_a_drop_a_pass_and_a_win() -> None:
    agreed = Settings(BG, MatchPlay(2))
    dropped, found = told(agreed, placed(agreed, START), act.Double(0), act.Drop(1))
    assert found[1] == facts.DoubleDropped(1, 0)
    ended = found[2]
    assert isinstance(ended, facts.GameEnded)
    assert (ended.how, ended.level, ended.counted) == (facts.How.DROP, None, 1)
    assert ended.points == (Fraction(1), Fraction(0))
    assert dropped.crawford is Crawford.NOW

    stuck = placed(agreed, "bar:1,13:5,8:3,6:6 24:2,13:5,8:2,6:6")
    _, found = told(agreed, stuck, act.RollDice(0, (6, 6)))
    assert found == [facts.Rolled(0, (6, 6)), facts.TurnPassed(0)]

    _, found = told(agreed, placed(agreed, "2:1,off:14 6:15"), act.RollDice(0, (1, 2)), act.MakePlay(0, "2/off"))
    assert found[-1] == facts.PlayEnded(Ended.MATCH, (0,), (Fraction(2), Fraction(0)))
    assert isinstance(found[-2], facts.GameEnded)
    assert (found[-2].how, found[-2].position) == (facts.How.BOARD, "off:15 6:15")


def test_6_9_a_turn_that_passes_counts_as_a_roll() -> None:
    agreed = Settings(BG, MatchPlay(5, holland=True))
    stuck = replace(placed(agreed, "bar:1,13:5,8:3,6:6 24:2,13:5,8:2,6:6"), rolls=(1, 1))
    state, _ = told(agreed, stuck, act.RollDice(0, (6, 6)))
    assert state.rolls == (2, 1)


def test_a_recorded_play_has_its_hits_marked() -> None:
    agreed = Settings(BG, MatchPlay(5))
    state = placed(agreed, "13:1,8:2,off:12 24:1,20:1,off:13")
    _, found = told(
        agreed,
        state,
        act.RollDice(0, (3, 3)),
        act.MakePlay(0, (Step(3, 8, 5),) * 2 + (Step(3, 13, 10),) + (Step(3, 10, 7),)),
    )
    assert found[1] == facts.PlayMade(0, (Step(3, 8, 5, True), Step(3, 8, 5), Step(3, 13, 10), Step(3, 10, 7)))


def test_cube_has_no_upper_bound() -> None:
    state = placed(MONEY, START, cube=Cube(200, 0))
    state, found = told(MONEY, state, act.Double(0), act.Take(1))
    assert state.cube.value == 2**201
    assert found == [facts.DoubleOffered(0, 201), facts.DoubleTaken(1, 201)]


@dataclass(frozen=True)
class AlwaysRemi(Backgammon):
    """Backgammon whose first play ends in a remi, to stand for the games that have one."""

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        return None if position == self.start() else Remi()


def test_7_4_a_remi_is_replayed_as_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def remi_game(_: Settings) -> Game:
        return AlwaysRemi()

    described = Description("always remi", range(2, 3), (), ())
    monkeypatch.setitem(registry.GAMES, GameId.CATCHGAMMON, registry.Registered(described, remi_game))
    agreed = Settings(GameId.CATCHGAMMON, MatchPlay(3))
    begun = replace(begin(agreed), score=(Fraction(2), Fraction(0)), crawford=Crawford.NOW)
    state, found = told(agreed, begun, act.Open((1, 3)), act.MakePlay(1, "8/5 6/5"))
    assert state == begun
    assert isinstance(found[-1], facts.GameEnded)
    assert found[-1].winners == ()
    assert found[-1].points == (Fraction(0), Fraction(0))
    session = Settings(GameId.CATCHGAMMON, SessionPlay(1, automatic_doubles=1))
    state, _ = told(session, begin(session), act.Open((3, 3, 1, 3)), act.MakePlay(1, "8/5 6/5"))
    assert state == begin(session)


def test_summaries() -> None:
    state = begin(MONEY)
    assert summary(state).draw == DrawNeeded(2, Purpose.OPENING, (0, 1), at_once=False)
    assert summary(state).seats_to_act == (0, 1)
    state, _ = told(MONEY, state, act.Open((2, 2)))
    assert summary(state).draw == DrawNeeded(2, Purpose.OPENING, (0, 1), at_once=True)
    state, _ = told(MONEY, state, act.Open((1, 3)))
    assert (summary(state).seats_to_act, summary(state).draw) == ((1,), None)
    state, _ = told(MONEY, state, act.MakePlay(1, "8/5 6/5"))
    assert summary(state).draw == DrawNeeded(2, Purpose.TURN, (0,), at_once=False)
    state, _ = told(MONEY, state, act.Double(0))
    assert (summary(state).seats_to_act, summary(state).draw) == ((1,), None)
    state, _ = told(MONEY, state, act.Beaver(1))
    assert summary(state).seats_to_act == (0,)
    state, _ = told(MONEY, state, act.Raccoon(0))
    assert summary(state).seats_to_act == (1,)
    state, _ = told(MONEY, state, act.Accept(1), act.Resign(1, 1))
    assert summary(state).seats_to_act == (0,)
    state, _ = told(MONEY, state, act.Accept(0), act.EndSession())
    assert (summary(state).seats_to_act, summary(state).draw) == ((), None)
    assert summary(state).over == state.over is not None


def test_legal_actions() -> None:
    state = placed(MONEY, START)
    offers = (act.Resign, act.Settle, act.OfferNoResult)
    assert legal_actions(MONEY, state, 0) == (act.RollDice, act.Double, *offers)
    assert legal_actions(MONEY, state, 1) == offers
    doubled, _ = told(MONEY, state, act.Double(0))
    assert legal_actions(MONEY, doubled, 0) == ()
    assert legal_actions(MONEY, doubled, 1) == (act.Take, act.Drop, act.Beaver)
    beavered, _ = told(MONEY, doubled, act.Beaver(1))
    assert legal_actions(MONEY, beavered, 0) == (act.Drop, act.Raccoon, act.Accept)
    rolled, _ = told(MONEY, state, act.RollDice(0, (2, 1)))
    assert legal_actions(MONEY, rolled, 0) == (act.MakePlay, *offers)
    offered, _ = told(MONEY, rolled, act.Resign(0, 1))
    assert legal_actions(MONEY, offered, 1) == (act.Accept, act.Decline)
    assert legal_actions(MONEY, offered, 0) == (act.Withdraw,)
