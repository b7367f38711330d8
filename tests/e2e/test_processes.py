"""Two processes of the match service on one store: any of them serves any client, and one measures each match."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import pytest
from tests.e2e.play import ROLL, audited, backgammon
from tests.e2e.sharing import measures, shared_evenly
from tests.e2e.suite import Suite
from tests.e2e.test_time import CLOSED, WITHIN_S, events_of, timed

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon_bots.player import play_match
from gammon_client.calls import Patience, open_channel
from gammon_client.errors import NotYourSeat, OutcomeUnknown, TimedElsewhere
from gammon_client.match_client import MatchClient

PLAYERS = ("alice", "bob")


@pytest.fixture
async def two(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Suite, Suite]]:
    """Two suites on the store of the first, whose match services know of each other."""
    first = Suite(tmp_path_factory.mktemp("first"), hands_on=True)
    second = Suite(tmp_path_factory.mktemp("second"), first.redis_url, hands_on=True, key=first.key)
    try:
        first.start()
        second.start()
        await first.healthy()
        await second.healthy()
        await shared_evenly(first.redis_url, 2)
        yield first, second
    finally:
        second.stop()
        first.stop()


@dataclass
class Seat:
    """A client at one process, who watches."""

    client: MatchClient
    there: set[int] = field(default_factory=set)
    sequences: list[int] = field(default_factory=list)
    watching: asyncio.Task[None] | None = None

    async def watch(self, match_id: str) -> None:
        def note(presence: pb.Presence) -> None:
            self.there = set(presence.seats)

        async for event in self.client.watch_match(match_id, on_presence=note):
            self.sequences.append(event.sequence)


@asynccontextmanager
async def seated(
    suites: tuple[Suite, Suite], settings: settings_pb2.MatchSettings, measured_by: Suite | None = None
) -> AsyncIterator[tuple[str, list[Seat]]]:
    """A match with alice at the first process and bob at the second, both watching.

    `measured_by`: whose process measures it; None: that of any.
    """
    async with AsyncExitStack() as stack:
        seats = []
        for suite, player in zip(suites, PLAYERS, strict=True):
            channel = await stack.enter_async_context(open_channel(suite.target()))
            seats.append(Seat(MatchClient(channel, suite.token(player, "player", "operator"))))
        match = await seats[0].client.create_match(settings)
        while measured_by is not None and not await measures(measured_by, match.match_id):
            match = await seats[0].client.create_match(settings)
        for seat in seats:
            seat.watching = asyncio.create_task(seat.watch(match.match_id))
            await seat.client.take_seat(match)
        try:
            yield match.match_id, seats
        finally:
            for seat in seats:
                assert seat.watching is not None
                seat.watching.cancel()
                await asyncio.gather(seat.watching, return_exceptions=True)


async def both_there(seats: list[Seat]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while any(seat.there != {0, 1} for seat in seats):
            await asyncio.sleep(0.05)


def measured(points: int = 1) -> settings_pb2.MatchSettings:
    """A long clock, and absences that are soon claimed."""
    settings = timed(reserve_s=600.0, per_move_s=60.0)
    settings.rules.MergeFrom(backgammon(points).rules)
    settings.absence.abandonment.FromSeconds(10)
    return settings


async def test_each_player_at_another_process_plays_by_the_clock_and_is_there(two: tuple[Suite, Suite]) -> None:
    async with seated(two, measured()) as (match_id, seats):
        await both_there(seats)
        await seats[0].client.act(match_id, 0, ROLL)
        for seat in seats:
            assert len((await seat.client.get_match(match_id)).clock.running) == 1
        with pytest.raises(NotYourSeat):
            await seats[0].client.act(match_id, 1, ROLL)
        # Longer than anybody may be away unnoticed.
        await asyncio.sleep(6)
        await both_there(seats)
        ended = await play_match({number: seat.client for number, seat in enumerate(seats)}, match_id)
        assert ended.status == CLOSED
        told = await events_of(seats[0].client, match_id)
        assert not [envelope for envelope in told if envelope.HasField("absence_timed")]
        for seat in seats:
            assert seat.watching is not None
            async with asyncio.timeout(WITHIN_S):
                await seat.watching
            assert seat.sequences == list(range(1, ended.head.sequence + 1))
        assert (await audited(seats[1].client, match_id)).first_wrong is None


async def test_play_goes_on_where_the_process_that_measured_it_was_killed(two: tuple[Suite, Suite]) -> None:
    first, second = two
    async with seated((second, second), measured(points=3), first) as (match_id, seats):
        await both_there(seats)
        playing = asyncio.create_task(play_match({n: seat.client for n, seat in enumerate(seats)}, match_id))
        await asyncio.sleep(0.3)
        first.kill("match")
        await shared_evenly(first.redis_url, 1)
        ended = await playing
        assert ended.status == CLOSED
        assert (await audited(seats[0].client, match_id)).first_wrong is None


async def test_a_process_that_stops_leaves_its_share_at_once(two: tuple[Suite, Suite]) -> None:
    first, second = two
    second.processes["match"].terminate()
    second.processes.pop("match").wait(20)
    # Sooner than a lease ends that nobody gives back.
    async with asyncio.timeout(4.5):
        await shared_evenly(first.redis_url, 1)


async def test_of_a_call_that_cannot_be_handed_on_nothing_is_claimed(two: tuple[Suite, Suite]) -> None:
    """The process that measures is killed: a client of the other asks again, and the same request settles it."""
    first, second = two
    seat = 1
    async with seated(two, measured(), first) as (match_id, seats):
        await both_there(seats)
        first.kill("match")
        token = second.token(PLAYERS[seat], "player")
        async with open_channel(second.target()) as channel:
            hasty, patient = MatchClient(channel, token, Patience(1.0, 1.0)), MatchClient(channel, token)
            with pytest.raises((OutcomeUnknown, TimedElsewhere)):
                await hasty.act(match_id, seat, ROLL, request_id="once")
            await patient.act(match_id, seat, ROLL, request_id="once")
            told = await events_of(patient, match_id)
            ends = [envelope for envelope in told if envelope.request_id == "once" and envelope.HasField("batch_end")]
            assert len(ends) == 1
            assert (await audited(patient, match_id)).first_wrong is None
