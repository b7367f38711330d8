"""What can be asked of the referee. `seat` is who acts; what has none is nobody's own act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from gammon_engine.play import Play, Roll
from gammon_engine.settings import GameId


@dataclass(frozen=True, slots=True)
class Open:
    """The opening throw (1.7, 5.15): dice in the order drawn, one for each seat that throws, seats ascending.

    After a tie the dice of the next throw may follow at once, or come in a further action; so may the two dice of
    a starter who throws them anew (5.15).
    """

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollDice:
    """The dice of a turn, in the order drawn."""

    seat: int
    dice: Roll


@dataclass(frozen=True, slots=True)
class MakePlay:
    """A whole turn, as steps in their order or as text (1.10)."""

    seat: int
    play: Play | str


@dataclass(frozen=True, slots=True)
class Double:
    """Offer to double the stake before rolling (6.1, 6.10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Take:
    """Play on at the doubled stake and own the cube (6.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drop:
    """Lose the stake before the double, the beaver or the raccoon (6.2, 6.6, 6.7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Beaver:
    """Take a double and redouble at once (6.6)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Raccoon:
    """Redouble a beaver (6.7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Accept:
    """Say yes to what is offered: a beaver, a raccoon, a resignation, a settlement or an end without points."""

    seat: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Say no to the open offer; play goes on as it was (1.11, 8.1, 8.6)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Offer to lose the game at `level` 1 to 3, which need not be possible on the board (8.1)."""

    seat: int
    level: int


@dataclass(frozen=True, slots=True)
class Settle:
    """Offer to end the game for `points` to seat `to`; sessions of two (8.6)."""

    seat: int
    points: Fraction
    to: int


@dataclass(frozen=True, slots=True)
class OfferNoResult:
    """Offer to end the game without points; every seat still in must agree (1.11)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back one's own offer while it waits for an answer; a double is no such offer (6.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the next game of a mixed match (7.6)."""

    seat: int
    game: GameId


@dataclass(frozen=True, slots=True)
class Stay:
    """Stay in on a double, three or four players (6.10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave on a double, or on one's own turn, three or four players (6.10, 8.2)."""

    seat: int


class Scope(Enum):
    """What a forfeit gives up."""

    GAME = "game"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """An operator's ruling that `seat` loses (8.3): a game at `level`, or the match, which has none.

    With three or four players it leaves the game, and the level may be left out.
    """

    seat: int
    scope: Scope
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Lapse:
    """`seat` ran out of time or abandoned; the law prices it (8.4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class RecordPlay:
    """A play that the law does not allow, of a match played elsewhere.

    `play`: its steps as far as they could be read. `position`: what the record goes on with, as text (9.1, 9.2).
    """

    seat: int
    play: Play
    position: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """End a session between games, by agreement or by an operator (7.3)."""


@dataclass(frozen=True, slots=True)
class VoidGame:
    """An operator's ruling that the game counts for nothing (1.11, 8.5)."""


@dataclass(frozen=True, slots=True)
class SetScore:
    """An operator's ruling on the score, one entry a seat, and whether the Crawford game has been played (7.2, 8.5)."""

    score: tuple[Fraction, ...]
    crawford_played: bool = False


SeatAction = (
    RollDice
    | MakePlay
    | Double
    | Take
    | Drop
    | Beaver
    | Raccoon
    | Stay
    | Leave
    | Accept
    | Decline
    | Withdraw
    | Resign
    | Settle
    | OfferNoResult
    | Choose
    | Forfeit
    | Lapse
    | RecordPlay
)

Action = SeatAction | Open | EndSession | VoidGame | SetScore
