"""Where the points of a track lie in a picture: its legs are the arms of a star, its players sit between them (5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import NamedTuple

from gammon_drawing.picture import rounded

APART = 76  # between two points of a leg
BULGE = 47  # of a private point, from the middle of its leg towards its player
# From the hub to the first points of the legs, by the number of seats: two legs make one straight line.
_HUB = {2: APART / 2, 3: 80.0, 4: 112.0}
_SEATED = {2: 118.0, 3: 250.0, 4: 330.0}


class Place(NamedTuple):
    """A place in the picture; the middle of the star is at 0, 0, and y grows downwards."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Star:
    """The places of a track whose `seat` sits below. Clockwise neighbours follow each other clockwise (1.1)."""

    seats: int
    seat: int
    centres: tuple[int, ...]

    def point(self, seat: int, number: int) -> Place:
        """Point `number` of `seat`. A centre point (5.3) is in one place for both neighbours."""
        left_leg = number <= 7
        turn = self._turn(seat)
        leg = turn + (0.5 if left_leg else -0.5) * 2 * pi / self.seats
        along = _HUB[self.seats] + APART * (7 - number if left_leg else number - 8)
        aside = 0 if number in self.centres else BULGE
        towards = leg - pi / 2 if left_leg else leg + pi / 2
        x, y = along * cos(leg) + aside * cos(towards), along * sin(leg) + aside * sin(towards)
        return Place(rounded(x), rounded(y))

    def player(self, seat: int) -> Place:
        """Where the player sits."""
        turn = self._turn(seat)
        return Place(rounded(_SEATED[self.seats] * cos(turn)), rounded(_SEATED[self.seats] * sin(turn)))

    def _turn(self, seat: int) -> float:
        return pi / 2 + 2 * pi * (seat - self.seat) / self.seats
