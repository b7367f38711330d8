"""What stands on the points of a track, and who meets whom there."""

from __future__ import annotations

from typing import NamedTuple

from gammon_engine.view import TrackBoard

POINTS = range(1, 15)


class Disc(NamedTuple):
    """A disc of `owner`; `size` 1 to 5."""

    owner: int
    size: int


def across(seats: int, seat: int, point: int) -> tuple[int, int]:
    """The neighbour whose track runs beside this point of `seat`, and the number it has there (5.2)."""
    return (seat + 1 if point <= 7 else seat - 1) % seats, 15 - point


def stack(track: TrackBoard, seat: int, point: int) -> list[Disc]:
    """The discs on a point of `seat` from the bottom up; on a centre point (5.3) the neighbour's among them."""
    here = [(seat, point)]
    if point in track.centres:
        here.append(across(len(track.discs), seat, point))
    discs = [
        Disc(owner, size)
        for owner, number in here
        for size, stands_on in enumerate(track.discs[owner], start=1)
        if stands_on == number
    ]
    return sorted(discs, key=lambda disc: disc.size, reverse=True)
