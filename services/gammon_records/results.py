"""What a written result means for a game that was not played to its end: at which level it was given up."""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class WrittenResult:
    """A result as a record has it: the winning seat, the points (0: not said), whether it ends the match, its line."""

    winner: int
    points: int
    ends_match: bool
    line: int


def level_of(points: int, cube: int, needed: int | None) -> int | None:
    """The level at which a game with this cube is worth these points; None if it is at none.

    `needed`: what the winner still needs for the match (None in money play). Several programs write no more than that,
    and one writes a hundred where somebody left; both stand for the lowest level that ends the match.
    """
    for level in LEVELS:
        if points == cube * level:
            return level
    if needed is not None and points >= needed:
        return next((level for level in LEVELS if cube * level >= needed), None)
    return None
