"""A board of the 24-point games as plain text for a terminal, at most 80 columns wide."""

from __future__ import annotations

from gammon_engine.board24 import sides
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position

# One letter a seat, whoever looks.
MEN = ("X", "O")

_ROWS = 5
_LEFT_ABOVE, _RIGHT_ABOVE = range(13, 19), range(19, 25)
_LEFT_BELOW, _RIGHT_BELOW = range(12, 6, -1), range(6, 0, -1)


def draw_board(position: Position, seat: int) -> str:
    """The board as `seat` sees it: its own points numbered, its home below on the right.

    Checkers are X for seat 0 and O for seat 1. A stack of more than five shows its count on the fifth row.
    Both bars stand in the middle, the opponent's above; borne-off checkers on the right.
    """
    mine, theirs = sides(position, seat)
    own, other = MEN[seat], MEN[1 - seat]
    stacks = {point: (own, mine[point]) if mine[point] else (other, theirs[point]) for point in range(1, 25)}
    above = [
        _row([stacks[p] for p in _LEFT_ABOVE], (other, theirs[0]), [stacks[p] for p in _RIGHT_ABOVE], row)
        for row in range(_ROWS)
    ]
    below = [
        _row([stacks[p] for p in _LEFT_BELOW], (own, mine[BAR]), [stacks[p] for p in _RIGHT_BELOW], row)
        for row in reversed(range(_ROWS))
    ]
    above[0] += _borne_off(other, theirs[25])
    below[-1] += _borne_off(own, mine[OFF])
    edge = f"+{'-' * 24}+---+{'-' * 24}+"
    middle = f"|{' ' * 24}|BAR|{' ' * 24}|"
    lines = [
        _numbers(_LEFT_ABOVE, _RIGHT_ABOVE),
        edge,
        *above,
        middle,
        *below,
        edge,
        _numbers(_LEFT_BELOW, _RIGHT_BELOW),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _numbers(left: range, right: range) -> str:
    return " " + "".join(f"{p:^4}" for p in left) + "     " + "".join(f"{p:^4}" for p in right)


def _row(left: list[tuple[str, int]], bar: tuple[str, int], right: list[tuple[str, int]], row: int) -> str:
    halves = ["".join(f"{_cell(man, count, row):^4}" for man, count in half) for half in (left, right)]
    return f"|{halves[0]}|{_cell(*bar, row):^3}|{halves[1]}|"


def _cell(man: str, count: int, row: int) -> str:
    if count > _ROWS and row == _ROWS - 1:
        return str(count)
    return man if row < count else ""


def _borne_off(man: str, count: int) -> str:
    return f" {man} off {count}" if count else ""
