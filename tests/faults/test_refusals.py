"""Each way a server can refuse an append: its name, and that nothing was written (event store 1.5)."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError
from tests.contracts.batches import batch_at, history, match_id
from tests.contracts.redis_stores import behind, contents, opened_store
from tests.faults.proxy import Proxy
from tests.faults.servers import Servers

from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import Appended, DurabilityLevel, NotWritten, OutcomeUnknown, Recorded, Unreadable

ACCEPTED = DurabilityLevel.ACCEPTED
MATCH = match_id(1)
FIRST, SECOND = history(MATCH, [[b"a"], [b"b"]])
FOLLOWING = batch_at(SECOND.head, MATCH, b"c", b"d", feed_entry=b"entry")

Act = Callable[[Redis], Awaitable[object]]


async def _open_with_two_batches(store: RedisEventStore) -> None:
    for batch in (FIRST, SECOND):
        assert await store.append(batch, ACCEPTED) == Appended(store.offered)


@pytest.mark.parametrize(
    ("code", "refuse", "allow"),
    [
        (
            "READONLY",
            lambda client: client.replicaof("127.0.0.1", "1"),
            lambda client: client.replicaof("NO", "ONE"),
        ),
        (
            "NOREPLICAS",
            lambda client: client.config_set("min-replicas-to-write", "1"),
            lambda client: client.config_set("min-replicas-to-write", "0"),
        ),
        (
            "OOM",
            lambda client: client.config_set("maxmemory", "1mb"),
            lambda client: client.config_set("maxmemory", "0"),
        ),
    ],
)
async def test_a_refusal_is_not_written_and_passes(servers: Servers, code: str, refuse: Act, allow: Act) -> None:
    server = servers.start()
    async with opened_store(server.url) as store, behind(server.url) as client:
        await _open_with_two_batches(store)
        before = await contents(client)
        await refuse(client)
        result = await store.append(FOLLOWING, ACCEPTED)
        assert isinstance(result, NotWritten)
        assert result.cause.startswith(f"{code}: ")
        assert await contents(client) == before
        assert await store.read(MATCH) == Recorded(FIRST.events + SECOND.events, SECOND.head)
        await allow(client)
        assert await store.append(FOLLOWING, ACCEPTED) == Appended(store.offered)


async def test_a_disk_that_cannot_be_written(servers: Servers) -> None:
    server = servers.start(appendonly="no", save="3600 100000")
    async with opened_store(server.url) as store, behind(server.url) as client:
        await _open_with_two_batches(store)
        before = await contents(client)
        shutil.rmtree(server.directory)
        await client.bgsave()
        while (await client.info("persistence"))["rdb_last_bgsave_status"] != "err":
            await asyncio.sleep(0.01)
        result = await store.append(FOLLOWING, ACCEPTED)
        assert isinstance(result, NotWritten)
        assert result.cause.startswith("MISCONF: ")
        assert await contents(client) == before
        # Otherwise the server would not end either without having saved.
        await client.config_set("save", "")
        assert await store.append(FOLLOWING, ACCEPTED) == Appended(store.offered)


async def test_a_server_held_up_by_a_script(servers: Servers) -> None:
    server = servers.start(lua_time_limit="20")
    async with opened_store(server.url) as store, behind(server.url) as client, behind(server.url) as other:
        await _open_with_two_batches(store)
        before = await contents(client)
        endless = asyncio.create_task(_killed(other))
        await asyncio.sleep(0.2)
        result = await store.append(FOLLOWING, ACCEPTED)
        assert isinstance(result, NotWritten)
        assert result.cause.startswith("BUSY: ")
        await client.script_kill()
        await endless
        assert await contents(client) == before
        assert await store.append(FOLLOWING, ACCEPTED) == Appended(store.offered)


async def _killed(client: Redis) -> None:
    with pytest.raises(ResponseError):
        await client.eval("while true do end", 0)


@pytest.mark.parametrize(("right", "code"), [("evalsha", "NOPERM"), ("hmget", "ERR"), ("xadd", "XADD")])
async def test_a_user_who_lost_a_right(servers: Servers, right: str, code: str) -> None:
    server = servers.start()
    async with behind(server.url) as client:
        await client.execute_command("ACL SETUSER", "match", "on", ">secret", "~*", "+@all")  # type: ignore[no-untyped-call]
        url = server.url.replace("//", "//match:secret@")
        async with opened_store(url, settle_within=0.1) as store:
            await _open_with_two_batches(store)
            before = await contents(client)
            await client.execute_command("ACL SETUSER", "match", f"-{right}")  # type: ignore[no-untyped-call]
            result = await store.append(FOLLOWING, ACCEPTED)
            # Errors out of the script are no refusals, except where the script itself has caught them.
            assert isinstance(result, OutcomeUnknown if code == "ERR" else NotWritten)
            assert result.cause.startswith(f"{code}: ")
            assert await contents(client) == before


async def test_a_server_that_is_not_there(servers: Servers) -> None:
    server = servers.start()
    async with opened_store(server.url) as store:
        await _open_with_two_batches(store)
        server.stop()
        await asyncio.sleep(0.05)
        result = await store.append(FOLLOWING, ACCEPTED)
        assert isinstance(result, NotWritten)
        assert result.cause.startswith("UNREACHED: ConnectionError ")
        assert isinstance(await store.read(MATCH), Unreadable)
        server.start()
        assert await store.append(FOLLOWING, ACCEPTED) == Appended(store.offered)


async def test_more_callers_than_connections_wait_their_turn(servers: Servers) -> None:
    async with opened_store(servers.start().url, connections=2) as store:
        batches = [history(match_id(number), [[b"a"]])[0] for number in range(40)]
        results = await asyncio.gather(*(store.append(batch, ACCEPTED) for batch in batches))
        assert results == [Appended(store.offered)] * 40


async def test_callers_whose_turn_does_not_come_are_not_written(servers: Servers) -> None:
    server = servers.start()
    async with Proxy(server.url) as proxy:
        async with opened_store(proxy.url, connections=1, reply_timeout=0.3, settle_within=0.1) as store:
            await _open_with_two_batches(store)
            proxy.silent = True
            reading = asyncio.create_task(store.read(MATCH))
            await asyncio.sleep(0.1)
            refused = await asyncio.gather(*(store.append(FOLLOWING, ACCEPTED) for _ in range(3)))
            await reading
        assert any(r == NotWritten("BUSY: no connection became free within 0.3 s") for r in refused)
        assert all(isinstance(result, NotWritten) for result in refused[1:])


async def test_a_server_that_is_still_loading(servers: Servers) -> None:
    # A debugging aid of the servers: microseconds to wait at each entry that is loaded.
    server = servers.start(key_load_delay="100")
    async with opened_store(server.url) as store, behind(server.url) as client:
        await _open_with_two_batches(store)
        filler = client.pipeline(transaction=False)
        for i in range(8_000):
            filler.set(f"filler {i}", "")
        await filler.execute()
        server.kill()
        await asyncio.sleep(0.05)
        starting = asyncio.create_task(asyncio.to_thread(server.start))
        causes = set()
        while isinstance(result := await store.append(FOLLOWING, ACCEPTED), NotWritten):
            causes.add(result.cause.partition(":")[0])
            await asyncio.sleep(0.02)
        await starting
        assert result == Appended(store.offered)
        assert causes == {"UNREACHED", "LOADING"}
