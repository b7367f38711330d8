"""A match as its events leave it: `evolve` never refuses, and asks nobody."""

from dataclasses import dataclass, replace
from typing import assert_never

from gammon_match.core.events import (
    BatchEnd,
    DiceDrawn,
    DirectorRuled,
    DrawRequested,
    Envelope,
    Ignorable,
    LawFact,
    MatchClosed,
    MatchCreated,
    MatchStarted,
    RecordClaimed,
    SeatTaken,
    Standing,
    Status,
    TakenBack,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat, and the key their acts are signed with (empty: none)."""

    player: str
    public_key: bytes


@dataclass(frozen=True, slots=True)
class Match:
    """A match after some of its events. `state` and `standing` are those of the last batch end.

    `ruled_sequence`: where a director last ruled or took back; 0: never. `withdrawn`: what was taken back, each as the
    sequence that it went back to and the one that says so.
    """

    settings: bytes = b""
    creator: str = ""
    created_ns: int = 0
    holders: tuple[tuple[int, Holder], ...] = ()
    status: Status = Status.SEATING
    state: bytes = b""
    standing: Standing | None = None
    draws: int = 0
    seats_sequence: int = 0
    ruled_sequence: int = 0
    withdrawn: tuple[tuple[int, int], ...] = ()
    sequence: int = 0
    last_ns: int = 0
    batch_sequence: int = 0

    def holder(self, seat: int) -> Holder | None:
        """Who holds a seat; None: it is open."""
        return next((holder for number, holder in self.holders if number == seat), None)

    def seat_of(self, player: str) -> int | None:
        """The lowest seat that a player holds."""
        return min((number for number, holder in self.holders if holder.player == player), default=None)

    def stands(self, sequence: int) -> bool:
        """Whether what happened there was not taken back."""
        return not any(back < sequence < said for back, said in self.withdrawn)


def evolve(match: Match, envelope: Envelope) -> Match:
    """The match after one more event."""
    sequence = match.sequence + 1
    event = envelope.event
    end = envelope.batch_end
    holders, seats_sequence, draws = match.holders, match.seats_sequence, match.draws
    ruled_sequence, withdrawn = match.ruled_sequence, match.withdrawn
    match event:
        case MatchCreated(settings, creator):
            return _with_end(
                replace(
                    match,
                    settings=settings,
                    creator=creator,
                    created_ns=envelope.record_ns,
                    sequence=sequence,
                    last_ns=envelope.record_ns,
                ),
                end,
            )
        case SeatTaken(seat, player, public_key):
            others = tuple((s, h) for s, h in holders if s != seat)
            holders = tuple(sorted((*others, (seat, Holder(player, public_key))), key=lambda held: held[0]))
            seats_sequence = sequence
        case DrawRequested(draw):
            draws = draw
        case DirectorRuled():
            ruled_sequence = sequence
        case TakenBack(to_sequence):
            ruled_sequence = sequence
            withdrawn = (*withdrawn, (to_sequence, sequence))
        case MatchStarted() | DiceDrawn() | LawFact() | RecordClaimed() | MatchClosed() | Ignorable():
            pass
        case _:
            assert_never(event)
    after = replace(
        match,
        holders=holders,
        seats_sequence=seats_sequence,
        ruled_sequence=ruled_sequence,
        withdrawn=withdrawn,
        draws=draws,
        sequence=sequence,
        last_ns=envelope.record_ns,
    )
    return _with_end(after, end)


def _with_end(match: Match, end: BatchEnd | None) -> Match:
    if end is None:
        return match
    return replace(match, status=end.status, state=end.state, standing=end.standing, batch_sequence=match.sequence)
