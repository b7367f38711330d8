"""Cases S16, S18, S19 and G1: connections that come and go, stores and services that stop, and what stays right."""

import asyncio
import signal
from random import Random

import pytest
from tests.e2e.play import ROLL, Table, audited, backgammon, clients, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite
from tests.faults.proxy import Proxy

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2
from gammon_bots.decisions import decide
from gammon_bots.player import next_seat, read_table
from gammon_client.calls import Patience, open_channel
from gammon_client.errors import Unavailable
from gammon_client.match_client import MatchClient
from gammon_shell.dialling import CHANNEL_OPTIONS

STORM = 100
STOPS_WITHIN_S = 3.0


async def turn_of(at: Table, seat: int) -> None:
    """Plays until it is a seat's turn to roll."""
    while True:
        seen = read_table(await at.clients[seat].get_match(at.match_id))
        acting = next_seat(seen)
        assert acting is not None
        assert seen.state is not None
        action = decide(seen.settings, seen.state, acting)
        if acting == seat and action.WhichOneof("kind") == "roll" and seen.seen.sequence > 10:
            return
        await at.clients[acting].act(at.match_id, acting, action, seen=seen.seen)


async def test_s16_a_storm_of_reconnects_moves_nobody(suite: Reachable) -> None:
    async with table(suite, backgammon()) as at:
        await turn_of(at, 0)
        before = (await at.clients[0].list_events(at.match_id)).events

        async def come_and_go(client: MatchClient) -> None:
            for _ in range(STORM):
                watching = client.watch_match(at.match_id)
                assert (await anext(watching)).sequence == 1
                await watching.aclose()

        # The bot of seat 1 is there all the time, and looks whether it may act.
        async def bot_looks_on() -> None:
            while True:
                assert next_seat(read_table(await at.clients[1].get_match(at.match_id))) == 0
                await asyncio.sleep(0.02)

        looking = asyncio.create_task(bot_looks_on())
        await asyncio.gather(*(come_and_go(at.clients[seat]) for seat in (0, 1, 0, 1)))
        assert not looking.done()
        looking.cancel()
        assert (await at.clients[0].list_events(at.match_id)).events == before
        await at.clients[0].act(at.match_id, 0, ROLL)


async def test_s18_after_losses_both_ways_both_sides_have_the_same(suite: Reachable) -> None:
    async with (
        table(suite, backgammon(points=3)) as at,
        Proxy(f"tcp://{suite.target()}") as proxy,
        open_channel(proxy.url.removeprefix("tcp://")) as lossy_0,
        open_channel(proxy.url.removeprefix("tcp://")) as lossy_1,
    ):
        sides = [
            MatchClient(lossy_0, suite.token("alice", "player")),
            MatchClient(lossy_1, suite.token("bob", "player")),
        ]

        async def board(client: MatchClient) -> list[tuple[int, bytes]]:
            return [(event.sequence, event.hash) async for event in client.watch_match(at.match_id)]

        async def lose() -> None:
            random = Random(18)
            while True:
                await asyncio.sleep(random.uniform(0.02, 0.3))
                proxy.silent = random.random() < 0.5
                await asyncio.sleep(0.05)
                proxy.silent = False
                await proxy.cut()

        watching = [asyncio.create_task(board(side)) for side in sides]
        losing = asyncio.create_task(lose())
        await at.play()
        losing.cancel()
        await asyncio.wait([losing])
        # What was swallowed is lost with its connection, as TCP has it.
        proxy.silent = False
        await proxy.cut()
        async with asyncio.timeout(30):
            seen = await asyncio.gather(*watching)
        stored = [(event.sequence, event.hash) for event in (await at.clients[0].list_events(at.match_id)).events]
        assert seen == [stored, stored]


async def test_s18_a_connection_that_died_in_silence_is_noticed(
    suite: Reachable, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As short as the library lets it be.
    shorter = {"grpc.keepalive_time_ms": 10_000, "grpc.http2.ping_timeout_ms": 1_000}
    options = tuple((name, shorter.get(name, value)) for name, value in CHANNEL_OPTIONS)
    assert {name for name, _ in options} >= shorter.keys()
    monkeypatch.setattr("gammon_client.calls.CHANNEL_OPTIONS", options)
    async with (
        table(suite, backgammon(points=1)) as at,
        Proxy(f"tcp://{suite.target()}") as proxy,
        open_channel(proxy.url.removeprefix("tcp://")) as channel,
    ):
        carol = MatchClient(channel, suite.token("carol", "spectator"))
        watching = asyncio.create_task(_sequences(carol, at.match_id))
        await asyncio.sleep(1)
        proxy.die_in_silence()
        match = await at.play()
        await asyncio.sleep(1)
        assert not watching.done()
        async with asyncio.timeout(25):
            assert await watching == list(range(1, match.head.sequence + 1))


async def test_s19_a_store_that_fails_at_the_end_of_a_game_costs_that_act_a_wait_and_nothing_else(
    own_suite: Suite,
) -> None:
    async with table(own_suite, backgammon(points=1)) as at, clients(own_suite, "carol") as (carol,):
        await turn_of(at, 0)
        watching = asyncio.create_task(_sequences(carol, at.match_id))
        offered = await at.clients[0].act(at.match_id, 0, action_pb2.Action(resign=action_pb2.Resign(level=1)))
        match_pid = own_suite.processes["match"].pid
        own_suite.kill("store")
        accept = action_pb2.Action(accept=action_pb2.Accept())
        async with open_channel(own_suite.target()) as channel:
            hasty = MatchClient(channel, own_suite.token("bob", "player"), Patience(deadline_s=3.0, budget_s=3.0))
            seen = at.clients[0].receipts[at.match_id]
            with pytest.raises(Unavailable):
                await hasty.act(at.match_id, 1, accept, request_id="the-end", seen=seen)
        own_suite.start_role("store")
        assert own_suite.processes["match"].pid == match_pid
        assert own_suite.processes["match"].poll() is None
        ended = await at.clients[1].act(at.match_id, 1, accept, request_id="the-end", seen=seen)
        match = await at.clients[0].get_match(at.match_id)
        assert match.status == events_pb2.MATCH_STATUS_CLOSED
        assert match.head.sequence == ended.events[-1].sequence > offered.events[-1].sequence
        async with asyncio.timeout(20):
            assert await watching == list(range(1, match.head.sequence + 1))
        assert (await audited(at.clients[0], at.match_id)).first_wrong is None


async def _sequences(client: MatchClient, match_id: str) -> list[int]:
    return [event.sequence async for event in client.watch_match(match_id)]


async def test_g1_a_service_that_is_stopped_amid_watches_ends_in_time(own_suite: Suite) -> None:
    async with table(own_suite) as at, clients(own_suite, *(f"p{number}" for number in range(4))) as watchers:
        watches = [client.watch_match(at.match_id) for client in watchers for _ in range(50)]
        for watch in watches:
            assert (await anext(watch)).sequence == 1
        match = own_suite.processes.pop("match")
        match.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(match.wait, STOPS_WITHIN_S) == 0
