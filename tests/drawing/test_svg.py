"""Pictures are true: what is read off them is the position, from every seat."""

from collections import Counter
from itertools import product
from math import dist

import pytest
from tests.drawing.reading import Picture, gammon_counts, track_discs, track_numbers
from tests.drawing.views import FACING, FOUR, SAME_WAY, TWO, gammon, track

from gammon_drawing.position_text import position_text
from gammon_drawing.svg import draw_svg

BOARDS = {
    "start": ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5", FACING),
    "bar and off": ("bar:2,24:1,6:3,5:2,3:2,off:5 bar:1,24:2,8:6,6:6", FACING),
    "traps": ("24:1t,18:2,7:1,6:11 20:5,18:1t,1:9", FACING),
    "all on one": ("24:15 24:15", FACING),
    "all off": ("off:15 24:2,1:13", FACING),
    "runners": ("24:13,15:1,off:1 24:10,13:3,2:2", SAME_WAY),
    "crowded bar": ("bar:7,6:8 bar:15", FACING),
}
TRACKS = {
    "start": "1,1,1,1,1 1,1,1,1,1",
    "shared": "1,6,3,6,14 12,1,9,1,5",
    "three": "1,1,1,1,1 10,10,14,9,5 5,5,10,4,11",
    "four": "3,3,1,6,14 12,14,12,10,14 12,7,7,3,12 1,12,6,14,13",
}


def counted(side: str) -> Counter[str]:
    """The checkers of one seat from its text."""
    counts = Counter[str]()
    for point, count in (pair.split(":") for pair in side.split(",")):
        counts[point + ("t" if count.endswith("t") else "")] = int(count.removesuffix("t"))
    return counts


@pytest.mark.parametrize(("text", "other"), BOARDS.values(), ids=BOARDS)
def test_each_side_reads_its_own_numbers_off_its_picture(text: str, other: tuple[int, ...]) -> None:
    for seat, side in enumerate(text.split(" ")):
        assert gammon_counts(draw_svg(gammon(text, other), seat))[seat] == counted(side)


@pytest.mark.parametrize("text", [text for text, other in BOARDS.values() if other is FACING])
def test_who_faces_the_other_sees_its_points_counted_back(text: str) -> None:
    seen = gammon_counts(draw_svg(gammon(text), 0))[1]
    expected = Counter[str]()
    for where, count in counted(text.split(" ")[1]).items():
        number = where.removesuffix("t")
        expected[where.replace(number, str(25 - int(number))) if number.isdigit() else where] = count
    assert seen == expected


@pytest.mark.parametrize(("text", "centres"), list(product(TRACKS.values(), (FOUR, TWO))))
def test_each_disc_is_over_its_number_in_its_colour_whoever_looks(text: str, centres: tuple[int, ...]) -> None:
    discs = [[int(point) for point in side.split(",")] for side in text.split(" ")]
    for seat in range(len(discs)):
        assert track_discs(draw_svg(track(text, centres), seat), len(discs)) == discs


@pytest.mark.parametrize("text", TRACKS.values())
def test_who_looks_sits_below_and_its_track_leads_from_left_to_right(text: str) -> None:
    seats = text.count(" ") + 1
    for seat in range(seats):
        labels = {label.text: label for label in Picture(draw_svg(track(text), seat)).labels if label.size == 15}
        assert len(labels) == seats
        assert max(labels, key=lambda name: labels[name].y) == f"seat {seat}"
        if seats > 2:
            # The next clockwise, whose turn is next (5.15), sits at the left.
            assert min(labels, key=lambda name: labels[name].x) == f"seat {(seat + 1) % seats}"
        numbers = track_numbers(Picture(draw_svg(track(text), seat)))
        ways = [numbers[seat, point][0] for point in range(1, 15)]
        assert ways == sorted(ways)


@pytest.mark.parametrize("text", TRACKS.values())
def test_private_points_lie_on_the_side_of_whose_they_are(text: str) -> None:
    picture = Picture(draw_svg(track(text), 0))
    numbers = track_numbers(picture)
    seats = text.count(" ") + 1
    players = {label.text: (label.x, label.y) for label in picture.labels if label.size == 15}
    for owner, point in product(range(seats), range(1, 15)):
        beside = (owner + 1 if point <= 7 else owner - 1) % seats, 15 - point
        player, here, there = players[f"seat {owner}"], numbers[owner, point], numbers[beside]
        if point in FOUR:
            assert dist(here, there) < 30
        else:
            assert dist(player, here) + 10 < dist(player, there)


def test_a_picture_says_what_it_shows_and_fits_into_its_box() -> None:
    for text, other in BOARDS.values():
        picture = Picture(draw_svg(gammon(text, other), 1))
        assert (picture.title, picture.description) == ("A gammon board as seat 1 sees it", text)
        _fits(picture)
    for text in TRACKS.values():
        picture = Picture(draw_svg(track(text), 1))
        assert picture.title == f"A track for {text.count(' ') + 1} as seat 1 sees it"
        assert picture.description == text == position_text(track(text))
        _fits(picture)


def _fits(picture: Picture) -> None:
    left, top, width, height = picture.box
    for x, y, wide, high, _ in picture.rects():
        assert left <= x - wide / 2
        assert x + wide / 2 <= left + width
        assert top <= y - high / 2
        assert y + high / 2 <= top + height
