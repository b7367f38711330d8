"""A position as plain text for a terminal, at most 80 columns of ASCII."""

from __future__ import annotations

from typing import assert_never

from gammon_drawing.gammon_text import draw_board
from gammon_drawing.track_text import draw_track
from gammon_engine.view import GammonBoard, TrackBoard, View


def draw_text(view: View, seat: int) -> str:
    """The position as `seat`, below the number of seats, sees it; lines without trailing blanks."""
    match view:
        case GammonBoard():
            return draw_board(view, seat)
        case TrackBoard():
            return draw_track(view, seat)
        case _:
            assert_never(view)
