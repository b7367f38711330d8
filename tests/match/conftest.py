"""Stores for tests of them, and of what stands above."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.contracts.redis_stores import behind, opened_store

from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import EventStore


@pytest.fixture(params=["memory", "real"])
async def either_store(request: pytest.FixtureRequest) -> AsyncIterator[EventStore]:
    """In memory, and on a real server."""
    if request.param == "memory":
        yield MemoryEventStore()
        return
    async with opened_store(request.getfixturevalue("clean_store")) as real:
        yield real


@pytest.fixture
async def store(clean_store: str) -> AsyncIterator[RedisEventStore]:
    """On a real server that holds nothing else."""
    async with opened_store(clean_store) as opened:
        yield opened


@pytest.fixture
async def client(clean_store: str) -> AsyncIterator[Redis]:
    """A plain client of the same server."""
    async with behind(clean_store) as plain:
        yield plain
