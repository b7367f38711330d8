"""What a match takes of the memory of a real server, with every key that is written for it."""

import asyncio
import os
import re
import statistics
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import redis
from tests.contracts.batches import batch_at, genesis, match_id
from tests.contracts.redis_stores import PARTITIONS, opened_store
from tests.e2e.play import backgammon, table
from tests.e2e.suite import Suite
from tests.stores import EmbeddedServer

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.calls import open_channel
from gammon_client.rating_client import RatingClient
from gammon_match.adapters.listing_codec import read_listing
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import Appended
from gammon_match.core.events import Status
from gammon_match.core.listing import Listing, ListingChange

MATCHES = 320
PLAYERS = 200
BODY_BYTES = 260
BOT_MATCHES = 20
BOT_POINTS = 3
RATED_WITHIN_S = 10.0

# What a key is for; what none of the patterns names, such as the ratings, counts as `other`.
KINDS = ("stream", "head", "checkpoint", "feed", "index", "changes", "other")
_PATTERNS = {
    "stream": re.compile(rb":e:(m_\w+)$"),
    "head": re.compile(rb":h:(m_\w+)$"),
    "checkpoint": re.compile(rb":c:m_\w+$"),
    "feed": re.compile(rb":feed$"),
    "index": re.compile(rb":(?:matches|rows|i:.+)$"),
    "changes": re.compile(rb":changes$"),
}


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes an event, as matches of `events` events (the mean) with bodies of `body` bytes (the mean) take them.

    `keys`: by kind, as the server tells them; of a match's own keys the median over matches, of keys that matches
    share what these added. `used`: what the server's memory in use grew by, without buffers.
    """

    events: float
    body: float
    keys: dict[str, float]
    used: float

    @property
    def in_all(self) -> float:
        """Bytes an event, all keys together."""
        return sum(self.keys.values())


@dataclass(frozen=True, slots=True)
class _Held:
    """What a server holds at a moment: bytes by key, sizes of the bodies by match, bytes in use without buffers."""

    by_key: dict[bytes, int]
    bodies: dict[bytes, list[int]]
    used: int


def measure(events: int, matches: int = MATCHES) -> Footprint:
    """The footprint of matches with bodies of 260 bytes, over 16 partitions, appended one event at a time.

    A match of more than one event is closed by its last, with an entry in the feed.
    """
    with tempfile.TemporaryDirectory(prefix="gammon-bench-") as directory:
        server = EmbeddedServer(Path(directory), {"appendfsync": "no"})
        server.start()
        try:
            return asyncio.run(_measure(server.url, events, matches))
        finally:
            server.stop()


def measure_bot_matches(matches: int = BOT_MATCHES) -> Footprint:
    """The footprint of rated matches to 3 that bots play through all services, with what the ratings keep of them."""
    with tempfile.TemporaryDirectory(prefix="gammon-bench-") as directory:
        suite = Suite(Path(directory), appendfsync="everysec")
        try:
            suite.start()
            return asyncio.run(_measure_bot_matches(suite, matches))
        finally:
            suite.stop()


async def _measure(url: str, events: int, matches: int) -> Footprint:
    with redis.Redis.from_url(url) as client:
        async with opened_store(url, connections=1) as store:
            # The first append teaches the server the script, which is no match's cost.
            await _append_match(store, 0, events)
            before = _held(client)
            for number in range(1, matches + 1):
                await _append_match(store, number, events)
            return _footprint(before, _held(client))


async def _append_match(store: RedisEventStore, number: int, events: int) -> None:
    of = match_id(number, number % PARTITIONS)
    head = genesis(of)
    for event in range(1, events + 1):
        closes = event == events > 1
        feed_entry = os.urandom(BODY_BYTES) if closes else None
        batch = batch_at(head, of, os.urandom(BODY_BYTES), feed_entry=feed_entry, closes=closes)
        if event == 1 or closes:
            batch = replace(batch, listing=_listing(number, closed=closes))
        result = await store.append(batch, store.offered)
        if result != Appended(store.offered):
            raise AssertionError(f"append answered {result}")
        head = batch.head


async def _measure_bot_matches(suite: Suite, matches: int) -> Footprint:
    await suite.healthy("match")
    await suite.healthy("rating")
    settings = backgammon(BOT_POINTS)
    settings.rated = True

    async def play(count: int) -> None:
        for _ in range(count):
            async with table(suite, settings) as at:
                await at.play()

    with redis.Redis.from_url(suite.redis_url) as client:
        async with open_channel(suite.target("rating")) as channel:
            ratings = RatingClient(channel, suite.token("bench", "auditor"))
            # The first match opens the services' connections and teaches the server their scripts.
            await play(1)
            await _rated(ratings, 1)
            before = _held(client)
            await play(matches)
            await _rated(ratings, 1 + matches)
            return _footprint(before, _held(client))


async def _rated(ratings: RatingClient, matches: int) -> None:
    async with asyncio.timeout(RATED_WITHIN_S):
        while len(await ratings.changes()) < matches:
            await asyncio.sleep(0.05)


def _listing(number: int, *, closed: bool) -> ListingChange:
    """The place in lists of a match with a clock, between players of whom each plays in few matches of a partition."""
    players = tuple(f"player-{(number + other) * 37 % PLAYERS:06d}" for other in (0, 1))
    message = pb.MatchListing(
        status=events_pb2.MATCH_STATUS_CLOSED if closed else events_pb2.MATCH_STATUS_PLAYING,
        players=players,
        game=rules_pb2.GAME_BACKGAMMON,
        tags=["cup-2026"],
        rated=True,
        length=7,
        creator=players[0],
    )
    message.create_time.FromSeconds(1_800_000_000 + number)
    listing = read_listing(message.SerializeToString(deterministic=True))
    assert isinstance(listing, Listing)
    gone = replace(listing, status=Status.PLAYING).facets(timed=True) if closed else frozenset[str]()
    facets = listing.facets(timed=not closed)
    return ListingChange(listing.raw, facets, gone - facets)


def _held(client: redis.Redis) -> _Held:
    # The buffers of clients and of the append-only file come and go with the traffic.
    stats: Any = client.memory_stats()
    used = stats["total.allocated"] - stats["clients.normal"] - stats["aof.buffer"]
    by_key, bodies = {}, {}
    for key in client.scan_iter(count=1000):
        by_key[key] = int(client.memory_usage(key, samples=0) or 0)
        if own := _PATTERNS["stream"].search(key):
            entries: Any = client.xrange(key)
            bodies[own[1]] = [len(fields[b"b"]) for _, fields in entries]
    return _Held(by_key, bodies, used)


def _footprint(before: _Held, after: _Held) -> Footprint:
    bodies = {of: sizes for of, sizes in after.bodies.items() if of not in before.bodies}
    events = sum(map(len, bodies.values()))
    own: dict[str, list[float]] = {"stream": [], "head": []}
    shared = {kind: 0 for kind in KINDS if kind not in own}
    for key, size in after.by_key.items():
        kind, of = _kind(key)
        if kind in shared:
            shared[kind] += size - before.by_key.get(key, 0)
        elif of in bodies:
            own[kind].append(size / len(bodies[of]))
    return Footprint(
        events=events / len(bodies),
        body=sum(map(sum, bodies.values())) / events,
        keys={kind: statistics.median(each) for kind, each in own.items()}
        | {kind: grown / events for kind, grown in shared.items()},
        used=(after.used - before.used) / events,
    )


def _kind(key: bytes) -> tuple[str, bytes]:
    """What a key is for, and the match it belongs to; empty if matches share it."""
    for kind, pattern in _PATTERNS.items():
        if found := pattern.search(key):
            return kind, b"".join(found.groups())
    return "other", b""
