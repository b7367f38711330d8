"""Time through all services, in real seconds: flags, claims, pauses, restarts, and two processes on one store."""

import asyncio
import contextlib

import pytest
from tests.e2e.play import PLAYERS, ROLL, Table, audited, backgammon, table
from tests.e2e.reach import Reachable
from tests.e2e.sharing import shared_evenly
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_bots.decisions import decide
from gammon_bots.player import read_table
from gammon_client.calls import Patience, open_channel
from gammon_client.errors import Closed, NoLapse, NoPause, Paused, TimedElsewhere
from gammon_client.match_client import MatchClient

CLOSED, PAUSED = events_pb2.MATCH_STATUS_CLOSED, events_pb2.MATCH_STATUS_PAUSED
WITHIN_S = 20.0
HASTY = Patience(1.0, 1.0)


def timed(
    kind: settings_pb2.ClockKind.ValueType = settings_pb2.CLOCK_KIND_DELAY,
    reserve_s: float = 2.0,
    per_move_s: float = 0.5,
    *,
    claimed: bool = False,
) -> settings_pb2.MatchSettings:
    """A match by the clock."""
    settings = backgammon(points=3)
    settings.clock.kind, settings.clock.claimed = kind, claimed
    settings.clock.reserve.FromNanoseconds(round(reserve_s * 1e9))
    settings.clock.per_move.FromNanoseconds(round(per_move_s * 1e9))
    return settings


async def opened(at: Table) -> int:
    """The opening is thrown; gives the seat whose clock runs."""
    await at.clients[0].act(at.match_id, 0, ROLL)
    match = await at.clients[0].get_match(at.match_id)
    [seat] = match.clock.running
    return seat


async def events_of(client: MatchClient, match_id: str) -> list[events_pb2.Envelope]:
    """All events of a match."""
    stored = await client.list_events(match_id)
    return [events_pb2.Envelope.FromString(event.envelope) for event in stored.events]


async def closed(client: MatchClient, match_id: str) -> pb.Match:
    """The match when it is closed, which it soon is."""
    async with asyncio.timeout(WITHIN_S):
        while (match := await client.get_match(match_id)).status != CLOSED:
            await asyncio.sleep(0.1)
    return match


async def test_a_flag_falls_by_itself_and_watchers_see_it(suite: Reachable) -> None:
    async with table(suite, timed()) as at:
        late = await opened(at)
        seen = [event async for event in at.clients[1 - late].watch_match(at.match_id)]
        envelopes = [events_pb2.Envelope.FromString(event.envelope) for event in seen]
        assert envelopes[-1].HasField("match_closed")
        [flag] = [envelope for envelope in envelopes if envelope.HasField("flag_fell")]
        assert flag.flag_fell.seat == late
        assert flag.actor.HasField("system")
        match = await at.clients[late].get_match(at.match_id)
        assert list(match.summary.result.winners) == [1 - late]
        with pytest.raises(Closed):
            await at.clients[late].act(at.match_id, late, ROLL)
        assert (await audited(at.clients[0], at.match_id)).first_wrong is None


async def test_a_claim_is_refused_with_its_reason_and_later_granted_once(suite: Reachable) -> None:
    async with table(suite, timed(claimed=True)) as at:
        late = await opened(at)
        other = at.clients[1 - late]
        with pytest.raises(NoLapse) as early:
            await other.claim_lapse(at.match_id, 1 - late)
        assert f"seat {late} has" in early.value.metadata["reason"]
        await asyncio.sleep(int(early.value.metadata["retry_after_ms"]) / 1000)
        granted = await other.claim_lapse(at.match_id, 1 - late, request_id="claim")
        again = await other.claim_lapse(at.match_id, 1 - late, request_id="claim")
        assert [event.hash for event in granted.events] == [event.hash for event in again.events]
        assert (await other.get_match(at.match_id)).status == CLOSED
        assert (await audited(other, at.match_id)).first_wrong is None


async def test_a_pause_stops_the_clock_and_ends_with_its_budget(suite: Reachable) -> None:
    settings = timed(reserve_s=30.0)
    settings.absence.pause_budget.FromSeconds(1)
    async with table(suite, settings) as at:
        seat = await opened(at)
        await at.clients[seat].pause_match(at.match_id, seat)
        paused = await at.clients[seat].get_match(at.match_id)
        assert (paused.status, paused.pause.seat) == (PAUSED, seat)
        with pytest.raises(Paused):
            await at.clients[seat].act(at.match_id, seat, ROLL)
        with pytest.raises(NoPause):
            await at.clients[1 - seat].pause_match(at.match_id, 1 - seat, resume=True)
        async with asyncio.timeout(WITHIN_S):
            while (now := await at.clients[seat].get_match(at.match_id)).status == PAUSED:
                await asyncio.sleep(0.05)
        # A second passed, and none of it on the clock.
        assert now.clock.reserves[seat].ToNanoseconds() > 29e9
        told = await events_of(at.clients[0], at.match_id)
        [resumed] = [envelope.match_resumed for envelope in told if envelope.HasField("match_resumed")]
        assert resumed.budgets[seat].ToNanoseconds() == 0
        assert (await audited(at.clients[0], at.match_id)).first_wrong is None


async def test_a_clock_goes_on_after_a_kill_from_what_was_stored_and_its_flag_falls(own_suite: Suite) -> None:
    async with table(own_suite, timed(reserve_s=4.0)) as at:
        late = await opened(at)
        before = (await at.clients[0].get_match(at.match_id)).clock.reserves[late].ToNanoseconds()
        await asyncio.sleep(1)
        own_suite.kill("match")
        await asyncio.sleep(5)
        # More time has passed than there was; nobody was there, and it is charged to nobody.
        own_suite.start_role("match")
        await own_suite.healthy()
        async with asyncio.timeout(WITHIN_S):
            while not (match := await at.clients[0].get_match(at.match_id)).HasField("clock"):
                await asyncio.sleep(0.05)
        assert match.status == events_pb2.MATCH_STATUS_PLAYING
        assert match.clock.reserves[late].ToNanoseconds() <= before
        ended = await closed(at.clients[0], at.match_id)
        assert list(ended.summary.result.winners) == [1 - late]
        assert (await audited(at.clients[0], at.match_id)).first_wrong is None


async def test_of_two_processes_that_know_no_address_one_times_a_match_and_the_other_takes_over(
    own_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Suite(tmp_path_factory.mktemp("other"), own_suite.redis_url, key=own_suite.key)
    try:
        other.start()
        await shared_evenly(own_suite.redis_url, 2)
        async with open_channel(own_suite.target()) as own_channel, open_channel(other.target()) as channel:
            own = [MatchClient(own_channel, own_suite.token(player, "player"), HASTY) for player in PLAYERS[:2]]
            match_id = await timed_by(own, timed(reserve_s=60.0))
            seat = await opened(Table(match_id, dict(enumerate(own))))
            match = await own[seat].get_match(match_id)
            now = read_table(match)
            assert now.state is not None
            action = decide(now.settings, now.state, seat)
            token = other.token(PLAYERS[seat], "player")
            hasty = MatchClient(channel, token, HASTY)
            with pytest.raises(TimedElsewhere) as elsewhere:
                await hasty.act(match_id, seat, action, seen=now.seen)
            assert elsewhere.value.metadata["holder"].startswith("match-")
            assert (await hasty.get_match(match_id)).head == match.head
            own_suite.kill("match")
            # The client asks again until the other process has the lease.
            patient = MatchClient(channel, token, Patience(5.0, WITHIN_S))
            done = await patient.act(match_id, seat, action, seen=now.seen, request_id="taken-over")
            assert not done.repeated_request
            reserve = (await patient.get_match(match_id)).clock.reserves[seat].ToNanoseconds()
            assert reserve > 50e9
            assert (await audited(patient, match_id)).first_wrong is None
    finally:
        other.stop()


async def timed_by(clients: list[MatchClient], settings: settings_pb2.MatchSettings) -> str:
    """A match whose seats could be taken at the process of these clients: it is that one that times it."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            match = await clients[0].create_match(settings)
            with contextlib.suppress(TimedElsewhere):
                for seat, client in enumerate(clients):
                    await client.take_seat(match, seat)
                await clients[0].get_match(match.match_id)
                return match.match_id


async def test_a_match_by_the_clock_is_played_to_its_end(suite: Reachable) -> None:
    for kind in (settings_pb2.CLOCK_KIND_DELAY, settings_pb2.CLOCK_KIND_FISCHER, settings_pb2.CLOCK_KIND_DAYS):
        async with table(suite, timed(kind, 600.0, 60.0)) as at:
            ended = await at.play()
            assert ended.status == CLOSED
            told = await events_of(at.clients[0], at.match_id)
            assert not [envelope for envelope in told if envelope.HasField("flag_fell")]
            assert (await audited(at.clients[0], at.match_id)).first_wrong is None
