"""Ten thousand watches that are cancelled in every way: no task, connection or memory is left of them.

The match service's own process shows memory and connections to the store. What only the inside can tell, tasks and
watched matches, is counted in a server of this process on the same store.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import grpc
import redis
from rich.console import Console
from rich.table import Table
from tests.contracts.redis_stores import opened_store
from tests.e2e.play import ROLL, table
from tests.e2e.suite import Suite
from tests.match.watch_server import serving
from tests.soak.processes import resident_mb

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.adapters.partitions import partition_of
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_tail import RedisTail
from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.presence import Presence
from gammon_match.app.seeing import Seeing
from gammon_match.app.watching import Watching
from gammon_shell import logs
from gammon_shell.identity import bearer

OUT = Console(soft_wrap=True)
CHANNELS = 4
PEOPLE = 50
SETTLES_WITHIN_S = 30.0
# What the first watches bring into being stays; from there on memory may not grow. It goes up and down by some MB, so
# medians are compared, and of few watches nothing is said.
WARM = range(2000, 4000)
FEWEST_FOR_MEMORY = 6000
MOST_GROWTH = 1.05
# A pool opens another connection when more was asked at once than ever before, and keeps it.
MOST_MORE_CONNECTIONS = 4
SHOWN_EVERY = 1000


@dataclass(frozen=True, slots=True)
class Left:
    """What there is after a number of watches: memory of the service, its connections to the store."""

    watches: int
    memory_mb: float
    connections: int


@dataclass(frozen=True, slots=True)
class Inside:
    """What a server knows of itself: tasks of its loop, watches, watched matches, readers of the store."""

    tasks: int
    watchers: int
    watched: int
    readers: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the program."""
    parser.add_argument("--watches", type=int, default=10_000, help="all of them, in each of the two servers")
    parser.add_argument("--batch", type=int, default=250, help="how many are open at a time")


def main(options: argparse.Namespace) -> bool:
    """Runs it and prints what is left; whether that is nothing."""
    logs.configure("soak", "error", "text")
    with tempfile.TemporaryDirectory() as directory:
        suite = Suite(Path(directory))
        try:
            for role in ("store", "rules", "match"):
                suite.start_role(role)
            left, before, after = asyncio.run(run(suite, options.watches, options.batch))
        finally:
            suite.stop()
    shown = Table("match service, after watches", "memory", "connections to the store")
    for each in left:
        if each.watches % SHOWN_EVERY:
            continue
        shown.add_row(f"{each.watches:,}", f"{each.memory_mb:.1f} MB", str(each.connections))
    OUT.print(shown)
    shown = Table("server of this process", "tasks", "watchers", "watched matches", "readers")
    for name, inside in (("before", before), (f"after {options.watches:,}", after)):
        shown.add_row(name, *(str(getattr(inside, part)) for part in Inside.__slots__))
    OUT.print(shown)
    found = faults(left, before, after)
    for fault in found:
        OUT.print(f"WRONG: {fault}", style="red")
    return not found


def faults(left: Sequence[Left], before: Inside, after: Inside) -> list[str]:
    """What is left and should not be."""
    first, last = left[1], left[-1]
    found: list[str] = []
    if last.watches >= FEWEST_FOR_MEMORY:
        warm_mb, last_mb = memory_mb(left, WARM), memory_mb(left, range(last.watches - len(WARM), last.watches + 1))
        if last_mb > MOST_GROWTH * warm_mb:
            found.append(f"memory has grown from {warm_mb:.1f} to {last_mb:.1f} MB")
    if last.connections > first.connections + MOST_MORE_CONNECTIONS:
        found.append(f"connections have grown from {first.connections} to {last.connections}")
    if after != before:
        found.append(f"of {before} it has become {after}")
    return found


def memory_mb(left: Sequence[Left], watches: range) -> float:
    """The median of the service's memory after so many watches."""
    return statistics.median(each.memory_mb for each in left if each.watches in watches)


async def run(suite: Suite, watches: int, batch: int) -> tuple[list[Left], Inside, Inside]:
    """Cancels watches of one match, of the suite's service and of one in this process."""
    async with table(suite) as at:
        await at.clients[0].act(at.match_id, 0, ROLL)
        match_pid = suite.processes["match"].pid
        tokens = [suite.token(f"p{number}", "spectator") for number in range(PEOPLE)]
        left: list[Left] = []
        with redis.Redis.from_url(suite.redis_url) as store:
            left.append(Left(0, resident_mb(match_pid), connections(store)))
            async for done in cancel(suite.target(), tokens, at.match_id, watches, batch):
                await _until(lambda: blocked(store) == 0)
                left.append(Left(done, resident_mb(match_pid), connections(store)))
                if done % SHOWN_EVERY == 0:
                    OUT.log(f"{done:,} cancelled, {left[-1].memory_mb:.1f} MB")
        before, after = await _inside(suite.redis_url, at.match_id, watches, batch)
    return left, before, after


async def cancel(target: str, tokens: Sequence[str], match_id: str, watches: int, batch: int) -> AsyncIterator[int]:
    """Opens and cancels watches, so many at a time; gives after each batch how many there have been."""
    random = Random(5)
    done = 0
    while done < watches:
        count = min(batch, watches - done)
        async with _channels(target) as channels:
            stubs = itertools.cycle(match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels)
            await asyncio.gather(*(_watch(next(stubs), random.choice(tokens), match_id, random) for _ in range(count)))
        done += count
        yield done


async def _watch(stub: match_service_pb2_grpc.MatchServiceAsyncStub, token: str, match_id: str, random: Random) -> None:
    """One watch: cancelled at once, at some time, after some updates, or not at all: its connection ends first."""
    call = stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id), metadata=bearer(token))
    match random.randrange(4):
        case 0:
            call.cancel()
        case 1:
            await asyncio.sleep(random.uniform(0, 0.2))
            call.cancel()
        case 2:
            for _ in range(random.randint(1, 4)):
                assert isinstance(await call.read(), pb.WatchMatchResponse)
            call.cancel()
        case _:
            assert isinstance(await call.read(), pb.WatchMatchResponse)


@asynccontextmanager
async def _channels(target: str) -> AsyncIterator[list[grpc.aio.Channel]]:
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(grpc.aio.insecure_channel(target, options=options)) for _ in range(CHANNELS)
        ]


async def _inside(redis_url: str, match_id: str, watches: int, batch: int) -> tuple[Inside, Inside]:
    codec = ProtobufCodec()
    tail = RedisLink(redis_url)
    async with opened_store(redis_url) as store:
        seeing = Seeing(store, LiveMatches(store, codec, Checkpointing(MemoryCheckpoints())), codec)
        watching = Watching(seeing, RedisTail(tail), partition_of, Presence())
        async with serving(watching) as server:
            tokens = [server.token(f"p{number}") for number in range(PEOPLE)]
            # The first connection brings up what gRPC keeps for all.
            async for _ in cancel(f"127.0.0.1:{server.port}", tokens, match_id, 1, 1):
                pass
            await _until(lambda: not _look_inside(watching).readers)
            before = _look_inside(watching)
            async for done in cancel(f"127.0.0.1:{server.port}", tokens, match_id, watches, batch):
                if done % SHOWN_EVERY == 0:
                    OUT.log(f"{done:,} cancelled in this process")
            await _until(lambda: _look_inside(watching) == before)
            after = _look_inside(watching)
            # Connections that were left are closed a moment later.
            await asyncio.sleep(1)
        await tail.aclose()
    return before, after


def _look_inside(watching: Watching) -> Inside:
    watched = [match for matches in watching._watched.values() for match in matches.values()]
    watchers = sum(len(match.watchers) for match in watched)
    return Inside(len(asyncio.all_tasks()), watchers, len(watched), len(watching._readers))


async def _until(holds: Callable[[], bool]) -> None:
    """Waits until something holds, or long enough for what does not to be a fault."""
    ends = asyncio.get_running_loop().time() + SETTLES_WITHIN_S
    while not holds() and asyncio.get_running_loop().time() < ends:
        await asyncio.sleep(0.05)


def connections(store: redis.Redis) -> int:
    """How many connections the store has."""
    return len(store.client_list())


def blocked(store: redis.Redis) -> int:
    """How many connections wait in a blocking read."""
    return int(store.info("clients")["blocked_clients"])
