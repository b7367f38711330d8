"""A crowd of watchers in a process of its own, told on standard input what to do; says on standard output how it went.

Fast watchers read as things come. Slow ones read a little and pause for so long that they are cut off. Reconnecting
ones leave after an event or two, all the time. All stay until the match is closed, and compare what they saw with
what is stored.
"""

import asyncio
import json
import sys
import time
from array import array
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

import grpc

from gammon.match.v1 import events_pb2, match_service_pb2_grpc
from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.calls import Patience, open_channel
from gammon_client.match_client import MatchClient
from gammon_shell.identity import bearer

WATCHERS_A_CHANNEL = 100
# A client that takes little before it has read it, as a small device would.
NARROW = (("grpc.http2.lookahead_bytes", 2048), ("grpc.http2.bdp_probe", 0), ("grpc.use_local_subchannel_pool", 1))
PATIENT = Patience(deadline_s=60.0, budget_s=120.0)
READ_BEFORE_A_PAUSE = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """What a crowd does. Tokens by kind of watcher; `auditor` reads what is stored; `latencies`: a file to write."""

    target: str
    match_id: str
    fast: list[str]
    slow: list[str]
    reconnecting: list[str]
    auditor: str
    pause_s: float
    latencies: str
    seed: int


@dataclass(slots=True)
class Outcome:
    """How it went. `wrong`: who did not see every event once and in order. `delivered`: to fast watchers as it came."""

    wrong: list[str]
    delivered: int
    reconnects: int


@dataclass(slots=True)
class Seen:
    """What a watcher saw: sequences and hashes, and when (ns since the epoch)."""

    name: str
    events: list[tuple[int, bytes]] = field(default_factory=list)
    times: "array[int]" = field(default_factory=lambda: array("q"))

    @property
    def last(self) -> int:
        """The last sequence seen."""
        return self.events[-1][0] if self.events else 0

    def see(self, event: pb.StoredEvent) -> None:
        """Notes an event."""
        self.times.append(time.time_ns())
        self.events.append((event.sequence, event.hash))


class Crowd:
    """The watchers of one process."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._random = Random(plan.seed)
        self._closed = asyncio.Event()
        self._reconnects = 0
        self._fast: list[Seen] = []
        self._others: list[Seen] = []

    async def run(self) -> Outcome:
        """Watches until the match is closed. Says `ready` once everybody has seen the first event."""
        plan = self._plan
        async with AsyncExitStack() as stack:
            tasks: list[asyncio.Task[None]] = []
            for tokens, crowd, watch in (
                (plan.fast, self._fast, self._watch_fast),
                (plan.slow, self._others, self._watch_slowly),
                (plan.reconnecting, self._others, self._watch_in_pieces),
            ):
                for first in range(0, len(tokens), WATCHERS_A_CHANNEL):
                    narrow = watch == self._watch_slowly
                    channel = await stack.enter_async_context(_channel(plan.target, narrow=narrow))
                    for number, token in enumerate(tokens[first : first + WATCHERS_A_CHANNEL], first):
                        seen = Seen(f"{watch.__name__} {number}")
                        crowd.append(seen)
                        tasks.append(asyncio.create_task(self._ending(watch, channel, token, seen)))
            while not all(seen.events for seen in (*self._fast, *self._others)):
                await asyncio.sleep(0.05)
            print("ready", flush=True)
            began_ns = time.time_ns()
            await asyncio.gather(*tasks)
            async with open_channel(plan.target) as channel:
                stored = (await MatchClient(channel, plan.auditor, PATIENT).list_events(plan.match_id)).events
        return self._compare(stored, began_ns)

    def _compare(self, stored: tuple[pb.StoredEvent, ...], began_ns: int) -> Outcome:
        whole = [(event.sequence, event.hash) for event in stored]
        assert [sequence for sequence, _ in whole] == list(range(1, len(whole) + 1))
        wrong = [seen.name for seen in (*self._fast, *self._others) if seen.events != whole]
        recorded = [events_pb2.Envelope.FromString(event.envelope).record_time.ToNanoseconds() for event in stored]
        first = next((index for index, ns in enumerate(recorded) if ns > began_ns), len(recorded))
        latencies = array("q")
        for seen in self._fast:
            latencies.extend(at - ns for at, ns in zip(seen.times[first:], recorded[first:], strict=False))
        Path(self._plan.latencies).write_bytes(latencies.tobytes())
        return Outcome(wrong, len(latencies), self._reconnects)

    async def _ending(
        self,
        watch: Callable[[grpc.aio.Channel, str, Seen], Awaitable[None]],
        channel: grpc.aio.Channel,
        token: str,
        seen: Seen,
    ) -> None:
        await watch(channel, token, seen)
        self._closed.set()

    async def _watch_fast(self, channel: grpc.aio.Channel, token: str, seen: Seen) -> None:
        async for event in MatchClient(channel, token, PATIENT).watch_match(self._plan.match_id):
            seen.see(event)

    async def _watch_slowly(self, channel: grpc.aio.Channel, token: str, seen: Seen) -> None:
        pause_s = self._plan.pause_s
        async for event in MatchClient(channel, token, PATIENT).watch_match(self._plan.match_id):
            seen.see(event)
            if len(seen.events) % READ_BEFORE_A_PAUSE == 1 and not self._closed.is_set():
                await asyncio.wait(
                    [asyncio.ensure_future(self._closed.wait())], timeout=self._random.uniform(pause_s, 1.5 * pause_s)
                )

    async def _watch_in_pieces(self, channel: grpc.aio.Channel, token: str, seen: Seen) -> None:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        while True:
            request = pb.WatchMatchRequest(match_id=self._plan.match_id, after_sequence=seen.last)
            call = stub.WatchMatch(request, metadata=bearer(token))
            stays_for = self._random.randint(0, 3)
            try:
                async for update in call:
                    if update.HasField("event"):
                        seen.see(update.event)
                        stays_for -= 1
                    if stays_for < 0:
                        break
                else:
                    return
            finally:
                call.cancel()
            self._reconnects += 1


def _channel(target: str, *, narrow: bool) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(target, options=NARROW) if narrow else open_channel(target)


if __name__ == "__main__":
    import uvloop

    print(json.dumps(asdict(uvloop.run(Crowd(Plan(**json.load(sys.stdin))).run()))), flush=True)
