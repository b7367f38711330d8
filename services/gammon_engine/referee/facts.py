"""What a ruling establishes. Each fact is complete in itself: a reader needs no state to understand it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from gammon_engine.play import Play, Roll
from gammon_engine.referee.state import Ended
from gammon_engine.settings import GameId
from gammon_engine.violation import Violation


@dataclass(frozen=True, slots=True)
class OpeningThrown:
    """One throw for the opening: `dice[i]` is the die of `seats[i]` (1.7, 5.15)."""

    seats: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AutomaticallyDoubled:
    """The throw before was tied and doubled the cube to 2 ** `exponent` (6.8)."""

    exponent: int


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A game begins: who starts, from which position."""

    game_number: int
    game: GameId
    starter: int
    position: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """The roll `seat` is to play, in the order drawn. The opening throw counts as the starter's first, unless the
    starter throws both dice anew (5.15)."""

    seat: int
    dice: Roll


@dataclass(frozen=True, slots=True)
class PlayMade:
    """A turn as it was played, every hit marked."""

    seat: int
    play: Play


@dataclass(frozen=True, slots=True)
class IllegalPlayRecorded:
    """A turn of a match played elsewhere that the law does not allow.

    `play` are its steps as far as they could be read, `position` what the record goes on with, `broken` the rule.
    """

    seat: int
    play: Play
    position: str
    broken: Violation


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """`seat` had no legal step (1.5)."""

    seat: int


@dataclass(frozen=True, slots=True)
class DoubleOffered:
    """`seat` doubles; the stake would be 2 ** `exponent` (6.1)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class DoubleTaken:
    """`seat` takes; the cube shows 2 ** `exponent` and is theirs (6.2)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class DoubleDropped:
    """`seat` drops and loses the stake 2 ** `exponent` (6.2, 6.6, 6.7)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class Beavered:
    """`seat` takes and redoubles; the cube shows 2 ** `exponent` and is theirs (6.6)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class Raccooned:
    """`seat` redoubles the beaver; the cube shows 2 ** `exponent` and stays with the beaverer (6.7)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class RaiseAccepted:
    """`seat` accepts a beaver or raccoon at 2 ** `exponent` (6.6, 6.7)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class Stayed:
    """`seat` stays in at the stake 2 ** `exponent`, should the double stand (6.10)."""

    seat: int
    exponent: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """`seat` has left the game and paid (6.10, 8.2, 8.3)."""

    seat: int
    paid: Fraction


@dataclass(frozen=True, slots=True)
class GameChosen:
    """`seat` chose the next game of a mixed match (7.6)."""

    seat: int
    game: GameId


@dataclass(frozen=True, slots=True)
class ResignationOffered:
    """`seat` offers to lose at `level` (8.1)."""

    seat: int
    level: int


@dataclass(frozen=True, slots=True)
class SettlementOffered:
    """`seat` offers to end the game with `points` for seat `to` (8.6)."""

    seat: int
    points: Fraction
    to: int


@dataclass(frozen=True, slots=True)
class NoResultOffered:
    """`seat` offers to end the game without points (1.11)."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfferAccepted:
    """`seat` accepts the offer made before; an end without points needs every seat still in (1.11)."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfferDeclined:
    """`seat` declines the offer made before; play goes on as it was."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfferWithdrawn:
    """`seat` withdraws its own offer; play goes on as it was."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """`seat` forfeits the game at `level`, or the match (None), by a ruling or by a lapse (8.3, 8.4)."""

    seat: int
    level: int | None
    lapse: bool


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """An operator has set the score (7.2, 8.5)."""

    score: tuple[Fraction, ...]
    crawford_played: bool


class How(Enum):
    """How a game ended."""

    BOARD = "board"  # on the board: borne off or finished, or a remi when nobody won
    DROP = "drop"  # a double, beaver or raccoon was dropped, or all others left
    RESIGNATION = "resignation"
    SETTLEMENT = "settlement"
    FORFEIT = "forfeit"
    LAPSE = "lapse"
    AGREEMENT = "agreement"  # without points (1.11)
    VOID = "void"  # by an operator (8.5)


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The result of one game, complete (6.3, 6.5, 6.12).

    `winners` is empty where nobody won, and has more than one where they tied (5.14). `level` is the level won on the
    board or agreed, None where there is none (all others left, settlement, nobody won); `counted` is what the stake
    was multiplied by, lower than `level` under Jacoby. `points` are this game's points as they enter the score,
    `score` the score after it, `position` the final position.
    """

    game_number: int
    game: GameId
    winners: tuple[int, ...]
    how: How
    level: int | None
    counted: int
    exponent: int
    points: tuple[Fraction, ...]
    score: tuple[Fraction, ...]
    position: str


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """The match or session is over; `winners` as in `Over`."""

    kind: Ended
    winners: tuple[int, ...]
    score: tuple[Fraction, ...]


Fact = (
    OpeningThrown
    | AutomaticallyDoubled
    | GameOpened
    | Rolled
    | PlayMade
    | IllegalPlayRecorded
    | TurnPassed
    | DoubleOffered
    | DoubleTaken
    | DoubleDropped
    | Beavered
    | Raccooned
    | RaiseAccepted
    | Stayed
    | SeatLeft
    | GameChosen
    | ResignationOffered
    | SettlementOffered
    | NoResultOffered
    | OfferAccepted
    | OfferDeclined
    | OfferWithdrawn
    | Forfeited
    | ScoreSet
    | GameEnded
    | PlayEnded
)
