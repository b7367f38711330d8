"""What a game is worth, and when there is a cube at all (rules.md section 6)."""

from __future__ import annotations

from fractions import Fraction

from gammon_engine.referee.state import State
from gammon_engine.settings import MatchPlay, SessionPlay, Settings


def cube_is_used(settings: Settings) -> bool:
    """Whether games of this match or session have a cube; a match to 1 has none (6.4)."""
    return settings.cube and not (isinstance(settings.play, MatchPlay) and settings.play.points == 1)


def has_crawford(settings: Settings) -> bool:
    """Whether this match has a Crawford game at some time (7.2)."""
    return isinstance(settings.play, MatchPlay) and settings.play.crawford and settings.play.points > 1


def counted_level(settings: Settings, state: State, level: int) -> int:
    """What a win at `level` multiplies the stake by: 1 under Jacoby without a taken double (6.3, 6.5)."""
    jacoby = isinstance(settings.play, SessionPlay) and settings.play.jacoby
    return 1 if jacoby and not state.raised else level


def points_for(settings: Settings, winner: int, amount: Fraction) -> tuple[Fraction, ...]:
    """What the win of `amount` by one of two seats adds to the score (7.3)."""
    return _as_score(settings, tuple(amount if seat == winner else -amount for seat in range(settings.seats)))


def shares(settings: Settings, state: State, winners: tuple[int, ...]) -> tuple[Fraction, ...]:
    """What each seat's score gains: who is still in and has not won pays the stake, the winners share all (6.12)."""
    stake = Fraction(state.cube.value)
    paid = [own if seat in winners or seat not in state.seats_in else stake for seat, own in enumerate(state.paid)]
    share = sum(paid, Fraction(0)) / len(winners)
    return _as_score(settings, tuple(share if seat in winners else -own for seat, own in enumerate(paid)))


def _as_score(settings: Settings, net: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """In a match a score is the points won, in a session the net points (7.3)."""
    return tuple(max(own, Fraction(0)) for own in net) if isinstance(settings.play, MatchPlay) else net
