"""Watching and feeding: every event once and in order, across drops and restarts, with one reader for many."""

import asyncio
import hashlib
from random import Random

import pytest
import redis
from grpc import aio
from tests.e2e.play import ROLL, audited, backgammon, clients, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, match_service_pb2_grpc
from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.errors import MatchNotFound, StoreRewound
from gammon_client.match_client import MatchClient
from gammon_match.adapters.partitions import partition_of

DROPS = 200


async def stored_of(client: MatchClient, match_id: str) -> list[tuple[int, bytes]]:
    return [(event.sequence, event.hash) for event in (await client.list_events(match_id)).events]


async def watch_to_the_end(client: MatchClient, match_id: str) -> list[tuple[int, bytes]]:
    return [(event.sequence, event.hash) async for event in client.watch_match(match_id)]


async def watch_and_drop(suite: Reachable, match_id: str, drops: int, seed: int) -> list[tuple[int, bytes]]:
    """Watches in pieces, dropping the stream at random, and resumes from what it has."""
    random = Random(seed)
    seen: list[tuple[int, bytes]] = []
    async with suite.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        metadata = suite.metadata("watcher", "spectator")
        while True:
            request = pb.WatchMatchRequest(match_id=match_id, after_sequence=seen[-1][0] if seen else 0)
            call = stub.WatchMatch(request, metadata=metadata)
            ends_after = random.randint(1, 4) if drops else 0
            async for update in call:
                if not update.HasField("event"):
                    continue
                seen.append((update.event.sequence, update.event.hash))
                ends_after -= 1
                if ends_after == 0:
                    break
            else:
                return seen
            call.cancel()
            drops -= 1


async def test_a_watcher_that_drops_and_resumes_sees_every_event_once_and_in_order(suite: Reachable) -> None:
    async with table(suite, backgammon(points=9)) as at:
        watching = [asyncio.create_task(watch_and_drop(suite, at.match_id, DROPS, seed)) for seed in range(3)]
        await at.play()
        stored = await stored_of(at.clients[0], at.match_id)
        assert len(stored) > 2 * DROPS
        async with asyncio.timeout(30):
            assert await asyncio.gather(*watching) == [stored] * 3


async def test_a_restart_of_the_store_in_the_middle_loses_and_repeats_nothing(own_suite: Suite) -> None:
    async with table(own_suite, backgammon(points=3)) as at, clients(own_suite, "carol") as (carol,):
        watching = asyncio.create_task(watch_to_the_end(carol, at.match_id))
        playing = asyncio.create_task(at.play())
        await asyncio.sleep(0.5)
        own_suite.restart("store")
        await asyncio.sleep(0.3)
        own_suite.restart("match")
        async with asyncio.timeout(60):
            await playing
            seen = await watching
        assert seen == await stored_of(at.clients[0], at.match_id)
        assert (await audited(at.clients[0], at.match_id)).first_wrong is None


def blocked(store: "redis.Redis") -> int:
    """How many connections wait in a blocking read."""
    return int(store.info("clients")["blocked_clients"])


async def nobody_waits(store: "redis.Redis") -> None:
    async with asyncio.timeout(5):
        while blocked(store):
            await asyncio.sleep(0.05)


async def test_two_hundred_watchers_cost_the_store_one_reader(own_suite: Suite) -> None:
    own_suite.kill("rating")  # it reads the feeds
    async with table(own_suite, backgammon(points=1)) as at, clients(own_suite, "carol") as (carol,):
        with redis.Redis.from_url(own_suite.redis_url) as store:
            await nobody_waits(store)
            watching = [asyncio.create_task(watch_to_the_end(carol, at.match_id)) for _ in range(200)]
            most = 0
            for _ in range(40):
                await asyncio.sleep(0.05)
                most = max(most, blocked(store))
            assert most == 1
        await at.play()
        stored = await stored_of(at.clients[0], at.match_id)
        async with asyncio.timeout(30):
            assert await asyncio.gather(*watching) == [stored] * 200


async def test_events_of_another_service_on_the_same_store_arrive_too(
    own_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Suite(tmp_path_factory.mktemp("other"), own_suite.redis_url)
    try:
        other.start()
        async with table(own_suite, backgammon(points=1)) as at, clients(other, "carol") as (carol,):
            watching = asyncio.create_task(watch_to_the_end(carol, at.match_id))
            await asyncio.sleep(0.2)
            await at.play()
            async with asyncio.timeout(20):
                assert await watching == await stored_of(at.clients[0], at.match_id)
    finally:
        other.stop()


async def test_what_cannot_be_watched_is_refused(suite: Reachable) -> None:
    async with table(suite) as at:
        with pytest.raises(MatchNotFound):
            await watch_to_the_end(at.clients[0], "m_000_" + "A" * 26)
        with pytest.raises(StoreRewound):
            async for _ in at.clients[0].watch_match(at.match_id, after_sequence=1000):
                pass


async def feed_of(
    suite: Reachable, partition: int, *, after_position: int = 0, after_hash: bytes = b""
) -> list[pb.ReadFeedResponse]:
    async with suite.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        request = pb.ReadFeedRequest(
            partition=partition, once=True, after_position=after_position, after_hash=after_hash
        )
        call = stub.ReadFeed(request, metadata=suite.metadata("reader", "service"))
        return [item async for item in call]


async def test_the_feed_tells_each_end_once_and_whole(suite: Reachable) -> None:
    async with table(suite, backgammon(points=2)) as at:
        await at.play()
        match = await at.clients[0].get_match(at.match_id)
        partition = partition_of(at.match_id)
        assert partition is not None
        items = await feed_of(suite, partition)
        assert [item.position for item in items] == list(range(1, len(items) + 1))
        mine = [e for item in items if (e := events_pb2.FeedEntry.FromString(item.entry)).match_id == at.match_id]
        assert events_pb2.FEED_KIND_MATCH_ENDED in mine[-1].kinds
        assert (mine[-1].sequence, mine[-1].hash) == (match.head.sequence, match.head.hash)
        assert list(mine[-1].players) == ["alice", "bob"]
        assert mine[-1].result == match.summary.result
        assert sum(events_pb2.FEED_KIND_GAME_ENDED in entry.kinds for entry in mine) == match.summary.game_number
        rest = await feed_of(suite, partition, after_position=len(items) - 1)
        assert [item.position for item in rest] == [len(items)]


async def test_a_feed_that_was_replaced_is_noticed(suite: Reachable) -> None:
    async with table(suite, backgammon(points=1)) as at:
        await at.play()
        partition = partition_of(at.match_id)
        assert partition is not None
        items = await feed_of(suite, partition)
        last = items[-1]
        good = hashlib.sha256(last.entry).digest()
        assert await feed_of(suite, partition, after_position=last.position, after_hash=good) == []
        for position, remembered in ((last.position, bytes(32)), (last.position + 9, b"")):
            with pytest.raises(aio.AioRpcError) as refused:
                await feed_of(suite, partition, after_position=position, after_hash=remembered)
            assert refused.value.code().name == "DATA_LOSS"


async def test_cancelled_watches_leave_nothing_waiting(own_suite: Suite) -> None:
    own_suite.kill("rating")
    async with table(own_suite) as at, clients(own_suite, "carol") as (carol,):
        for _ in range(100):
            watching = asyncio.create_task(watch_to_the_end(carol, at.match_id))
            await asyncio.sleep(0.005)
            watching.cancel()
        await at.clients[0].act(at.match_id, 0, ROLL)
        with redis.Redis.from_url(own_suite.redis_url) as store:
            await nobody_waits(store)
