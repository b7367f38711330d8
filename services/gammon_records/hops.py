"""The hops of a written play, carried out as they stand: what a record goes on with, legal or not."""

from __future__ import annotations

import re
from itertools import pairwise

from gammon_engine.board24 import pack, sides
from gammon_engine.play import BAR, OFF, Play, Step
from gammon_engine.position import Position

_POINT = r"(?:bar|off|\d{1,2})"
_HOP = re.compile(rf"({_POINT}(?:\*?/{_POINT})+)\*?(?:\(([1-9])\))?", re.IGNORECASE)
_NAMES = {"bar": BAR, "off": OFF}


def read_hops(text: str) -> tuple[tuple[int, ...], ...] | None:
    """The points that each checker passes, origin first, in the mover's numbering; None where the text is no play.

    `8/5(2)` is two checkers. Whether a hit is marked does not matter: who lands on a blot hits it.
    """
    ways: list[tuple[int, ...]] = []
    for word in text.split():
        found = _HOP.fullmatch(word)
        if found is None:
            return None
        names = found.group(1).replace("*", "").lower().split("/")
        points = tuple(_NAMES[name] if name in _NAMES else int(name) for name in names)
        if max(points) > BAR:
            return None
        ways.extend([points] * int(found.group(2) or 1))
    return tuple(ways)


def carry_out(position: Position, seat: int, ways: tuple[tuple[int, ...], ...]) -> tuple[Position, Play] | str:
    """The position after the hops, and the hops as steps with their hits; or why there is no such position.

    A step's number is the distance it went, whatever the dice.
    """
    mine, theirs = map(list, sides(position, seat))
    play = []
    for way in ways:
        for origin, target in pairwise(way):
            if origin == OFF or not mine[origin]:
                return f"there is no checker on {_name(origin)}"
            on_board = OFF < target < BAR
            if on_board and theirs[target] > 1:
                return f"point {target} is held by the opponent"
            hit = on_board and theirs[target] == 1
            mine[origin] -= 1
            mine[target] += 1
            if hit:
                theirs[target] -= 1
                theirs[0] += 1  # their bar
            play.append(Step(abs(origin - target), origin, target, hit))
    flipped = theirs[::-1]
    return (pack(flipped, mine) if seat else pack(mine, flipped)), tuple(play)


def own_side(position: Position, seat: int) -> bytes:
    """The seat's own checkers by point."""
    return sides(position, seat)[0]


def own_side_after(position: Position, seat: int, ways: tuple[tuple[int, ...], ...]) -> bytes | None:
    """The seat's own checkers by point after the hops, whatever stands in their way; None where one is missing."""
    mine = bytearray(sides(position, seat)[0])
    for way in ways:
        for origin, target in pairwise(way):
            if origin == OFF or not mine[origin]:
                return None
            mine[origin] -= 1
            mine[target] += 1
    return bytes(mine)


def _name(point: int) -> str:
    return "the bar" if point == BAR else "off" if point == OFF else f"point {point}"
