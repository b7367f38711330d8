"""Rematches: one match, whoever of the players asks, and on whose seats."""

import asyncio
from collections.abc import AsyncIterator

from tests.match.in_process import PARTITIONS, PLAYERS, SECRET, Desk, match_to
from tests.match.making import assert_lawful, count, created, seated, token
from tests.match.test_more_players import session

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2 as match_pb
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.direct import Close
from gammon_match.app.import_match import ImportedMatch, ImportMatchHandler, Record
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel, EventStore
from gammon_match.app.rematch import Rematch
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import BatchEnd, Operator, Status
from gammon_match.core.refusals import (
    Malformed,
    NotOver,
    NotStarted,
    NotYourSeat,
    Refusal,
    SeatUnavailable,
)
from gammon_match.core.table_events import DirectorReason, PlayerReplaced
from gammon_match.service.record import read_record
from gammon_match.service.settings import rematch_settings


async def rematch(desk: Desk, live: LiveMatch, player: str, request_id: str = "again") -> LiveMatch | Refusal:
    return await desk.rematch(Rematch(live.match_id, player, request_id, rematch_settings))


async def test_a_rematch_is_one_match_whoever_asks(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await created(desk, seats=[match_pb.SeatSettings(), match_pb.SeatSettings(invited=True)], tags=["cup"])
    seated(await desk.sit(live, "alice"))
    seated(await desk.sit(live, "bob", invitation=await token(desk, live, 1)))
    assert await rematch(desk, live, "alice") == NotOver(live.head.sequence)
    assert await rematch(desk, live, "carol") == NotYourSeat(None)
    await desk.play_out(live)
    first = await rematch(desk, live, "alice")
    assert isinstance(first, LiveMatch)
    again = [await rematch(Desk(either_store), live, player, f"{player}-2") for player in ("bob", "alice", "bob")]
    assert {one.match_id if isinstance(one, LiveMatch) else one for one in again} == {first.match_id}
    assert await count(desk, first) == 1
    before, after = (match_pb.MatchSettings.FromString(match.match.settings) for match in (live, first))
    assert after.rematch_of == live.match_id
    assert [(seat.player, seat.invited) for seat in after.seats] == [("alice", False), ("bob", False)]
    for name in ("seats", "rematch_of"):
        before.ClearField(name)
        after.ClearField(name)
    assert before == after
    assert isinstance(await desk.sit(first, "carol"), SeatUnavailable)
    for player in ("bob", "alice"):
        seated(await desk.sit(first, player))
    await assert_lawful(desk, first)
    await desk.play_out(first)
    third = await rematch(desk, first, "bob")
    assert isinstance(third, LiveMatch)
    assert third.match_id not in (live.match_id, first.match_id)


async def test_two_who_ask_at_once_get_one_match() -> None:
    """Case S12."""
    store = MemoryEventStore()
    desks = Desk(store), Desk(store)
    live = await desks[0].match(match_to(1))
    await desks[0].play_out(live)
    asked = [rematch(desk, live, player, player) for desk in desks for player in ("alice", "bob")]
    got = await asyncio.gather(*asked)
    assert len({one.match_id if isinstance(one, LiveMatch) else one for one in got}) == 1


async def test_the_players_of_a_rematch_are_those_at_the_end() -> None:
    desk = Desk()
    live = await desk.match(session(3))
    end = BatchEnd(bytes(16), live.match.state, live.match.standing, Status.PLAYING, 0, live.head.sequence + 1)
    replaced = PlayerReplaced(1, "dave", b"", DirectorReason.ABSENCE)
    writing = Writing(Operator("director"), "replace", (replaced,), end)
    assert isinstance(await desk.recorder.write(live, writing, DurabilityLevel.ACCEPTED), Written)
    assert isinstance(await desk.rule(live, Close()), Written)
    assert await rematch(desk, live, "bob") == NotYourSeat(None)
    again = await rematch(desk, live, "dave")
    assert isinstance(again, LiveMatch)
    assert [again.terms().reserved_for(seat) for seat in range(3)] == ["alice", "dave", "carol"]


async def test_what_has_no_rematch() -> None:
    desk = Desk()
    live = await created(desk)
    seated(await desk.sit(live, "alice"))
    assert isinstance(await desk.rule(live, Close()), Written)
    assert await rematch(desk, live, "alice") == NotStarted(1)
    assert await rematch(desk, live, "bob") == NotYourSeat(None)

    async def parts() -> AsyncIterator[pb.ImportMatchRequest]:
        settings = match_pb.MatchSettings(rules=match_to(1))
        yield pb.ImportMatchRequest(
            header=pb.ImportHeader(settings=settings, players=PLAYERS[:2], source_sha256=SECRET)
        )
        yield pb.ImportMatchRequest(end=pb.RecordEnd())

    record = await read_record(parts(), "operator")
    assert isinstance(record, Record)
    importing = ImportMatchHandler(desk.law, desk.live, desk.recorder, desk.codec, PARTITIONS)
    imported = await importing(record)
    assert isinstance(imported, ImportedMatch)
    refused = await rematch(desk, imported.live, "alice")
    assert isinstance(refused, Malformed)
    assert refused.faults[0].reason == "was played elsewhere, and has no rematch here"
