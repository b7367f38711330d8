"""A match as the auditor wants it, read from a running match service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gammon_audit.record import MatchRecord, RawEvent
from gammon_cli.endpoints import Endpoints
from gammon_client.match_client import MatchClient


@asynccontextmanager
async def match_service(endpoints: Endpoints) -> AsyncIterator[MatchClient]:
    """A client with the identity of whoever started the suite."""
    endpoints.token()
    async with endpoints.channel("match") as channel:
        yield MatchClient(channel, endpoints.token)


async def read_stored(client: MatchClient, match_id: str) -> MatchRecord:
    """All that is stored of a match. Raises LedgerError; MatchNotFound where there is nothing at all."""
    stored = await client.list_events(match_id)
    events = tuple(RawEvent(event.sequence, event.envelope, event.hash) for event in stored.events)
    head = stored.head
    if head is None:
        return MatchRecord(match_id, events, 0, b"")
    return MatchRecord(match_id, events, head.sequence, head.hash)
