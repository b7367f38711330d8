"""The event store on Redis or Valkey streams: one script appends, one transaction reads (event store 8)."""

import asyncio
from collections.abc import Sequence
from typing import Final

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_delay, wait_random_exponential

from gammon_match.adapters.append_script import append_command, verdict
from gammon_match.adapters.batch_bounds import refusal_of
from gammon_match.adapters.partitions import MatchKeys, keys_of
from gammon_match.adapters.redis_link import (
    NotSent,
    RedisLink,
    Replied,
    Unanswered,
    error_code,
    packed,
)
from gammon_match.app.ports import (
    AppendResult,
    Batch,
    DurabilityLevel,
    Fenced,
    Head,
    NotWritten,
    OutcomeUnknown,
    Recorded,
    StoredEvent,
    Unreadable,
)

READ_ATTEMPTS: Final = 5


class RedisEventStore:
    """Match streams on one server whose start-up checks have passed (see `store_checks`)."""

    def __init__(self, link: RedisLink, lineages: Sequence[int], *, settle_within: float = 8.0) -> None:
        """`lineages`: each partition's at start. `settle_within`: seconds to chase an unknown outcome."""
        self._link = link
        self._lineages = tuple(lineages)
        self._settle_within = settle_within
        self._appending: set[asyncio.Task[AppendResult]] = set()

    @property
    def offered(self) -> DurabilityLevel:
        """The highest level an append may ask for; REPLICATED and DURABLE are not offered yet."""
        return self._link.level

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        """Stores a whole batch at its place or nothing, and says which.

        Runs to its end even when the caller is cancelled. A level that the server cannot hold is NotWritten,
        with a cause that starts with LEVEL, before anything is sent.
        """
        task = asyncio.get_running_loop().create_task(self._append(batch, level))
        self._appending.add(task)
        task.add_done_callback(self._appending.discard)
        return await asyncio.shield(task)

    async def _append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        refused = refusal_of(batch)
        if refused is not None:
            return refused
        keys = keys_of(batch.match_id)
        assert keys is not None  # refusal_of has looked
        partition = keys.partition.number
        if partition >= len(self._lineages):
            return NotWritten(f"BATCH: partition {partition} of a store with {len(self._lineages)}")
        lineage = self._lineages[partition]
        result = await self._send(keys, lineage, batch, level, at_least=level)
        if isinstance(result, OutcomeUnknown):
            result = await self._settle(keys, lineage, batch, level)
        return result

    async def _settle(self, keys: MatchKeys, lineage: int, batch: Batch, level: DurabilityLevel) -> AppendResult:
        """Sends the same batch again until the store says what has become of it, or time is up."""
        last: AppendResult = await AsyncRetrying(
            retry=retry_if_result(lambda result: isinstance(result, OutcomeUnknown | NotWritten)),
            wait=wait_random_exponential(multiplier=0.02, max=0.5),
            stop=stop_after_delay(self._settle_within),
            retry_error_callback=_last_result,
        )(self._send, keys, lineage, batch, level, DurabilityLevel.ACCEPTED)
        # The first sending may have been stored whatever a later one met before it could look.
        match last:
            case NotWritten(cause):
                return OutcomeUnknown(cause)
            case Fenced(current):
                return OutcomeUnknown(f"FENCED: lineage {current} now")
            case _:
                return last

    async def _send(
        self, keys: MatchKeys, lineage: int, batch: Batch, level: DurabilityLevel, at_least: DurabilityLevel
    ) -> AppendResult:
        outcome = await self._link.exchange(append_command(keys, lineage, batch), at_least=at_least)
        if isinstance(outcome, Replied) and _is_no_script(outcome.replies[0]):
            by_text = append_command(keys, lineage, batch, by_text=True)
            outcome = await self._link.exchange(by_text, at_least=at_least)
        match outcome:
            case Replied(replies, achieved):
                return verdict(replies[0], level, achieved)
            case NotSent(cause):
                return NotWritten(cause)
            case Unanswered(cause):
                return OutcomeUnknown(cause)

    async def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Recorded | Unreadable:
        """Events above `after` in stored order, at most `limit`, and the head record, at one moment."""
        keys = keys_of(match_id)
        if keys is None:
            return Recorded((), None)
        window = () if limit is None else (b"COUNT", max(limit, 0))
        head = packed(b"HMGET", keys.head, b"seq", b"hash", b"st")
        events = packed(b"XRANGE", keys.events, b"%d-0" % (max(after, 0) + 1), b"+", *window)
        length = packed(b"XLEN", keys.events)
        # Not MULTI: Redis refuses to queue even reads when its memory is full. A head that is the same before and
        # after says as much, since a match only grows.
        for _ in range(READ_ATTEMPTS):
            replies = await self._link.read(head + events + length + head, 4)
            if isinstance(replies, Unreadable):
                return replies
            if replies[0] == replies[3]:
                return _recorded(match_id, *replies[:3])
        return Unreadable(f"MOVING: {match_id} was appended to during each of {READ_ATTEMPTS} reads")

    async def aclose(self) -> None:
        """Waits for the appends that are still under way, then closes the connections."""
        while self._appending:
            await asyncio.wait(self._appending)
        await self._link.aclose()


def _last_result(state: RetryCallState) -> AppendResult:
    assert state.outcome is not None  # tenacity calls this after an attempt
    result: AppendResult = state.outcome.result()
    return result


def _is_no_script(reply: object) -> bool:
    return isinstance(reply, Exception) and error_code(reply) == "NOSCRIPT"


def _recorded(match_id: str, head: object, entries: object, length: object) -> Recorded | Unreadable:
    match head, entries, length:
        case [None, None, _], list() | None, int():
            return Recorded(_events_of(entries), None)
        case [bytes(sequence), bytes(at_hash), state], list() | None, int() if sequence.isdigit():
            return Recorded(_events_of(entries), Head(int(sequence), at_hash), state != b"open", length)
        case _:
            return Unreadable(f"CORRUPT: the records of {match_id} are malformed")


def _events_of(entries: list[tuple[bytes, list[bytes]]] | None) -> tuple[StoredEvent, ...]:
    # None is the answer to COUNT 0.
    return tuple(_event_of(entry_id, fields) for entry_id, fields in entries or ())


def _event_of(entry_id: bytes, fields: list[bytes]) -> StoredEvent:
    sequence = int(entry_id[: entry_id.index(b"-")])
    if len(fields) == 4:
        return StoredEvent(sequence, fields[1], fields[3])
    # Not written by the append script: shown without content, so that no chain accepts it.
    return StoredEvent(sequence, b"", b"")
