"""A match as its events leave it: `evolve` never refuses, and asks nobody."""

from dataclasses import dataclass, replace

from gammon_match.core.events import (
    BatchEnd,
    DrawRequested,
    Envelope,
    LawFact,
    MatchCreated,
    SeatTaken,
    Standing,
    Status,
)
from gammon_match.core.table import EMPTY_TABLE, Holder, Table, arrange
from gammon_match.core.table_events import TableEvent, TakenBack


@dataclass(frozen=True, slots=True)
class Match:
    """A match after some of its events. `state` and `standing` are those of the last batch end.

    `ruled_sequence`: where a director last ruled or took back; 0: never. `withdrawn`: what was taken back, each as the
    sequence that it went back to and the one that says so.
    """

    settings: bytes = b""
    creator: str = ""
    created_ns: int = 0
    table: Table = EMPTY_TABLE
    status: Status = Status.SEATING
    state: bytes = b""
    standing: Standing | None = None
    draws: int = 0
    withdrawn: tuple[tuple[int, int], ...] = ()
    sequence: int = 0
    last_ns: int = 0
    batch_sequence: int = 0

    @property
    def holders(self) -> tuple[tuple[int, Holder], ...]:
        """The seats taken, in order, with who holds them."""
        return self.table.holders

    @property
    def phase(self) -> int:
        """The phase of play, as the rules service numbers it; 0: play has not begun."""
        return 0 if self.standing is None else self.standing.phase

    @property
    def seats_sequence(self) -> int:
        """Where it was last said who sits where; 0: never."""
        return self.table.seats_sequence

    @property
    def ruled_sequence(self) -> int:
        """Where a director last ruled, or play was taken back; 0: never."""
        return self.table.ruled_sequence

    def holder(self, seat: int) -> Holder | None:
        """Who holds a seat; None: it is open."""
        return next((holder for number, holder in self.holders if number == seat), None)

    def seat_of(self, player: str) -> int | None:
        """The lowest seat that a player holds."""
        return min((number for number, holder in self.holders if holder.player == player), default=None)

    def holds(self, seat: int, player: str) -> bool:
        """Whether a player holds a seat."""
        holder = self.holder(seat)
        return holder is not None and holder.player == player

    def unchanged(self, request_digest: bytes, status: Status | None = None) -> BatchEnd:
        """The end of a batch after which play stands where it stood; `status`: where that is what it changes."""
        now = self.status if status is None else status
        return BatchEnd(request_digest, self.state, self.standing, now, self.draws, self.seats_sequence)

    def stands(self, sequence: int) -> bool:
        """Whether what happened there was not taken back."""
        return not any(back < sequence < said for back, said in self.withdrawn)


def evolve(match: Match, envelope: Envelope) -> Match:
    """The match after one more event."""
    sequence = match.sequence + 1
    event = envelope.event
    table, draws, withdrawn = match.table, match.draws, match.withdrawn
    settings, creator, created_ns = match.settings, match.creator, match.created_ns
    if isinstance(event, SeatTaken | LawFact | TableEvent):
        table = arrange(table, sequence, event)
    match event:
        case MatchCreated():
            settings, creator, created_ns = event.settings, event.creator, envelope.record_ns
        case DrawRequested(draw):
            draws = draw
        case TakenBack(to_sequence):
            withdrawn = (*withdrawn, (to_sequence, sequence))
        case _:
            pass
    after = Match(
        settings,
        creator,
        created_ns,
        table,
        match.status,
        match.state,
        match.standing,
        draws,
        withdrawn,
        sequence,
        envelope.record_ns,
        match.batch_sequence,
    )
    return after if envelope.batch_end is None else end_batch(after, envelope.batch_end)


def end_batch(match: Match, end: BatchEnd) -> Match:
    """The match once its last event has said that it ends a batch, and what stands there."""
    return replace(match, status=end.status, state=end.state, standing=end.standing, batch_sequence=match.sequence)
