"""The pictures of the rules for players: one table, and what each row shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gammon_drawing.svg import draw_svg
from gammon_engine.line_settings import KindOfPlay, read_settings
from gammon_engine.registry import game_of
from gammon_engine.settings import SessionPlay
from gammon_engine.violation import Fault, Violation

FOLDER = Path(__file__).parents[2] / "docs" / "rules" / "pictures"


@dataclass(frozen=True, slots=True)
class Shown:
    """A position of a game as `gammon board` takes it; without one the start."""

    game: str
    position: str | None = None
    seat: int = 0
    seats: int = 2
    options: Mapping[str, str] = field(default_factory=dict)


PICTURES = {
    "backgammon-start": Shown("backgammon"),
    # Seat 1 has hit: a checker of seat 0 waits on the bar behind five points in a row.
    "backgammon-bar": Shown("backgammon", "bar:1,24:1,13:4,8:3,6:4,5:2 13:4,8:2,7:2,6:3,5:2,4:2"),
    # Seat 1 bears off, and seat 0 still holds its one-point.
    "backgammon-bearing-off": Shown("backgammon", "24:2,8:1,6:4,5:3,4:3,3:2 6:2,5:2,4:3,3:1,off:7", seat=1),
}


def drawn(shown: Shown) -> str:
    """The picture of a row."""
    line = {"game": shown.game, "seats": shown.seats, "options": shown.options}
    settings = read_settings(line, KindOfPlay("session", SessionPlay()))
    assert not isinstance(settings, Fault), settings
    game = game_of(settings)
    position = game.start() if shown.position is None else game.parse(shown.position)
    assert not isinstance(position, Violation), position
    return draw_svg(game.view(position), shown.seat)
