"""Where the dice come from and who acted: what this version can say of it, and what it has to leave open."""

from collections.abc import Sequence

from gammon.match.v1 import settings_pb2
from gammon_audit.envelopes import Parsed
from gammon_audit.report import Check, not_checked

DICE = "dice"
ACTORS = "actors"

_DICE = {
    settings_pb2.DICE_SOURCE_SERVICE: "fairness: the dice are the service's own source, nobody else took part",
    settings_pb2.DICE_SOURCE_RECORDED: "fairness: the dice were thrown elsewhere",
    settings_pb2.DICE_SOURCE_BGD1: "fairness: checking BGD1 is not supported yet",
}


def check_dice(parsed: Sequence[Parsed]) -> Check:
    """Whether anybody could have known or chosen the dice."""
    sources = {event.envelope.dice_drawn.source for event in parsed if event.kind == "dice_drawn"}
    if not sources:
        return not_checked(DICE, "fairness: there were no dice")
    return not_checked(DICE, "; ".join(_DICE.get(source, f"unknown source {source}") for source in sorted(sources)))


def check_actors(parsed: Sequence[Parsed]) -> Check:
    """Whether the acts are signed by their seats."""
    keys = sorted(
        {
            event.envelope.seat_taken.seat
            for event in parsed
            if event.kind == "seat_taken" and event.envelope.seat_taken.public_key
        }
    )
    if keys:
        return not_checked(ACTORS, f"who acted: checking the signatures of seats {keys} is not supported yet")
    return not_checked(ACTORS, "who acted: no seat brought a key")
