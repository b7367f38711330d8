"""Trackgammon for tests: games of every kind, and positions that need not arise in play."""

import re

from hypothesis import strategies as st
from tests.engine.track_book import Table

from gammon_engine.games.trackgammon import Trackgammon, of
from gammon_engine.play import Play, Step
from gammon_engine.position import Position
from gammon_engine.settings import Centres, GameId, SessionPlay, Settings

CENTRE_POINTS = {Centres.FOUR: (3, 6, 9, 12), Centres.TWO: (5, 10)}
START = "1,1,1,1,1"


def track(seats: int = 2, centres: Centres | None = None) -> Trackgammon:
    """The game with its options."""
    return of(Settings(GameId.TRACKGAMMON, SessionPlay(), seats, centres=centres))


def table(seats: int = 2, centres: Centres = Centres.FOUR) -> Table:
    """The table of the slow counter for the same game."""
    return Table(seats, CENTRE_POINTS[centres])


TWO, THREE, FOUR = track(2), track(3), track(4)


def at(game: Trackgammon, *discs: str) -> Position:
    """The position with these discs, seats that are not given at the start."""
    text = " ".join([*discs, *[START] * (game.seats - len(discs))])
    position = game.parse(text)
    assert isinstance(position, int), position
    return position


def played(words: str) -> Play:
    """The steps as data of text in written form, no claim of a capture."""
    steps = re.findall(r"(\d):(\d)@(\d+)-(\d+)", words)
    return tuple(Step(int(n), int(origin), int(target), piece=int(disc)) for n, disc, origin, target in steps)


rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))
unequal = rolls.filter(lambda roll: roll[0] != roll[1])
doubles = st.integers(1, 6).map(lambda die: (die, die))
seats_and_centres = st.tuples(st.integers(2, 4), st.sampled_from(list(Centres)))


@st.composite
def texts(draw: st.DrawFn, seats: int, centres: Centres) -> str:
    """Any position that 9.3 allows: crowded legs and nearly finished seats more often than in play."""
    points = draw(
        st.sampled_from(
            [
                st.integers(1, 14),
                st.sampled_from((1, *CENTRE_POINTS[centres], 14)),
                st.integers(9, 14),
                st.sampled_from((12, 13, 14, 14, 14)),
            ]
        )
    )
    discs = [draw(st.lists(points, min_size=5, max_size=5)) for _ in range(seats)]
    for seat in range(seats):
        for size in range(5):
            point = discs[seat][size]
            neighbour = (seat + 1) % seats if point <= 7 else (seat - 1) % seats
            if point in CENTRE_POINTS[centres] and discs[neighbour][size] == 15 - point:
                discs[neighbour][size] = 1
    return " ".join(",".join(map(str, points)) for points in discs)
