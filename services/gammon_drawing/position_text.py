"""The text of a position (9.1, 9.2) from its view: what a picture says about itself."""

from __future__ import annotations

from collections.abc import Iterator

from gammon_drawing.sides import seen_by
from gammon_engine.view import GammonBoard, TrackBoard, View


def position_text(view: View) -> str:
    """The text that the position's game would give."""
    match view:
        case GammonBoard():
            return " ".join(",".join(_side(view, seat)) for seat in (0, 1))
        case TrackBoard():
            return " ".join(",".join(map(str, points)) for points in view.discs)


def _side(board: GammonBoard, seat: int) -> Iterator[str]:
    if board.bar[seat]:
        yield f"bar:{board.bar[seat]}"
    for point, piles in sorted(enumerate(seen_by(board, seat)), reverse=True):
        for height, pile in enumerate(piles, start=1):
            if pile.seat == seat:
                yield f"{point}:{pile.count}{'t' if height < len(piles) else ''}"
    if board.off[seat]:
        yield f"off:{board.off[seat]}"
