"""Position text of the 24-point games without traps (9.1)."""

from __future__ import annotations

from gammon_engine.board24 import SEATS, pack, sides
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position
from gammon_engine.violation import Violation

_NAMES = ("off", *map(str, range(1, 25)), "bar")
_POINT_OF = {name: point for point, name in enumerate(_NAMES)}
_COUNT_OF = {str(count): count for count in range(1, 16)}
# The order of the text: bar, the points from the highest, off.
_ORDER = tuple((point, f"{_NAMES[point]}:") for point in (*range(25, 0, -1), OFF))


def position_text(position: Position) -> str:
    """The text of a position, seat 0 first, such as `24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5`."""
    return " ".join(
        ",".join([f"{name}{mine[point]}" for point, name in _ORDER if mine[point]])
        for mine in (sides(position, seat)[0] for seat in SEATS)
    )


def parse_position(text: str, checkers: int) -> Position | Violation:
    """Read a position with `checkers` checkers a seat. Refuses what breaks 9.1 or 9.3."""
    halves = text.split(" ")
    if len(halves) != 2:
        return _wrong("9.1", "a position has two seats, separated by one space", text)
    first = _parse_side(halves[0], checkers)
    if isinstance(first, Violation):
        return first
    second = _parse_side(halves[1], checkers)
    if isinstance(second, Violation):
        return second
    for point in range(1, 25):
        if first[point] and second[25 - point]:
            return _wrong("9.3", f"point {point} of seat 0 is held by both seats", text)
    return pack(first, second)


def _parse_side(text: str, checkers: int) -> list[int] | Violation:
    counts = [0] * 26
    last = BAR + 1
    for pair in text.split(","):
        name, colon, number = pair.partition(":")
        point = _POINT_OF.get(name)
        count = _COUNT_OF.get(number)
        if point is None or not colon or count is None:
            return _wrong("9.1", "expected point:count, with bar, 24 to 1 or off and a count from 1 to 15", pair)
        if point >= last:
            return _wrong("9.1", "bar comes first, then the points from the highest, each once, then off", text)
        counts[point] = count
        last = point
    if sum(counts) != checkers:
        return _wrong("9.3", f"{sum(counts)} checkers where a seat has {checkers}", text)
    return counts


def _wrong(rule: str, reason: str, value: str) -> Violation:
    return Violation(rule, reason, "position", value)
