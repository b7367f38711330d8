"""What comes to a person at the table: what is stored, batch by batch, and what they type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.match_client import MatchClient


@dataclass(frozen=True, slots=True)
class Batch:
    """A whole batch, as it is stored."""

    events: tuple[pb.StoredEvent, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """What was typed; None: nothing any more."""

    text: str | None


async def whole_batches(
    me: MatchClient, match_id: str, after_sequence: int, on_presence: Callable[[pb.Presence], None]
) -> AsyncIterator[Batch]:
    """Every batch after a batch end, as soon as it is whole, until the match is closed. `on_presence`: who is there.

    Raises:
        LedgerError: as `watch_match`.
    """
    batch: list[pb.StoredEvent] = []
    async for event in me.watch_match(match_id, after_sequence, on_presence=on_presence):
        batch.append(event)
        if events_pb2.Envelope.FromString(event.envelope).HasField("batch_end"):
            yield Batch(tuple(batch))
            batch = []
