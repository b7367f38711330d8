"""A board of 24 points as text."""

from __future__ import annotations

from collections.abc import Sequence

from gammon_drawing.marks import LETTERS
from gammon_drawing.sides import ABOVE, BELOW, seen_by
from gammon_engine.view import GammonBoard, Pile

_ROWS = 5


def draw_board(board: GammonBoard, seat: int) -> str:
    """The board as `seat` sees it: its own points numbered, its home below on the right.

    Checkers are X for seat 0 and O for seat 1. A trapped checker is a small letter at the edge, its trappers before it.
    A stack of more than five rows shows on the fifth how many checkers lie free, trapped ones not counted. Both bars
    stand in the middle, the opponent's above; borne-off checkers on the right.
    """
    other = 1 - seat
    piles = seen_by(board, seat)
    above = [_row(piles, ABOVE, _pile(other, board.bar), row) for row in range(_ROWS)]
    below = [_row(piles, BELOW, _pile(seat, board.bar), row) for row in reversed(range(_ROWS))]
    above[0] += _borne_off(other, board.off)
    below[-1] += _borne_off(seat, board.off)
    edge = f"+{'-' * 24}+---+{'-' * 24}+"
    middle = f"|{' ' * 24}|BAR|{' ' * 24}|"
    lines = [_numbers(ABOVE), edge, *above, middle, *below, edge, _numbers(BELOW)]
    return "\n".join(line.rstrip() for line in lines)


def _numbers(halves: Sequence[range]) -> str:
    left, right = ("".join(f"{point:^4}" for point in half) for half in halves)
    return f" {left}     {right}"


def _row(piles: Sequence[tuple[Pile, ...]], halves: Sequence[range], bar: tuple[Pile, ...], row: int) -> str:
    left, right = ("".join(f"{_cell(piles[point], row):^4}" for point in half) for half in halves)
    return f"|{left}|{_cell(bar, row):^3}|{right}|"


def _cell(piles: tuple[Pile, ...], row: int) -> str:
    if not piles:
        return ""
    *under, top = piles
    letters = "".join(LETTERS[pile.seat].lower() * pile.count for pile in under) + LETTERS[top.seat] * top.count
    if len(letters) > _ROWS and row == _ROWS - 1:
        return str(top.count)
    return letters[row : row + 1]


def _pile(seat: int, counts: tuple[int, int]) -> tuple[Pile, ...]:
    return (Pile(seat, counts[seat]),) if counts[seat] else ()


def _borne_off(seat: int, counts: tuple[int, int]) -> str:
    return f" {LETTERS[seat]} off {counts[seat]}" if counts[seat] else ""
