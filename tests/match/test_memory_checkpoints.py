"""Checkpoints in memory against the contract."""

import pytest
from tests.contracts.checkpoints import CheckpointsContract, Shelf

from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints


class TestMemoryCheckpoints(CheckpointsContract):
    @pytest.fixture
    def shelf(self) -> Shelf:
        checkpoints = MemoryCheckpoints()

        async def kept(match_id: str) -> bytes:
            return checkpoints.kept[match_id]

        async def put(match_id: str, content: bytes) -> None:
            checkpoints.kept[match_id] = content

        return Shelf(checkpoints, kept, put)
