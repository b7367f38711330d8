"""Who may have caused what: a seat acts for itself, an operator for a match played elsewhere or by a ruling."""

from typing import assert_never

from gammon.match.v1 import events_pb2
from gammon_engine.referee.actions import (
    Action,
    EndSession,
    Forfeit,
    Lapse,
    Open,
    RecordPlay,
    SetScore,
    VoidGame,
)

# No act of a seat: rules 1.11, 7.3, 8.3 to 8.5, and plays against the law.
RULINGS = (EndSession, Forfeit, Lapse, RecordPlay, SetScore, VoidGame)
# What the service itself may do: a flag falls, an open session ends.
BY_ITSELF = (EndSession, Lapse)


def actor_fault(actor: events_pb2.Actor, action: Action, imported: bool) -> str:
    """Why this actor cannot have caused an action; empty if it can. Signatures are another check's."""
    ruled = isinstance(action, RULINGS)
    kind = actor.WhichOneof("kind")
    match kind:
        case "seat":
            if ruled:
                return f"seat {actor.seat} made a ruling"
            # Any seat may ask for an opening throw; the draw has said which.
            if isinstance(action, Open | EndSession | SetScore | VoidGame):
                return ""
            return "" if action.seat == actor.seat else f"seat {actor.seat} acts for seat {action.seat}"
        case "operator":
            return "" if imported or ruled else "an operator acts for a seat"
        case "system":
            return "" if isinstance(action, BY_ITSELF) else "the service acts for a seat"
        case "player":
            return "a player acts without a seat"
        case None:
            return "nobody acts"
        case _:
            assert_never(kind)


def is_directed(actor: events_pb2.Actor, action: Action, imported: bool) -> bool:
    """Whether an action is a director's ruling, which an event with its reason comes before."""
    return isinstance(action, RULINGS) and actor.HasField("operator") and not imported


def reason_fault(reason: int) -> str:
    """Why this is no reason of a director; empty if it is."""
    known = reason in events_pb2.DirectorReason.values() and reason != events_pb2.DIRECTOR_REASON_UNSPECIFIED
    return "" if known else f"a director ruled for the unknown reason {reason}"


def asker_fault(actor: events_pb2.Actor, seat: int | None, imported: bool) -> str:
    """Why this actor cannot have asked for dice for a seat; None: they are thrown without anybody asking."""
    match actor.WhichOneof("kind"):
        case "seat":
            return "" if seat in (None, actor.seat) else f"seat {actor.seat} asks for the dice of seat {seat}"
        case "operator" if imported:
            return ""
        case "system" if seat is None:
            return ""
        case kind:
            return f"these dice cannot be asked for by {'nobody' if kind is None else f'the {kind}'}"
