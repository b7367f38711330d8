"""A position as an SVG document: the same bytes for the same position and seat, at any size, on any background."""

from __future__ import annotations

from typing import assert_never

from gammon_drawing.gammon_svg import draw_board
from gammon_drawing.track_svg import draw_track
from gammon_engine.view import GammonBoard, TrackBoard, View


def draw_svg(view: View, seat: int) -> str:
    """The position as `seat`, below the number of seats, sees it; its description is the position's text (9.1, 9.2)."""
    match view:
        case GammonBoard():
            return draw_board(view, seat)
        case TrackBoard():
            return draw_track(view, seat)
        case _:
            assert_never(view)
