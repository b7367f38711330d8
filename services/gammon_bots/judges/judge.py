"""What a bot asks of somebody who knows a game."""

from __future__ import annotations

from math import exp
from typing import Protocol

from gammon_engine.position import Position

# Being on roll is worth half a roll.
ON_ROLL = 4.0


class Judge(Protocol):
    """Looks at a position as a player does, without looking ahead."""

    def value(self, position: Position, seat: int) -> float:
        """How good the position is for `seat` when the next seat is to roll. Only differences mean something."""

    def chance(self, position: Position, seat: int) -> float:
        """A guess, from 0 to 1, of how often `seat` wins when it is on roll."""


def chance_of_lead(lead: float, pips: int, spread: float) -> float:
    """How often a lead of `lead` pips wins with `pips` still to go, of which luck takes `spread` back."""
    return 1 / (1 + exp(-(lead + ON_ROLL) / (spread * pips + 1)))
