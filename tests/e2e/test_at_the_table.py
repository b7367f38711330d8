"""Previews, preferences and take-backs through all services: who may ask, what they answer, what the audit says."""

import asyncio

import grpc
import pytest
from tests.e2e.play import ROLL, Table, audited, backgammon, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite
from tests.e2e.test_offers import ACCEPT, do, money, resign, score, track

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1.match_service_pb2_grpc import MatchServiceStub
from gammon.rules.v1 import action_pb2 as act
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon.rules.v1 import state_pb2
from gammon_bots.decisions import decide
from gammon_bots.player import read_table
from gammon_client.errors import (
    AgainstTheLaw,
    Closed,
    Conflict,
    Malformed,
    NoBatchEnd,
    NoTakeBack,
    NotYourSeat,
    RequestIdReused,
    RoleRequired,
    error_of,
)
from gammon_client.match_client import MatchClient, Receipt
from gammon_client.table_calls import AnswerBack, ProposeBack

BOTH = settings_pb2.SeatPreferences(roll_without_choice=True, play_forced=True)
YES, NO = AnswerBack(accept=True), AnswerBack(accept=False)
DOUBLE, DROP = act.Action(double=act.OfferDouble()), act.Action(drop=act.Drop())


def agreed(settings: settings_pb2.MatchSettings) -> settings_pb2.MatchSettings:
    """The settings with take-backs."""
    settings.take_backs = True
    return settings


async def count(at: Table) -> int:
    return len((await at.clients[0].list_events(at.match_id)).events)


async def lawful(at: Table) -> None:
    report = await audited(at.clients[0], at.match_id)
    assert report.first_wrong is None, report


async def seen(at: Table, seat: int) -> Receipt:
    head = (await at.clients[seat].get_match(at.match_id)).head
    return Receipt(head.sequence, head.hash)


async def say(at: Table, seat: int, word: ProposeBack | AnswerBack, request_id: str = "") -> pb.TakeBackResponse:
    return await at.clients[seat].take_back(at.match_id, seat, word, seen=await seen(at, seat), request_id=request_id)


# -- Previews


async def test_a_preview_tells_what_an_act_would_cost_and_stores_nothing(suite: Reachable) -> None:
    async with table(suite, money()) as at:
        before = await do(at, 0, ROLL)
        stored = await count(at)
        told = await at.clients[0].preview_act(at.match_id, 0, resign(3))
        assert told.summary.phase == state_pb2.PHASE_RESIGNING
        assert [own.numerator for own in told.points] == [-3, 3]
        wrong = await at.clients[0].preview_act(at.match_id, 0, DROP)
        assert wrong.violation.rule == "1.3"
        assert not wrong.points
        assert await count(at) == stored
        assert (await at.clients[0].get_match(at.match_id)).head == before.head
        # What was told comes true.
        await do(at, 0, resign(3))
        assert score(await do(at, 1, ACCEPT)) == [-3, 3]


async def test_a_roll_is_never_previewed_and_a_ruling_neither(suite: Reachable) -> None:
    async with table(suite) as at:
        for action in (ROLL, act.Action(void_game=act.VoidGame()), act.Action()):
            with pytest.raises(Malformed) as refused:
                await at.clients[0].preview_act(at.match_id, 0, action)
            assert [fault.field for fault in refused.value.fields] == ["action.kind"]


async def test_nobody_looks_ahead_for_another_seat(suite: Reachable) -> None:
    async with table(suite) as at, suite.channel() as channel:
        with pytest.raises(NotYourSeat):
            await at.clients[0].preview_act(at.match_id, 1, DOUBLE)
        with pytest.raises(RoleRequired):
            await MatchClient(channel, suite.token("eve", "spectator")).preview_act(at.match_id, 0, DOUBLE)


# -- Preferences


def no_cube(points: int = 3) -> settings_pb2.MatchSettings:
    """A match without a cube: to roll is all that can be done on a turn."""
    settings = backgammon(points)
    settings.rules.cube = rules_pb2.CUBE_OFF
    return settings


async def automatic(at: Table) -> list[events_pb2.ActedBySystem]:
    stored = (await at.clients[0].list_events(at.match_id)).events
    events = [events_pb2.Envelope.FromString(event.envelope) for event in stored]
    return [event.acted_by_system for event in events if event.HasField("acted_by_system")]


@pytest.mark.parametrize("game", [rules_pb2.GAME_BACKGAMMON, rules_pb2.GAME_RUNGAMMON, rules_pb2.GAME_TRACKGAMMON])
async def test_whole_matches_with_preferences_are_played_watched_and_audited(
    suite: Reachable, game: rules_pb2.Game.ValueType
) -> None:
    settings = no_cube(1)
    settings.rules.game = game
    async with table(suite, settings) as at:
        for seat, client in at.clients.items():
            await client.set_preferences(at.match_id, seat, BOTH)
        watched: list[pb.StoredEvent] = []

        async def watch() -> None:
            async for event in at.clients[1].watch_match(at.match_id):
                watched.append(event)

        watching = asyncio.create_task(watch())
        await at.play()
        async with asyncio.timeout(20):
            await watching
        stored = (await at.clients[0].list_events(at.match_id)).events
        assert watched == list(stored)
        reasons = {acted.reason for acted in await automatic(at)}
        assert events_pb2.SYSTEM_REASON_NO_DOUBLE in reasons
        assert (events_pb2.SYSTEM_REASON_FORCED in reasons) or game == rules_pb2.GAME_TRACKGAMMON
        await lawful(at)


async def test_preferences_are_set_once_at_any_time_before_the_end(own_suite: Suite) -> None:
    async with table(own_suite) as at:
        alice = at.clients[0]
        first = await alice.set_preferences(at.match_id, 0, BOTH, request_id="wish")
        own_suite.restart("match")
        again = await alice.set_preferences(at.match_id, 0, BOTH, request_id="wish")
        assert again == first
        with pytest.raises(RequestIdReused):
            await alice.set_preferences(at.match_id, 0, settings_pb2.SeatPreferences(), request_id="wish")
        with pytest.raises(NotYourSeat):
            await alice.set_preferences(at.match_id, 1, BOTH)
        with pytest.raises(Malformed) as refused:
            await alice.set_preferences(at.match_id, 0, BOTH, request_id="auto.9")
        assert [fault.field for fault in refused.value.fields] == ["request_id"]
        await at.play()
        with pytest.raises(Closed):
            await alice.set_preferences(at.match_id, 0, BOTH)
        await lawful(at)


async def test_who_asks_for_the_roll_that_was_thrown_for_them_gets_it(suite: Reachable) -> None:
    async with table(suite, no_cube()) as at:
        for seat, client in at.clients.items():
            await client.set_preferences(at.match_id, seat, settings_pb2.SeatPreferences(roll_without_choice=True))
        opened = await do(at, 0, ROLL)
        looked = read_table(opened)
        turn = opened.summary.seats_to_act[0]
        assert looked.state is not None
        play = decide(looked.settings, looked.state, turn)
        played = await at.clients[turn].act(at.match_id, turn, play, seen=looked.seen)
        # The other has seen the play, and not yet that the roll after it is thrown already.
        seen_play = Receipt(played.events[-1].sequence, played.events[-1].hash)
        rolled = await at.clients[1 - turn].act(at.match_id, 1 - turn, ROLL, seen=seen_play)
        assert rolled.repeated_request
        first = events_pb2.Envelope.FromString(rolled.events[0].envelope)
        assert first.acted_by_system.seat == 1 - turn
        assert first.request_id == f"auto.{seen_play.sequence}"
        await lawful(at)


# -- Take-backs


async def test_two_seats_agree_to_go_back_and_play_on(own_suite: Suite) -> None:
    async with table(own_suite, agreed(money())) as at:
        rolled = await do(at, 0, ROLL)
        await do(at, 0, resign(1))
        await do(at, 1, ACCEPT)
        await say(at, 0, ProposeBack(rolled.head.sequence))
        own_suite.restart("match")
        waiting = (await at.clients[1].get_match(at.match_id)).take_back
        assert (waiting.seat, waiting.to_sequence, list(waiting.consenting)) == (0, rolled.head.sequence, [0])
        done = await say(at, 1, YES, request_id="yes")
        assert [events_pb2.Envelope.FromString(event.envelope).WhichOneof("event") for event in done.events] == [
            "take_back_answered",
            "taken_back",
        ]
        match = await at.clients[0].get_match(at.match_id)
        assert (match.state, match.draws, score(match)) == (rolled.state, rolled.draws, [0, 0])
        assert not match.HasField("take_back")
        again = await say(at, 1, YES, request_id="yes")
        assert again == done
        await at.play()
        await lawful(at)


async def test_three_seats_agree_or_one_of_them_does_not(suite: Reachable) -> None:
    async with table(suite, agreed(track())) as at:
        started = (await at.clients[0].get_match(at.match_id)).head.sequence
        await do(at, 0, ROLL)
        await say(at, 0, ProposeBack(started))
        await say(at, 1, YES)
        await say(at, 2, NO)
        with pytest.raises(NoTakeBack):
            await say(at, 1, YES)
        await say(at, 1, ProposeBack(started))
        await say(at, 0, YES)
        await say(at, 2, YES)
        match = await at.clients[0].get_match(at.match_id)
        assert (match.summary.phase, match.draws > 0) == (state_pb2.PHASE_OPENING, True)
        await lawful(at)


async def test_words_on_taking_back_that_are_refused_leave_no_event(suite: Reachable) -> None:
    async with table(suite) as at:
        rolled = await do(at, 0, ROLL)
        with pytest.raises(NoTakeBack):
            await say(at, 0, ProposeBack(rolled.head.sequence - 1))
    async with table(suite, agreed(backgammon())) as at:
        started = (await at.clients[0].get_match(at.match_id)).head.sequence
        rolled = await do(at, 0, ROLL)
        for word, error in (
            (YES, NoTakeBack),
            (NO, NoTakeBack),
            (ProposeBack(rolled.head.sequence), AgainstTheLaw),
            (ProposeBack(rolled.head.sequence - 1), NoBatchEnd),
            (ProposeBack(0), Malformed),
        ):
            with pytest.raises(error):
                await say(at, 0, word)
        with pytest.raises(NotYourSeat):
            await at.clients[0].take_back(at.match_id, 1, ProposeBack(started), seen=await seen(at, 0))
        with pytest.raises(Conflict):
            await at.clients[0].take_back(at.match_id, 0, ProposeBack(started), seen=Receipt(started))
        assert (await at.clients[0].get_match(at.match_id)).head == rolled.head


async def test_all_faults_of_a_word_come_at_once(suite: Reachable) -> None:
    async with suite.channel() as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await MatchServiceStub(channel).TakeBack(pb.TakeBackRequest(), metadata=suite.metadata("alice", "player"))
        assert {fault.field for fault in error_of(refused.value).fields} == {
            "match_id",
            "request_id",
            "seat",
            "seen_sequence",
            "word",
        }
