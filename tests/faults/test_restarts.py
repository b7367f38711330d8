"""A server that is killed and comes back while matches are played, and what its settings allow to promise."""

import asyncio
from collections import Counter

import pytest
from tests.contracts.batches import batch_at, history, match_id
from tests.contracts.redis_stores import behind, checked, opened_store
from tests.faults.servers import Servers

from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import (
    Appended,
    Batch,
    DurabilityLevel,
    NotWritten,
    OutcomeUnknown,
    Recorded,
)

ACCEPTED, FSYNCED = DurabilityLevel.ACCEPTED, DurabilityLevel.FSYNCED


async def test_killed_under_load_every_batch_is_stored_once(servers: Servers) -> None:
    server = servers.start()
    matches = [match_id(number, partition=number) for number in range(8)]
    batches = {of: history(of, [[b"%d" % i, b"and"] for i in range(300)]) for of in matches}
    seen: Counter[str] = Counter()

    async def play(store: RedisEventStore, of: str) -> None:
        for batch in batches[of]:
            while not isinstance(result := await store.append(batch, FSYNCED), Appended):
                assert isinstance(result, NotWritten | OutcomeUnknown), result
                seen[type(result).__name__] += 1
                await asyncio.sleep(0.01)
            seen["duplicate" if result.duplicate else "appended"] += 1

    async with opened_store(server.url) as store:
        playing = asyncio.gather(*(play(store, of) for of in matches))
        for stored in (400, 1_000, 1_600):
            while sum(seen.values()) < stored:
                await asyncio.sleep(0.001)
            assert not playing.done()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        await playing
        for of in matches:
            events = tuple(event for batch in batches[of] for event in batch.events)
            assert await store.read(of) == Recorded(events, batches[of][-1].head)
    assert seen["appended"] + seen["duplicate"] == 8 * 300


async def test_a_restarted_server_is_asked_for_its_level_again(servers: Servers) -> None:
    server = servers.start()
    first, second = history(match_id(1), [[b"a"], [b"b"]])
    async with opened_store(server.url) as store:
        assert store.offered is FSYNCED
        assert await store.append(first, FSYNCED) == Appended(FSYNCED)
        server.settings["appendfsync"] = "everysec"
        await asyncio.to_thread(server.restart)
        await asyncio.sleep(0.05)
        assert await store.append(second, FSYNCED) == NotWritten("LEVEL: FSYNCED asked, ACCEPTED offered")
        assert store.offered is ACCEPTED
        assert await store.read(match_id(1)) == Recorded(first.events, first.head)
        assert await store.append(second, ACCEPTED) == Appended(ACCEPTED)


async def test_a_level_lowered_at_run_time_is_noticed(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_match.adapters.redis_link.LEVEL_BELIEVED_SECONDS", 0.05)
    server = servers.start()
    [first] = history(match_id(1), [[b"a"]])
    following: Batch = batch_at(first.head, match_id(1), b"b")
    async with opened_store(server.url) as store, behind(server.url) as client:
        assert await store.append(first, FSYNCED) == Appended(FSYNCED)
        await client.config_set("appendfsync", "everysec")
        await asyncio.sleep(0.1)
        assert await store.append(following, FSYNCED) == NotWritten("LEVEL: FSYNCED asked, ACCEPTED offered")


@pytest.mark.parametrize(
    ("appendonly", "appendfsync", "offered", "warnings"),
    [
        ("yes", "always", FSYNCED, []),
        ("yes", "everysec", ACCEPTED, []),
        ("yes", "no", ACCEPTED, []),
        ("no", "always", ACCEPTED, ["appendonly"]),
    ],
)
async def test_what_the_settings_allow_to_promise(
    servers: Servers, appendonly: str, appendfsync: str, offered: DurabilityLevel, warnings: list[str]
) -> None:
    server = servers.start(appendonly=appendonly, appendfsync=appendfsync)
    report = await checked(server.url, ACCEPTED)
    assert (report.faults, report.offered) == ((), offered)
    assert [warning.name for warning in report.warnings if warning.name != "version"] == warnings
    strict = await checked(server.url, FSYNCED)
    if offered is FSYNCED:
        assert strict == report
    else:
        [fault] = strict.faults
        assert fault.name == "appendfsync"
        assert fault.found == f"appendonly {appendonly}, appendfsync {appendfsync}"


async def test_a_replica_is_no_store(servers: Servers) -> None:
    server = servers.start()
    async with behind(server.url) as client:
        await client.replicaof("127.0.0.1", "1")
        [fault] = (await checked(server.url)).faults
        assert (fault.name, fault.found) == ("role", "slave")
