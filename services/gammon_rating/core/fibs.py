"""The FIBS rating formula for two players, as backgammon players know it. Pure."""

from dataclasses import dataclass
from math import sqrt

NAME = "fibs/1"
START = 1500.0
# A player below this experience moves faster: K falls from 5 to 1.
RAMP = 400
FASTEST = 5.0
SLOPE = 100.0
SPREAD = 2000.0
STEP = 4.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's number, and the sum of the lengths of the matches it comes from."""

    value: float = START
    experience: int = 0


def rate(winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
    """Both ratings after a match of `length` points, each from the values before it.

    The chance of an upset is 1 / (10 ** (D * sqrt(n) / 2000) + 1), D the difference; a player moves by
    4 * K * sqrt(n) times the chance that this result had against it, K from 5 down to 1 over the first 400 points.
    """
    root = sqrt(length)
    lost_chance = 1.0 / (10.0 ** ((winner.value - loser.value) * root / SPREAD) + 1.0)
    move = STEP * root * lost_chance
    return (
        Rating(winner.value + _ramp(winner) * move, winner.experience + length),
        Rating(loser.value - _ramp(loser) * move, loser.experience + length),
    )


def reverse(now: Rating, before: Rating, after: Rating) -> Rating:
    """A rating without what a unit that no longer holds gave or took, whatever came after it."""
    value = before.value if now.value == after.value else now.value - (after.value - before.value)
    return Rating(value, now.experience - (after.experience - before.experience))


def _ramp(rating: Rating) -> float:
    return max(1.0, FASTEST - rating.experience / SLOPE) if rating.experience < RAMP else 1.0
