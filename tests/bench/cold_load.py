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
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import EventStore

EVENTS = (50, 5000)
LOADS = 15


def measure() -> dict[int, float]:
    """Milliseconds (median) by number of events."""
    with tempfile.TemporaryDirectory() as directory:
        server = EmbeddedServer(Path(directory), {"appendfsync": "no"})
        server.start()
        try:
            return asyncio.run(_measure(server.url))
        finally:
            server.stop()


async def _measure(url: str) -> dict[int, float]:
    async with opened_store(url) as store:
        desk = Desk(store)
        return {events: await _load(store, await _played(desk, events)) for events in EVENTS}


async def _played(desk: Desk, events: int) -> str:
    """An open session of so many events."""
    rules = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    rules.session.SetInParent()
    live = await desk.match(rules)
    while live.head.sequence < events:
        await desk.play_out(live, most_acts=10)
    return live.match_id


async def _load(store: EventStore, match_id: str) -> float:
    times = []
    for _ in range(LOADS):
        started = time.perf_counter()
        live = await LiveMatches(store, ProtobufCodec()).get(match_id)
        times.append((time.perf_counter() - started) * 1000)
        assert isinstance(live, LiveMatch)
    return statistics.median(times)
