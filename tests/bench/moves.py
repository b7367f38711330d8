"""Move commands through the real services: every client has a match of its own and rolls and plays in turn.

`python -m tests.bench.moves client …` is the load of one run, in a process of its own as in the ceiling's benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import uvloop
from grpc import aio
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, match_service_pb2_grpc
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon.rules.v1 import state_pb2
from gammon_engine.full_roll import numbers_of
from gammon_engine.games import backgammon
from gammon_engine.play import Play
from gammon_engine.position import Position
from gammon_engine.settings import SetUp
from gammon_wire.plays import steps_to_proto

CLIENTS = (1, 16, 64)
GAME = backgammon.Backgammon(SetUp.STANDARD)
Metadata = tuple[tuple[str, str], ...]


def measure(seconds: float = 2.0, clients: Sequence[int] = CLIENTS) -> dict[str, dict[str, float]]:
    """Acts a second, and p50 and p99 in ms, by number of clients; appendfsync everysec."""
    with tempfile.TemporaryDirectory(prefix="gammon-bench-") as directory:
        suite = Suite(Path(directory), appendfsync="everysec")
        try:
            suite.start()
            asyncio.run(suite.healthy("match"))
            return {str(count): _run(suite, count, seconds) for count in clients}
        finally:
            suite.stop()


def _run(suite: Suite, clients: int, seconds: float) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.moves", "client", "--target", suite.target()]
    command += ["--token", suite.token("bench", "player"), "--clients", str(clients), "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


class Player:
    """Both seats of one match."""

    def __init__(self, stub: match_service_pb2_grpc.MatchServiceAsyncStub, metadata: Metadata) -> None:
        self._stub = stub
        self._metadata = metadata
        self._match_id = ""
        self._head = pb.Head()
        self._state = state_pb2.State()
        self._seats: list[int] = []
        self._rolls = False

    async def open(self) -> None:
        """A new match, both seats taken."""
        request = pb.CreateMatchRequest(request_id=uuid4().hex)
        request.settings.rules.game, request.settings.rules.seats = rules_pb2.GAME_BACKGAMMON, 2
        request.settings.rules.session.SetInParent()
        match = (await self._stub.CreateMatch(request, metadata=self._metadata)).match
        for seat in (0, 1):
            take = pb.TakeSeatRequest(
                match_id=match.match_id,
                seat=seat,
                request_id=uuid4().hex,
                accepted_settings=match.settings_sha256,
            )
            match = (await self._stub.TakeSeat(take, metadata=self._metadata)).match
        self._match_id, self._head = match.match_id, match.head
        self._look(match.state, match.summary)

    async def act(self) -> None:
        """One act: a roll, or a play of it."""
        await self.send(self.prepare())

    def prepare(self) -> pb.ActRequest:
        """The next act."""
        seat = self._seats[0]
        request = pb.ActRequest(
            match_id=self._match_id,
            seat=seat,
            request_id=uuid4().hex,
            seen_sequence=self._head.sequence,
            seen_hash=self._head.hash,
        )
        if self._rolls:
            request.action.roll.SetInParent()
        else:
            position = GAME.parse(self._state.position)
            assert isinstance(position, int)
            play = longest_play(
                position, seat, tuple(sorted(numbers_of((self._state.dice[0], self._state.dice[1])), reverse=True))
            )
            request.action.play.steps.steps.extend(steps_to_proto(play))
        return request

    async def send(self, request: pb.ActRequest) -> None:
        """Sends it and looks at what came of it."""
        response = await self._stub.Act(request, metadata=self._metadata)
        last = response.events[-1]
        self._head = pb.Head(sequence=last.sequence, hash=last.hash)
        end = events_pb2.Envelope.FromString(last.envelope).batch_end
        self._look(end.state, end.summary)

    def _look(self, state: bytes, summary: state_pb2.Summary) -> None:
        self._state = state_pb2.State.FromString(state)
        self._seats = list(summary.seats_to_act)
        self._rolls = summary.HasField("draw")


def longest_play(position: Position, seat: int, numbers: tuple[int, ...]) -> Play:
    """The first play found that uses as many numbers as can be, the larger first (1.3, 1.4): a client's thinking is
    not what is measured, and all legal plays would cost it more than the service takes.
    """
    best: Play = ()
    for index, number in enumerate(numbers):
        if number in numbers[:index]:
            continue
        for step, after in backgammon._steps(position, number, seat):
            play = (step, *longest_play(after, seat, numbers[:index] + numbers[index + 1 :]))
            if len(play) == len(numbers):
                return play
            best = max(best, play, key=len)
    return best


async def _client(target: str, token: str, clients: int, seconds: float) -> dict[str, float]:
    metadata: Metadata = (("authorization", f"Bearer {token}"),)
    latencies: list[float] = []
    async with aio.insecure_channel(target) as channel:
        stub: match_service_pb2_grpc.MatchServiceAsyncStub = match_service_pb2_grpc.MatchServiceStub(channel)
        players = [Player(stub, metadata) for _ in range(clients)]
        await asyncio.gather(*(player.open() for player in players))
        for _ in range(3):
            await asyncio.gather(*(player.act() for player in players))
        started, used = time.perf_counter(), time.process_time()

        async def play(player: Player) -> None:
            while True:
                request = player.prepare()
                before = time.perf_counter()
                if before - started >= seconds:
                    return
                await player.send(request)
                latencies.append(time.perf_counter() - before)

        await asyncio.gather(*(play(player) for player in players))
        took, used = time.perf_counter() - started, time.process_time() - used
    latencies.sort()
    return {
        "per_s": len(latencies) / took,
        "p50_ms": latencies[len(latencies) // 2] * 1e3,
        "p99_ms": latencies[int(len(latencies) * 0.99)] * 1e3,
        "client_us": used / len(latencies) * 1e6,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["client", "measure"])
    parser.add_argument("--target", default="")
    parser.add_argument("--token", default="")
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    asked = parser.parse_args()
    if asked.role == "measure":
        print(json.dumps(measure(asked.seconds), indent=1))
    else:
        print(json.dumps(uvloop.run(_client(asked.target, asked.token, asked.clients, asked.seconds))))
