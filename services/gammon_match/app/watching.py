"""Watching matches: one reader for each partition serves all watchers, and each sees every event once and in order.

Watchers first read what is stored, then take what is published, and read again wherever a gap shows: nothing depends on
a message getting through. A watcher that cannot keep up loses its queue, never the others' time.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from gammon_match.app.codec import Codec, Unknown
from gammon_match.app.ports import EventStore, StoredEvent, Unreadable
from gammon_match.app.tail import Tail
from gammon_match.core.events import MatchClosed
from gammon_match.core.refusals import CorruptMatch, MatchNotFound, Refusal, Rewound

PAGE = 500
MOST_WAITING = 1000
WAIT_S = 1.0
AGAIN_S = 0.2


@dataclass(slots=True)
class _Channel:
    """One watched match: how far it was published, and who listens. None in a queue: read the store again."""

    position: int
    queues: set[asyncio.Queue[StoredEvent | None]] = field(default_factory=set)

    def publish(self, events: Sequence[StoredEvent]) -> None:
        for event in events:
            if event.sequence <= self.position:
                continue
            gap = event.sequence != self.position + 1
            self.position = event.sequence
            for queue in self.queues:
                if gap or queue.full():
                    while not queue.empty():
                        queue.get_nowait()
                    queue.put_nowait(None)
                else:
                    queue.put_nowait(event)


class Watching:
    """All watchers of this process."""

    def __init__(self, store: EventStore, tail: Tail, codec: Codec, partition_of: Callable[[str], int | None]) -> None:
        """`partition_of`: of a match id; matches of one partition can be read together."""
        self._store = store
        self._tail = tail
        self._codec = codec
        self._partition_of = partition_of
        self._channels: dict[int, dict[str, _Channel]] = {}
        self._readers: dict[int, asyncio.Task[None]] = {}

    def stored(self, match_id: str, events: Sequence[StoredEvent]) -> None:
        """Tells the watchers of a match what this process has just stored, before a reader finds it."""
        channel = self._channels.get(self._partition(match_id), {}).get(match_id)
        if channel is not None:
            channel.publish(events)

    async def watch(self, match_id: str, after: int) -> AsyncGenerator[StoredEvent | Refusal, None]:
        """Every event above a sequence, once and in order, until the match is closed; a refusal ends it.

        While the store is away it waits.
        """
        head = await self._head(match_id, after)
        if not isinstance(head, int):
            yield head
            return
        queue = self._join(match_id, head)
        last = after
        try:
            while True:
                async with aclosing(self._catch_up(match_id, last)) as caught_up:
                    async for event in caught_up:
                        yield event
                        if not isinstance(event, StoredEvent):
                            return
                        last = event.sequence
                        if self._closes(event):
                            return
                while (published := await queue.get()) is not None:
                    if published.sequence <= last:
                        continue
                    if published.sequence != last + 1:
                        break
                    yield published
                    last = published.sequence
                    if self._closes(published):
                        return
        finally:
            self._leave(match_id, queue)

    async def close(self) -> None:
        """Ends the readers."""
        for reader in self._readers.values():
            reader.cancel()
        await asyncio.gather(*self._readers.values(), return_exceptions=True)

    async def _head(self, match_id: str, after: int) -> int | Refusal:
        while True:
            recorded = await self._store.read(match_id, after, 0)
            if isinstance(recorded, Unreadable):
                await asyncio.sleep(AGAIN_S)
                continue
            if recorded.head is None:
                return MatchNotFound(match_id)
            if after > recorded.head.sequence:
                return Rewound(after, b"")
            return recorded.head.sequence

    async def _catch_up(self, match_id: str, after: int) -> AsyncGenerator[StoredEvent | Refusal, None]:
        while True:
            recorded = await self._store.read(match_id, after, PAGE)
            if isinstance(recorded, Unreadable):
                await asyncio.sleep(AGAIN_S)
                continue
            for event in recorded.events:
                if event.sequence != after + 1:
                    yield CorruptMatch(after + 1, f"event {after + 1} is missing")
                    return
                after = event.sequence
                yield event
            if len(recorded.events) < PAGE:
                return

    def _closes(self, event: StoredEvent) -> bool:
        envelope = self._codec.decode(event.envelope)
        return not isinstance(envelope, Unknown) and isinstance(envelope.event, MatchClosed)

    def _partition(self, match_id: str) -> int:
        return self._partition_of(match_id) or 0

    def _join(self, match_id: str, head: int) -> asyncio.Queue[StoredEvent | None]:
        partition = self._partition(match_id)
        channels = self._channels.setdefault(partition, {})
        channel = channels.setdefault(match_id, _Channel(head))
        queue: asyncio.Queue[StoredEvent | None] = asyncio.Queue(MOST_WAITING)
        channel.queues.add(queue)
        if partition not in self._readers:
            self._readers[partition] = asyncio.create_task(self._read(partition, channels))
        return queue

    def _leave(self, match_id: str, queue: asyncio.Queue[StoredEvent | None]) -> None:
        channels = self._channels[self._partition(match_id)]
        channel = channels[match_id]
        channel.queues.discard(queue)
        if not channel.queues:
            del channels[match_id]

    async def _read(self, partition: int, channels: dict[str, _Channel]) -> None:
        """Publishes what is appended to the watched matches of a partition; ends with the last watcher."""
        try:
            while channels:
                positions = {match_id: channel.position for match_id, channel in channels.items()}
                # A match that joins meanwhile is looked at in the next turn, so a turn is short.
                found = await self._tail.newer(positions, WAIT_S)
                if isinstance(found, Unreadable):
                    await asyncio.sleep(AGAIN_S)
                    continue
                for match_id, events in found.items():
                    if match_id in channels:
                        channels[match_id].publish(events)
        finally:
            self._readers.pop(partition, None)
