"""How a game can end on the board."""

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


Outcome = Win | Remi
