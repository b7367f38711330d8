"""Checkpoints: what a match amounted to at a batch end, so that a cold service reads the end of its stream only.

A checkpoint repeats what the events before it say, and the last of them must be the one in the stream. Where there is
none, or anything about one is not right, the whole log is read.
"""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.codec import Codec, Unknown
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, StoredEvent
from gammon_match.app.spans import Span, Spans
from gammon_match.core.match import Match, end_batch
from gammon_match.core.table import Table
from gammon_proofs.chain import event_hash

# A cold service folds about as many events at most. Each checkpoint is a write, with the marks of all requests: of a
# long match it is every hundredth of its length, so that what all of them cost an event has a bound.
EVERY_EVENTS = 50
OF_ITS_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What the event at `head`, a batch end, does not say itself of the match there.

    `previous_hash`: the chain's before that event. `batch_first`: where its batch begins. `marks`: of the requests
    before it, see `Spans`.
    """

    head: Head
    previous_hash: bytes
    batch_first: int
    settings: bytes
    creator: str
    created_ns: int
    table: Table
    draws: int
    withdrawn: tuple[tuple[int, int], ...]
    marks: bytes


class Checkpoints(Protocol):
    """Where checkpoints are kept, the last one of each match."""

    async def load(self, match_id: str) -> Checkpoint | None:
        """A match's checkpoint; None: there is none that can be read."""
        ...

    async def save(self, match_id: str, checkpoint: Checkpoint) -> None:
        """Keeps a checkpoint instead of the one before, or does not, and says nothing of it."""
        ...


class Checkpointing:
    """Loads checkpoints, and saves them in the background: nobody waits for that, and none is owed to anybody."""

    def __init__(self, checkpoints: Checkpoints, every: int = EVERY_EVENTS) -> None:
        """`every`: a match gets another once it has gone on by more events; a long one by more still."""
        self._checkpoints = checkpoints
        self._every = every
        self._saving: set[asyncio.Task[None]] = set()

    async def load(self, match_id: str) -> Checkpoint | None:
        """A match's checkpoint, if it has one that can be read."""
        return await self._checkpoints.load(match_id)

    def went_on(self, live: LiveMatch) -> None:
        """Takes note that a match has been folded on."""
        sequence = live.head.sequence
        every = max(self._every, sequence // OF_ITS_LENGTH)
        if sequence - live.checkpointed <= every or sequence != live.match.batch_sequence:
            return
        live.checkpointed = sequence
        task = asyncio.create_task(self._checkpoints.save(live.match_id, checkpoint_of(live)))
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def close(self) -> None:
        """Ends what is being saved."""
        saving = tuple(self._saving)
        for task in saving:
            task.cancel()
        await asyncio.gather(*saving, return_exceptions=True)


def checkpoint_of(live: LiveMatch) -> Checkpoint:
    """The checkpoint of a match that stands at a batch end after its first event."""
    match = live.match
    return Checkpoint(
        live.head,
        live.previous_hash,
        live.spans.last.first,
        match.settings,
        match.creator,
        match.created_ns,
        match.table,
        match.draws,
        match.withdrawn,
        live.spans.marks(),
    )


def resumed(match_id: str, checkpoint: Checkpoint, stored: StoredEvent, codec: Codec) -> LiveMatch | None:
    """The match at a checkpoint whose event is stored; None: the checkpoint is not of this event, or cannot be used."""
    sequence = checkpoint.head.sequence
    if Head(stored.sequence, stored.hash) != checkpoint.head:
        return None
    if event_hash(checkpoint.previous_hash, sequence, stored.envelope) != stored.hash:
        return None
    envelope, agreed = codec.decode(stored.envelope), codec.read_settings(checkpoint.settings)
    if isinstance(envelope, Unknown) or isinstance(agreed, Unknown) or envelope.batch_end is None:
        return None
    match = Match(
        settings=checkpoint.settings,
        creator=checkpoint.creator,
        created_ns=checkpoint.created_ns,
        table=checkpoint.table,
        draws=checkpoint.draws,
        withdrawn=checkpoint.withdrawn,
        sequence=sequence,
        last_ns=envelope.record_ns,
    )
    match = end_batch(match, envelope.batch_end)
    span = Span(
        checkpoint.batch_first,
        sequence,
        envelope.request_id,
        envelope.batch_end.request_digest,
        match.phase,
        match.draws,
    )
    return LiveMatch(
        match_id,
        match,
        checkpoint.head,
        agreed,
        Spans(span, checkpoint.marks),
        previous_hash=checkpoint.previous_hash,
        checkpointed=sequence,
    )
