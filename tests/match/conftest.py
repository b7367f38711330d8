"""A store for tests of what stands above it."""

from collections.abc import AsyncIterator

import pytest
from tests.contracts.redis_stores import opened_store

from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.ports import EventStore


@pytest.fixture(params=["memory", "real"])
async def either_store(request: pytest.FixtureRequest) -> AsyncIterator[EventStore]:
    """In memory, and on a real server."""
    if request.param == "memory":
        yield MemoryEventStore()
        return
    async with opened_store(request.getfixturevalue("clean_store")) as real:
        yield real
