"""How long a service that knows nothing takes to be ready to decide on a match, short or long, on a real server."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests.contracts.redis_stores import opened_store
from tests.match.in_process import Desk
from tests.stores import EmbeddedServer

from gammon.rules.v1 import settings_pb2
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.redis_checkpoints import RedisCheckpoints
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.app.checkpoints import EVERY_EVENTS, Checkpointing
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import EventStore

EVENTS = (50, 5000)
PLACES = 10
LOADS = 15


def measure() -> dict[int, float]:
    """Milliseconds (median) by number of events.

    How many events lie behind the last checkpoint changes from act to act: a match is loaded at places from its number
    of events on, evenly over as many more as are between two checkpoints.
    """
    with tempfile.TemporaryDirectory() as directory:
        server = EmbeddedServer(Path(directory), {"appendfsync": "no"})
        server.start()
        try:
            return asyncio.run(_measure(server.url))
        finally:
            server.stop()


async def _measure(url: str) -> dict[int, float]:
    link = RedisLink(url)
    async with opened_store(url) as store:
        checkpoints = RedisCheckpoints(link)
        desk = Desk(store, checkpointing=Checkpointing(checkpoints))
        times = {events: await _times(desk, store, checkpoints, events) for events in EVENTS}
        await link.aclose()
        return {events: statistics.median(each) for events, each in times.items()}


async def _times(desk: Desk, store: EventStore, checkpoints: RedisCheckpoints, events: int) -> list[float]:
    """Milliseconds of all loads of an open session that is played on from so many events."""
    rules = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    rules.session.SetInParent()
    live = await desk.match(rules)
    times = []
    for place in range(PLACES):
        while live.head.sequence < events + place * EVERY_EVENTS // PLACES:
            await desk.play_out(live, most_acts=1)
        times += [await _load(store, checkpoints, live) for _ in range(LOADS)]
    return times


async def _load(store: EventStore, checkpoints: RedisCheckpoints, known: LiveMatch) -> float:
    cold = LiveMatches(store, ProtobufCodec(), Checkpointing(checkpoints))
    started = time.perf_counter()
    live = await cold.get(known.match_id)
    elapsed = (time.perf_counter() - started) * 1000
    assert isinstance(live, LiveMatch)
    assert live.match == known.match
    return elapsed
