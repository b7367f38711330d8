"""A match being followed: the referee's state, and the acts that led to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from gammon_engine.game import Game
from gammon_engine.referee import begin, rule
from gammon_engine.referee.actions import Action
from gammon_engine.referee.facts import GameEnded, PlayEnded
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import MatchPlay, Settings
from gammon_engine.violation import Violation
from gammon_records.record import Acted, Claimed
from gammon_records.refused import Refused, Warned
from gammon_records.results import WrittenResult


@dataclass(slots=True)
class Table:
    """Where the match stands. `result`: what the record says of the game at hand; `ended`: how that game ended.

    `given_up`: whether somebody says that it was given up; `last_game`: whether the record has no game after it.
    """

    settings: Settings
    state: State = field(init=False)
    parts: list[Acted | Claimed] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    result: WrittenResult | None = None
    ended: GameEnded | None = None
    given_up: bool = False
    last_game: bool = False

    def __post_init__(self) -> None:
        self.state = begin(self.settings)

    @property
    def game(self) -> Game:
        """The game's law."""
        return game_of(self.settings)

    @property
    def over(self) -> bool:
        """Whether nothing can follow."""
        return self.state.phase is Phase.OVER

    def needed(self, seat: int) -> int | None:
        """The points that a seat still needs for the match; None in money play."""
        play = self.settings.play
        return play.points - int(self.state.score[seat]) if isinstance(play, MatchPlay) else None

    def try_act(self, action: Action, line: int) -> Violation | None:
        """Acts, or says what rule forbids it. Before the act that ends the game goes what the record says of that."""
        ruling = rule(self.settings, self.state, action)
        if isinstance(ruling, Violation):
            return ruling
        ended = next((fact for fact in ruling.facts if isinstance(fact, GameEnded)), None)
        over = any(isinstance(fact, PlayEnded) for fact in ruling.facts)
        if (ended is not None or over) and self.result is not None and self.result.points:
            self.parts.append(self._claim(self.result, ended, over))
        self.parts.append(Acted(action, line))
        self.ended = ended or self.ended
        self.state = ruling.state
        return None

    def act(self, action: Action, line: int) -> Refused | None:
        """Acts; what the law forbids refuses the record."""
        violation = self.try_act(action, line)
        return None if violation is None else Refused(line, f"rule {violation.rule}: {violation.reason}")

    def warn(self, line: int, text: str) -> None:
        """Notes something for whoever imports."""
        self.warnings.append(Warned(line, text))

    def _claim(self, said: WrittenResult, ended: GameEnded | None, over: bool) -> Claimed:
        agrees = ended is not None and ended.winners == (said.winner,) and ended.points[said.winner] == said.points
        # A session is over when its record is.
        last = over if isinstance(self.settings.play, MatchPlay) else self.last_game
        lawful = agrees and (last or not said.ends_match)
        return Claimed(said.winner, said.points, said.ends_match, lawful, said.line)
