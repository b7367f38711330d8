"""How many appends per second one process brings into a real server, by the number of clients at work."""

import asyncio
import itertools
import os
import statistics
import tempfile
import time
from pathlib import Path

import uvloop
from tests.contracts.batches import genesis, match_id
from tests.contracts.redis_stores import opened_store
from tests.stores import EmbeddedServer

from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import Appended, Batch, DurabilityLevel, Head
from gammon_proofs.chain import event_hash

CLIENTS = (1, 16, 64)
EVENT_BYTES = 200
EVENTS_PER_MATCH = 100
PARTITIONS = 16


def measure(
    seconds: float = 1.0, repeats: int = 3, appendfsync: str = "always", clients: tuple[int, ...] = CLIENTS
) -> dict[int, float]:
    """Appends per second, median of `repeats`, for each number of clients: one 200-byte event each, on uvloop.

    Each client plays matches of 100 events, one append at a time, at the level the server offers.
    """
    with tempfile.TemporaryDirectory(prefix="gammon-bench-") as directory:
        server = EmbeddedServer(Path(directory), {"appendfsync": appendfsync})
        server.start()
        try:
            return uvloop.run(_measure(server.url, seconds, repeats, clients))
        finally:
            server.stop()


async def _measure(url: str, seconds: float, repeats: int, clients: tuple[int, ...]) -> dict[int, float]:
    numbers = itertools.count()
    rates: dict[int, list[float]] = {count: [] for count in clients}
    async with opened_store(url, connections=max(clients)) as store:
        await _rate(store, max(clients), seconds / 5, numbers)  # connects, and teaches the server the script
        for _ in range(repeats):
            for count in clients:
                rates[count].append(await _rate(store, count, seconds, numbers))
    return {count: statistics.median(each) for count, each in rates.items()}


async def _rate(store: RedisEventStore, clients: int, seconds: float, numbers: "itertools.count[int]") -> float:
    envelope = os.urandom(EVENT_BYTES)
    level = store.offered
    started = time.perf_counter()
    until = started + seconds

    async def play() -> int:
        done = 0
        while time.perf_counter() < until:
            number = next(numbers)
            of = match_id(number, number % PARTITIONS)
            done += await _play_match(store, of, envelope, level, until)
        return done

    done = sum(await asyncio.gather(*(play() for _ in range(clients))))
    return done / (time.perf_counter() - started)


async def _play_match(store: RedisEventStore, of: str, envelope: bytes, level: DurabilityLevel, until: float) -> int:
    head = genesis(of)
    for done in range(EVENTS_PER_MATCH):
        if time.perf_counter() >= until:
            return done
        reached = Head(head.sequence + 1, event_hash(head.hash, head.sequence + 1, envelope))
        result = await store.append(Batch(of, head, (envelope,), (reached.hash,)), level)
        if result != Appended(level):
            raise AssertionError(f"append answered {result}")
        head = reached
    return EVENTS_PER_MATCH


if __name__ == "__main__":
    for policy in ("always", "everysec"):
        for count, rate in measure(appendfsync=policy).items():
            print(f"appendfsync {policy:8}  {count:3} clients  {rate:8,.0f} appends/s")
