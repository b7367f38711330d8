"""Position text of a 24-point game with traps and without a bar (9.1)."""

from __future__ import annotations

from gammon_engine.board24 import POINTS, SEATS
from gammon_engine.board24_text import TRAPPED, parse_sides, side_text
from gammon_engine.play import BAR
from gammon_engine.position import Position
from gammon_engine.trap_board24 import counts, pack
from gammon_engine.violation import Violation


def position_text(position: Position) -> str:
    """The text of a position, seat 0 first, such as `24:14,18:1t 24:13,7:2`."""
    return " ".join(side_text(counts(position, seat)) for seat in SEATS)


def parse_position(text: str, checkers: int) -> Position | Violation:
    """Read a position with `checkers` checkers a seat. Refuses what breaks 9.1, 9.3, or has a bar (3.2)."""
    parsed = parse_sides(text, checkers, traps=True)
    if isinstance(parsed, Violation):
        return parsed
    first, second = parsed
    if first[BAR] or second[BAR]:
        return Violation("3.2", "there is no bar in this game", "position", text)
    for point in POINTS:
        own, other = first[point], second[25 - point]
        if TRAPPED in (own, other):
            if own == other or not (own and other):
                reason = f"the trapped checker on point {point} of seat 0 needs an opposing one on top"
                return Violation("9.3", reason, "position", text)
        elif own and other:
            return Violation("9.3", f"point {point} of seat 0 is held by both seats", "position", text)
    return pack(first, second)
