"""Position text of Trackgammon (9.2)."""

from __future__ import annotations

from gammon_engine.position import Position
from gammon_engine.track import POINTS, SIZES, Track, discs_of, pack
from gammon_engine.violation import Violation

_POINT_OF = {str(point): point for point in POINTS}


def position_text(track: Track, position: Position) -> str:
    """The points of discs 1 to 5 seat by seat, such as `1,1,1,1,1 1,1,1,1,1`."""
    return " ".join([",".join(map(str, discs_of(position, seat))) for seat in range(track.seats)])


def parse_position(track: Track, text: str) -> Position | Violation:
    """Read a position. Refuses what breaks 9.2 or 9.3."""
    parts = text.split(" ")
    if len(parts) != track.seats:
        return _wrong("9.2", f"a position has {track.seats} seats here, separated by one space", text)
    discs = []
    for part in parts:
        points = [_POINT_OF[word] for word in part.split(",") if word in _POINT_OF]
        if len(points) != len(SIZES) or part.count(",") != len(SIZES) - 1:
            return _wrong("9.2", "expected the points of discs 1 to 5, each from 1 to 14, joined by commas", part)
        discs.append(points)
    for seat, points in enumerate(discs):
        for size, point in enumerate(points, start=1):
            neighbour, theirs = track.meeting(seat, point)
            if point in track.centres and discs[neighbour][size - 1] == theirs:
                return _wrong("9.3", f"two discs of size {size} on one centre point, {point} of seat {seat}", text)
    return pack(discs)


def _wrong(rule: str, reason: str, value: str) -> Violation:
    return Violation(rule, reason, "position", value)
