"""What somebody who sits down wants to play."""

from __future__ import annotations

from dataclasses import dataclass

from gammon.match.v1 import settings_pb2
from gammon_cli.play.clock import NO_CLOCK, WantedClock
from gammon_engine.line_settings import KindOfPlay, read_settings
from gammon_engine.settings import GameId, MatchPlay, SessionPlay
from gammon_engine.violation import Fault
from gammon_wire.settings import settings_to_proto

# Short, but with a cube; the mixed match as by custom (7.6).
USUAL_POINTS = 3
USUAL_POINTS_MIXED = 9


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game, or a set-up of Backgammon, and how it is played. `points`: a match to so many; `games`: a session of so
    many; neither: a match where two play, else a session of one game."""

    game: str
    seats: int = 2
    points: int | None = None
    games: int | None = None
    cube: bool = True
    beavers: bool = False
    centres: str | None = None
    runner_release: str | None = None
    take_backs: bool = False
    clock: WantedClock = NO_CLOCK

    def settings(self) -> settings_pb2.MatchSettings | Fault:
        """The settings of a match whose seats are open, or the first thing the law has against them."""
        options = {"centres": self.centres, "runner_release": self.runner_release}
        line = {"game": self.game, "seats": self.seats, "options": {k: v for k, v in options.items() if v is not None}}
        rules = read_settings(line, self._kind())
        if isinstance(rules, Fault):
            return rules
        agreed = settings_pb2.MatchSettings(rules=settings_to_proto(rules), tags=["play"], take_backs=self.take_backs)
        self.clock.agree(agreed)
        return agreed

    def _kind(self) -> KindOfPlay:
        usual = USUAL_POINTS_MIXED if self.game == GameId.GAMMON.value else USUAL_POINTS
        by_points = self.games is None and self.seats == 2 and not self.beavers
        points = usual if self.points is None and by_points else self.points
        if points is not None:
            return KindOfPlay("match", MatchPlay(points), self.cube)
        return KindOfPlay("session", SessionPlay(self.games or 1, beavers=self.beavers), self.cube)
