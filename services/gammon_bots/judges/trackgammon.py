"""Trackgammon: the way that each player's discs still have to go, the largest first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp

from gammon_bots.judges.judge import ON_ROLL
from gammon_engine.game import Game
from gammon_engine.position import Position
from gammon_engine.track import LAST, SIZES, own_of

# A disc that is not home needs a step that fits, whatever its distance.
NOT_HOME = 3.0
# One that is home before a larger one must come out again (5.7, 5.11).
IN_THE_WAY = 14.0
# The largest have to enter first (5.11), and are stopped the most (5.7): their way weighs more, by this for each size.
WEIGHT_A_SIZE = 0.12
# What an opponent has lost on the way is a gain, shared with the others.
OPPONENTS_SHARE = 0.7
SPREAD = 0.15
_DISC = 0xF


@dataclass(frozen=True, slots=True)
class TrackgammonJudge:
    """Knows Trackgammon for any number of seats."""

    game: Game

    def value(self, position: Position, seat: int) -> float:
        """In pips."""
        others = sum(_way(own_of(position, other)) for other in range(self.game.seats) if other != seat)
        return OPPONENTS_SHARE * others / (self.game.seats - 1) - _way(own_of(position, seat))

    def chance(self, position: Position, seat: int) -> float:
        """By the ways of all, the others as if they had not left."""
        ways = [_way(own_of(position, other)) for other in range(self.game.seats)]
        ways[seat] -= ON_ROLL
        spread = SPREAD * sum(ways) / len(ways) + 1
        shares = [exp((min(ways) - way) / spread) for way in ways]
        return shares[seat] / sum(shares)


@lru_cache(maxsize=1 << 16)
def _way(own: int) -> float:
    """How far the discs of one seat still have to go, in pips."""
    way = 0.0
    all_home = True
    for size in reversed(SIZES):
        point = own >> 4 * (size - 1) & _DISC
        if point < LAST:
            way += NOT_HOME + (LAST - point) * (1 + WEIGHT_A_SIZE * size)
            all_home = False
        elif not all_home:
            way += IN_THE_WAY
    return way
