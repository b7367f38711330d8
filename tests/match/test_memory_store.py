"""The event store in memory against the contract."""

import pytest
from tests.contracts.event_store import EventStoreContract, Subject

from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.ports import DurabilityLevel


class TestMemoryEventStore(EventStoreContract):
    @pytest.fixture
    def subject(self) -> Subject:
        store = MemoryEventStore(DurabilityLevel.FSYNCED)

        async def feed(partition: int) -> list[bytes]:
            return store.feeds.get(partition, [])

        return Subject(store, store.offered, feed)
