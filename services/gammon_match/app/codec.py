"""What the match service needs to turn its values into stored bytes and back."""

from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.ports import DurabilityLevel
from gammon_match.core.events import DiceSource, Envelope
from gammon_match.core.listing import Listing
from gammon_match.core.match import Match
from gammon_match.core.terms import NO_ABSENCE, NO_CLOCK, AbsenceTerms, ClockKind, ClockTerms, SeatTerms, Spectators


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the match service reads of a match's settings; `rules` are the law's part, as bytes.

    `durability`: the least of anything that is told about the match; None: the service's floor.
    """

    rules: bytes
    rules_version: str
    seats: int
    seat_terms: tuple[SeatTerms, ...]
    dice: DiceSource
    clock: ClockTerms = NO_CLOCK
    absence: AbsenceTerms = NO_ABSENCE
    spectators: Spectators = Spectators.LIVE
    spectator_delay: int = 0
    take_backs: bool = False
    private: bool = False
    durability: DurabilityLevel | None = None

    def of_seat(self, seat: int) -> SeatTerms:
        """What was agreed about a seat."""
        return self.seat_terms[seat] if seat < len(self.seat_terms) else SeatTerms()

    def reserved_for(self, seat: int) -> str:
        """The player a seat is reserved for; empty: nobody."""
        return self.of_seat(seat).player

    def needs_invitation(self, seat: int) -> bool:
        """Whether nobody takes a seat uninvited. A reserved one is for its player, who needs no invitation."""
        agreed = self.of_seat(seat)
        return not agreed.player and (agreed.invited or self.private)

    @property
    def is_measured(self) -> bool:
        """Whether one process at a time measures it: a live clock, absences or pauses."""
        live_clock = self.clock.kind in (ClockKind.DELAY, ClockKind.FISCHER)
        return live_clock or self.absence.abandonment_ns is not None or self.absence.pause_budget_ns > 0

    @property
    def is_timed(self) -> bool:
        """Whether time does anything to it."""
        return self.is_measured or self.clock.kind is ClockKind.DAYS


@dataclass(frozen=True, slots=True)
class Ending:
    """What a feed entry tells of a batch that ends a game or a match; the ends as fact bytes.

    `corrects_from`: the sequence from which on earlier entries of the match no longer hold; 0: they hold.
    """

    match_id: str
    sequence: int
    hash: bytes
    players: tuple[str, ...]
    record_ns: int
    game_ended: bytes | None
    play_ended: bytes | None
    corrects_from: int = 0


@dataclass(frozen=True, slots=True)
class Unknown:
    """Stored bytes that this version cannot read."""

    fault: str


class Codec(Protocol):
    """Stored bytes."""

    def encode(self, envelope: Envelope) -> bytes:
        """The bytes to store."""
        ...

    def decode(self, stored: bytes) -> Envelope | Unknown:
        """The value of stored bytes; an event it does not know is Unknown unless it may be ignored."""
        ...

    def read_settings(self, settings: bytes) -> Agreed | Unknown:
        """What is read of a match's settings."""
        ...

    def feed_entry(self, settings: bytes, ending: Ending) -> bytes:
        """The bytes of a feed entry of a match with these settings."""
        ...

    def listing(self, match: Match) -> Listing:
        """A match's entry in lists, as it stands."""
        ...

    def read_listing(self, listing: bytes) -> Listing | Unknown:
        """The entry that stored bytes are."""
        ...

    def is_end(self, fact: bytes) -> bool:
        """Whether a fact ends a game or a match, and so was told in the feed."""
        ...
