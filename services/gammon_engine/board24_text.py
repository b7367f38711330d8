"""Position text of the 24-point games (9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from gammon_engine.board24 import SEATS, pack, sides
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position
from gammon_engine.violation import Violation

# Stands in the counts of a side for one checker that is trapped, `1t` in text.
TRAPPED = 16

_NAMES = ("off", *map(str, range(1, 25)), "bar")
_POINT_OF = {name: point for point, name in enumerate(_NAMES)}
_COUNTS = (*map(str, range(16)), "1t")
_COUNT_OF = {name: count for count, name in enumerate(_COUNTS) if count}
# The order of the text: bar, the points from the highest, off.
_ORDER = tuple((point, f"{_NAMES[point]}:") for point in (*range(25, 0, -1), OFF))


def position_text(position: Position) -> str:
    """The text of a position, seat 0 first, such as `24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5`."""
    return " ".join(side_text(sides(position, seat)[0]) for seat in SEATS)


def side_text(counts: Sequence[int]) -> str:
    """The text of one side: 26 counts in its own numbering, off first and the bar last, or TRAPPED."""
    return ",".join([name + _COUNTS[counts[point]] for point, name in _ORDER if counts[point]])


def parse_position(text: str, checkers: int) -> Position | Violation:
    """Read a position with `checkers` checkers a seat. Refuses what breaks 9.1 or 9.3."""
    parsed = parse_sides(text, checkers)
    if isinstance(parsed, Violation):
        return parsed
    first, second = parsed
    for point in range(1, 25):
        if first[point] and second[25 - point]:
            return _wrong("9.3", f"point {point} of seat 0 is held by both seats", text)
    return pack(first, second)


def parse_sides(text: str, checkers: int, *, traps: bool = False) -> tuple[list[int], list[int]] | Violation:
    """Read both sides as `side_text` writes them, TRAPPED only with `traps`. Refuses what breaks 9.1, and wrong totals.

    Which points the seats may share is the game's to say.
    """
    halves = text.split(" ")
    if len(halves) != 2:
        return _wrong("9.1", "a position has two seats, separated by one space", text)
    first = _parse_side(halves[0], checkers, traps)
    if isinstance(first, Violation):
        return first
    second = _parse_side(halves[1], checkers, traps)
    if isinstance(second, Violation):
        return second
    return first, second


def _parse_side(text: str, checkers: int, traps: bool) -> list[int] | Violation:
    counts = [0] * 26
    last = BAR + 1
    for pair in text.split(","):
        name, colon, number = pair.partition(":")
        point = _POINT_OF.get(name)
        count = _COUNT_OF.get(number)
        if point is None or not colon or count is None:
            return _wrong("9.1", "expected point:count, with bar, 24 to 1 or off and a count from 1 to 15", pair)
        if count == TRAPPED and not (traps and OFF < point < BAR):
            return _wrong("9.1", "1t is for a point, and for games in which checkers are trapped", pair)
        if point >= last:
            return _wrong("9.1", "bar comes first, then the points from the highest, each once, then off", text)
        counts[point] = count
        last = point
    total = sum(1 if count == TRAPPED else count for count in counts)
    if total != checkers:
        return _wrong("9.3", f"{total} checkers where a seat has {checkers}", text)
    return counts


def _wrong(rule: str, reason: str, value: str) -> Violation:
    return Violation(rule, reason, "position", value)
