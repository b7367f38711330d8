"""Storing one request's batch: bytes, hashes, feed entry, append, and what its outcome means for the match."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from gammon_match.app.codec import Codec, Ending
from gammon_match.app.listing_changes import listing_change
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import (
    Appended,
    Batch,
    Clock,
    Closed,
    Conflict,
    Corrupt,
    DurabilityLevel,
    EventStore,
    Fenced,
    Head,
    NotConfirmed,
    NotWritten,
    OutcomeUnknown,
    StoredEvent,
    Unreadable,
)
from gammon_match.app.spans import Span
from gammon_match.app.timekeeper import Look, Timekeeper
from gammon_match.app.writing import Prepared, Writing, Written
from gammon_match.core.events import Envelope, MatchClosed, MatchCreated
from gammon_match.core.match import Match
from gammon_match.core.refusals import (
    CorruptMatch,
    DurabilityNotOffered,
    MatchIsClosed,
    Overtaken,
    Refusal,
    RequestIdReused,
    StoreAway,
    StoreFenced,
    Unconfirmed,
    Unknown,
)
from gammon_proofs.chain import chain_hashes, genesis_hash


class Recorder:
    """Writes batches. Callers hold the match's lock."""

    def __init__(
        self,
        store: EventStore,
        codec: Codec,
        clock: Clock,
        live: LiveMatches,
        time: Timekeeper,
        floor: DurabilityLevel = DurabilityLevel.ACCEPTED,
        on_stored: Callable[[str, Sequence[StoredEvent]], None] = lambda *_: None,
    ) -> None:
        """`floor`: the least durability of anything this service tells. `on_stored`: told of every batch stored.

        Set later: `on_timed`, told where something was stored; `on_pending`, where an outcome is to be learned.
        """
        self.time = time
        self.on_timed: Callable[[LiveMatch], None] = lambda _: None
        self.on_pending: Callable[[str], None] = lambda _: None
        self._store = store
        self._codec = codec
        self._clock = clock
        self._live = live
        self._floor = floor
        self._on_stored = on_stored

    @property
    def floor(self) -> DurabilityLevel:
        """The least durability of anything this service tells."""
        return self._floor

    def level(self, asked: DurabilityLevel | None) -> DurabilityLevel | DurabilityNotOffered:
        """The level to append at: what was asked, but at least the floor."""
        level = self._floor if asked is None or asked.value < self._floor.value else asked
        if level.value > self._store.offered.value:
            return DurabilityNotOffered(level.name, self._store.offered.name)
        return level

    def prepare(self, match_id: str, head: Head, match: Match, writing: Writing, players: tuple[str, ...]) -> Prepared:
        """The batch of a writing that follows a head. Pure but for the time it reads once."""
        now = max(self._clock.now_ns(), match.last_ns)
        last = len(writing.events) - 1
        envelopes = tuple(
            Envelope(
                now,
                writing.actor,
                writing.request_id,
                event,
                writing.end if index == last else None,
                writing.source_line,
            )
            for index, event in enumerate(writing.events)
        )
        encoded = tuple(self._codec.encode(envelope) for envelope in envelopes)
        first = writing.events[0]
        if isinstance(first, MatchCreated):
            head = Head(0, genesis_hash(match_id, first.settings))
            settings = first.settings
        else:
            settings = match.settings
        hashes = tuple(chain_hashes(head.hash, encoded, head.sequence + 1))
        feed_entry = None
        if writing.is_fed:
            ending = Ending(
                match_id,
                head.sequence + len(encoded),
                hashes[-1],
                players,
                now,
                writing.game_ended,
                writing.play_ended,
                writing.corrects_from,
            )
            feed_entry = self._codec.feed_entry(settings, ending)
        closes = isinstance(writing.events[-1], MatchClosed)
        listing = listing_change(self._codec, match, envelopes)
        return Prepared(Batch(match_id, head, encoded, hashes, feed_entry, closes, listing), envelopes)

    async def write(
        self, live: LiveMatch, writing: Writing, level: DurabilityLevel, look: Look | None = None
    ) -> Written | Refusal:
        """Stores a writing at the head of a match. Overtaken: the match is stale, refresh and decide again.

        `look`: the moment it was decided at; None: now.
        """
        if live.agreed is not None and live.agreed.is_timed:
            return await self._write_timed(live, writing, level, look)
        return await self._write(live, writing, level)

    async def _write_timed(
        self, live: LiveMatch, writing: Writing, level: DurabilityLevel, look: Look | None
    ) -> Written | Refusal:
        seen = look or await self.time.look(live)
        if isinstance(seen, StoreAway):
            return seen
        ended = writing.game_ended is not None
        events = self.time.stamp(live, seen, writing.events, writing.actor, writing.end, game_ended=ended)
        written = await self._write(live, replace(writing, events=events), level)
        if isinstance(written, Written | Unconfirmed):
            self.time.stored(live)
            self.on_timed(live)
        return written

    async def _write(self, live: LiveMatch, writing: Writing, level: DurabilityLevel) -> Written | Refusal:
        players = tuple(holder.player for _, holder in live.match.holders)
        return await self.append(live, self.prepare(live.match_id, live.head, live.match, writing, players), level)

    async def append(self, live: LiveMatch, prepared: Prepared, level: DurabilityLevel) -> Written | Refusal:
        """Stores a prepared batch and folds it on."""
        batch = prepared.batch
        try:
            result = await self._store.append(batch, _as_agreed(live, level))
        except asyncio.CancelledError:
            self._note_pending(live, batch)
            raise
        match result:
            case Appended(achieved):
                self._fold_on(live, prepared)
                self._on_stored(live.match_id, batch.events)
                return Written(batch.events, achieved)
            case NotConfirmed(achieved):
                self._fold_on(live, prepared)
                return Unconfirmed(batch.head.sequence, batch.head.hash, achieved.name)
            case OutcomeUnknown(cause):
                self._note_pending(live, batch)
                return Unknown(cause)
            case Conflict(head):
                return Overtaken(head.sequence, head.hash)
            case Closed(head):
                return MatchIsClosed(head.sequence)
            case Fenced(lineage):
                return StoreFenced(lineage)
            case Corrupt(fault):
                self._live.forget(live.match_id)
                return CorruptMatch(batch.expected.sequence, fault)
            case NotWritten(cause):
                return StoreAway(cause)
            case _:
                assert_never(result)

    async def settle(self, live: LiveMatch) -> Refusal | None:
        """Learns the outcome of a pending batch by sending it again, then reads the match on."""
        batch = live.pending
        if batch is None:
            return None
        result = await self._store.append(batch, DurabilityLevel.ACCEPTED)
        match result:
            case Appended() | NotConfirmed() | Conflict() | Closed():
                live.pending = None
                fault = await self._live.refresh(live)
                if fault is None:
                    self.on_timed(live)
                return fault
            case OutcomeUnknown(cause):
                return Unknown(cause)
            case NotWritten(cause):
                # This sending was refused; an earlier one may still have been stored.
                return Unknown(cause)
            case Fenced(lineage):
                return StoreFenced(lineage)
            case Corrupt(fault):
                self._live.forget(live.match_id)
                return CorruptMatch(batch.expected.sequence, fault)
            case _:
                assert_never(result)

    async def repeat(
        self, live: LiveMatch, request_id: str, digest: bytes, level: DurabilityLevel
    ) -> Written | Refusal | None:
        """The answer a request got before, from the stored events; None: it was not stored."""
        span = await self._live.span_of(live, request_id)
        if not isinstance(span, Span):
            return span
        if span.digest != digest:
            return RequestIdReused(request_id, span.last)
        recorded = await self._store.read(live.match_id, span.first - 1, span.last - span.first + 1)
        if isinstance(recorded, Unreadable):
            return StoreAway(recorded.cause)
        events = tuple(recorded.events)
        if [event.sequence for event in events] != list(range(span.first, span.last + 1)):
            self._live.forget(live.match_id)
            return CorruptMatch(span.first, "a stored batch is no longer whole")
        # A confirmed level needs a write of its own on the appending connection: the same batch again.
        before = await self._hash_before(live, span.first)
        if isinstance(before, CorruptMatch | StoreAway):
            return before
        batch = Batch(
            live.match_id,
            Head(span.first - 1, before),
            tuple(event.envelope for event in events),
            tuple(event.hash for event in events),
        )
        result = await self._store.append(batch, _as_agreed(live, level))
        match result:
            case Appended(achieved):
                return Written(events, achieved, repeated=True)
            case NotConfirmed(achieved):
                return Unconfirmed(span.last, events[-1].hash, achieved.name)
            case NotWritten(cause) | OutcomeUnknown(cause):
                return Unknown(cause)
            case Fenced(lineage):
                return StoreFenced(lineage)
            case Conflict(head) | Closed(head):
                self._live.forget(live.match_id)
                return CorruptMatch(head.sequence, "a stored batch is no longer where it was")
            case Corrupt(fault):
                self._live.forget(live.match_id)
                return CorruptMatch(span.last, fault)
            case _:
                assert_never(result)

    async def confirm(self, live: LiveMatch, level: DurabilityLevel) -> DurabilityLevel | Refusal:
        """How long all that is stored of a match is known to last: as long as its last batch."""
        last = live.spans.last
        again = await self.repeat(live, last.request_id, last.digest, level)
        assert again is not None, "the last batch is stored under its request id"
        return again.achieved if isinstance(again, Written) else again

    async def hash_at(self, live: LiveMatch, sequence: int) -> bytes | CorruptMatch | StoreAway:
        """The chain's hash at a sequence at or before the head."""
        if sequence == live.head.sequence:
            return live.head.hash
        recorded = await self._store.read(live.match_id, sequence - 1, 1)
        if isinstance(recorded, Unreadable):
            return StoreAway(recorded.cause)
        if not recorded.events or recorded.events[0].sequence != sequence:
            self._live.forget(live.match_id)
            return CorruptMatch(sequence, f"event {sequence} is missing")
        return recorded.events[0].hash

    async def _hash_before(self, live: LiveMatch, first: int) -> bytes | CorruptMatch | StoreAway:
        if first == 1:
            return genesis_hash(live.match_id, live.match.settings)
        return await self.hash_at(live, first - 1)

    def _note_pending(self, live: LiveMatch, batch: Batch) -> None:
        live.pending = batch
        if live.head.sequence:
            self.on_pending(live.match_id)

    def _fold_on(self, live: LiveMatch, prepared: Prepared) -> None:
        for envelope, stored_hash in zip(prepared.envelopes, prepared.batch.hashes, strict=True):
            fault = live.advance(envelope, stored_hash, self._codec)
            assert fault is None, fault
        self._live.went_on(live)


def _as_agreed(live: LiveMatch, level: DurabilityLevel) -> DurabilityLevel:
    """A level, but at least what was agreed for the match."""
    agreed = live.agreed.durability if live.agreed is not None else None
    return level if agreed is None or agreed.value < level.value else agreed
