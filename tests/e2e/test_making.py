"""Making matches through all services: presets, faults at once, accepted terms, invitations, rematches, all audited."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from tests.e2e.play import PLAYERS, ROLL, audited, backgammon, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb
from gammon_bots.player import play_match
from gammon_client.calls import open_channel
from gammon_client.errors import (
    BadInvitation,
    Closed,
    Malformed,
    MatchNotFound,
    NotOver,
    NotYourSeat,
    SeatTaken,
    SettingsNotAccepted,
)
from gammon_client.match_client import MatchClient


@asynccontextmanager
async def players(suite: Reachable, *names: str, role: str = "player") -> AsyncIterator[list[MatchClient]]:
    """Clients with one role and no other."""
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(open_channel(suite.target())) for _ in names]
        yield [MatchClient(channel, suite.token(name, role)) for channel, name in zip(channels, names, strict=True)]


async def count(client: MatchClient, match_id: str) -> int:
    return len((await client.list_events(match_id)).events)


def invited() -> settings_pb2.MatchSettings:
    """Alice's seat, and one for whom she invites."""
    settings = backgammon(points=1)
    settings.seats.add(player="alice")
    settings.seats.add(invited=True)
    return settings


async def test_u1_u38_every_preset_is_a_match_that_starts(suite: Reachable) -> None:
    async with players(suite, *PLAYERS) as at:
        presets = await at[0].presets()
        of_game = await at[0].presets(rules_pb.GAME_TRACKGAMMON)
        assert of_game == [preset for preset in presets if preset.settings.rules.game == rules_pb.GAME_TRACKGAMMON]
        assert {preset.settings.rules.seats for preset in of_game} == {2, 3, 4}
        for preset in presets:
            match = await at[0].create_match(preset.settings)
            for player in at[: preset.settings.rules.seats]:
                match = (await player.take_seat(match)).match
            assert match.status == events_pb2.MATCH_STATUS_PLAYING, preset.name
            assert match.settings.clock == preset.settings.clock
            assert (await audited(at[0], match.match_id)).first_wrong is None
        with pytest.raises(Malformed) as unknown:
            await at[0].presets(99)  # type: ignore[arg-type]
        assert [fault.field for fault in unknown.value.fields] == ["game"]


async def test_all_faults_of_settings_come_at_once(suite: Reachable) -> None:
    settings = backgammon(points=0)
    settings.rules.centres = rules_pb.CENTRES_TWO
    settings.clock.kind = settings_pb2.CLOCK_KIND_FISCHER
    settings.tags.append("a b")
    settings.spectator_delay = 3
    settings.seats.add(signed=True)
    async with players(suite, "alice") as (alice,):
        with pytest.raises(Malformed) as refused:
            await alice.create_match(settings, request_id="what is this")
        assert {fault.field for fault in refused.value.fields} == {
            "request_id",
            "settings.rules.match.points",
            "settings.rules.centres",
            "settings.clock.reserve",
            "settings.clock.per_move",
            "settings.tags[0]",
            "settings.spectator_delay",
            "settings.seats",
            "settings.seats[0].signed",
        }


async def test_u40_nobody_sits_down_to_settings_that_they_did_not_accept(suite: Reachable) -> None:
    async with players(suite, "alice") as (alice,):
        match = await alice.create_match(backgammon())
        other = await alice.create_match(backgammon(points=7))
        for accepted in (b"", other.settings_sha256):
            with pytest.raises(SettingsNotAccepted) as refused:
                await alice.take_seat(pb.Match(match_id=match.match_id, settings_sha256=accepted))
            assert refused.value.metadata == {"settings_sha256": match.settings_sha256.hex()}
        with pytest.raises(Malformed):
            await alice.take_seat(pb.Match(match_id=match.match_id, settings_sha256=b"short"))
        assert await count(alice, match.match_id) == 1
        wish = settings_pb2.SeatPreferences(play_forced=True)
        await alice.take_seat(match, preferences=wish)
        stored = events_pb2.Envelope.FromString((await alice.list_events(match.match_id)).events[1].envelope)
        assert stored.seat_taken.accepted_settings == match.settings_sha256
        assert stored.seat_taken.preferences == wish


async def test_u36_taking_a_seat_again_tells_the_state_and_stores_nothing(suite: Reachable) -> None:
    async with table(suite, backgammon(points=1)) as at:
        alice = at.clients[0]
        match = await alice.get_match(at.match_id)
        await alice.act(at.match_id, 0, ROLL)
        for seat in (0, None):
            again = await alice.take_seat(match, seat, request_id="again")
            now = await alice.get_match(at.match_id)
            assert (again.seat, again.match) == (0, now)
        assert await count(alice, at.match_id) == now.head.sequence


async def test_invitations_let_in_whom_they_are_for_and_nobody_else(suite: Reachable) -> None:
    async with players(suite, "alice", "bob", "carol") as (alice, bob, carol):
        match = await alice.create_match(invited())
        await alice.take_seat(match)
        with pytest.raises(BadInvitation) as uninvited:
            await bob.take_seat(match, 1)
        assert (uninvited.value.code.name, uninvited.value.metadata) == ("PERMISSION_DENIED", {"seat": "1"})
        with pytest.raises(NotYourSeat):
            await bob.invite_player(match.match_id, 1)
        for_bob = await alice.invite_player(match.match_id, 1, "bob")
        assert await alice.invite_player(match.match_id, 1, "bob") == for_bob
        another = await alice.create_match(invited())
        wrong = (
            carol.take_seat(match, 1, invitation=for_bob),
            bob.take_seat(match, 0, invitation=for_bob),
            bob.take_seat(another, 1, invitation=for_bob),
            bob.take_seat(match, 1, invitation=for_bob[:-1] + ("A" if for_bob[-1] != "A" else "B")),
        )
        for call in wrong:
            with pytest.raises(BadInvitation):
                await call
        with pytest.raises(Malformed) as faulty:
            await alice.invite_player(match.match_id, 4, "a b")
        assert {fault.field for fault in faulty.value.fields} == {"seat", "player"}
        assert await count(alice, match.match_id) == 2
        assert (await bob.take_seat(match, invitation=for_bob)).seat == 1
        with pytest.raises(SeatTaken):
            await alice.invite_player(match.match_id, 1)
        assert (await audited(alice, match.match_id)).first_wrong is None


async def test_a_private_match_is_for_those_who_are_invited(suite: Reachable) -> None:
    settings = backgammon(points=1)
    settings.private = True
    async with players(suite, "alice", "bob") as (alice, bob), players(suite, "desk", role="operator") as (desk,):
        match = await alice.create_match(settings)
        for player in (alice, bob):
            with pytest.raises(BadInvitation):
                await player.take_seat(match)
        await alice.take_seat(match, invitation=await alice.invite_player(match.match_id, 0))
        await bob.take_seat(match, invitation=await desk.invite_player(match.match_id, 1, "bob"))
        ended = await play_match({0: alice, 1: bob}, match.match_id)
        assert ended.status == events_pb2.MATCH_STATUS_CLOSED
        assert (await audited(bob, match.match_id)).first_wrong is None


async def test_invitations_outlive_the_service_and_are_the_same_for_all_processes(
    own_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Suite(tmp_path_factory.mktemp("other"), own_suite.redis_url)
    try:
        other.start()
        async with players(own_suite, "alice", "bob") as (alice, bob), players(other, "bob") as (bob_there,):
            match = await alice.create_match(invited())
            invitation = await alice.invite_player(match.match_id, 1)
            await asyncio.to_thread(own_suite.restart, "match")
            assert await alice.invite_player(match.match_id, 1) == invitation
            assert (await bob_there.take_seat(match, invitation=invitation)).seat == 1
            # What another process has stored is seen here.
            with pytest.raises(SeatTaken):
                await alice.take_seat(match, 1, invitation=invitation)
            assert (await bob.take_seat(match)).seat == 1
        for suite in (own_suite, other):
            assert invitation not in (suite.directory / "log").read_text()
    finally:
        other.stop()


async def test_a_rematch_is_one_match_for_the_same_players(suite: Reachable) -> None:
    async with table(suite, backgammon(points=1)) as at, players(suite, "mallory") as (mallory,):
        alice, bob = at.clients[0], at.clients[1]
        with pytest.raises(NotOver):
            await alice.rematch(at.match_id)
        with pytest.raises(MatchNotFound):
            await alice.rematch("m_000_" + "A" * 26)
        await at.play()
        with pytest.raises(NotYourSeat):
            await mallory.rematch(at.match_id)
        asked = await asyncio.gather(*(client.rematch(at.match_id) for client in (alice, bob) * 3))
        match = asked[0]
        assert {one.match_id for one in asked} == {match.match_id}
        assert match.settings.rematch_of == at.match_id
        assert [seat.player for seat in match.settings.seats] == ["alice", "bob"]
        with pytest.raises(SeatTaken):
            await mallory.take_seat(match, 0)
        for client in (bob, alice):
            await client.take_seat(match)
        await play_match(at.clients, match.match_id)
        assert (await audited(bob, match.match_id)).first_wrong is None
        assert (await alice.rematch(match.match_id)).match_id not in (at.match_id, match.match_id)


async def test_a_closed_match_invites_and_seats_nobody(suite: Reachable) -> None:
    async with players(suite, "alice") as (alice,), players(suite, "desk", role="operator") as (desk,):
        match = await alice.create_match(backgammon())
        invitation = await alice.invite_player(match.match_id, 0)
        await desk.direct_match(match.match_id, pb.CloseRuling(), events_pb2.DIRECTOR_REASON_ABSENCE)
        for call in (alice.take_seat(match, invitation=invitation), alice.invite_player(match.match_id, 0)):
            with pytest.raises(Closed):
                await call


async def test_s15_nobody_takes_a_reserved_seat_or_another_players(suite: Reachable) -> None:
    async with players(suite, "alice", "bob", "mallory") as (alice, bob, mallory):
        settings = backgammon()
        settings.seats.add()
        settings.seats.add(player="bob")
        match = await alice.create_match(settings)
        await alice.take_seat(match)
        before = await count(alice, match.match_id)
        for seat in (0, 1, None):
            with pytest.raises(SeatTaken):
                await mallory.take_seat(match, seat)
        assert await count(alice, match.match_id) == before
        assert (await bob.take_seat(match)).seat == 1


async def test_s16_a_reconnect_storm_makes_no_move_for_the_human_and_the_bot_keeps_its_seat(suite: Reachable) -> None:
    acted: list[int] = []

    class Bot(MatchClient):
        """Notes what its own acts have stored."""

        async def act(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            done = await super().act(*args, **kwargs)
            acted.extend(event.sequence for event in done.events)
            return done

    settings = backgammon(points=1)
    settings.seats.add(player="alice")
    settings.seats.add(player="bot")
    async with players(suite, "alice", "bot") as (alice, plain):
        bot = Bot(plain.channel, plain.token)
        match = await alice.create_match(settings)
        await alice.take_seat(match)
        await bot.take_seat(match)
        playing = asyncio.create_task(play_match({0: alice}, match.match_id))
        answering = asyncio.create_task(play_match({1: bot}, match.match_id))

        async def reconnect() -> int:
            refused = 0
            while not playing.done():
                async with players(suite, "alice") as (again,):
                    assert (await again.take_seat(match)).seat == 0
                    for call in (again.take_seat(match, 1), again.act(match.match_id, 1, ROLL)):
                        with pytest.raises((SeatTaken, NotYourSeat)):
                            await call
                        refused += 1
            return refused

        refused = await asyncio.gather(*(reconnect() for _ in range(8)))
        await asyncio.gather(playing, answering)
        assert sum(refused) > 16
        events = (await alice.list_events(match.match_id)).events
        actors = {event.sequence: events_pb2.Envelope.FromString(event.envelope).actor for event in events}
        assert [sequence for sequence, actor in actors.items() if actor == events_pb2.Actor(seat=1)] == acted
        assert acted
        assert (await audited(alice, match.match_id)).first_wrong is None
