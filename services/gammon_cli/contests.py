"""What bots play to show a game: a short match, or for more than two a session of one game."""

from __future__ import annotations

from dataclasses import dataclass

from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import settings_pb2 as pb
from gammon_engine.settings import GameId
from gammon_engine.violation import Fault
from gammon_wire.settings import settings_from_proto
from gammon_wire.words import GAMES

BOTS = ("bot:0", "bot:1", "bot:2", "bot:3")
# Long enough to see the cube turn, short enough to wait for.
POINTS = {GameId.BACKGAMMON: 5, GameId.GAMMON: 5}
FEWEST_POINTS = 3


@dataclass(frozen=True, slots=True)
class Contest:
    """A match, or a session of one game, that bots play. `points`: how many the match is to; None for a session."""

    game: GameId
    seats: int

    @property
    def points(self) -> int | None:
        return POINTS.get(self.game, FEWEST_POINTS) if self.seats == 2 else None

    @property
    def title(self) -> str:
        """For people."""
        what = f"a match to {self.points}" if self.points else f"one game for {self.seats}"
        return f"{self.game.value}, {what}"

    @property
    def players(self) -> tuple[str, ...]:
        """Who sits where."""
        return BOTS[: self.seats]

    def rules(self) -> pb.Settings:
        """The settings of the law."""
        settings = pb.Settings(game=GAMES[self.game], seats=self.seats)
        if self.points:
            settings.match.points = self.points
        else:
            settings.session.games = 1
        return settings

    def settings(self) -> settings_pb2.MatchSettings:
        """The settings of the match; one for two is rated."""
        return settings_pb2.MatchSettings(
            rules=self.rules(),
            seats=[settings_pb2.SeatSettings(player=player) for player in self.players],
            rated=self.seats == 2,
            tags=["demo"],
        )

    def faults(self) -> list[Fault]:
        """What the law has against it."""
        read = settings_from_proto(self.rules())
        return list(read) if isinstance(read, tuple) else []


# One of each; the first is the one that is looked at most closely.
ONE_OF_EACH = (
    Contest(GameId.BACKGAMMON, 2),
    Contest(GameId.CATCHGAMMON, 2),
    Contest(GameId.RUNGAMMON, 2),
    Contest(GameId.GAMMON, 2),
    Contest(GameId.TRACKGAMMON, 2),
    Contest(GameId.TRACKGAMMON, 3),
)
