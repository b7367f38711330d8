"""A director's rulings through all services, audited; who may make them, and what players notice of them."""

from fractions import Fraction

import grpc
import pytest
from tests.e2e.play import PLAYERS, ROLL, Table, audited, backgammon, clients, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1.match_service_pb2_grpc import MatchServiceStub
from gammon.rules.v1 import action_pb2
from gammon_bots.decisions import decide
from gammon_bots.player import read_table
from gammon_client.errors import (
    AgainstTheLaw,
    Closed,
    Conflict,
    Malformed,
    MatchNotFound,
    NoBatchEnd,
    NotYourSeat,
    Paused,
    RequestIdReused,
    RoleRequired,
    StoreRewound,
    Unsupported,
    error_of,
)
from gammon_client.match_client import MatchClient, Receipt
from gammon_engine.referee.actions import Forfeit, Scope, SetScore, VoidGame
from gammon_wire.actions import action_to_proto

VOID, CLOSE = action_to_proto(VoidGame()), pb.CloseRuling()
REASON = events_pb2.DIRECTOR_REASON_TECHNICAL


async def lawful(client: MatchClient, match_id: str) -> None:
    """The audit finds nothing wrong."""
    report = await audited(client, match_id)
    assert report.first_wrong is None, report


async def test_a_match_with_rulings_is_seen_by_all_and_played_to_its_end(suite: Reachable) -> None:
    async with table(suite, backgammon(points=5)) as at, clients(suite, "director") as (director,):
        await at.clients[0].act(at.match_id, 0, ROLL)
        await director.direct_match(at.match_id, action_to_proto(SetScore((Fraction(1), Fraction(2)))), REASON)
        voided = await director.direct_match(at.match_id, VOID, events_pb2.DIRECTOR_REASON_CORRECTION)
        forfeited = await director.direct_match(at.match_id, action_to_proto(Forfeit(1, Scope.GAME, 2)), REASON)
        match = await at.clients[1].get_match(at.match_id)
        assert [own.numerator for own in match.summary.score] == [3, 2]
        assert (match.summary.game_number, match.head.sequence) == (2, forfeited.events[-1].sequence)
        watched = []
        async for event in at.clients[1].watch_match(at.match_id):
            watched.append(event)
            if event.sequence == forfeited.events[-1].sequence:
                break
        assert all(event in watched for event in (*voided.events, *forfeited.events))
        first = events_pb2.Envelope.FromString(voided.events[0].envelope)
        assert first.director_ruled.reason == events_pb2.DIRECTOR_REASON_CORRECTION
        assert first.actor.operator == "director"
        await at.play()
        await lawful(at.clients[0], at.match_id)


async def test_a_closed_match_takes_neither_acts_nor_rulings(suite: Reachable) -> None:
    async with table(suite) as at, clients(suite, "director") as (director,):
        await director.direct_match(at.match_id, CLOSE, events_pb2.DIRECTOR_REASON_ABSENCE)
        match = await at.clients[0].get_match(at.match_id)
        assert match.status == events_pb2.MATCH_STATUS_CLOSED
        for call in (at.clients[0].act(at.match_id, 0, ROLL), director.direct_match(at.match_id, VOID, REASON)):
            with pytest.raises(Closed):
                await call
        await lawful(at.clients[0], at.match_id)


async def test_a_match_is_taken_back_and_played_on(own_suite: Suite) -> None:
    async with table(own_suite, backgammon(points=3)) as at, clients(own_suite, "director") as (director,):
        rolled = (await at.clients[0].act(at.match_id, 0, ROLL)).events[-1].sequence
        then = await director.get_match(at.match_id)
        await director.direct_match(at.match_id, action_to_proto(Forfeit(1, Scope.GAME, 2)), REASON)
        own_suite.restart("match")
        back = pb.TakeBackRuling(to_sequence=rolled)
        done = await director.direct_match(at.match_id, back, REASON, request_id="back")
        match = await at.clients[1].get_match(at.match_id)
        assert (match.state, match.draws, match.head.sequence) == (then.state, then.draws, rolled + 4)
        assert done.events[-1].hash == match.head.hash
        with pytest.raises(NoBatchEnd):
            await director.direct_match(at.match_id, pb.TakeBackRuling(to_sequence=rolled + 1), REASON)
        with pytest.raises(AgainstTheLaw):
            await director.direct_match(at.match_id, pb.TakeBackRuling(to_sequence=rolled + 3), REASON)
        with pytest.raises(Malformed):
            await director.direct_match(at.match_id, pb.TakeBackRuling(), REASON)
        await at.play()
        await lawful(at.clients[0], at.match_id)


async def test_only_an_operator_directs(suite: Reachable) -> None:
    async with table(suite) as at, suite.channel() as channel:
        before = (await at.clients[0].get_match(at.match_id)).head
        for role in ("player", "spectator", "auditor", "service"):
            with pytest.raises(RoleRequired):
                await MatchClient(channel, suite.token(PLAYERS[0], role)).direct_match(
                    at.match_id, VOID, REASON, seen=Receipt(before.sequence)
                )
        assert (await at.clients[0].get_match(at.match_id)).head == before


async def test_a_ruling_is_made_once_and_on_what_was_seen(own_suite: Suite) -> None:
    async with table(own_suite) as at, clients(own_suite, "director") as (director,):
        seen = Receipt((await director.get_match(at.match_id)).head.sequence)
        await at.clients[0].act(at.match_id, 0, ROLL)
        with pytest.raises(Conflict) as lost:
            await director.direct_match(at.match_id, VOID, REASON, seen=seen)
        head = (await director.get_match(at.match_id)).head
        assert lost.value.metadata["sequence"] == str(head.sequence)
        for unknown in (Receipt(head.sequence + 1), Receipt(head.sequence, bytes(32))):
            with pytest.raises(StoreRewound):
                await director.direct_match(at.match_id, VOID, REASON, seen=unknown)
        seen = Receipt(head.sequence, head.hash)
        first = await director.direct_match(at.match_id, VOID, REASON, request_id="void", seen=seen)
        own_suite.restart("match")
        again = await director.direct_match(at.match_id, VOID, REASON, request_id="void", seen=seen)
        assert again == first
        with pytest.raises(RequestIdReused):
            await director.direct_match(at.match_id, CLOSE, REASON, request_id="void", seen=seen)
        with pytest.raises(Conflict):
            await at.clients[0].act(at.match_id, 0, ROLL, seen=seen)


async def test_faulty_rulings_are_refused_with_all_their_fields(suite: Reachable) -> None:
    async with table(suite) as at, clients(suite, "director") as (director,):
        before = await director.get_match(at.match_id)
        roll = action_pb2.Action(seat=0, roll=action_pb2.Roll())
        with pytest.raises(Malformed) as refused:
            await director.direct_match(at.match_id, roll, events_pb2.DIRECTOR_REASON_UNSPECIFIED)
        assert {fault.field for fault in refused.value.fields} == {"reason", "action.kind", "action.seat"}
        for action, field in (
            (action_pb2.Action(seat=1, void_game=action_pb2.VoidGame()), "action.seat"),
            (action_pb2.Action(forfeit=action_pb2.Forfeit(scope=action_pb2.FORFEIT_SCOPE_MATCH)), "action.seat"),
            (action_pb2.Action(seat=1, forfeit=action_pb2.Forfeit()), "action.forfeit.scope"),
        ):
            with pytest.raises(Malformed) as refused:
                await director.direct_match(at.match_id, action, REASON)
            assert [fault.field for fault in refused.value.fields] == [field]
        with pytest.raises(AgainstTheLaw) as unlawful:
            await director.direct_match(at.match_id, action_to_proto(Forfeit(1, Scope.GAME)), REASON)
        assert unlawful.value.metadata["rule"] == "8.3"
        with pytest.raises(MatchNotFound):
            await director.direct_match("m_000_" + "A" * 26, VOID, REASON, seen=Receipt(1))
        assert (await director.get_match(at.match_id)).head == before.head


async def test_a_director_pauses_resumes_and_replaces(suite: Reachable) -> None:
    async with table(suite) as at, clients(suite, "erin", "director") as (erin, director):
        await act_once(at)
        await director.get_match(at.match_id)
        await director.direct_match(at.match_id, pb.PauseRuling(), REASON)
        paused = await director.get_match(at.match_id)
        assert paused.status == events_pb2.MATCH_STATUS_PAUSED
        assert paused.pause.reason == REASON
        with pytest.raises(Paused) as waits:
            await act_once(at)
        assert waits.value.metadata["by"] == "a director"
        await director.direct_match(at.match_id, pb.ResumeRuling(), REASON)
        seat = min(paused.summary.seats_to_act)
        await director.direct_match(at.match_id, pb.ReplaceRuling(seat=seat, player="erin"), REASON)
        with pytest.raises(NotYourSeat):
            await act_once(at)
        at.clients[seat] = erin
        await act_once(at)
        await lawful(director, at.match_id)


async def act_once(at: Table) -> None:
    """Whoever is to act does something."""
    match = await next(iter(at.clients.values())).get_match(at.match_id)
    now, seat = read_table(match), min(match.summary.seats_to_act)
    assert now.state is not None
    await at.clients[seat].act(at.match_id, seat, decide(now.settings, now.state, seat), seen=now.seen)


async def test_new_dice_are_not_served_yet_and_say_so(suite: Reachable) -> None:
    async with table(suite) as at, suite.channel() as channel:
        head = (await at.clients[0].get_match(at.match_id)).head
        request = pb.DirectMatchRequest(
            match_id=at.match_id, request_id="later", seen_sequence=head.sequence, reason=REASON
        )
        request.epoch.SetInParent()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await MatchServiceStub(channel).DirectMatch(request, metadata=suite.metadata("director", "operator"))
        error = error_of(refused.value)
        assert isinstance(error, Unsupported)
        assert [fault.field for fault in error.fields] == ["epoch"]
