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
PLACES = 25
LOADS = 15


def measure() -> dict[int, float]:
    """Milliseconds by number of events: the mean over places of a match of the median there.

    How many events lie behind the last checkpoint changes from act to act. So a match is loaded at places from its
    number of events on, evenly over as many more as are between two checkpoints; both matches in turns.
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
        matches = {events: await desk.match(_session()) for events in EVENTS}
        medians: dict[int, list[float]] = {events: [] for events in EVENTS}
        for place in range(PLACES):
            for events, live in matches.items():
                while live.head.sequence < events + place * EVERY_EVENTS // PLACES:
                    await desk.play_out(live, most_acts=1)
            # What is saved in the background is no part of a load.
            await asyncio.sleep(0.02)
            loads = [[await _load(store, checkpoints, live) for live in matches.values()] for _ in range(LOADS)]
            for events, times in zip(EVENTS, zip(*loads, strict=True), strict=True):
                medians[events].append(statistics.median(times))
    await link.aclose()
    return {events: statistics.mean(each) for events, each in medians.items()}


def _session() -> settings_pb2.Settings:
    """One that stays open."""
    rules = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    rules.session.SetInParent()
    return rules


async def _load(store: EventStore, checkpoints: RedisCheckpoints, known: LiveMatch) -> float:
    cold = LiveMatches(store, ProtobufCodec(), Checkpointing(checkpoints))
    started = time.perf_counter()
    live = await cold.get(known.match_id)
    elapsed = (time.perf_counter() - started) * 1000
    assert isinstance(live, LiveMatch)
    assert live.match == known.match
    return elapsed
