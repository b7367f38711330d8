"""The index against the logs: every kind of garbling is named, a rebuild makes it right, and play goes on meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.contracts.redis_stores import keys
from tests.match.in_process import ROLL, Desk
from tests.match.shelves import PARTITIONS, Shelf, fill, found_by, real_shelf

from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.partitions import PARTITION_KEYS, partition_of
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_upkeep import RedisIndexUpkeep
from gammon_match.app.direct import Close
from gammon_match.app.ports import AppendResult, Batch, DurabilityLevel, EventStore, Recorded, Unreadable
from gammon_match.app.reindex import Reindex
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.listing import Wanted
from gammon_match.core.sight import Viewer

OFFICIAL = Viewer("director", official=True)
Garble = Callable[[Redis, str], Awaitable[object]]


@pytest.fixture
async def shelf(clean_store: str) -> AsyncIterator[Shelf]:
    async with real_shelf(clean_store) as real:
        yield real


@pytest.fixture
async def reindex(clean_store: str, shelf: Shelf) -> AsyncIterator[Reindex]:
    link = RedisLink(clean_store)
    yield Reindex(shelf.store, RedisIndexUpkeep(link), ProtobufCodec(), partition_of)
    await link.aclose()


async def faults_of(reindex: Reindex, *, mend: bool = False) -> list[str]:
    """What is wrong, with the match if it is about one; the counts must come out even."""
    faults, done, total = [], 0, 0
    async for looked in reindex.run(PARTITIONS, mend=mend):
        assert not isinstance(looked, Unreadable), looked
        faults += [f"{looked.match_id} {fault}".strip() for fault in looked.faults]
        done, total = looked.done, looked.total
    assert done == total
    return faults


async def index_of(client: Redis) -> dict[bytes, Any]:
    """All that the index holds but the changes, which only ever grow."""
    names: Any = await client.keys("{bg1:p*")
    held: dict[bytes, Any] = {}
    for name in sorted(names):
        if name.endswith(b":rows"):
            held[name] = await client.hgetall(name)
        elif name.endswith(b":matches") or b":i:" in name:
            held[name] = await client.zrange(name, 0, -1, withscores=True)
    return held


async def test_what_the_appends_have_written_is_right(shelf: Shelf, reindex: Reindex) -> None:
    await fill(Desk(shelf.store), Random(1), 60)
    assert await faults_of(reindex) == []


async def test_an_empty_store_is_right(reindex: Reindex) -> None:
    assert await faults_of(reindex) == []


async def _row_deleted(client: Redis, of: str) -> object:
    return await client.hdel(keys(of).partition.rows, of)


async def _row_of_another(client: Redis, of: str) -> object:
    return await client.hset(keys(of).partition.rows, of, b"\0" * 7 + b"\1garbled")


async def _row_of_an_earlier_event(client: Redis, of: str) -> object:
    rows = keys(of).partition.rows
    row = await client.hget(rows, of)
    assert isinstance(row, bytes)
    return await client.hset(rows, of, b"\0" * 8 + row[8:])


async def _out_of_the_list(client: Redis, of: str) -> object:
    return await client.zrem(keys(of).partition.matches, of)


async def _out_of_a_facet(client: Redis, of: str) -> object:
    return await client.zrem(keys(of).partition.facet("open"), of)


async def _into_a_facet(client: Redis, of: str) -> object:
    return await client.zadd(keys(of).partition.facet("player:mallory"), {of: 0})


async def _into_an_unknown_facet(client: Redis, of: str) -> object:
    return await client.zadd(keys(of).partition.facet("colour:red"), {of: 0})


async def _out_of_order(client: Redis, of: str) -> object:
    return await client.zadd(keys(of).partition.facet("open"), {of: 7})


@pytest.mark.parametrize(
    ("garble", "fault"),
    [
        (_row_deleted, "it has no row"),
        (_row_of_another, "its row differs"),
        (_row_of_an_earlier_event, "its row differs"),
        (_out_of_the_list, "it is not in the list of all matches"),
        (_out_of_a_facet, "it is not under open"),
        (_out_of_order, "it is not under open"),
        (_into_a_facet, "it is wrongly under player:mallory"),
        (_into_an_unknown_facet, "it is wrongly under colour:red"),
    ],
)
async def test_what_is_wrong_about_a_match_is_named_and_made_right(
    shelf: Shelf, reindex: Reindex, client: Redis, garble: Garble, fault: str
) -> None:
    desk = Desk(shelf.store)
    await fill(desk, Random(2), 8)
    live = await desk.match()
    right = await index_of(client)
    await garble(client, live.match_id)
    garbled = await index_of(client)
    assert garbled != right
    assert await faults_of(reindex) == [f"{live.match_id} {fault}"]
    assert await index_of(client) == garbled
    assert await faults_of(reindex, mend=True) == [f"{live.match_id} {fault}"]
    assert await faults_of(reindex) == []
    assert await index_of(client) == right


async def test_what_has_no_log_is_named_and_dropped(shelf: Shelf, reindex: Reindex, client: Redis) -> None:
    desk = Desk(shelf.store)
    await fill(desk, Random(3), 8)
    right = await index_of(client)
    live = await desk.match()
    await client.delete(keys(live.match_id).events, keys(live.match_id).head)
    faults = await faults_of(reindex)
    assert f"{live.match_id} it has no log and is in the list of all matches" in faults
    assert f"{live.match_id} it has no log and a row" in faults
    assert f"{live.match_id} it is wrongly under player:bob" in faults
    assert await faults_of(reindex, mend=True) == faults
    assert await faults_of(reindex) == []
    assert await index_of(client) == right


async def test_what_is_no_match_is_named_and_dropped(shelf: Shelf, reindex: Reindex, client: Redis) -> None:
    await fill(Desk(shelf.store), Random(4), 8)
    right = await index_of(client)
    partition = PARTITION_KEYS[5]
    elsewhere = "m_006_" + "A" * 26
    await client.zadd(partition.matches, {b"\xff\x00": 0})
    await client.zadd(partition.matches, {elsewhere: 0})
    await client.zadd(partition.facet("open"), {"AAA": 0})
    await client.hset(partition.rows, "zzz", "row")
    faults = await faults_of(reindex)
    assert sorted(faults) == sorted(
        [
            f"partition 5: {elsewhere!r} is under the list of all matches",
            "partition 5: 'ÿ\\x00' is under the list of all matches",
            "partition 5: 'AAA' is under open",
            "partition 5: 'zzz' is under the rows",
        ]
    )
    finding = shelf.finding(Desk(shelf.store))
    assert len(await found_by(finding, Wanted(), OFFICIAL)) == 8
    assert sorted(await faults_of(reindex, mend=True)) == sorted(faults)
    assert await index_of(client) == right


@pytest.mark.parametrize("name", ["matches", "rows", "changes", "i:open"])
async def test_another_kind_of_value_is_named_and_replaced(
    shelf: Shelf, reindex: Reindex, client: Redis, name: str
) -> None:
    desk = Desk(shelf.store)
    await fill(desk, Random(5), 30)
    live = await desk.match()
    right = await index_of(client)
    key = keys(live.match_id).partition.facets.removesuffix(b"i:") + name.encode()
    assert await client.exists(key)
    await client.set(key, "text")
    fault = f"another kind of value is under {key.decode()}"
    assert await faults_of(reindex) == [fault]
    assert (await faults_of(reindex, mend=True))[0] == fault
    assert await faults_of(reindex) == []
    assert await index_of(client) == right


async def test_an_index_that_is_gone_is_built_from_the_logs(shelf: Shelf, reindex: Reindex, client: Redis) -> None:
    """S7: what is recreated skips nothing."""
    desk = Desk(shelf.store)
    ids = await fill(desk, Random(6), 40)
    right = await index_of(client)
    await client.delete(*right, *await client.keys("{bg1:p*}:changes"))
    assert await found_by(shelf.finding(desk), Wanted(), OFFICIAL) == []
    await faults_of(reindex, mend=True)
    assert await index_of(client) == right
    assert await found_by(shelf.finding(desk), Wanted(), OFFICIAL) == sorted(ids)


async def test_a_store_of_the_version_before_is_listed_by_id_and_whole_after_a_rebuild(
    shelf: Shelf, reindex: Reindex, client: Redis
) -> None:
    desk = Desk(shelf.store)
    ids = await fill(desk, Random(7), 20)
    right = await index_of(client)
    # The version before wrote the list of all matches, and nothing else of the index.
    await client.delete(*(name for name in right if not name.endswith(b":matches")))
    finding = shelf.finding(desk)
    assert await found_by(finding, Wanted(), OFFICIAL) == sorted(ids)
    assert await found_by(finding, Wanted(), Viewer("alice")) == []
    assert await found_by(finding, Wanted(player="alice"), OFFICIAL) == []
    await faults_of(reindex, mend=True)
    assert await index_of(client) == right


@pytest.mark.parametrize("damage", ["event", "head"])
async def test_a_match_whose_log_cannot_be_read_stays_listed_for_audits(
    shelf: Shelf, reindex: Reindex, client: Redis, damage: str
) -> None:
    desk = Desk(shelf.store)
    live = await desk.match()
    if damage == "event":
        await client.xdel(keys(live.match_id).events, "2-0")
    else:
        await client.hset(keys(live.match_id).head, "seq", "9")
    await client.zrem(keys(live.match_id).partition.matches, live.match_id)
    first, second = await faults_of(reindex, mend=True)
    assert first.startswith(f"{live.match_id} its log cannot be read: ")
    assert second == f"{live.match_id} it is not in the list of all matches"
    [last] = await faults_of(reindex)
    assert last == first
    assert await found_by(shelf.finding(desk), Wanted(), OFFICIAL) == [live.match_id]


async def test_a_rebuild_while_play_goes_on_loses_nothing(shelf: Shelf, reindex: Reindex, client: Redis) -> None:
    desk = Desk(shelf.store, seed=3)
    running = [await desk.match() for _ in range(6)]
    await client.delete(*await index_of(client))
    playing = asyncio.gather(*(desk.play_out(live) for live in running), fill(desk, Random(8), 30))
    rounds = 0
    while not playing.done():
        await faults_of(reindex, mend=True)
        rounds += 1
    await playing
    assert rounds > 1
    assert await faults_of(reindex) == []
    finding = shelf.finding(desk)
    closed = await found_by(finding, Wanted(status=Status.CLOSED), OFFICIAL)
    assert {live.match_id for live in running} <= set(closed)
    assert len(await found_by(finding, Wanted(), OFFICIAL)) == 36


@dataclass
class MovingStore:
    """A store on which something happens to a match right after it was first read."""

    inner: EventStore
    happens: Callable[[], Awaitable[None]]
    reads: int = 0

    @property
    def offered(self) -> DurabilityLevel:
        return self.inner.offered

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        return await self.inner.append(batch, level)

    async def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Recorded | Unreadable:
        recorded = await self.inner.read(match_id, after, limit)
        self.reads += 1
        if self.reads == 1:
            await self.happens()
        return recorded


async def test_a_match_that_goes_on_while_it_is_looked_at_is_read_again(
    shelf: Shelf, client: Redis, clean_store: str
) -> None:
    desk = Desk(shelf.store)
    live = await desk.match()
    await client.hdel(keys(live.match_id).partition.rows, live.match_id)

    async def closed() -> None:
        assert isinstance(await desk.rule(live, Close()), Written)

    link = RedisLink(clean_store)
    store = MovingStore(shelf.store, closed)
    moving = Reindex(store, RedisIndexUpkeep(link), ProtobufCodec(), partition_of)
    # The append that came between has brought the row.
    assert await faults_of(moving, mend=True) == []
    assert store.reads == 2
    assert await found_by(shelf.finding(desk), Wanted(status=Status.CLOSED), OFFICIAL) == [live.match_id]
    await link.aclose()


async def test_a_match_created_while_its_absence_is_looked_at_stays(
    shelf: Shelf, client: Redis, clean_store: str
) -> None:
    other, desk = Desk(shelf.store), Desk(shelf.store)
    live = await other.match_created()
    await client.delete(keys(live.match_id).events, keys(live.match_id).head)

    async def created() -> None:
        assert (await desk.match_created()).match_id == live.match_id

    link = RedisLink(clean_store)
    moving = Reindex(MovingStore(shelf.store, created), RedisIndexUpkeep(link), ProtobufCodec(), partition_of)
    assert await faults_of(moving, mend=True) == []
    assert await found_by(shelf.finding(desk), Wanted(), OFFICIAL) == [live.match_id]
    await link.aclose()


async def test_a_usual_move_writes_nothing_to_the_index(shelf: Shelf, client: Redis) -> None:
    desk = Desk(shelf.store)
    live = await desk.match()
    before = await index_of(client), await client.xlen(keys(live.match_id).partition.changes)
    assert live.match.standing is not None
    for seat in live.match.standing.seats_to_act[:1]:
        assert isinstance(await desk.do(live, seat, ROLL), Written)
    assert (await index_of(client), await client.xlen(keys(live.match_id).partition.changes)) == before
