"""A position as plain data for whoever draws it: what stands where, and nothing about how a game packs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pile:
    """`count` checkers of `seat` on one another."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class GammonBoard:
    """A board of 24 points in the numbering of seat 0 (1.2).

    `points[p]` are the piles on point p from the bottom up, two where a checker is trapped; entry 0 is empty.
    `bar` and `off` count checkers a seat. `other[p]` is the number that seat 1 gives to point p of seat 0; entry 0 is
    0.
    """

    points: tuple[tuple[Pile, ...], ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    other: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrackBoard:
    """A track of two to four legs (5.2).

    `discs[seat][size - 1]` is the point of a disc in its owner's numbering, 1 to 14. `centres` are the points that two
    neighbours share (5.3).
    """

    discs: tuple[tuple[int, ...], ...]
    centres: tuple[int, ...]


View = GammonBoard | TrackBoard
