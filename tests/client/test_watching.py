"""Watching through the client: whatever ends the streams, the iterator gives each event once and in order."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from tests.client.scripted_match_service import MATCH, Running, ScriptedMatchService, refusal

from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.calls import Patience, open_channel
from gammon_client.errors import Corrupt, NotToBeSeen, NotWritten
from gammon_client.match_client import MatchClient
from gammon_shell.errors import Rejection

SLOW = refusal("TOO_SLOW", grpc.StatusCode.RESOURCE_EXHAUSTED)
LOST = Rejection(grpc.StatusCode.UNAVAILABLE, "", "as gRPC says it")


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    running = Running(ScriptedMatchService())  # type: ignore[abstract]
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def client(running: Running) -> AsyncIterator[MatchClient]:
    async with open_channel(f"127.0.0.1:{running.port}") as channel:
        yield MatchClient(channel, "ticket", Patience(deadline_s=2.0, budget_s=2.0))


async def seen(client: MatchClient, after: int = 0) -> list[int]:
    return [event.sequence async for event in client.watch_match(MATCH, after)]


def asked_from(running: Running) -> list[int]:
    return [request.after_sequence for request in running.service.requests]


async def test_a_watcher_who_was_too_slow_goes_on_after_the_last_event_it_has_given_out(
    running: Running, client: MatchClient
) -> None:
    running.service.watches = [[1, 2, 3, SLOW], [SLOW], [4, 5, LOST], [6]]
    assert await seen(client) == [1, 2, 3, 4, 5, 6]
    assert asked_from(running) == [0, 3, 3, 5]
    assert client.receipts[MATCH].sequence == 6


async def test_what_is_sent_again_is_not_given_out_again(running: Running, client: MatchClient) -> None:
    running.service.watches = [[3, 4, SLOW], [3, 4, 5, 6]]
    assert await seen(client, 2) == [3, 4, 5, 6]


async def test_a_gap_is_a_fault_and_nothing_behind_it_is_given_out(running: Running, client: MatchClient) -> None:
    running.service.watches = [[1, 2, 4, 5]]
    events = client.watch_match(MATCH)
    assert [(await anext(events)).sequence for _ in range(2)] == [1, 2]
    with pytest.raises(Corrupt) as fault:
        await anext(events)
    assert fault.value.metadata["sequence"] == "3"


async def test_presence_is_told_beside_the_events(running: Running, client: MatchClient) -> None:
    both, one = pb.Presence(seats=[0, 1], spectators=3), pb.Presence(seats=[1])
    running.service.watches = [[both, 1, one, 2]]
    told: list[tuple[int, pb.Presence]] = []
    given: list[int] = []
    async for event in client.watch_match(MATCH, on_presence=lambda presence: told.append((len(given), presence))):
        given.append(event.sequence)
    assert given == [1, 2]
    assert told == [(0, both), (1, one)]


async def test_a_refusal_is_raised_and_not_tried_again(running: Running, client: MatchClient) -> None:
    running.service.watches = [[1, refusal("NOT_TO_BE_SEEN", grpc.StatusCode.PERMISSION_DENIED)]]
    with pytest.raises(NotToBeSeen):
        await seen(client)
    assert len(running.service.requests) == 1


async def test_pauses_grow_while_nothing_new_comes_and_end_with_the_budget(
    running: Running, client: MatchClient
) -> None:
    running.service.watches = [[refusal("NOT_WRITTEN")] for _ in range(100)]
    clock = asyncio.get_running_loop().time
    started = clock()
    with pytest.raises(NotWritten):
        await seen(client)
    assert 2.0 < clock() - started < 4.0
    # 0.05 s doubled up to 1 s, of which at least half: six pauses make up a second.
    assert 5 <= len(running.service.requests) <= 9


async def test_a_service_that_says_who_is_there_is_not_away(running: Running, client: MatchClient) -> None:
    # In all this takes longer than the budget, and never without a sign of the service.
    for _ in range(8):
        running.service.watches.append([pb.Presence(), LOST])
    running.service.watches.append([1])
    assert await seen(client) == [1]
