"""What a match can go back to: an earlier batch end of its play that was not taken back itself (rule 8.5)."""

from dataclasses import dataclass

from gammon_match.app.codec import Codec, Unknown
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import EventStore, Unreadable
from gammon_match.app.spans import Span
from gammon_match.app.writing import Writing
from gammon_match.core.events import Actor, BatchEnd, Envelope, Event, LawFact
from gammon_match.core.refusals import CorruptMatch, NoBatchEnd, Refusal, StoreAway, Unlawful


@dataclass(frozen=True, slots=True)
class Earlier:
    """The batch end at a sequence; whether a game or the match ended after it."""

    sequence: int
    end: BatchEnd
    had_ends: bool

    def writing(
        self, live: LiveMatch, actor: Actor, request_id: str, events: tuple[Event, ...], digest: bytes
    ) -> Writing:
        """The batch of going back there: its state holds again, draws and seats stay as they are now."""
        then, now = self.end, live.match
        end = BatchEnd(digest, then.state, then.standing, now.status, now.draws, now.seats_sequence)
        return Writing(actor, request_id, events, end, corrects_from=self.sequence + 1 if self.had_ends else 0)


@dataclass(frozen=True, slots=True)
class Past:
    """The stored past of matches."""

    store: EventStore
    matches: LiveMatches
    codec: Codec

    async def at(self, live: LiveMatch, sequence: int) -> Earlier | Refusal:
        """What stood at a batch end before the head, or why nothing goes back there."""
        span = await self.matches.span_at(live, sequence)
        if span is not None and not isinstance(span, Span):
            return span
        if span is None or span.last != sequence:
            return NoBatchEnd(sequence)
        if sequence == live.head.sequence:
            return _refused("nothing has happened since", sequence)
        if not live.match.stands(sequence):
            return _refused("it was taken back itself", sequence)
        recorded = await self.store.read(live.match_id, sequence - 1, live.head.sequence - sequence + 1)
        if isinstance(recorded, Unreadable):
            return StoreAway(recorded.cause)
        envelopes: list[Envelope] = []
        for place, stored in enumerate(recorded.events, sequence):
            envelope = self.codec.decode(stored.envelope)
            if stored.sequence != place or isinstance(envelope, Unknown):
                return CorruptMatch(place, "a stored event is not what it was")
            envelopes.append(envelope)
        end = envelopes[0].batch_end if envelopes else None
        if end is None:
            return CorruptMatch(sequence, "a stored batch has lost its end")
        if end.standing is None:
            return _refused("the match had not started", sequence)
        facts = (envelope.event.fact for envelope in envelopes[1:] if isinstance(envelope.event, LawFact))
        return Earlier(sequence, end, any(map(self.codec.is_end, facts)))


def _refused(reason: str, sequence: int) -> Unlawful:
    return Unlawful("8.5", reason, "to_sequence", str(sequence))
