"""The same store on a cluster: keys declared, one slot for each append, and the refusals of a cluster."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.contracts.batches import history, match_id
from tests.contracts.event_store import EventStoreContract
from tests.contracts.match_index import MatchIndexContract
from tests.contracts.redis_stores import behind, contents, feed_of, keys, opened_index, opened_store
from tests.contracts.subject import Subject
from tests.faults.servers import Servers
from tests.stores import EmbeddedServer

from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import Appended, DurabilityLevel, NotWritten

ACCEPTED = DurabilityLevel.ACCEPTED


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    servers = Servers(tmp_path_factory.mktemp("cluster"))
    yield servers.start(cluster_enabled="yes", cluster_port=_free_port())
    servers.stop()


@pytest.fixture
async def client(node: EmbeddedServer) -> AsyncIterator[Redis]:
    async with behind(node.url) as plain:
        if b"cluster_slots_assigned:0" in await _cluster(plain, "info"):
            await _cluster(plain, "addslotsrange", "0", "16383")
        while b"cluster_state:ok" not in await _cluster(plain, "info"):
            await asyncio.sleep(0.02)
        await plain.flushall()
        yield plain


@pytest.fixture
async def store(node: EmbeddedServer, client: Redis) -> AsyncIterator[RedisEventStore]:
    assert await client.dbsize() == 0
    async with opened_store(node.url) as opened:
        yield opened


class TestOnAClusterOfOne(EventStoreContract, MatchIndexContract):
    @pytest.fixture
    async def subject(self, store: RedisEventStore, node: EmbeddedServer, client: Redis) -> AsyncIterator[Subject]:
        async with opened_index(node.url) as index:
            yield Subject(store, index, store.offered, lambda partition: feed_of(client, partition))


def _free_port() -> str:
    """For the cluster bus; by default it is the port plus 10,000, and may be too high."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


async def _cluster(client: Redis, *command: str) -> Any:
    """The raw answer to a CLUSTER command."""
    return await client.execute_command("CLUSTER", *command)  # type: ignore[no-untyped-call]


async def _slot(client: Redis) -> str:
    return str(await _cluster(client, "keyslot", keys(match_id(1)).events.decode()))


async def test_a_slot_nobody_serves_is_not_written(store: RedisEventStore, client: Redis) -> None:
    first, second = history(match_id(1), [[b"a"], [b"b"]])
    assert await store.append(first, ACCEPTED) == Appended(store.offered)
    slot = await _slot(client)
    await _cluster(client, "delslots", slot)
    try:
        result = await store.append(second, ACCEPTED)
    finally:
        await _cluster(client, "addslots", slot)
    assert isinstance(result, NotWritten)
    assert result.cause.startswith("CLUSTERDOWN: ")
    assert await store.append(second, ACCEPTED) == Appended(store.offered)


async def test_a_slot_on_its_way_to_another_node_is_not_written(
    store: RedisEventStore, client: Redis, servers: Servers
) -> None:
    first, second = history(match_id(1), [[b"a"], [b"b"]])
    assert await store.append(first, ACCEPTED) == Appended(store.offered)
    fresh = history(match_id(2), [[b"x"]])[0]
    slot = await _slot(client)
    bus = _free_port()
    other = servers.start(cluster_enabled="yes", cluster_port=bus)
    async with behind(other.url) as there:
        other_id = await _cluster(there, "myid")
    await _cluster(client, "meet", "127.0.0.1", str(other.port), bus)
    while other_id not in await _cluster(client, "nodes"):
        await asyncio.sleep(0.02)
    before = await contents(client)
    await _cluster(client, "setslot", slot, "migrating", other_id)
    try:
        # Its keys are not there yet, those of the partition are: half here, half elsewhere.
        result = await store.append(fresh, ACCEPTED)
    finally:
        await _cluster(client, "setslot", slot, "stable")
    assert isinstance(result, NotWritten)
    assert result.cause.startswith("TRYAGAIN: ")
    assert await contents(client) == before
    assert await store.append(fresh, ACCEPTED) == Appended(store.offered)
    assert await store.append(second, ACCEPTED) == Appended(store.offered)
