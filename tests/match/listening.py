"""Callers who watch sets of matches in this process, and what they were told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from redis.asyncio import Redis
from tests.match.in_process import ROLL, Desk
from tests.match.shelves import PARTITIONS, Shelf

from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.partitions import PARTITION_KEYS, partition_of
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_tail import RedisTail
from gammon_match.app.direct import Close
from gammon_match.app.following import Following
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.lobby import Lobby
from gammon_match.app.lobby_caller import AllTold, Told
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.listing import Wanted
from gammon_match.core.refusals import TooSlow
from gammon_match.core.sight import Viewer

WITHIN_S = 10.0
OFFICIAL = Viewer("director", official=True)


@dataclass
class Ear:
    """What a caller was told. `slow`: while it is set, nothing is taken."""

    told: list[Told | AllTold | TooSlow] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    def of(self, match_id: str) -> list[Told]:
        return [item for item in self.told if isinstance(item, Told) and item.match_id == match_id]

    def statuses(self, match_id: str) -> list[Status]:
        return [item.status for item in self.of(match_id)]

    @property
    def open(self) -> set[str]:
        """The matches that are open, as far as was told."""
        last = {item.match_id: item for item in self.told if isinstance(item, Told)}
        return {of for of, item in last.items() if item.listing is not None and item.status is not Status.CLOSED}

    async def hears(self, holds: Callable[["Ear"], bool]) -> None:
        async with asyncio.timeout(WITHIN_S):
            while not holds(self):
                await asyncio.sleep(0.005)

    async def hears_all(self) -> None:
        await self.hears(lambda ear: AllTold() in ear.told)


@dataclass
class Process:
    """What one process of the service has for callers, on a store; `desk` writes to it."""

    desk: Desk
    lobby: Lobby
    ears: list[Ear] = field(default_factory=list)

    def listen(self, wanted: Wanted = Wanted(), viewer: Viewer = OFFICIAL) -> Ear:  # noqa: B008 - both are values
        ear = Ear()

        async def hear() -> None:
            async for item in self.lobby.watch(wanted, viewer):
                ear.told.append(item)

        ear.task = asyncio.create_task(hear())
        self.ears.append(ear)
        return ear


@asynccontextmanager
async def opened_process(shelf: Shelf, url: str) -> AsyncIterator[Process]:
    link = RedisLink(url, connections=64)
    tail = RedisTail(link)
    following = Following(tail, partition_of)
    lobby = Lobby(shelf.index, tail, following, ProtobufCodec(), partition_of, PARTITIONS)
    process = Process(Desk(shelf.store), lobby)
    try:
        yield process
    finally:
        for ear in process.ears:
            assert ear.task is not None
            ear.task.cancel()
            await asyncio.gather(ear.task, return_exceptions=True)
        await lobby.close()
        await following.close()
        await link.aclose()


async def move(desk: Desk, live: LiveMatch) -> None:
    """Some act that leaves the status as it is."""
    assert live.match.standing is not None
    assert isinstance(await desk.do(live, live.match.standing.seats_to_act[0], ROLL), Written)


async def close(desk: Desk, live: LiveMatch) -> None:
    assert isinstance(await desk.rule(live, Close()), Written)


async def every_id(client: Redis) -> list[str]:
    ids: list[str] = []
    for partition in PARTITION_KEYS[:PARTITIONS]:
        ids += [of.decode() for of in await client.zrange(partition.matches, 0, -1)]  # type: ignore[union-attr]
    return ids
