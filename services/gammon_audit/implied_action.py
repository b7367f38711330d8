"""The action that a stored fact is the first consequence of."""

from fractions import Fraction

from gammon.rules.v1 import fact_pb2
from gammon_engine.referee import actions as act
from gammon_engine.referee.state import State
from gammon_wire import words
from gammon_wire.plays import steps_from_proto
from gammon_wire.points import points_from_proto


def implied_action(fact: fact_pb2.Fact, state: State) -> act.Action | str:
    """The action, or why no action can lead to this fact first. A throw is implied by its dice, not by a fact."""
    kind = fact.WhichOneof("kind")
    match kind:
        case "play_made":
            return act.MakePlay(fact.play_made.seat, steps_from_proto(fact.play_made.steps))
        case "illegal_play_recorded":
            recorded = fact.illegal_play_recorded
            return act.RecordPlay(recorded.seat, steps_from_proto(recorded.steps), recorded.position)
        case "double_offered":
            return act.Double(fact.double_offered.seat)
        case "double_taken":
            return act.Take(fact.double_taken.seat)
        case "double_dropped":
            return act.Drop(fact.double_dropped.seat)
        case "beavered":
            return act.Beaver(fact.beavered.seat)
        case "raccooned":
            return act.Raccoon(fact.raccooned.seat)
        case "raise_accepted":
            return act.Accept(fact.raise_accepted.seat)
        case "offer_made":
            return _offer(fact.offer_made)
        case "offer_closed":
            closed = fact.offer_closed
            if closed.withdrawn:
                return act.Withdraw(closed.seat)
            return act.Accept(closed.seat) if closed.accepted else act.Decline(closed.seat)
        case "forfeited":
            forfeited = fact.forfeited
            scope = words.SCOPE_OF.get(forfeited.forfeit.scope)
            if forfeited.lapse:
                return act.Lapse(forfeited.seat)
            if scope is None:
                return "a forfeit has no scope"
            return act.Forfeit(forfeited.seat, scope, forfeited.forfeit.level or None)
        case "game_chosen":
            game = words.GAME_OF.get(fact.game_chosen.game)
            return "no such game" if game is None else act.Choose(fact.game_chosen.seat, game)
        case "stayed":
            return act.Stay(fact.stayed.seat)
        case "seat_left":
            return act.Leave(fact.seat_left.seat)
        case "score_set":
            return act.SetScore(points_from_proto(fact.score_set.score), fact.score_set.crawford_played)
        case "game_ended" if fact.game_ended.end == fact_pb2.GAME_END_VOIDED:
            return act.VoidGame()
        case "play_ended":
            return act.EndSession()
    return f"{kind or 'an unknown fact'} follows from nothing in phase {state.phase.value}"


def _offer(made: fact_pb2.OfferMade) -> act.Action | str:
    match made.WhichOneof("offer"):
        case "resign":
            return act.Resign(made.seat, made.resign.level)
        case "settle":
            return act.Settle(made.seat, Fraction(made.settle.points), made.settle.to_seat)
        case "no_result":
            return act.OfferNoResult(made.seat)
    return "an offer of this kind is not known here"
