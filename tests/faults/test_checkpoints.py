"""Checkpoints on a server that is killed, and on one that is put back to what it was."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from random import Random

from tests.contracts.redis_stores import behind, keys, opened_store
from tests.faults.servers import Servers
from tests.match.in_process import ROLL, Desk
from tests.match.random_table import RandomTable, session_of
from tests.match.test_direct import assert_lawful

from gammon.rules.v1 import settings_pb2
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.adapters.redis_checkpoints import RedisCheckpoints
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore
from gammon_match.app.writing import Written
from gammon_match.core.refusals import Rewound, StoreAway, Unconfirmed, Unknown, Unlawful

RULES = session_of(settings_pb2.GAME_BACKGAMMON)
NUMBERS = count(1)


@asynccontextmanager
async def process(url: str) -> AsyncIterator[Desk]:
    """A service that knows nothing yet, closed as the service is."""
    link = RedisLink(url)
    async with opened_store(url) as store:
        checkpointing = Checkpointing(RedisCheckpoints(link))
        number = next(NUMBERS)
        yield Desk(store, number, checkpointing=checkpointing)
        await checkpointing.close()
    await link.aclose()


async def known(desk: Desk, match_id: str) -> LiveMatch:
    """The match as a process knows it."""
    live = await desk.live.get(match_id)
    assert isinstance(live, LiveMatch), live
    return live


async def whole(store: EventStore, match_id: str) -> LiveMatch:
    """The match as its whole log gives it."""
    return await known(Desk(store, checkpointing=Checkpointing(MemoryCheckpoints())), match_id)


async def acted(desk: Desk, live: LiveMatch) -> None:
    """One act that is stored, asked for until the store has said what became of it."""
    table = RandomTable(live.match_id, Random(live.head.sequence * 1_000 + desk.seed), ends=[live.head])
    while True:
        command = table.act(live)
        while isinstance(done := await desk.act(command), StoreAway | Unknown | Unconfirmed):
            await asyncio.sleep(0.02)
        if isinstance(done, Written):
            return
        assert isinstance(done, Unlawful), done


async def test_matches_go_on_from_their_checkpoints_over_kills_of_the_store_and_of_the_service(
    servers: Servers,
) -> None:
    server = servers.start()
    match_id, resumptions = "", 0
    for turn in range(6):
        async with process(server.url) as desk:
            live = await known(desk, match_id) if match_id else await desk.match(RULES)
            match_id = live.match_id
            resumptions += not live.spans.is_whole
            assert live.match == (await whole(desk.store, match_id)).match
            for act in range(35):
                if act == 20 + turn:
                    killing = asyncio.create_task(asyncio.to_thread(server.restart))
                await acted(desk, live)
            await killing
            if turn == 5:
                await assert_lawful(desk, live)
    assert resumptions == 5


async def test_on_a_store_put_back_to_before_a_checkpoint_what_was_lost_is_told(servers: Servers) -> None:
    server = servers.start()
    copy = server.directory.parent / "copy"
    async with process(server.url) as desk:
        live = await desk.match(RULES)
        for _ in range(30):
            await acted(desk, live)
        match_id, then = live.match_id, live.head
        await asyncio.to_thread(server.stop)
        shutil.copytree(server.directory, copy)
        await asyncio.to_thread(server.start)
        for _ in range(40):
            await acted(desk, live)
        lost = live.head
    async with behind(server.url) as client:
        later = await client.get(keys(match_id).checkpoint)
    assert later is not None
    await asyncio.to_thread(server.stop)
    shutil.rmtree(server.directory)
    shutil.copytree(copy, server.directory)
    await asyncio.to_thread(server.start)
    for checkpoint in (None, later):
        if checkpoint is not None:
            # As if it had been written to the one disk and the events to another.
            async with behind(server.url) as client:
                await client.set(keys(match_id).checkpoint, checkpoint)
        async with process(server.url) as desk:
            live = await known(desk, match_id)
            assert live.head == then
            assert live.spans.is_whole == (checkpoint is not None)
            assert live.match == (await whole(desk.store, match_id)).match
            assert await desk.do(live, 0, ROLL, seen=lost) == Rewound(lost.sequence, lost.hash)
            await acted(desk, live)
            then = live.head
