"""What every event store refuses before it looks at a match: batches out of bounds."""

from typing import Final

from gammon_match.adapters.partitions import partition_of
from gammon_match.app.ports import MAX_BATCH_EVENTS, MAX_EVENT_BYTES, Batch, NotWritten

HASH_BYTES: Final = 32


def refusal_of(batch: Batch) -> NotWritten | None:
    """The refusal of a batch that no store may take, or None; its cause starts with BATCH."""
    fault = _fault_of(batch)
    return None if fault is None else NotWritten(f"BATCH: {fault}")


def _fault_of(batch: Batch) -> str | None:
    count = len(batch.envelopes)
    if partition_of(batch.match_id) is None:
        return f"match_id {batch.match_id!r} is not m_<ppp>_<id> with a partition of 000 to 127"
    if not 1 <= count <= MAX_BATCH_EVENTS:
        return f"envelopes has {count} events, 1 to {MAX_BATCH_EVENTS} are allowed"
    if len(batch.hashes) != count:
        return f"hashes has {len(batch.hashes)} entries for {count} events"
    if batch.expected.sequence < 0:
        return f"expected.sequence is {batch.expected.sequence}, 0 or more is allowed"
    if len(batch.expected.hash) != HASH_BYTES:
        return f"expected.hash has {len(batch.expected.hash)} bytes, {HASH_BYTES} are needed"
    for i in range(count):
        if len(batch.hashes[i]) != HASH_BYTES:
            return f"hashes[{i}] has {len(batch.hashes[i])} bytes, {HASH_BYTES} are needed"
        if not 1 <= len(batch.envelopes[i]) <= MAX_EVENT_BYTES:
            return f"envelopes[{i}] has {len(batch.envelopes[i])} bytes, 1 to {MAX_EVENT_BYTES} are allowed"
    if batch.feed_entry is not None and not 1 <= len(batch.feed_entry) <= MAX_EVENT_BYTES:
        return f"feed_entry has {len(batch.feed_entry)} bytes, 1 to {MAX_EVENT_BYTES} are allowed"
    return None
