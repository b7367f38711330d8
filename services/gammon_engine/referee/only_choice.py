"""What a seat on turn does where nothing is left to choose."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_engine.play import Play
from gammon_engine.referee.actions import Double
from gammon_engine.referee.rule import rule
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation


@dataclass(frozen=True, slots=True)
class OnlyChoice:
    """All that `seat` can do on its turn but leave, resign or offer something.

    `play`: the only legal one (1.4, 1.9); None: to roll, as it may not double (6.1, 6.4, 6.9, 6.10, 7.2).
    """

    seat: int
    play: Play | None


def only_choice(settings: Settings, state: State) -> OnlyChoice | None:
    """The only choice of the seat on turn; None: there are several, or nobody is on turn.

    A cube that can do its owner no good may still be turned, so it is a choice.
    """
    seat = state.turn
    if seat is None:
        return None
    if state.phase is Phase.TO_ROLL:
        may_double = not isinstance(rule(settings, state, Double(seat)), Violation)
        return None if may_double else OnlyChoice(seat, None)
    if state.phase is Phase.TO_PLAY and state.dice is not None:
        plays = game_of(settings, state.playing).legal_plays(state.position, seat, state.dice)
        return OnlyChoice(seat, plays.way(next(iter(plays)))) if len(plays) == 1 else None
    return None
