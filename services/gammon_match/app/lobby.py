"""Watching sets of matches: what there is, then each change once, with one reader for each partition for all callers.

A caller looks at the rows of a partition from where its reader stands, and then takes what the reader finds. A reader
that has lost its place (the store keeps so many changes) has all callers look again: nothing depends on a change that
gets through. A caller that cannot keep up is cut off, and costs the others nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TypeVar

from gammon_match.app.codec import Codec, Unknown
from gammon_match.app.following import Following
from gammon_match.app.index import MatchIndex, Row
from gammon_match.app.lobby_caller import AllTold, Changed, LobbyCaller, Look, Told
from gammon_match.app.ports import Head, Unreadable
from gammon_match.app.tail import Change, Tail
from gammon_match.core.listing import OPEN, Listing, Wanted
from gammon_match.core.refusals import TooSlow
from gammon_match.core.sight import Viewer

PAGE = 500
# The store keeps several times as many.
CHANGES = 200
WAIT_S = 1.0
AGAIN_S = 0.2
T = TypeVar("T")


class Lobby:
    """All who watch sets of matches in this process."""

    def __init__(
        self,
        index: MatchIndex,
        tail: Tail,
        following: Following,
        codec: Codec,
        partition_of: Callable[[str], int | None],
        partitions: int,
    ) -> None:
        """`following`: tells how far matches are. `partitions`: of the store."""
        self._index = index
        self._tail = tail
        self._following = following
        self._codec = codec
        self._partition_of = partition_of
        self._partitions = partitions
        self._callers: set[LobbyCaller] = set()
        self._readers: dict[int, asyncio.Task[None]] = {}
        self._positions: dict[int, int] = {}

    async def watch(self, wanted: Wanted, viewer: Viewer) -> AsyncGenerator[Told | AllTold | TooSlow, None]:
        """The matches of a set that are not closed, then each change of one; being cut off ends it.

        While the store is away it waits.
        """
        caller = LobbyCaller(wanted, viewer, self._following)
        unseen = set(range(self._partitions))
        self._join(caller)
        try:
            while True:
                match await caller.waiting.get():
                    case Look(partition) as look:
                        caller.look(look)
                        async with aclosing(self._look(caller, partition, wanted)) as looked:
                            async for told in looked:
                                yield told
                        if partition in unseen:
                            unseen.discard(partition)
                            if not unseen:
                                yield AllTold()
                    case TooSlow() as too_slow:
                        yield too_slow
                        return
                    case item:
                        if isinstance(item, Changed) and item.listing.is_open and caller.includes(item.listing):
                            match_id = item.row.match_id
                            heads = await self._follow(caller, (item.row, item.listing))
                            item = replace(item, head=heads.get(match_id, item.head))
                        news = caller.take(item)
                        if news is not None:
                            yield news
        finally:
            self._callers.discard(caller)
            caller.leave()

    async def close(self) -> None:
        """Ends the readers."""
        for reader in self._readers.values():
            reader.cancel()
        await asyncio.gather(*self._readers.values(), return_exceptions=True)

    def _join(self, caller: LobbyCaller) -> None:
        self._callers.add(caller)
        for partition in range(self._partitions):
            if partition in self._positions:
                caller.offer(Look(partition, self._positions[partition]))
            elif partition not in self._readers:
                self._readers[partition] = asyncio.create_task(self._read(partition))

    async def _look(self, caller: LobbyCaller, partition: int, wanted: Wanted) -> AsyncGenerator[Told, None]:
        """What the rows of a partition say that the caller was not told."""
        before = set(caller.known())
        after, seen = "", set[str]()
        while True:
            rows = await _patiently(partial(self._index.page, partition, (OPEN, *wanted.facets), after, PAGE))
            entries = ((row, self._entry(row, partition)) for row in rows)
            # The page may be of another facet than that of open matches.
            fitting = [(row, entry) for row, entry in entries if entry and entry.is_open and caller.includes(entry)]
            heads = await self._follow(caller, *fitting)
            for row, listing in fitting:
                seen.add(row.match_id)
                told = caller.tell(row, listing, heads.get(row.match_id))
                if told is not None:
                    yield told
            if len(rows) < PAGE:
                break
            after = rows[-1].match_id
        elsewhere = [of for of in before - seen if self._partition_of(of) == partition]
        if not elsewhere:
            return
        rows = await _patiently(partial(self._index.rows, elsewhere))
        last = await _patiently(partial(self._tail.last_change, partition))
        for row in rows:
            entry = self._entry(row, partition)
            told = caller.tell_ended(row, entry, partition, last) if entry is not None else None
            if told is not None:
                yield told

    async def _follow(self, caller: LobbyCaller, *matches: tuple[Row, Listing]) -> Mapping[str, Head]:
        """Has the caller hear how far its matches are from now on; gives the heads of those it did not hear of yet."""
        hears = (row.match_id for row, listing in matches if caller.hears_moves_of(listing))
        fresh = [match_id for match_id in hears if match_id not in caller.follows]
        if not fresh:
            return {}
        heads = await _patiently(partial(self._index.heads, fresh))
        for of, head in heads.items():
            caller.follow(of, head.sequence)
        # What was stored before the following began is told by the heads that there are now.
        return await _patiently(partial(self._index.heads, fresh))

    async def _read(self, partition: int) -> None:
        """Publishes what changes in a partition; ends with the last caller."""
        try:
            while self._callers:
                position = self._positions.get(partition)
                if position is None:
                    await self._take_place(partition)
                    continue
                found = await self._tail.changes(partition, position, CHANGES, WAIT_S)
                if isinstance(found, Unreadable):
                    await asyncio.sleep(AGAIN_S)
                elif found:
                    self._publish(partition, found)
                elif await self._is_gone(partition, position):
                    del self._positions[partition]
        finally:
            self._readers.pop(partition, None)
            self._positions.pop(partition, None)

    async def _take_place(self, partition: int) -> None:
        last = await self._tail.last_change(partition)
        if isinstance(last, Unreadable):
            await asyncio.sleep(AGAIN_S)
            return
        self._positions[partition] = last
        self._offer(Look(partition, last))

    async def _is_gone(self, partition: int, position: int) -> bool:
        """Whether the store no longer has the change that was read last: it was put back, or its index made anew."""
        last = await self._tail.last_change(partition)
        return isinstance(last, int) and last < position

    def _publish(self, partition: int, found: Sequence[Change]) -> None:
        # A list that was empty may begin with any number; it is whole unless so much has come that some may be gone.
        if self._positions[partition] == 0 and len(found) < CHANGES:
            self._positions[partition] = found[0].number - 1
        for change in found:
            if change.number != self._positions[partition] + 1:
                del self._positions[partition]
                return
            self._positions[partition] = change.number
            listing = self._entry(change.row, partition)
            if listing is not None:
                self._offer(Changed(change.row, listing, Head(change.row.sequence, change.hash)))

    def _offer(self, item: Look | Changed) -> None:
        for caller in self._callers:
            caller.offer(item)

    def _entry(self, row: Row, partition: int) -> Listing | None:
        if self._partition_of(row.match_id) != partition:
            return None
        listing = self._codec.read_listing(row.listing)
        return None if isinstance(listing, Unknown) else listing


async def _patiently(read: Callable[[], Awaitable[T | Unreadable]]) -> T:
    """What is read, once the store answers."""
    while True:
        found = await read()
        if not isinstance(found, Unreadable):
            return found
        await asyncio.sleep(AGAIN_S)
