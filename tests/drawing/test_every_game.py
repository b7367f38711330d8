"""Pictures of positions from play are true, whatever the game: what is read off them is the position's text."""

from collections.abc import Iterator
from random import Random

import pytest
from tests.drawing.reading import gammon_counts, track_discs

from gammon_drawing.position_text import position_text
from gammon_drawing.svg import draw_svg
from gammon_drawing.text import draw_text
from gammon_engine.game import Game
from gammon_engine.position import Position
from gammon_engine.registry import GAMES
from gammon_engine.settings import SessionPlay, Settings
from gammon_engine.view import TrackBoard

GAMES_AND_SEATS = [
    pytest.param(registered.of(Settings(game, SessionPlay(), seats)), id=f"{game.value} for {seats}")
    for game, registered in GAMES.items()
    for seats in registered.description.seats
]


def from_play(game: Game, turns: int) -> Iterator[Position]:
    """Positions of a game between random players, started anew when it ends."""
    chance = Random(4)
    position, seat = game.start(), 0
    for _ in range(turns):
        yield position
        position = chance.choice(list(game.legal_plays(position, seat, (chance.randint(1, 6), chance.randint(1, 6)))))
        if any(game.outcome(position, other) is not None for other in range(game.seats)):
            yield position
            position = game.start()
        seat = (seat + 1) % game.seats


def read_off(game: Game, position: Position) -> str:
    """The position's text from its pictures, of each seat what that seat sees of itself."""
    view = game.view(position)
    pictures = [draw_svg(view, seat) for seat in range(game.seats)]
    if isinstance(view, TrackBoard):
        sides = [track_discs(picture, game.seats)[seat] for seat, picture in enumerate(pictures)]
        return " ".join(",".join(map(str, discs)) for discs in sides)
    return " ".join(_side(gammon_counts(picture)[seat]) for seat, picture in enumerate(pictures))


def _side(counts: dict[str, int]) -> str:
    order = {"bar": 0, "off": 25} | {f"{point}{mark}": 25 - point for point in range(1, 25) for mark in ("", "t")}
    pairs = sorted(counts.items(), key=lambda pair: order[pair[0]])
    return ",".join(f"{where.removesuffix('t')}:{count}{'t' if where.endswith('t') else ''}" for where, count in pairs)


@pytest.mark.parametrize("game", GAMES_AND_SEATS)
def test_every_position_from_play_is_read_off_its_pictures(game: Game) -> None:
    for position in from_play(game, 60):
        text = game.text(position)
        assert position_text(game.view(position)) == text
        assert read_off(game, position) == text


@pytest.mark.parametrize("game", GAMES_AND_SEATS)
def test_every_position_fits_on_a_terminal(game: Game) -> None:
    for position in from_play(game, 150):
        for seat in range(game.seats):
            drawn = draw_text(game.view(position), seat)
            assert drawn.isascii()
            assert max(map(len, drawn.splitlines())) <= 80
