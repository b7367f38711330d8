"""The ledger on a real server: each unit once, whatever is delivered again or cut off."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from redis.asyncio import Redis
from tests.rating.test_fibs import MATCH

from gammon.rating.v1 import ledger_pb2
from gammon_rating.adapters.redis_ledger import LEASE, RedisLedger, entry_hash
from gammon_rating.app.ports import Deposed, FeedItem, Place


def item(position: int, match: str, partition: int = 0, winner: int = 0) -> FeedItem:
    ended = replace(MATCH, match_id=match, match_winners=(winner,))
    return FeedItem(partition, position, bytes([position]) * 32, ended)


@pytest.fixture
async def redis(clean_store: str) -> AsyncIterator[Redis]:
    client = Redis.from_url(clean_store)
    yield client
    await client.aclose()


@pytest.fixture
async def ledger(redis: Redis) -> RedisLedger:
    made = RedisLedger(redis)
    await made.own()
    return made


async def test_a_match_is_rated_and_the_place_moves_in_one_step(ledger: RedisLedger) -> None:
    assert await ledger.take_in(item(1, "m1"), 7)
    assert await ledger.place(0) == Place(1, b"\x01" * 32)
    alice = await ledger.rating("main", "alice")
    assert alice is not None
    # 5 points, both new: 4 * 5 * sqrt(5) / 2.
    assert round(alice.rating.value, 4) == round(1500 + 10 * 5**0.5, 4)
    assert (alice.rating.experience, alice.rated, alice.place, alice.change_ns) == (5, 1, 1, 7)
    assert [standing.player for standing in await ledger.leaders("main", 0, 10)] == ["alice", "bob"]


async def test_r7_delivered_twice_or_in_another_partition_it_counts_once(ledger: RedisLedger) -> None:
    assert await ledger.take_in(item(1, "m1"), 0)
    assert not await ledger.take_in(item(1, "m1"), 0)
    assert not await ledger.take_in(item(2, "m1"), 0)
    assert not await ledger.take_in(item(1, "m1", partition=5), 0)
    assert len(await ledger.entries(0, 10)) == 1
    assert (await ledger.place(0)).position == 2


async def test_an_entry_out_of_order_is_not_taken_in(ledger: RedisLedger) -> None:
    assert not await ledger.take_in(item(3, "m3"), 0)
    assert (await ledger.place(0)).position == 0
    assert await ledger.entries(0, 10) == []


async def test_the_ledger_is_a_chain_from_which_every_number_follows(ledger: RedisLedger) -> None:
    for position in range(1, 9):
        assert await ledger.take_in(item(position, f"m{position}", winner=position % 2), position)
    last, values = b"", {"alice": 1500.0, "bob": 1500.0}
    for stored in await ledger.entries(0, 100):
        assert stored.hash == entry_hash(last, stored.position, stored.entry)
        last = stored.hash
        entry = ledger_pb2.RatingEntry.FromString(stored.entry)
        for change in entry.rated.changes:
            assert change.before == values[change.player]
            values[change.player] = change.after
    for player, value in values.items():
        standing = await ledger.rating("main", player)
        assert standing is not None
        assert standing.rating.value == value


def game(position: int, number: int, winner: int, sequence: int) -> FeedItem:
    """The end of a game of a session of four."""
    ended = replace(
        MATCH,
        match_id="s1",
        match_points=None,
        games=4,
        game_number=number,
        game_winners=(winner,),
        match_winners=None,
        sequence=sequence,
    )
    return FeedItem(0, position, bytes([position]) * 32, ended)


def correction(position: int, corrects_from: int) -> FeedItem:
    """What a take-back tells."""
    ended = replace(game(position, 0, 0, 99).ended, game_winners=None, corrects_from=corrects_from)
    return FeedItem(0, position, bytes([position]) * 32, ended)


async def test_games_that_were_taken_back_are_reversed_and_rated_anew(ledger: RedisLedger) -> None:
    await ledger.take_in(game(1, 1, winner=0, sequence=10), 0)
    kept = [await ledger.rating("main", player) for player in ("alice", "bob")]
    await ledger.take_in(game(2, 2, winner=1, sequence=20), 0)
    await ledger.take_in(game(3, 3, winner=1, sequence=30), 0)
    assert await ledger.take_in(correction(4, 15), 0)
    # Nothing came between, so the numbers are exactly those of the one game that holds.
    assert [await ledger.rating("main", player) for player in ("alice", "bob")] == kept
    assert await ledger.place(0) == Place(4, b"\x04" * 32)
    entries = [ledger_pb2.RatingEntry.FromString(stored.entry) for stored in await ledger.entries(0, 10)]
    assert [entry.WhichOneof("event") for entry in entries] == ["rated"] * 3 + ["reversed"] * 2
    assert [entry.reversed.position for entry in entries[3:]] == [3, 2]
    assert not await ledger.take_in(correction(4, 15), 0)
    assert await ledger.take_in(game(5, 2, winner=0, sequence=45), 0)
    assert not await ledger.take_in(game(6, 1, winner=1, sequence=10), 0)
    assert len(await ledger.entries(0, 10)) == 6


async def test_a_reversal_keeps_what_came_after_from_other_matches(ledger: RedisLedger) -> None:
    """Both new: a game of one point moves 4 * 5 / 2 = 10 points. The match after it moves the rest."""
    await ledger.take_in(game(1, 1, winner=0, sequence=10), 0)
    await ledger.take_in(item(2, "m1", winner=1), 0)
    before = await ledger.rating("main", "alice")
    assert await ledger.take_in(correction(3, 1), 0)
    after = await ledger.rating("main", "alice")
    assert before is not None
    assert after is not None
    assert round(before.rating.value - after.rating.value, 9) == 10
    assert (before.rating.experience - after.rating.experience, before.rated - after.rated) == (1, 1)


async def test_a_correction_of_nothing_that_was_rated_moves_the_place_on(ledger: RedisLedger) -> None:
    await ledger.take_in(game(1, 1, winner=0, sequence=10), 0)
    assert not await ledger.take_in(correction(2, 11), 0)
    assert (await ledger.place(0)).position == 2
    assert len(await ledger.entries(0, 10)) == 1


async def test_who_is_no_longer_the_owner_writes_nothing(ledger: RedisLedger, redis: Redis) -> None:
    await redis.delete(LEASE)
    other = RedisLedger(redis)
    await other.own()
    with pytest.raises(Deposed):
        await ledger.take_in(item(1, "m1"), 0)
    assert await other.take_in(item(1, "m1"), 0)


async def test_a_second_owner_waits_for_the_lease(ledger: RedisLedger, redis: Redis) -> None:
    other = RedisLedger(redis)
    await ledger.release()
    await other.own()
    assert await redis.get(LEASE) is not None
    await ledger.release()
    assert await redis.get(LEASE) is not None, "only the owner gives the lease up"
