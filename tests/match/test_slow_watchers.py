"""Slow watchers over gRPC: flow control blocks the writes of one who stops reading, and nobody else's."""

import asyncio
from collections.abc import Callable

import grpc
import pytest
from tests.match.in_process import Desk
from tests.match.spectators import LIVE, OFF, Stand, close, playing, rule_on, settled
from tests.match.watch_server import serving

from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.errors import FellBehind, NotToBeSeen, error_of
from gammon_shell import interceptors

WATCH = "/gammon.match.v1.MatchService/WatchMatch"
# More than a window and the buffers below it hold.
MANY = 6000


async def until(holds: Callable[[], bool], within_s: float = 20.0) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(within_s):
        while not holds():
            await asyncio.sleep(0.02)


async def read_to_the_end(
    call: "grpc.aio.UnaryStreamCall[pb.WatchMatchRequest, pb.WatchMatchResponse]",
) -> tuple[list[int], FellBehind]:
    """The sequences that a call brings, and how it was cut off."""
    seen: list[int] = []
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await _collect(call, seen)
    error = error_of(failed.value)
    assert isinstance(error, FellBehind)
    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    return seen, error


async def _collect(
    call: "grpc.aio.UnaryStreamCall[pb.WatchMatchRequest, pb.WatchMatchResponse]", seen: list[int]
) -> None:
    while True:
        update = await call.read()
        if not isinstance(update, pb.WatchMatchResponse):
            return
        if update.HasField("event"):
            seen.append(update.event.sequence)


def serving_tasks() -> list[str]:
    """The tasks that gRPC has for calls being served."""
    return [name for task in asyncio.all_tasks() if (name := task.get_name()) == "rpc_task" or WATCH in name]


async def test_who_stops_reading_is_cut_off_and_told_exactly_where_to_go_on() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk, most_behind=50)
    async with serving(stand.watching) as server, server.channel() as slow, server.channel() as fast:
        seen: list[int] = []
        watching = asyncio.create_task(_collect(server.watch(fast, live.match_id, "fast"), seen))
        stuck = server.watch(slow, live.match_id, "slow")
        await stuck.read()
        await until(lambda: stand.watchers == 2)
        while stand.watchers == 2 and live.head.sequence < MANY:
            await rule_on(desk, live, 10)
            await until(lambda: len(seen) == live.head.sequence)
        assert stand.watchers == 1, "flow control never blocked"
        # Late, but here: what was handed over comes first, and then the word that it was too slow.
        got, error = await read_to_the_end(stuck)
        assert got == list(range(1, int(error.metadata["resume_after"]) + 1))
        assert len(got) < live.head.sequence
        rest = server.watch(slow, live.match_id, "slow", got[-1])
        await close(desk, live)
        await _collect(rest, got)
        await watching
        assert got == seen == list(range(1, live.head.sequence + 1))


async def test_who_does_not_read_a_long_history_is_cut_off_by_time() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    await rule_on(desk, live, MANY)
    stand = Stand(desk, stalled_s=0.3)
    async with serving(stand.watching) as server, server.channel() as channel:
        stuck = server.watch(channel, live.match_id, "slow")
        await stuck.read()
        await until(lambda: stand.watchers == 0)
        got, error = await read_to_the_end(stuck)
        assert got == list(range(1, int(error.metadata["resume_after"]) + 1))
        assert len(got) < MANY


async def test_of_watchers_who_never_read_again_the_service_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interceptors, "STATUS_WITHIN_S", 0.3)
    desk = Desk()
    live = await playing(desk, LIVE)
    await rule_on(desk, live, MANY)
    stand = Stand(desk, stalled_s=0.2)
    async with serving(stand.watching) as server, server.channel() as channel:
        calls = [server.watch(channel, live.match_id, f"p{number}") for number in range(20)]
        for call in calls:
            await call.read()
        await until(lambda: stand.watchers == 0)
        # What remains is gRPC's own task for each stream: it cannot reset one from this side.
        await until(lambda: serving_tasks() == ["rpc_task"] * 20)
        for call in calls:
            call.cancel()
        await until(lambda: not serving_tasks())


async def test_the_client_resumes_by_itself_and_its_reader_sees_neither_gap_nor_repeat() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk, most_behind=50)
    async with serving(stand.watching) as server, server.channel() as channel:
        events = server.client(channel, "slow").watch_match(live.match_id)
        seen = [(await anext(events)).sequence]
        for _ in range(3):
            await until(lambda: stand.watchers == 1)
            await settled()
            head = live.head.sequence
            while stand.watchers and live.head.sequence < head + MANY:
                await rule_on(desk, live, 10)
                await asyncio.sleep(0.001)
            assert stand.watchers == 0, "it was never cut off"
            while seen[-1] < live.head.sequence:
                seen.append((await anext(events)).sequence)
        await close(desk, live)
        seen += [event.sequence async for event in events]
        assert seen == list(range(1, live.head.sequence + 1))


async def test_a_refused_watch_ends_with_its_reason() -> None:
    desk = Desk()
    live = await playing(desk, OFF)
    stand = Stand(desk)
    async with serving(stand.watching) as server, server.channel() as channel:
        with pytest.raises(NotToBeSeen) as refused:
            await anext(server.client(channel, "carol").watch_match(live.match_id))
        assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED


async def test_a_server_that_stops_ends_watches_that_are_stuck_within_its_grace() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    await rule_on(desk, live, MANY)
    stand = Stand(desk)
    async with asyncio.timeout(10):
        async with serving(stand.watching) as server, server.channel() as channel:
            calls = [server.watch(channel, live.match_id, f"p{number}") for number in range(50)]
            for call in calls:
                await call.read()
            await until(lambda: stand.watchers == 50)
        assert stand.watchers == 0
        assert not serving_tasks()
