"""Spectator policies through the services: what callers without a seat are told, by each call that shows a match."""

import asyncio

import pytest
from tests.e2e.play import ROLL, backgammon
from tests.e2e.reach import Reachable

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.calls import open_channel
from gammon_client.errors import Malformed, NotToBeSeen, SeatTaken
from gammon_client.match_client import MatchClient

DELAY = 3
OFF, DELAYED, LIVE = (
    settings_pb2.SPECTATOR_POLICY_OFF,
    settings_pb2.SPECTATOR_POLICY_DELAYED,
    settings_pb2.SPECTATOR_POLICY_LIVE,
)


def watched(policy: settings_pb2.SpectatorPolicy.ValueType, delay: int = 0) -> settings_pb2.MatchSettings:
    settings = backgammon(points=3)
    settings.spectators, settings.spectator_delay = policy, delay
    return settings


async def seated(alice: MatchClient, bob: MatchClient, settings: settings_pb2.MatchSettings) -> str:
    match = await alice.create_match(settings)
    for player in (alice, bob):
        await player.take_seat(match)
    await alice.get_match(match.match_id)
    return match.match_id


async def test_off_shows_a_match_to_its_seats_and_to_officials(suite: Reachable) -> None:
    async with open_channel(suite.target()) as channel:
        alice, bob, carol, dave, auditor = (
            MatchClient(channel, suite.token(subject, role))
            for subject, role in (
                ("alice", "player"),
                ("bob", "player"),
                ("carol", "spectator"),
                ("dave", "player"),
                ("auditor", "auditor"),
            )
        )
        match = await alice.create_match(watched(settings_pb2.SPECTATOR_POLICY_OFF))
        match_id = match.match_id
        # One must be able to read what one is to accept.
        assert (await dave.get_match(match_id)).settings.spectators == settings_pb2.SPECTATOR_POLICY_OFF
        for player in (alice, bob):
            await player.take_seat(match)
        for client in (carol, dave):
            for call in (client.get_match(match_id), client.list_events(match_id), anext(client.watch_match(match_id))):
                with pytest.raises(NotToBeSeen) as refused:
                    await call
                assert refused.value.code.name == "PERMISSION_DENIED"
        for client in (alice, bob, auditor):
            head = (await client.get_match(match_id)).head
            assert (await client.list_events(match_id)).head == head
            assert (await anext(client.watch_match(match_id))).sequence == 1


async def test_delayed_shows_a_match_some_events_ago(suite: Reachable) -> None:
    async with open_channel(suite.target()) as channel:
        alice, bob, carol = (
            MatchClient(channel, suite.token(subject, role))
            for subject, role in (("alice", "player"), ("bob", "player"), ("carol", "spectator"))
        )
        match_id = await seated(alice, bob, watched(settings_pb2.SPECTATOR_POLICY_DELAYED, DELAY))
        seen: list[int] = []

        async def watch() -> None:
            async for event in carol.watch_match(match_id):
                seen.append(event.sequence)

        watching = asyncio.create_task(watch())
        head = (await alice.act(match_id, 0, ROLL)).events[-1].sequence
        await asyncio.sleep(0.5)
        watching.cancel()
        assert seen == list(range(1, head - DELAY + 1))
        stored = (await alice.list_events(match_id)).events
        listed = await carol.list_events(match_id)
        assert listed.events == stored[: head - DELAY]
        assert listed.head is not None
        assert (listed.head.sequence, listed.head.hash) == (head - DELAY, stored[head - DELAY - 1].hash)
        assert (await carol.get_match(match_id)).head.sequence <= head - DELAY
        with pytest.raises(NotToBeSeen):
            await carol.get_match(match_id, head)


@pytest.mark.parametrize(
    ("policy", "delay"),
    [
        (settings_pb2.SPECTATOR_POLICY_DELAYED, 0),
        (settings_pb2.SPECTATOR_POLICY_DELAYED, 1001),
        (settings_pb2.SPECTATOR_POLICY_LIVE, 1),
        (settings_pb2.SPECTATOR_POLICY_OFF, 1),
        (settings_pb2.SPECTATOR_POLICY_UNSPECIFIED, 1),
    ],
)
async def test_a_delay_belongs_to_delayed_spectators(
    suite: Reachable, policy: settings_pb2.SpectatorPolicy.ValueType, delay: int
) -> None:
    async with open_channel(suite.target()) as channel:
        alice = MatchClient(channel, suite.token("alice", "player"))
        with pytest.raises(Malformed) as refused:
            await alice.create_match(watched(policy, delay))
        assert [fault.field for fault in refused.value.fields] == ["settings.spectator_delay"]


@pytest.mark.parametrize(("policy", "delay"), [(OFF, 0), (DELAYED, DELAY), (LIVE, 0)])
async def test_a_maker_without_a_seat_is_told_no_more_by_the_same_request_again(
    suite: Reachable, policy: settings_pb2.SpectatorPolicy.ValueType, delay: int
) -> None:
    async with open_channel(suite.target()) as channel:
        host, alice, bob = (MatchClient(channel, suite.token(name, "player")) for name in ("host", "alice", "bob"))
        created = await host.create_match(watched(policy, delay), request_id=f"host-{policy}")
        for player in (alice, bob):
            await player.take_seat(created)
        await alice.get_match(created.match_id)
        await alice.act(created.match_id, 0, ROLL)
        again = await host.create_match(watched(policy, delay), request_id=f"host-{policy}")
        assert again == (await host.get_match(created.match_id) if policy == LIVE else created)


async def test_a_replaced_player_is_told_no_more_by_what_they_asked_before(suite: Reachable) -> None:
    async with open_channel(suite.target()) as channel:
        alice, bob, erin = (MatchClient(channel, suite.token(name, "player")) for name in ("alice", "bob", "erin"))
        director = MatchClient(channel, suite.token("director", "operator"))

        async def seat_1_is_for(player: str, match_id: str) -> None:
            await director.get_match(match_id)
            ruling = pb.ReplaceRuling(seat=1, player=player)
            await director.direct_match(match_id, ruling, events_pb2.DIRECTOR_REASON_ABSENCE)

        match = await alice.create_match(watched(OFF))
        await alice.take_seat(match)
        await bob.take_seat(match, 1, request_id="sit")
        await seat_1_is_for("erin", match.match_id)
        for seat in (1, None):
            with pytest.raises(SeatTaken):
                await bob.take_seat(match, seat, request_id="sit")
        await erin.get_match(match.match_id)
        # The same of a rematch, which all who played before may ask for.
        await director.direct_match(match.match_id, pb.CloseRuling(), events_pb2.DIRECTOR_REASON_TECHNICAL)
        created = await alice.rematch(match.match_id)
        for player in (alice, erin):
            await player.take_seat(created)
        await seat_1_is_for("bob", created.match_id)
        assert await erin.rematch(match.match_id) == created
        assert (await alice.rematch(match.match_id)).head.sequence > created.head.sequence
