"""One match in memory: what its stored events amount to, and where the batches of requests stand."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from gammon_match.app.codec import Agreed, Codec, Unknown
from gammon_match.app.ports import Batch, Head, StoredEvent
from gammon_match.app.spans import Spans
from gammon_match.core.events import Envelope, MatchCreated
from gammon_match.core.match import Match, evolve
from gammon_match.core.refusals import CorruptMatch
from gammon_proofs.chain import event_hash, genesis_hash


@dataclass(slots=True)
class LiveMatch:
    """A match folded up to `head`. `pending`: a batch whose outcome is not known, settled before anything else.

    `seen_at`: when, on the monotonic clock, this process first saw what is measured from the event at a sequence, in
    the term `seen_in_term`; see the timekeeper. `is_past`: it is read as it stood once, and no time passes in it.
    `previous_hash`: the chain's before the last event. `checkpointed`: where this process last knew of a checkpoint.
    """

    match_id: str
    match: Match = field(default_factory=Match)
    head: Head = field(default_factory=lambda: Head(0, b""))
    agreed: Agreed | None = None
    spans: Spans = field(default_factory=Spans)
    pending: Batch | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen_at: dict[int, int] = field(default_factory=dict)
    seen_in_term: int | None = None
    is_past: bool = False
    previous_hash: bytes = b""
    checkpointed: int = 0

    def terms(self) -> Agreed:
        """What was agreed; only of a match that has been created."""
        assert self.agreed is not None, "a live match has at least its first event"
        return self.agreed

    def advance(self, envelope: Envelope, stored_hash: bytes, codec: Codec) -> CorruptMatch | None:
        """Takes in one more event whose hash is known to be right."""
        sequence = self.head.sequence + 1
        if isinstance(envelope.event, MatchCreated):
            agreed = codec.read_settings(envelope.event.settings)
            if isinstance(agreed, Unknown):
                return CorruptMatch(sequence, agreed.fault)
            self.agreed = agreed
        self.match = evolve(self.match, envelope)
        self.previous_hash = self.head.hash
        self.head = Head(sequence, stored_hash)
        end = envelope.batch_end
        if end is not None:
            self.spans.append(sequence, envelope.request_id, end.request_digest, self.match.phase, self.match.draws)
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
