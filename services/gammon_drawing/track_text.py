"""A track of two to four legs as text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from gammon_drawing.marks import LETTERS
from gammon_drawing.track_stacks import across, stack
from gammon_engine.view import TrackBoard

_LABEL = 3
_CELL = 11


def draw_track(track: TrackBoard, seat: int) -> str:
    """The legs as `seat` sees them, the one at its left first and then clockwise.

    A leg has the points of one seat below, the looking one where it is its own, those of the other above, and between
    them, marked =, the centre points that both share (5.3). An empty point is a dot. A stack is written from the bottom
    up: X54O2 is disc 2 of O on the discs 5 and 4 of X.
    """
    seats = len(track.discs)
    legend = "   ".join(f"{letter} seat {owner}" for owner, letter in enumerate(LETTERS[:seats]))
    legs = [_leg(track, (seat + turn) % seats, range(1, 8)) for turn in range(seats - 1)]
    own_right_leg = _leg(track, seat, range(8, 15))
    return "\n\n".join((legend, *legs, own_right_leg))


def _leg(track: TrackBoard, below: int, points: range) -> str:
    """The leg on which `below` has these points, from left to right."""
    above = across(len(track.discs), below, points[0])[0]
    beside = [15 - point for point in points]
    lines = (
        _line(LETTERS[above], map(str, beside)),
        _line("", (_private(track, above, point) for point in beside)),
        _line("=", (_written(track, below, point) if point in track.centres else "" for point in points)),
        _line("", (_private(track, below, point) for point in points)),
        _line(LETTERS[below], map(str, points)),
    )
    return "\n".join(lines)


def _private(track: TrackBoard, seat: int, point: int) -> str:
    return "" if point in track.centres else _written(track, seat, point)


def _written(track: TrackBoard, seat: int, point: int) -> str:
    owners = groupby(stack(track, seat, point), key=lambda disc: disc.owner)
    return "".join(LETTERS[owner] + "".join(str(disc.size) for disc in discs) for owner, discs in owners) or "."


def _line(label: str, cells: Iterable[str]) -> str:
    return f"{label:<{_LABEL}}{''.join(f'{cell:<{_CELL}}' for cell in cells)}".rstrip()
