"""The same store on a cluster: keys declared, one slot for each append, and the refusals of a cluster."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.contracts.batches import history, match_id
from tests.contracts.event_store import EventStoreContract, Subject
from tests.contracts.redis_stores import behind, contents, feed_of, keys, opened_store
from tests.faults.servers import Servers
from tests.stores import EmbeddedServer

from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import Appended, DurabilityLevel, NotWritten

ACCEPTED = DurabilityLevel.ACCEPTED


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    servers = Servers(tmp_path_factory.mktemp("cluster"))
    yield servers.start(cluster_enabled="yes", cluster_require_full_coverage="no")
    servers.stop()


@pytest.fixture
async def client(node: EmbeddedServer) -> AsyncIterator[Redis]:
    async with behind(node.url) as plain:
        if (await _cluster(plain, "info"))[b"cluster_slots_assigned"] != b"16384":
            await _cluster(plain, "addslotsrange", "0", "16383")
        while (await _cluster(plain, "info"))[b"cluster_state"] != b"ok":
            await asyncio.sleep(0.02)
        await plain.flushall()
        yield plain


@pytest.fixture
async def store(node: EmbeddedServer, client: Redis) -> AsyncIterator[RedisEventStore]:
    async with opened_store(node.url) as opened:
        yield opened


class TestOnAClusterOfOne(EventStoreContract):
    @pytest.fixture
    def subject(self, store: RedisEventStore, client: Redis) -> Subject:
        return Subject(store, store.offered, lambda partition: feed_of(client, partition))


async def _cluster(client: Redis, *command: str) -> dict[bytes, bytes]:
    """A CLUSTER command; its `name:value` lines, if it answers with such."""
    reply = await client.execute_command(f"CLUSTER {command[0]}", *command[1:])  # type: ignore[no-untyped-call]
    lines = reply.encode().splitlines() if isinstance(reply, str) else bytes(reply).splitlines()
    return dict(line.split(b":", 1) for line in lines if b":" in line)


async def test_a_slot_nobody_serves_is_not_written(store: RedisEventStore, client: Redis) -> None:
    first, second = history(match_id(1), [[b"a"], [b"b"]])
    assert await store.append(first, ACCEPTED) == Appended(store.offered)
    slot = str(await client.cluster_keyslot(keys(match_id(1)).events.decode()))
    await _cluster(client, "delslots", slot)
    try:
        result = await store.append(second, ACCEPTED)
    finally:
        await _cluster(client, "addslots", slot)
    assert isinstance(result, NotWritten)
    assert result.cause.startswith("CLUSTERDOWN: ")
    assert await store.append(second, ACCEPTED) == Appended(store.offered)


async def test_a_slot_on_its_way_to_another_node_is_not_written(
    node: EmbeddedServer, store: RedisEventStore, client: Redis, servers: Servers
) -> None:
    first, second = history(match_id(1), [[b"a"], [b"b"]])
    assert await store.append(first, ACCEPTED) == Appended(store.offered)
    fresh = history(match_id(2), [[b"x"]])[0]
    slot = str(await client.cluster_keyslot(keys(match_id(1)).events.decode()))
    other = servers.start(cluster_enabled="yes")
    async with behind(other.url) as there:
        other_id = (await there.execute_command("CLUSTER MYID")).decode()  # type: ignore[no-untyped-call]
    await _cluster(client, "meet", "127.0.0.1", str(other.port))
    while other_id not in await client.cluster_nodes():
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
