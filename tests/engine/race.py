"""A race for two to four in a few lines, to judge rounds, staying and leaving by, whatever a real game does."""

from dataclasses import dataclass

import pytest

from gammon_engine import registry
from gammon_engine.description import Description
from gammon_engine.game import Game
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Finished, Outcome
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import GameId, Settings, SetUp
from gammon_engine.view import TrackBoard, View
from gammon_engine.violation import Violation

HOME = 14
BITS = 4


@dataclass(frozen=True)
class Race:
    """One disc each goes forward by the sum of the dice and stops at 14; who throws 1-1 stays where they are."""

    seats: int

    @property
    def id(self) -> GameId:
        return GameId.TRACKGAMMON

    @property
    def top_level(self) -> int:
        return 1

    @property
    def starter_rolls(self) -> bool:
        return True

    def start(self) -> Position:
        return 0

    def parse(self, text: str) -> Position | Violation:
        points = [int(point) for point in text.split() if point.isdecimal()]
        if len(points) != self.seats or max(points) > HOME:
            return Violation("9.2", f"expected {self.seats} points up to {HOME}", "position", text)
        return sum(point << BITS * seat for seat, point in enumerate(points))

    def text(self, position: Position) -> str:
        return " ".join(str(self._point(position, seat)) for seat in range(self.seats))

    def view(self, position: Position) -> View:
        return TrackBoard((), ())

    def _point(self, position: Position, seat: int) -> int:
        return (position >> BITS * seat) & (1 << BITS) - 1

    def _way(self, position: Position, seat: int, roll: Roll) -> Play:
        if roll == (1, 1):
            return ()
        at = self._point(position, seat)
        middle = min(at + roll[0], HOME)
        return (Step(roll[0], at, middle), Step(roll[1], middle, min(middle + roll[1], HOME)))

    def legal_plays(self, position: Position, seat: int, roll: Roll) -> LegalPlays:
        way = self._way(position, seat, roll)
        return LegalPlays({self.apply(position, seat, way)[0]}, self.text, lambda _: way)

    def must_pass(self, position: Position, seat: int, roll: Roll) -> bool:
        return roll == (1, 1)

    def explain(self, position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
        return None if play == self._way(position, seat, roll) else Violation("5.10", "the one play it has")

    def next_steps(self, position: Position, seat: int, roll: Roll, chosen: Play) -> NextSteps | Violation:
        return NextSteps((), position, complete=True)

    def apply(self, position: Position, seat: int, play: Play) -> tuple[Position, Play]:
        return position + sum(step.target - step.origin << BITS * seat for step in play), play

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        return Finished(seat) if self._point(position, seat) == HOME else None

    def lapse_level(self, position: Position, seat: int) -> int:
        return 1

    def read_play(self, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
        return self._way(position, seat, roll)

    def write_play(self, play: Play) -> str:
        return " ".join(f"{step.number}@{step.origin}-{step.target}" for step in play)


def race_of(settings: Settings) -> Game:
    """The race with so many seats."""
    return Race(settings.seats)


def hypergammon_of(_: Settings) -> Game:
    """A quick game of two."""
    return Backgammon(SetUp.HYPERGAMMON)


RACE = registry.Registered(Description("Race", range(2, 5), (), ()), race_of)
HYPERGAMMON = registry.Registered(Description("Hypergammon", range(2, 3), (), ()), hypergammon_of)


@pytest.fixture
def quick_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the race played under Trackgammon's name, and Hypergammon as the other games of the gammon board."""
    monkeypatch.setitem(registry.GAMES, GameId.TRACKGAMMON, RACE)
    monkeypatch.setitem(registry.GAMES, GameId.CATCHGAMMON, HYPERGAMMON)
    monkeypatch.setitem(registry.GAMES, GameId.RUNGAMMON, HYPERGAMMON)
