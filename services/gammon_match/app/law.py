"""What the match service asks of the rules service. Everything of the law itself is opaque bytes here."""

from dataclasses import dataclass
from typing import Protocol

from gammon_match.core.events import Standing
from gammon_match.core.refusals import FieldFault
from gammon_match.core.table_events import SystemReason


@dataclass(frozen=True, slots=True)
class Question:
    """May this be done? `settings` and `state` as stored, `action` a contract action's bytes.

    `seat` and `dice` replace what the action says: a client never names either. `dice` None: the action has none.
    """

    rules_version: str
    settings: bytes
    state: bytes
    action: bytes
    seat: int | None
    dice: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Ruled:
    """It may. The state's bytes and what is read of it, the facts in order; of these the ends, if there are any."""

    state: bytes
    standing: Standing
    facts: tuple[bytes, ...]
    game_ended: bytes | None = None
    play_ended: bytes | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """It may not: the rule it breaks."""

    rule: str
    reason: str
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class OnlyChoice:
    """All that a seat on turn can do but leave, resign or offer, and why there is nothing else.

    `action`: the contract action's bytes, as a client would send it; `roll`: whether it asks for dice.
    """

    seat: int
    action: bytes
    roll: bool
    reason: SystemReason


@dataclass(frozen=True, slots=True)
class Begun:
    """Where a match starts, and the rules version that it pins."""

    rules_version: str
    state: bytes
    standing: Standing


@dataclass(frozen=True, slots=True)
class Faulty:
    """The settings or the question cannot be used. `supported`: False if they only wait for a later version."""

    faults: tuple[FieldFault, ...]
    supported: bool = True


@dataclass(frozen=True, slots=True)
class Away:
    """The rules service does not answer."""

    cause: str


@dataclass(frozen=True, slots=True)
class RulesPreset:
    """The law's part of settings that people play by, `rules` as bytes. `length`: points or games; 0: no end set."""

    name: str
    description: str
    rules: bytes
    seats: int
    length: int


@dataclass(frozen=True, slots=True)
class GameOffered:
    """A game by its number in the contract, with its presets: the usual one of each number of seats comes first."""

    game: int
    name: str
    presets: tuple[RulesPreset, ...]


class Law(Protocol):
    """The rules service."""

    async def begin(self, rules: bytes) -> Begun | Faulty | Away:
        """Checks the law's settings (their bytes) and gives the state a match starts from."""
        ...

    async def rule(self, question: Question) -> Ruled | Broken | Faulty | Away:
        """Rules on one action."""
        ...

    async def games(self) -> tuple[GameOffered, ...] | Away:
        """What can be played."""
        ...

    async def only_choice(self, rules_version: str, settings: bytes, state: bytes) -> OnlyChoice | Faulty | Away | None:
        """What the seat on turn does in a state, with settings as stored; None: it has to choose."""
        ...
