"""What players of the 24-point games count: pips, and the shots at a blot."""

from __future__ import annotations

from collections.abc import Sequence

from gammon_engine.play import BAR

# Rolls of 36 that bring a checker over a distance, other checkers left aside (for 7 to 12 by both dice together).
SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)


def pips(side: Sequence[int]) -> int:
    """The pips that the owner of 26 counts, indexed by own point, still has to go."""
    return sum(point * count for point, count in enumerate(side))


def opponents_pips(theirs: Sequence[int]) -> int:
    """The opponent's pips, their counts indexed by the own points."""
    return sum((BAR - point) * count for point, count in enumerate(theirs))


def shot_chance(theirs: Sequence[int], blot: int) -> float:
    """About how often the opponent's next roll reaches a point, their counts indexed by the own points."""
    missed = 1.0
    for distance in range(1, min(blot, len(SHOTS) - 1) + 1):
        if theirs[blot - distance]:
            missed *= 1 - SHOTS[distance] / 36
    return 1 - missed
