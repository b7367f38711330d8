"""Checkpoints on a real server: the contract, what lies under the key, and what harm does not matter."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from redis.asyncio import Redis
from tests.contracts.checkpoints import MATCH, CheckpointsContract, Shelf, at
from tests.contracts.redis_stores import keys
from tests.match.in_process import ROLL, Desk
from tests.match.random_table import session_of

from gammon.rules.v1 import settings_pb2
from gammon_match.adapters.redis_checkpoints import RedisCheckpoints
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.writing import Written
from gammon_match.core.refusals import CorruptMatch

KEY = keys(MATCH).checkpoint


@pytest.fixture
async def checkpoints(clean_store: str) -> AsyncIterator[RedisCheckpoints]:
    link = RedisLink(clean_store)
    yield RedisCheckpoints(link)
    await link.aclose()


class TestRedisCheckpoints(CheckpointsContract):
    @pytest.fixture
    def shelf(self, checkpoints: RedisCheckpoints, client: Redis) -> Shelf:
        async def kept(match_id: str) -> bytes:
            found = await client.get(keys(match_id).checkpoint)
            assert isinstance(found, bytes)
            return found

        async def put(match_id: str, content: bytes) -> None:
            await client.set(keys(match_id).checkpoint, content)

        return Shelf(checkpoints, kept, put)


async def test_it_lies_in_the_slot_of_its_match_and_stays(checkpoints: RedisCheckpoints, client: Redis) -> None:
    await checkpoints.save(MATCH, at(60))
    assert await client.keys("*") == [KEY]
    assert await client.ttl(KEY) == -1
    tags = {key[: key.index(b"}") + 1] for key in (KEY, keys(MATCH).events, keys(MATCH).head)}
    assert len(tags) == 1


async def test_another_kind_of_value_is_no_checkpoint_and_is_written_over(
    checkpoints: RedisCheckpoints, client: Redis
) -> None:
    await client.rpush(KEY, "a")
    assert await checkpoints.load(MATCH) is None
    await checkpoints.save(MATCH, at(60))
    assert await checkpoints.load(MATCH) == at(60)


async def test_a_server_that_is_not_there_has_none_and_is_told_none() -> None:
    link = RedisLink("redis://127.0.0.1:1/0", connect_timeout=0.5)
    nowhere = RedisCheckpoints(link)
    await nowhere.save(MATCH, at(60))
    assert await nowhere.load(MATCH) is None
    await link.aclose()


async def played(store: RedisEventStore, checkpoints: RedisCheckpoints) -> LiveMatch:
    """A match that was played on past a checkpoint."""
    checkpointing = Checkpointing(checkpoints)
    desk = Desk(store, checkpointing=checkpointing)
    live = await desk.match(session_of(settings_pb2.GAME_BACKGAMMON))
    await desk.play_out(live, most_acts=70)
    while checkpointing._saving:
        await asyncio.wait(tuple(checkpointing._saving))
    return live


async def read(store: RedisEventStore, checkpoints: RedisCheckpoints, match_id: str) -> LiveMatch:
    """The match as another process reads it."""
    live = await Desk(store, checkpointing=Checkpointing(checkpoints)).live.get(match_id)
    assert isinstance(live, LiveMatch), live
    return live


async def test_a_cold_service_reads_the_end_of_the_stream_only(
    store: RedisEventStore, checkpoints: RedisCheckpoints, client: Redis
) -> None:
    live = await played(store, checkpoints)
    again = await read(store, checkpoints, live.match_id)
    assert not again.spans.is_whole
    assert (again.match, again.head) == (live.match, live.head)
    assert await client.delete(*await client.keys("*:c:*")) == 1
    whole = await read(store, checkpoints, live.match_id)
    assert whole.spans.is_whole
    assert (whole.match, whole.head) == (live.match, live.head)


async def _first_trimmed(client: Redis, key: bytes) -> None:
    await client.xtrim(key, minid="2-0", approximate=False)


async def _middle_deleted(client: Redis, key: bytes) -> None:
    await client.xdel(key, "3-0")


async def _all_but_the_end_deleted(client: Redis, key: bytes) -> None:
    await client.xtrim(key, maxlen=60, approximate=False)


async def _all_deleted(client: Redis, key: bytes) -> None:
    await client.delete(key)


@pytest.mark.parametrize("damage", [_first_trimmed, _middle_deleted, _all_but_the_end_deleted, _all_deleted])
async def test_events_that_are_gone_are_missed_though_there_is_a_checkpoint(
    store: RedisEventStore,
    checkpoints: RedisCheckpoints,
    client: Redis,
    damage: Callable[[Redis, bytes], Awaitable[None]],
) -> None:
    """Case S5."""
    live = await played(store, checkpoints)
    await damage(client, keys(live.match_id).events)
    cold = Desk(store, checkpointing=Checkpointing(checkpoints))
    assert isinstance(await cold.do(live, 0, ROLL), CorruptMatch)


async def test_where_memory_is_full_nothing_is_saved_and_matches_are_read(
    store: RedisEventStore, checkpoints: RedisCheckpoints, client: Redis
) -> None:
    live = await played(store, checkpoints)
    kept = await client.get(keys(live.match_id).checkpoint)
    await client.config_set("maxmemory", "1")
    try:
        await checkpoints.save(live.match_id, at(5_000))
        assert await client.get(keys(live.match_id).checkpoint) == kept
        assert (await read(store, checkpoints, live.match_id)).match == live.match
    finally:
        await client.config_set("maxmemory", "0")
    desk = Desk(store, seed=5, checkpointing=Checkpointing(checkpoints))
    again = await desk.live.get(live.match_id)
    assert isinstance(again, LiveMatch)
    assert again.match.standing is not None
    assert isinstance(await desk.do(again, again.match.standing.seats_to_act[0], ROLL, "on and on"), Written)
