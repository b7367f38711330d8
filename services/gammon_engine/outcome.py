"""How a turn can end the game on the board, or bring its end near."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Win:
    """`seat` has won; `level` is 1 single, 2 gammon, 3 backgammon or its like (2.4, 3.5, 4.6)."""

    seat: int
    level: int


@dataclass(frozen=True, slots=True)
class Remi:
    """Nobody can win; the game is replayed (3.6, 4.7, 7.4)."""


@dataclass(frozen=True, slots=True)
class Finished:
    """`seat` has all its discs on 14; who still has a turn in this round may do the same (5.13, 5.14)."""

    seat: int


Outcome = Win | Remi | Finished
