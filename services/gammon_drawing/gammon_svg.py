"""A board of 24 points as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import svg

from gammon_drawing.marks import COLOURS
from gammon_drawing.picture import FRAME_INK, GROUND, Box, document, label, rounded
from gammon_drawing.position_text import position_text
from gammon_drawing.sides import ABOVE, BELOW, seen_by
from gammon_engine.view import GammonBoard, Pile

_RADIUS = 20
_POINT = 44  # the width of a point
_STACK = 10 * _RADIUS  # the height of a stack, and of a point
_EDGE = 14
_RAIL = 30  # above and below, where the numbers are
_BAR = 48
_TRAY = 52

_TOP, _BOTTOM = _RAIL, _RAIL + 2 * _STACK + 44
_MIDDLE = (_TOP + _BOTTOM) // 2
_LEFT = _EDGE, _EDGE + 6 * _POINT
_RIGHT = _LEFT[1] + _BAR, _LEFT[1] + _BAR + 6 * _POINT
_OFF = _RIGHT[1] + _EDGE, _RIGHT[1] + _EDGE + _TRAY
_BOX = Box(0, 0, _OFF[1] + _EDGE, _BOTTOM + _RAIL)

_SPIKES = ("#b9613b", "#8f7654")
_SLAB = 12  # the thickness of a checker that stands on its edge
_FEW = 5  # checkers that lie side by side
_UNDER = 0.62 * 2 * _RADIUS  # how far a trapper is shifted from the checker under it


def draw_board(board: GammonBoard, seat: int) -> str:
    """The board as `seat` sees it: its own points numbered, its home below on the right.

    Both bars stand in the middle, the opponent's above; borne-off checkers in the tray on the right. Stacks of more
    than five overlap and tell their number. A trapped checker lies at the edge under its trappers, marked t as in 9.1.
    """
    title = f"A gammon board as seat {seat} sees it"
    return document(title, position_text(board), _BOX, (*_ground(), *_points(board, seat), *_beside(board, seat)))


def _ground() -> Iterator[svg.Element]:
    for left, right in (_LEFT, _RIGHT):
        yield Box(left, _TOP, right - left, _BOTTOM - _TOP).rect(rx=2, fill=GROUND)
    for top, height in ((_TOP, _MIDDLE - _TOP), (_MIDDLE, _BOTTOM - _MIDDLE)):
        yield Box(_OFF[0], top + 2, _TRAY, height - 4).rect(rx=4, fill="#382517")


def _points(board: GammonBoard, seat: int) -> Iterator[svg.Element]:
    piles = seen_by(board, seat)
    for halves, edge, inwards in ((ABOVE, _TOP, 1), (BELOW, _BOTTOM, -1)):
        for points, (left, _) in zip(halves, (_LEFT, _RIGHT), strict=True):
            for column, point in enumerate(points):
                x = left + _POINT * column + _POINT // 2
                yield _spike(x, edge, inwards, _SPIKES[point % 2])
                yield label(x, edge - inwards * _RAIL / 2, str(point), 13, FRAME_INK)
                yield from _stack(piles[point], x, edge, inwards)


def _beside(board: GammonBoard, seat: int) -> Iterator[svg.Element]:
    """The bars and the trays."""
    bar, tray = (_LEFT[1] + _RIGHT[0]) // 2, (_OFF[0] + _OFF[1]) // 2
    for owner, edge, inwards in ((1 - seat, _TOP, 1), (seat, _BOTTOM, -1)):
        on_bar = (Pile(owner, board.bar[owner]),) if board.bar[owner] else ()
        yield from _stack(on_bar, bar, edge, inwards)
        for lying in range(board.off[owner]):
            yield _slab(owner, edge + inwards * (4 + _SLAB * lying), inwards)
        if board.off[owner]:
            inmost = edge + inwards * (4 + _SLAB * board.off[owner] + 10)
            yield label(tray, inmost, str(board.off[owner]), 13, FRAME_INK)
        rail = edge - inwards * _RAIL / 2
        yield _disc(owner, _OFF[0] + 6, rail, 6)
        yield label(_OFF[0] + 16, rail, f"seat {owner}", 12, FRAME_INK, "start")


def _spike(x: int, edge: int, inwards: int, fill: str) -> svg.Polygon:
    half = _POINT // 2 - 1
    corners = (x - half, edge), (x + half, edge), (x, edge + inwards * _STACK)
    return svg.Polygon(points=[svg.Point(*corner) for corner in corners], fill=fill)


def _stack(piles: Sequence[Pile], x: int, edge: int, inwards: int) -> Iterator[svg.Element]:
    """The piles from the edge inwards, the last checker whole."""
    if not piles:
        return
    *under, top = piles
    first = edge + inwards * _RADIUS
    for pile in under:
        yield _disc(pile.seat, x, first, _RADIUS)
        yield label(x, first - inwards * _RADIUS * 0.4, "t", 15, COLOURS[pile.seat].ink)
    start = _UNDER * len(under)
    apart = min(2 * _RADIUS, (_STACK - 2 * _RADIUS - start) / max(top.count - 1, 1))
    heights = [first + inwards * (start + apart * lying) for lying in range(top.count)]
    yield from (_disc(top.seat, x, y, _RADIUS) for y in heights)
    if top.count > _FEW:
        yield label(x, heights[-1], str(top.count), 18, COLOURS[top.seat].ink)


def _disc(seat: int, x: float, y: float, radius: int) -> svg.Circle:
    colour = COLOURS[seat]
    return svg.Circle(cx=x, cy=rounded(y), r=radius - 1, fill=colour.face, stroke=colour.rim, stroke_width=2)


def _slab(seat: int, edge: int, inwards: int) -> svg.Rect:
    """A checker on its edge in the tray, its outer side at `edge`."""
    colour = COLOURS[seat]
    top = min(edge, edge + inwards * _SLAB)
    return svg.Rect(
        x=_OFF[0] + 5,
        y=top + 1,
        width=_TRAY - 10,
        height=_SLAB - 2,
        rx=3,
        fill=colour.face,
        stroke=colour.rim,
        stroke_width=1,
    )
