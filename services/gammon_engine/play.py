"""Dice, steps and plays: the words every game shares (rules.md 1.1)."""

from __future__ import annotations

from typing import NamedTuple

# The end points of a step in the 24-point games, in the mover's numbering (1.2).
BAR = 25
OFF = 0

# Two numbers from 1 to 6, in the order they were thrown.
Roll = tuple[int, int]


class Step(NamedTuple):
    """One piece moved by one number.

    `origin` and `target` are points of the mover: 1 to 24, BAR, OFF; in Trackgammon 1 to 14.
    `hit` says that the step hit, trapped or captured. In a submitted step False claims nothing.
    `piece` is the disc in Trackgammon (1 to 5), else 0.
    """

    number: int
    origin: int
    target: int
    hit: bool = False
    piece: int = 0


# The steps of one turn in the order they are played; empty when no step is legal (1.5).
Play = tuple[Step, ...]
