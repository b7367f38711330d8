"""How much of a match somebody may see: the one rule for reading, listing and watching it."""

from dataclasses import dataclass

from gammon_match.core.events import Status
from gammon_match.core.match import Match
from gammon_match.core.terms import Spectators

# The creation with its settings: nothing has been played by then.
CREATION = 1


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks. `official`: an operator, auditor or service, from whom nothing is hidden."""

    player: str
    official: bool = False


def is_trusted(viewer: Viewer, match: Match) -> bool:
    """Whether somebody sees the match as those do who play it: an official, or who holds a seat now."""
    return viewer.official or match.seat_of(viewer.player) is not None


def seen_up_to(viewer: Viewer, match: Match, policy: Spectators, delay: int) -> int | None:
    """The last sequence that a viewer may see of a match, at its last batch end; None: nothing of it.

    While seats are open everybody sees everything: one must be able to read what one is to accept.
    """
    head = match.batch_sequence
    if policy is Spectators.LIVE or match.status is Status.SEATING or is_trusted(viewer, match):
        return head
    if policy is Spectators.OFF:
        return None
    return head if match.status is Status.CLOSED else max(head - delay, CREATION)
