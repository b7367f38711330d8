"""The event store in memory against the contract."""

import pytest
from tests.contracts.event_store import EventStoreContract
from tests.contracts.match_index import MatchIndexContract
from tests.contracts.subject import Subject

from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.ports import DurabilityLevel


class TestMemoryEventStore(EventStoreContract, MatchIndexContract):
    @pytest.fixture
    def subject(self) -> Subject:
        store = MemoryEventStore(DurabilityLevel.FSYNCED)

        async def feed(partition: int) -> list[bytes]:
            return store.feeds.get(partition, [])

        return Subject(store, store, store.offered, feed)
