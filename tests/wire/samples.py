"""One action and one fact of each kind at least, with values that differ from what is left out."""

from fractions import Fraction

from gammon_engine.play import Step
from gammon_engine.referee import actions as act
from gammon_engine.referee import facts as fact
from gammon_engine.referee.actions import Scope
from gammon_engine.referee.facts import How
from gammon_engine.referee.state import Ended
from gammon_engine.settings import GameId
from gammon_engine.violation import Violation

PLAY = (Step(6, 24, 18), Step(5, 25, 20, hit=True), Step(1, 1, 0), Step(2, 3, 5, piece=4))
POSITION = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
THIRDS = (Fraction(2, 3), Fraction(1, 3), Fraction(-1))

ACTIONS: tuple[act.Action, ...] = (
    act.Open((3, 3, 5, 1)),
    act.Open(()),
    act.RollDice(0, (1, 6)),
    act.MakePlay(1, PLAY),
    act.MakePlay(0, ()),
    act.MakePlay(0, "8/5 6/5"),
    act.MakePlay(0, ""),
    act.Double(0),
    act.Take(1),
    act.Drop(0),
    act.Beaver(1),
    act.Raccoon(0),
    act.Accept(0),
    act.Decline(1),
    act.Resign(1, 3),
    act.Resign(0, 0),
    act.Settle(0, Fraction(7), 1),
    act.Settle(0, Fraction(0), 0),
    act.OfferNoResult(1),
    act.Withdraw(2),
    act.Choose(1, GameId.RUNGAMMON),
    act.Stay(2),
    act.Leave(3),
    act.Forfeit(1, Scope.GAME, 2),
    act.Forfeit(0, Scope.MATCH),
    act.Lapse(0),
    act.RecordPlay(1, PLAY, POSITION),
    act.RecordPlay(0, (), ""),
    act.EndSession(),
    act.VoidGame(),
    act.SetScore((Fraction(3), Fraction(0)), crawford_played=True),
    act.SetScore(THIRDS),
    act.SetScore(()),
)

FACTS: tuple[fact.Fact, ...] = (
    fact.OpeningThrown((0, 1), (3, 3)),
    fact.OpeningThrown((0, 2, 3), (6, 1, 2)),
    fact.AutomaticallyDoubled(1),
    fact.GameOpened(2, GameId.CATCHGAMMON, 1, POSITION),
    fact.Rolled(0, (1, 6)),
    fact.PlayMade(1, PLAY),
    fact.PlayMade(0, ()),
    fact.IllegalPlayRecorded(1, PLAY, POSITION, Violation("1.4", "a number is left", "play", "8/5")),
    fact.TurnPassed(0),
    fact.DoubleOffered(0, 1),
    fact.DoubleTaken(1, 1),
    fact.DoubleDropped(0, 0),
    fact.Beavered(1, 2),
    fact.Raccooned(0, 3),
    fact.RaiseAccepted(1, 3),
    fact.Stayed(2, 1),
    fact.SeatLeft(3, Fraction(4)),
    fact.GameChosen(1, GameId.CATCHGAMMON),
    fact.ResignationOffered(0, 3),
    fact.SettlementOffered(1, Fraction(4), 0),
    fact.SettlementOffered(0, Fraction(0), 0),
    fact.NoResultOffered(0),
    fact.OfferAccepted(0),
    fact.OfferDeclined(0),
    fact.OfferWithdrawn(0),
    fact.Forfeited(0, 3, lapse=True),
    fact.Forfeited(1, None, lapse=False),
    fact.ScoreSet(THIRDS, crawford_played=False),
    fact.ScoreSet((Fraction(4), Fraction(0)), crawford_played=True),
    fact.GameEnded(1, GameId.BACKGAMMON, (1,), How.BOARD, 3, 1, 2, (Fraction(-4), Fraction(4)), THIRDS[:2], POSITION),
    fact.GameEnded(2, GameId.CATCHGAMMON, (), How.BOARD, None, 0, 0, (Fraction(0),) * 2, THIRDS[:2], POSITION),
    *(fact.GameEnded(3, GameId.TRACKGAMMON, (0, 1), how, 1, 1, 4, THIRDS, THIRDS[::-1], POSITION) for how in How),
    *(
        fact.GameEnded(3, GameId.BACKGAMMON, (), how, None, 0, 2, (Fraction(0),) * 2, THIRDS[:2], POSITION)
        for how in (How.AGREEMENT, How.VOID)
    ),
    fact.PlayEnded(Ended.MATCH, (1,), (Fraction(3), Fraction(5))),
    fact.PlayEnded(Ended.SESSION, (), THIRDS),
)
