"""The referee's answer."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_engine.referee.facts import Fact
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import MatchPlay, Settings
from gammon_engine.violation import Violation


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an action led to: the state after it, and what it established, in order."""

    state: State
    facts: tuple[Fact, ...]


_WAITS_FOR = {
    Phase.CHOOSING: ("7.6", "the next game is still to be chosen"),
    Phase.OPENING: ("1.7", "the opening throw comes first"),
    Phase.TO_ROLL: ("1.3", "the player on turn is to roll"),
    Phase.TO_PLAY: ("1.3", "the roll is to be played"),
    Phase.DOUBLED: ("6.2", "the double must be answered first"),
    Phase.BEAVERED: ("6.6", "the beaver must be answered first"),
    Phase.RACCOONED: ("6.7", "the raccoon must be answered first"),
    Phase.RESIGNING: ("8.1", "the offer must be answered first"),
    Phase.SETTLING: ("8.6", "the settlement must be answered first"),
}


def out_of_phase(settings: Settings, state: State) -> Violation:
    """The refusal of an action that the present phase has no place for."""
    if state.phase is Phase.OVER:
        if isinstance(settings.play, MatchPlay):
            return Violation("7.1", "the match is over", "phase", "over")
        return Violation("7.3", "the session is over", "phase", "over")
    rule, reason = _WAITS_FOR[state.phase]
    return Violation(rule, reason, "phase", state.phase.value)


def not_yours(rule: str, reason: str, seat: int) -> Violation:
    """The refusal of an action that is another seat's."""
    return Violation(rule, reason, "seat", str(seat))
