"""What a bot does at a given state."""

from __future__ import annotations

from typing import assert_never

from gammon.rules.v1 import action_pb2 as pb
from gammon.rules.v1 import play_pb2
from gammon_bots.cube import doubles, takes
from gammon_bots.evaluation import evaluate
from gammon_engine.play import Play
from gammon_engine.referee import actions as act
from gammon_engine.referee import legal_actions
from gammon_engine.referee.state import NoResult, Phase, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_wire.plays import steps_to_proto


def decide(settings: Settings, state: State, seat: int) -> pb.Action:
    """The act of `seat`, which is one of the seats to act. Dice are left to the service.

    Raises:
        ValueError: nothing is left to decide, or a choice that bots do not know yet.
    """
    match state.phase:
        case Phase.OPENING:
            return pb.Action(roll=pb.Roll())
        case Phase.TO_ROLL:
            may_double = act.Double in legal_actions(settings, state, seat)
            if may_double and doubles(settings, state, seat):
                return pb.Action(double=pb.OfferDouble())
            return pb.Action(roll=pb.Roll())
        case Phase.TO_PLAY:
            steps = play_pb2.Play(steps=steps_to_proto(best_play(settings, state, seat)))
            return pb.Action(play=pb.MakePlay(steps=steps))
        case Phase.DOUBLED:
            if takes(settings, state, seat):
                return pb.Action(take=pb.Take())
            return pb.Action(drop=pb.Drop())
        case Phase.BEAVERED | Phase.RACCOONED:
            return pb.Action(accept=pb.Accept())
        case Phase.RESIGNING:
            plays_on = isinstance(state.offer, NoResult)
            return pb.Action(decline=pb.Decline()) if plays_on else pb.Action(accept=pb.Accept())
        case Phase.SETTLING:
            offer = state.offer
            gains = isinstance(offer, Settlement) and offer.to == seat and offer.points > 0
            return pb.Action(accept=pb.Accept()) if gains else pb.Action(decline=pb.Decline())
        case Phase.CHOOSING | Phase.OVER:
            raise ValueError(f"phase: {state.phase.value} asks a bot for nothing that it can do")
        case _:
            assert_never(state.phase)


def best_play(settings: Settings, state: State, seat: int) -> Play:
    """The legal play with the best board after it."""
    assert state.dice is not None, "a state in phase to_play has its dice"
    plays = game_of(settings, state.playing).legal_plays(state.position, seat, state.dice)
    # Sorted, so that equal boards give the same choice everywhere.
    return plays.way(max(plays, key=lambda result: evaluate(result, seat)))
