"""A track of two to four legs as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import svg

from gammon_drawing.marks import COLOURS
from gammon_drawing.picture import FRAME, GROUND, Box, document, label, rounded
from gammon_drawing.position_text import position_text
from gammon_drawing.track_places import Place, Star
from gammon_drawing.track_stacks import POINTS, Disc, across, stack
from gammon_engine.view import TrackBoard

_PAD = 33, 8  # half the width and half the height of a point
_DISC = 13  # the thickness of a disc
_CHIP = 22, 15
_MARGIN = 44
_EDGE = 12
_WOOD = "#b08d5e"


class _Stand(NamedTuple):
    """A point: its place, its numbers with whose they are, and the discs on it from the bottom up."""

    place: Place
    numbers: list[tuple[int, int]]
    discs: list[Disc]


def draw_track(track: TrackBoard, seat: int) -> str:
    """The track as `seat` sees it: itself below, the others around, each between its two legs.

    The line of a player leads from its point 1 to its point 14, in its colour; where two lines meet is a centre point.
    Below each point stands its number, on the colour of whose number it is; point 14 has that colour itself. Stacks are
    seen from the side, each disc as wide as it is large and with its size on it.
    """
    star = Star(len(track.discs), seat, track.centres)
    # What is nearer to the looking seat comes later and hides what is behind it.
    stands = sorted(_stands(track, star), key=lambda stand: (stand.place.y, stand.place.x))
    box = _box([stand.place for stand in stands], star)
    drawn: list[svg.Element] = [
        Box(box.left + _EDGE, box.top + _EDGE, box.width - 2 * _EDGE, box.height - 2 * _EDGE).rect(rx=6, fill=GROUND),
        *(line for owner in range(star.seats) for line in _line(star, owner)),
        *(element for stand in stands for element in _point(stand.place, stand.numbers)),
        *(element for stand in stands for element in _tower(stand.place, stand.discs)),
        *(element for owner in range(star.seats) for element in _player(star, owner)),
    ]
    title = f"A track for {star.seats} as seat {seat} sees it"
    return document(title, position_text(track), box, drawn)


def _stands(track: TrackBoard, star: Star) -> Iterator[_Stand]:
    """Every point once: a centre point comes with whose left leg it is on."""
    for owner in range(star.seats):
        for point in POINTS:
            if point not in track.centres:
                numbers = [(owner, point)]
            elif point <= 7:
                numbers = [(owner, point), across(star.seats, owner, point)]
            else:
                continue
            yield _Stand(star.point(owner, point), numbers, stack(track, owner, point))


def _box(places: Sequence[Place], star: Star) -> Box:
    players = [star.player(owner) for owner in range(star.seats)]
    xs, ys = zip(*places, *players, strict=True)
    left, top = min(xs) - _MARGIN - _PAD[0], min(ys) - _MARGIN - 4 * _DISC
    return Box(left, top, max(xs) + _MARGIN + _PAD[0] - left, max(ys) + _MARGIN - top)


def _line(star: Star, owner: int) -> Iterator[svg.Path]:
    """The track of a player as one smooth line through its points."""
    places = [star.point(owner, point) for point in POINTS]
    around = [places[0], *places, places[-1]]
    way: list[svg.PathData] = [svg.M(*places[0])]
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        # Catmull-Rom: at each point the line is parallel to the one between its neighbours.
        first = start.x + (end.x - before.x) / 6, start.y + (end.y - before.y) / 6
        second = end.x - (after.x - start.x) / 6, end.y - (after.y - start.y) / 6
        way.append(svg.C(*map(rounded, (*first, *second, *end))))
    colour = COLOURS[owner]
    for stroke, width in ((colour.rim, 7), (colour.face, 4)):
        yield svg.Path(d=way, fill="none", stroke=stroke, stroke_width=width, stroke_linecap="round")


def _point(place: Place, numbers: list[tuple[int, int]]) -> Iterator[svg.Element]:
    x, y = place
    fill = COLOURS[numbers[0][0]].face if numbers[0][1] == POINTS[-1] else _WOOD
    yield svg.Ellipse(cx=x, cy=y, rx=_PAD[0], ry=_PAD[1], fill=fill, stroke=FRAME, stroke_width=1)
    width, height = _CHIP
    for index, (owner, number) in enumerate(numbers):
        left = x - width * len(numbers) / 2 + width * index
        top, colour = y + _PAD[1] + 1, COLOURS[owner]
        chip = Box(left + 0.5, top, width - 1, height)
        yield chip.rect(rx=4, fill=colour.face)
        yield label(left + width / 2, top + height / 2, str(number), 12, colour.ink)


def _tower(place: Place, discs: list[Disc]) -> Iterator[svg.Element]:
    for height, disc in enumerate(discs, start=1):
        colour, width = COLOURS[disc.owner], 20 + 9 * disc.size
        top = place.y - height * _DISC + 3
        yield svg.Rect(
            x=rounded(place.x - width / 2),
            y=rounded(top),
            width=width,
            height=_DISC,
            rx=4,
            fill=colour.face,
            stroke=colour.rim,
            stroke_width=1.5,
        )
        yield label(place.x, top + _DISC / 2, str(disc.size), 11, colour.ink)


def _player(star: Star, owner: int) -> Iterator[svg.Element]:
    x, y = star.player(owner)
    colour = COLOURS[owner]
    yield Box(x - 38, y - 14, 76, 28).rect(rx=14, fill=colour.face)
    yield label(x, y, f"seat {owner}", 15, colour.ink)
