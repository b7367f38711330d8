"""One match in memory: what its stored events amount to, and where each request's batch stands."""

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from gammon_match.app.codec import Agreed, Codec, Unknown
from gammon_match.app.ports import Batch, Head, StoredEvent
from gammon_match.core.events import Envelope, MatchCreated
from gammon_match.core.match import Match, evolve
from gammon_match.core.refusals import CorruptMatch
from gammon_proofs.chain import event_hash, genesis_hash


@dataclass(frozen=True, slots=True)
class Span:
    """One request's batch: its first and last sequence, its digest, and the phase and draws after it."""

    first: int
    last: int
    request_id: str
    digest: bytes
    phase: int
    draws: int


@dataclass(slots=True)
class LiveMatch:
    """A match folded up to `head`. `pending`: a batch whose outcome is not known, settled before anything else.

    `seen_at`: when, on the monotonic clock, this process first saw what is measured from the event at a sequence, in
    the term `seen_in_term`; see the timekeeper. `is_past`: it is read as it stood once, and no time passes in it.
    """

    match_id: str
    match: Match = field(default_factory=Match)
    head: Head = field(default_factory=lambda: Head(0, b""))
    agreed: Agreed | None = None
    spans: list[Span] = field(default_factory=list)
    by_request: dict[str, Span] = field(default_factory=dict)
    pending: Batch | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    batch_first: int = 1
    seen_at: dict[int, int] = field(default_factory=dict)
    seen_in_term: int | None = None
    is_past: bool = False

    def terms(self) -> Agreed:
        """What was agreed; only of a match that has been created."""
        assert self.agreed is not None, "a live match has at least its first event"
        return self.agreed

    def span_at(self, sequence: int) -> Span | None:
        """The last batch that ends at or before a sequence."""
        index = bisect_right(self.spans, sequence, key=lambda span: span.last)
        return self.spans[index - 1] if index else None

    def advance(self, envelope: Envelope, stored_hash: bytes, codec: Codec) -> CorruptMatch | None:
        """Takes in one more event whose hash is known to be right."""
        sequence = self.head.sequence + 1
        if isinstance(envelope.event, MatchCreated):
            agreed = codec.read_settings(envelope.event.settings)
            if isinstance(agreed, Unknown):
                return CorruptMatch(sequence, agreed.fault)
            self.agreed = agreed
        self.match = evolve(self.match, envelope)
        self.head = Head(sequence, stored_hash)
        end = envelope.batch_end
        if end is not None:
            phase = end.standing.phase if end.standing is not None else 0
            span = Span(self.batch_first, sequence, envelope.request_id, end.request_digest, phase, self.match.draws)
            self.spans.append(span)
            self.by_request[span.request_id] = span
            self.batch_first = sequence + 1
        return None


def take_in(live: LiveMatch, events: Sequence[StoredEvent], codec: Codec) -> CorruptMatch | None:
    """Folds stored events that follow the head on, checking sequence and chain; names the first that is wrong."""
    for stored in events:
        sequence = live.head.sequence + 1
        if stored.sequence != sequence:
            return CorruptMatch(sequence, f"event {sequence} is missing; the next stored is {stored.sequence}")
        envelope = codec.decode(stored.envelope)
        if isinstance(envelope, Unknown):
            return CorruptMatch(sequence, envelope.fault)
        previous = live.head.hash
        if sequence == 1:
            if not isinstance(envelope.event, MatchCreated):
                return CorruptMatch(1, "the first event does not create the match")
            previous = genesis_hash(live.match_id, envelope.event.settings)
        if event_hash(previous, sequence, stored.envelope) != stored.hash:
            return CorruptMatch(sequence, "the stored hash does not follow from the event")
        fault = live.advance(envelope, stored.hash, codec)
        if fault is not None:
            return fault
    return None
