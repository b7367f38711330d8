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
    "catchgammon-start": Shown("catchgammon"),
    # Seat 0 holds a checker of seat 1 with one of its own.
    "catchgammon-trap": Shown("catchgammon", "24:14,7:1 24:13,19:1,18:1t"),
    # Each holds one of the other, seat 1 with two: then it has made the point.
    "catchgammon-traps": Shown("catchgammon", "24:9,19:2,18:1t,13:2,7:1 24:9,18:1t,13:3,7:2"),
    "rungammon-start": Shown("rungammon"),
    # The runner of seat 0 has just passed the start of seat 1; the other stands a step before the start of seat 0.
    "rungammon-runner": Shown("rungammon", "24:14,11:1 24:14,13:1"),
    # Of its six start points seat 0 holds five, which is as many as it may.
    "rungammon-start-prime": Shown("rungammon", "24:5,23:2,22:2,21:2,20:2,11:1,5:1 24:9,16:2,14:3,3:1"),
    "trackgammon-2-start": Shown("trackgammon"),
    "trackgammon-2-play": Shown("trackgammon", "1,6,3,6,14 12,1,9,1,5"),
    "trackgammon-2-two-centres": Shown("trackgammon", "5,5,1,6,10 12,14,10,5,1", options={"centres": "two"}),
    "trackgammon-3-start": Shown("trackgammon", seats=3),
    "trackgammon-3-play": Shown("trackgammon", "3,6,1,6,9 2,12,9,4,6 9,14,6,12,14", seats=3),
    "trackgammon-4-start": Shown("trackgammon", seats=4),
    "trackgammon-4-play": Shown("trackgammon", "3,6,1,6,9 2,12,9,4,6 9,12,7,3,14 12,6,13,1,10", seats=4),
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
