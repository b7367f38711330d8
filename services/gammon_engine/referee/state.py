"""The referee's state: all that the law needs to judge the next action, and nothing of the past."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from gammon_engine.play import Roll
from gammon_engine.position import Position
from gammon_engine.settings import GameId


class Phase(Enum):
    """What the match is waiting for."""

    CHOOSING = "choosing"  # the choice of the next game (7.6)
    OPENING = "opening"  # the opening throw of `game_number` (1.7, 5.15)
    TO_ROLL = "to_roll"  # `turn` rolls, or doubles
    TO_PLAY = "to_play"  # `turn` plays `dice`
    DOUBLED = "doubled"  # the answers to a double by `turn` (6.2, 6.10)
    BEAVERED = "beavered"  # the answer of `turn` to a beaver (6.6)
    RACCOONED = "raccooned"  # the beaverer's answer to a raccoon by `turn` (6.7)
    RESIGNING = "resigning"  # the answer to `offer`, a resignation (8.1) or an end without points (1.11)
    SETTLING = "settling"  # the answer to `offer`, a settlement (8.6)
    OVER = "over"  # nothing; see `over`


class Crawford(Enum):
    """Where a match stands towards its one Crawford game (7.2)."""

    PENDING = "pending"  # nobody stands one point from the match yet
    NOW = "now"  # the game being played, or about to be opened
    PLAYED = "played"


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: its value is 2 ** `exponent`, without bound (6.2).

    `owner` is None while it stands in the middle. With three or four players nobody owns it and
    `last_doubler` counts instead (6.10); with two it stays None.
    """

    exponent: int = 0
    owner: int | None = None
    last_doubler: int | None = None

    @property
    def value(self) -> int:
        """The stake of the game, from 1."""
        return 1 << self.exponent


@dataclass(frozen=True, slots=True)
class Resignation:
    """`seat` offers to lose the game at `level` 1 to 3. `back` is the phase a refusal returns to (8.1)."""

    seat: int
    level: int
    back: Phase


@dataclass(frozen=True, slots=True)
class Settlement:
    """`seat` offers to end the game with `points` for seat `to`. `back` as in a resignation (8.6)."""

    seat: int
    points: Fraction
    to: int
    back: Phase


@dataclass(frozen=True, slots=True)
class NoResult:
    """`seat` offers to end the game without points; `agreed` have accepted. `back` as in a resignation (1.11)."""

    seat: int
    back: Phase
    agreed: tuple[int, ...] = ()


class Ended(Enum):
    """What a result is the result of."""

    MATCH = "match"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Over:
    """The end of the whole. `winners` is the one winner of a match, and empty for a session, whose result is
    its score (7.3)."""

    kind: Ended
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """One match or session between two actions. Per-seat tuples have one entry a seat; lists of seats ascend.

    Between games `game_number` and `playing` are those of the game about to be opened, and `position` is its
    start; while the next game of a mixed match is chosen (7.6), `playing` and `position` are those of the game that
    was won. When all is over they stay those of the game that was played, or about to be opened, last.
    """

    phase: Phase
    game_number: int  # from 1; a replayed game keeps its number (7.4)
    playing: GameId
    position: Position
    seats_in: tuple[int, ...]  # seats that have not left the game (6.10)
    score: tuple[Fraction, ...]  # points won in a match, net points in a session (7.3)
    turn: int | None = None  # who is on turn; None before the opening and when over
    starter: int | None = None  # who started this game
    dice: Roll | None = None  # the roll to play, larger first; only in TO_PLAY and offers made from it
    rolls: tuple[int, ...] = ()  # how often each seat has rolled this game, passed turns included (6.9)
    cube: Cube = Cube()
    raised: bool = False  # a double was offered and taken in this game (6.5)
    automatic_doubles: int = 0  # tied throws that doubled the cube this game (6.8)
    # Who throws next for the opening, if not all: the tied (1.7), or alone the starter, both dice (5.15).
    contenders: tuple[int, ...] = ()
    stayed: tuple[int, ...] = ()  # seats that have stayed on the open double (6.10)
    finished: tuple[int, ...] = ()  # seats still in that have finished (5.13)
    paid: tuple[Fraction, ...] = ()  # what each seat paid when it left this game (6.10)
    crawford: Crawford | None = None  # None when the match has no Crawford game
    chooser: int | None = None  # who chooses the next game; only in CHOOSING
    chosen: tuple[GameId, ...] = ()  # the games settled for after this one in a mixed match (7.6)
    offer: Resignation | Settlement | NoResult | None = None
    over: Over | None = None
