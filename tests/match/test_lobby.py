"""Watching sets of matches: what there is, each change once and in order, whatever happens to the list of changes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import islice
from random import Random

import pytest
from redis.asyncio import Redis
from tests.contracts.redis_stores import keys
from tests.match.in_process import match_to
from tests.match.listening import OFFICIAL, WITHIN_S, Process, close, every_id, move, opened_process
from tests.match.shelves import PARTITIONS, Shelf, create, fill, from_log, give_seat, ids_beside, real_shelf, sit
from tests.match.spectators import rule_on

from gammon.match.v1 import settings_pb2 as match_settings_pb2
from gammon_match.adapters import append_script
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.partitions import PARTITION_KEYS, partition_of
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_upkeep import RedisIndexUpkeep
from gammon_match.app import lobby as lobby_module
from gammon_match.app import lobby_caller
from gammon_match.app.lobby_caller import AllTold, Told
from gammon_match.app.reindex import Reindex
from gammon_match.core.events import Status
from gammon_match.core.listing import Wanted
from gammon_match.core.refusals import TooSlow
from gammon_match.core.sight import Viewer


@pytest.fixture
async def shelf(clean_store: str) -> AsyncIterator[Shelf]:
    async with real_shelf(clean_store) as real:
        yield real


@pytest.fixture
async def process(clean_store: str, shelf: Shelf) -> AsyncIterator[Process]:
    async with opened_process(shelf, clean_store) as opened:
        yield opened


async def test_first_what_is_open_then_what_comes_and_goes(process: Process, shelf: Shelf) -> None:
    desk = process.desk
    ids = await fill(desk, Random(1), 40)
    logs = [await from_log(shelf.store, of) for of in ids]
    public = {log.match_id for log in logs if log.status != Status.CLOSED and not log.private}
    ear = process.listen()
    await ear.hears_all()
    assert ear.open == public
    assert len(ear.told) == len(public) + 1
    assert ear.told[-1] == AllTold()
    live = await desk.match()
    await move(desk, live)
    await close(desk, live)
    await ear.hears(lambda ear: Status.CLOSED in ear.statuses(live.match_id))
    # Created, a seat taken, the last seat taken, closed; the move is none of them.
    assert ear.statuses(live.match_id) == [Status.SEATING, Status.SEATING, Status.PLAYING, Status.CLOSED]
    assert all(item.head is None for item in ear.told if isinstance(item, Told))


async def test_private_matches_are_told_to_their_own_and_to_officials_who_ask(process: Process) -> None:
    desk = process.desk
    settings = match_settings_pb2.MatchSettings(rules=match_to(1), private=True, tags=["cup"])
    settings.seats.extend(match_settings_pb2.SeatSettings(player=player) for player in ("bob", "carol"))
    live = await create(desk, settings, "alice", "private")
    heard = {
        "lobby": process.listen(Wanted(), OFFICIAL),
        "own": process.listen(Wanted(player="bob"), Viewer("bob")),
        "creator": process.listen(Wanted(player="alice"), Viewer("alice")),
        "official": process.listen(Wanted(player="bob"), OFFICIAL),
        "tag of own": process.listen(Wanted(tag="cup"), Viewer("carol")),
        "tag of another": process.listen(Wanted(tag="cup"), Viewer("dave")),
        "another": process.listen(Wanted(player="bob"), Viewer("dave")),
    }
    await asyncio.gather(*(ear.hears_all() for ear in heard.values()))
    await sit(desk, live, "bob", 0)
    await sit(desk, live, "carol", 1)
    await heard["tag of own"].hears(lambda ear: Status.PLAYING in ear.statuses(live.match_id))
    await heard["own"].hears(lambda ear: Status.PLAYING in ear.statuses(live.match_id))
    await asyncio.sleep(0.1)
    told = {name for name, ear in heard.items() if ear.of(live.match_id)}
    assert told == {"own", "creator", "official", "tag of own"}


async def test_ones_own_matches_are_told_as_they_go_on(process: Process, shelf: Shelf, clean_store: str) -> None:
    """By whichever process an act is stored; the head of the last batch is always the last that is told."""
    desk = process.desk
    live = await desk.match(match_to(1))
    own = process.listen(Wanted(player="alice"), Viewer("alice"))
    other = process.listen(Wanted(player="alice"), Viewer("bob"))
    await asyncio.gather(own.hears_all(), other.hears_all())
    assert [item.head for item in own.of(live.match_id)] == [live.head]
    async with opened_process(shelf, clean_store) as elsewhere:
        late = elsewhere.listen(Wanted(player="bob"), OFFICIAL)
        await late.hears_all()
        await desk.play_out(live)
        for ear in (own, late):
            await ear.hears(lambda ear: ear.statuses(live.match_id)[-1] is Status.CLOSED)
            told = [(item.head.sequence, item.status) for item in ear.of(live.match_id) if item.head is not None]
            heads = [sequence for sequence, _ in told]
            # The last may be told by whoever hears of it first, and then again with the end of the match.
            assert len(told) == len(set(told))
            assert heads == sorted(heads)
            assert heads[-1] == live.head.sequence
            assert set(heads) <= {span.last for span in live.spans.known}
            assert len(heads) > 5
    assert other.statuses(live.match_id) == [Status.PLAYING, Status.CLOSED]
    assert all(item.head is None for item in other.of(live.match_id))


@pytest.mark.parametrize(
    "terms",
    [
        match_settings_pb2.MatchSettings(spectators=match_settings_pb2.SPECTATOR_POLICY_OFF),
        match_settings_pb2.MatchSettings(spectators=match_settings_pb2.SPECTATOR_POLICY_DELAYED, spectator_delay=100),
    ],
    ids=["off", "delayed"],
)
async def test_a_creator_without_a_seat_hears_of_starts_and_ends_and_of_nothing_between(
    process: Process, terms: match_settings_pb2.MatchSettings
) -> None:
    """Whoever may not see what happens in a match does not hear when, either."""
    desk = process.desk
    settings = match_settings_pb2.MatchSettings(rules=match_to(1))
    settings.MergeFrom(terms)
    early = process.listen(Wanted(player="carol"), Viewer("carol"))
    await early.hears_all()
    live = await create(desk, settings, "carol", "hidden")
    await sit(desk, live, "alice", 0)
    await sit(desk, live, "bob", 1)
    late = process.listen(Wanted(player="carol"), Viewer("carol"))
    own = process.listen(Wanted(player="alice"), Viewer("alice"))
    official = process.listen(Wanted(player="carol"), OFFICIAL)
    await asyncio.gather(*(ear.hears_all() for ear in (late, own, official)))
    await move(desk, live)
    await close(desk, live)
    ears = (early, late, own, official)
    await asyncio.gather(*(ear.hears(lambda ear: Status.CLOSED in ear.statuses(live.match_id)) for ear in ears))
    assert early.statuses(live.match_id) == [Status.SEATING, Status.SEATING, Status.PLAYING, Status.CLOSED]
    assert late.statuses(live.match_id) == [Status.PLAYING, Status.CLOSED]
    assert all(item.head is None for ear in (early, late) for item in ear.of(live.match_id))
    for ear in (own, official):
        assert [item.head for item in ear.of(live.match_id)][-1] == live.head


async def test_heads_come_and_go_with_the_seat(process: Process) -> None:
    """A creator who is given a seat hears how the match goes on; who is taken out of it hears of it no more."""
    desk = process.desk
    settings = match_settings_pb2.MatchSettings(rules=match_to(1), spectators=match_settings_pb2.SPECTATOR_POLICY_OFF)
    live = await create(desk, settings, "carol", "hidden")
    await sit(desk, live, "alice", 0)
    await sit(desk, live, "bob", 1)
    carol = process.listen(Wanted(player="carol"), Viewer("carol"))
    await carol.hears_all()
    await give_seat(desk, live, 1, "carol")
    await carol.hears(lambda ear: ear.of(live.match_id)[-1].head == live.head)
    await move(desk, live)
    await carol.hears(lambda ear: ear.of(live.match_id)[-1].head == live.head)
    await give_seat(desk, live, 1, "dave")
    await carol.hears(lambda ear: ear.of(live.match_id)[-1].head is None)
    told = len(carol.of(live.match_id))
    await rule_on(desk, live, 1)
    await asyncio.sleep(0.1)
    assert len(carol.of(live.match_id)) == told
    await close(desk, live)
    await carol.hears(lambda ear: len(ear.of(live.match_id)) > told)
    assert carol.of(live.match_id)[-1].head is None


async def test_a_match_that_a_player_was_taken_out_of_leaves_the_set(process: Process) -> None:
    desk = process.desk
    live = await desk.match()
    ear = process.listen(Wanted(player="bob"), Viewer("bob"))
    await ear.hears_all()
    await give_seat(desk, live, 1, "carol")
    await ear.hears(lambda ear: ear.of(live.match_id)[-1].listing is None)
    assert ear.of(live.match_id)[-1] == Told(live.match_id, Status.PLAYING, None, None)
    # The head of the batch that took the seat away may have come before the change itself.
    told = len(ear.of(live.match_id))
    assert told in (2, 3)
    await move(desk, live)
    await asyncio.sleep(0.1)
    assert len(ear.of(live.match_id)) == told


async def _list_deleted(client: Redis) -> None:
    await client.delete(*(keys.changes for keys in PARTITION_KEYS[:PARTITIONS]))


async def _list_cut(client: Redis) -> None:
    for partition in PARTITION_KEYS[:PARTITIONS]:
        await client.xtrim(partition.changes, maxlen=0, approximate=False)


async def _connections_cut(client: Redis) -> None:
    await client.client_kill_filter(_type="normal", skipme=True)


@pytest.mark.parametrize("damage", [_list_deleted, _list_cut, _connections_cut])
async def test_whatever_happens_to_the_list_of_changes_every_caller_ends_up_right(
    process: Process, shelf: Shelf, client: Redis, damage: Callable[[Redis], Awaitable[None]]
) -> None:
    """S7: whoever loses the place goes on from what is stored, and skips nothing."""
    desk, random = process.desk, Random(4)
    await fill(desk, random, 20)
    live = [await desk.match() for _ in range(4)]
    ears = [process.listen(), process.listen(Wanted(player="alice"), Viewer("alice"))]
    await asyncio.gather(*(ear.hears_all() for ear in ears))
    assert all(item.status is not Status.CLOSED for ear in ears for item in ear.told if isinstance(item, Told))
    for _ in range(3):
        await damage(client)
        await fill(desk, random, 10)
        await close(desk, live.pop())
    logs = [await from_log(shelf.store, of) for of in await every_id(client)]
    still_open = [log for log in logs if log.status != Status.CLOSED]
    lobby, own = ears
    await lobby.hears(lambda ear: ear.open == {log.match_id for log in still_open if not log.private})
    alice = Wanted(player="alice")
    await own.hears(lambda ear: ear.open == {log.match_id for log in still_open if log.fits(alice, Viewer("alice"))})
    for ear in ears:
        for of in await every_id(client):
            told = [(item.status, item.listing, item.head) for item in ear.of(of)]
            assert len(told) == len(set(told)), "nothing is told twice"


async def test_a_rebuilt_index_is_looked_at_again(
    process: Process, shelf: Shelf, client: Redis, clean_store: str
) -> None:
    desk = process.desk
    live = await desk.match()
    await client.hdel(keys(live.match_id).partition.rows, live.match_id)
    ear = process.listen()
    await ear.hears_all()
    assert ear.open == set()
    link = RedisLink(clean_store)
    reindex = Reindex(shelf.store, RedisIndexUpkeep(link), ProtobufCodec(), partition_of)
    async for _ in reindex.run(PARTITIONS, mend=True):
        pass
    await link.aclose()
    await ear.hears(lambda ear: ear.open == {live.match_id})


async def test_a_store_that_was_put_back_is_looked_at_again(process: Process, client: Redis) -> None:
    """The list of changes is an older one then, and nothing new may ever come to show it."""
    desk = process.desk
    live = await desk.match()
    ear = process.listen()
    await ear.hears_all()
    partition = keys(live.match_id).partition
    row = await client.hget(partition.rows, live.match_id)
    assert isinstance(row, bytes)
    await client.delete(partition.changes)
    await client.hset(partition.rows, live.match_id, (9).to_bytes(8, "big") + row[8:])
    await ear.hears(lambda ear: len(ear.of(live.match_id)) == 2)


async def test_no_head_is_missed_between_reading_and_following_it(
    process: Process, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = process.desk
    live = await desk.match()
    first = process.listen(Wanted(player="alice"), Viewer("alice"))
    await first.hears_all()
    heads, asked = shelf.index.heads, 0

    async def heads_before_a_move(match_ids: Sequence[str]) -> object:
        nonlocal asked
        asked += 1
        found = await heads(match_ids)
        if asked == 1:
            await move(desk, live)
            await first.hears(lambda ear: ear.of(live.match_id)[-1].head == live.head)
        return found

    monkeypatch.setattr(shelf.index, "heads", heads_before_a_move)
    second = process.listen(Wanted(player="bob"), Viewer("bob"))
    await second.hears_all()
    assert [item.head for item in second.of(live.match_id)] == [live.head]


async def test_a_reader_that_fell_behind_the_cap_has_its_callers_look_again(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S9: what was trimmed away is gone from the list of changes, and from nowhere else."""
    monkeypatch.setattr(append_script, "CHANGES_KEPT", 80)
    monkeypatch.setattr(lobby_module, "CHANGES", 40)
    desk = process.desk
    ear = process.listen()
    await ear.hears_all()
    reading = process.lobby._tail.changes
    hold = asyncio.Event()

    async def held(partition: int, after: int, limit: int, wait_s: float) -> object:
        await hold.wait()
        return await reading(partition, after, limit, wait_s)

    monkeypatch.setattr(process.lobby._tail, "changes", held)
    await asyncio.sleep(lobby_module.WAIT_S + 0.2)
    # More than a node of the stream, so that the first of them are gone.
    live = await desk.match()
    settings = match_settings_pb2.MatchSettings(rules=match_to(1))
    ids = islice(ids_beside(live), 250)
    others = {(await create(desk, settings, "alice", request_id)).match_id for request_id in ids}
    await close(desk, live)
    hold.set()
    await ear.hears(lambda ear: others <= ear.open)
    assert live.match_id not in ear.open


async def test_a_slow_caller_is_cut_off_and_slows_nobody(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_caller, "MOST_WAITING", 20)
    desk = process.desk
    slow = process.lobby.watch(Wanted(), OFFICIAL)
    live = await desk.match()
    first = await anext(slow)
    assert isinstance(first, Told)
    fast = process.listen()
    await fast.hears_all()
    made = []
    for number in range(60):
        created = await create(desk, match_settings_pb2.MatchSettings(rules=match_to(1)), "bob", f"flood-{number}")
        made.append(created.match_id)
        await asyncio.sleep(0.002)
    await fast.hears(lambda ear: set(made) <= ear.open)
    rest = [item async for item in slow]
    assert rest[-1] == TooSlow(0)
    assert len(rest) < 20
    assert live.match_id in fast.open


async def test_many_callers_share_a_reader_for_each_partition_and_leave_nothing_behind(
    process: Process, client: Redis
) -> None:
    # Suites of other tests may read from the same store all the while.
    others = {found["id"] for found in await client.client_list()}

    async def blocked() -> int:
        clients = await client.client_list()
        return sum("b" in found["flags"] and found["id"] not in others for found in clients)

    ears = [process.listen() for _ in range(50)]
    await asyncio.gather(*(ear.hears_all() for ear in ears))
    assert len(process.lobby._readers) == PARTITIONS
    counts = set[int]()
    async with asyncio.timeout(WITHIN_S):
        while max(counts, default=0) < PARTITIONS:
            counts.add(await blocked())
            await asyncio.sleep(0.05)
    # A reader for each caller, or two of one partition, would hold more.
    assert max(counts) == PARTITIONS
    for ear in ears:
        assert ear.task is not None
        ear.task.cancel()
    await asyncio.gather(*(ear.task for ear in ears if ear.task is not None), return_exceptions=True)
    async with asyncio.timeout(WITHIN_S):
        while await blocked():
            await asyncio.sleep(0.05)
        while process.lobby._readers:
            await asyncio.sleep(0.05)
    assert not process.lobby._callers
