"""A cold service that begins at a checkpoint: what it answers, and when it reads the whole log for that."""

import asyncio
from dataclasses import replace
from hashlib import sha256

from tests.match.at_the_table import say
from tests.match.cold_service import RULES, Service, turn
from tests.match.in_process import PLAYERS, ROLL, Desk, match_to
from tests.match.spectators import delayed
from tests.records.importing import Stored, imported

from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import action_pb2
from gammon_match.app.act import ActForSeat
from gammon_match.app.checkpoints import EVERY_EVENTS
from gammon_match.app.create_match import Created
from gammon_match.app.direct import TakeBackTo
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, Recorded
from gammon_match.app.rematch import Rematch
from gammon_match.app.take_back import Propose
from gammon_match.app.take_seat import Seated, TakeSeat
from gammon_match.app.writing import Written
from gammon_match.core.refusals import NoBatchEnd, Overtaken, RequestIdReused, SeatUnavailable
from gammon_match.core.sight import Viewer
from gammon_records.mat_writer import write_mat
from gammon_records.told_match import sheet_of


async def test_a_repeated_request_from_long_ago_gets_its_first_answer() -> None:
    service = Service()
    desk = service.desk()
    live = await desk.match(RULES)
    act = ActForSeat(live.match_id, PLAYERS[0], 0, "the opening", live.head, *_action(0, ROLL), None)
    first = await desk.act(act)
    assert isinstance(first, Written)
    for _ in range(40):
        await desk.play_out(live, most_acts=1)
        await asyncio.sleep(0)
    cold, again = await service.cold(live.match_id)
    repeated = await cold.act(act)
    assert repeated == replace(first, repeated=True)
    assert again.spans.is_whole
    assert (again.match, again.head, again.spans.known) == (live.match, live.head, live.spans.known)
    cold, _ = await service.cold(live.match_id)
    reused = await cold.act(replace(act, digest=sha256(b"another").digest()[:16]))
    assert reused == RequestIdReused("the opening", first.events[-1].sequence)


def _action(seat: int, action: action_pb2.Action) -> tuple[bytes, bool, bytes]:
    encoded = action.SerializeToString(deterministic=True)
    return encoded, action.WhichOneof("kind") == "roll", sha256(bytes([seat]) + encoded).digest()[:16]


async def test_a_new_request_is_decided_without_reading_the_whole_log() -> None:
    service = Service()
    _, live = await service.played(60)
    desk, again = await service.cold(live.match_id)
    await desk.play_out(again, most_acts=12)
    assert again.head.sequence > live.head.sequence
    assert not again.spans.is_whole


async def test_who_has_seen_the_match_long_ago_is_answered_as_by_a_service_that_knows_all_of_it() -> None:
    service = Service()
    warm, live = await service.played(60)
    seat = turn(live)
    for span in live.spans.known:
        for hash_seen in (b"", service.events(live.match_id)[span.last - 1].hash, bytes(32)):
            seen = Head(span.last, hash_seen)
            desk, _ = await service.cold(live.match_id)
            # Neither is ever stored: the one has no such play, the other not the turn.
            for mover, action in ((seat, action_pb2.Action(choose=action_pb2.ChooseGame())), (1 - seat, ROLL)):
                answers = [await at.do(live, mover, action, seen=seen, request_id="late") for at in (warm, desk)]
                assert answers[0] == answers[1]
                assert not isinstance(answers[0], Written)
    assert await (await service.cold(live.match_id))[0].do(live, seat, ROLL, seen=Head(0, b"")) == Overtaken(
        live.head.sequence, live.head.hash
    )


async def test_going_back_to_before_the_checkpoint() -> None:
    service = Service()
    _, live = await service.played(60, terms_pb2.MatchSettings(take_backs=True))
    early = next(span for span in live.spans.known[6:] if span.first < span.last)
    for wrong in (early.last - 1, live.head.sequence + 9):
        desk, again = await service.cold(live.match_id)
        assert await desk.rule(again, TakeBackTo(wrong)) == NoBatchEnd(wrong)
    desk, again = await service.cold(live.match_id)
    assert isinstance(await say(desk, again, 0, Propose(early.last)), Written)
    assert isinstance(await desk.rule(again, TakeBackTo(early.last)), Written)
    assert again.match.withdrawn == ((early.last, again.head.sequence),)
    assert (again.match.phase, again.match.draws) == (early.phase, live.match.draws)


async def test_a_spectator_with_a_long_delay_reads_the_match_as_it_stood_before_the_checkpoint() -> None:
    service = Service()
    _, live = await service.played(60, delayed(100))
    assert live.head.sequence > 100 + EVERY_EVENTS // 2
    desk, _ = await service.cold(live.match_id)
    read = await desk.reader.match(live.match_id, Viewer("carol"))
    assert isinstance(read, LiveMatch)
    ends = [span.last for span in live.spans.known]
    assert read.head.sequence == max(end for end in ends if end <= live.head.sequence - 100)


async def test_creating_again_taking_a_seat_again_and_asking_for_a_rematch_again() -> None:
    service = Service()
    desk = service.desk()
    settings = terms_pb2.MatchSettings(rules=RULES)
    created = await desk.created(settings, "create")
    assert isinstance(created, Created)
    live = created.live
    for seat in (0, 1):
        assert isinstance(await desk.sit(live, PLAYERS[seat], seat, request_id=f"seat {seat}"), Seated)
    for _ in range(40):
        await desk.play_out(live, most_acts=1)
        await asyncio.sleep(0)
    cold, _ = await service.cold(live.match_id)
    again = await cold.created(settings, "create")
    assert isinstance(again, Created)
    assert again.live.head == live.head
    cold, _ = await service.cold(live.match_id)
    assert await cold.created(terms_pb2.MatchSettings(rules=match_to(1)), "create") == RequestIdReused("create", 1)
    accepted = sha256(live.match.settings).digest()
    take = TakeSeat(live.match_id, PLAYERS[1], None, "seat 1", accepted, None)
    cold, _ = await service.cold(live.match_id)
    taken = await cold.take_seat(take)
    assert isinstance(taken, Seated)
    assert taken.seat == 1
    cold, _ = await service.cold(live.match_id)
    reused = await cold.take_seat(replace(take, seat=0))
    assert isinstance(reused, RequestIdReused)
    cold, known = await service.cold(live.match_id)
    assert await cold.take_seat(replace(take, player="carol", request_id="new")) == SeatUnavailable(
        None, "no seat is open to this player"
    )
    assert not known.spans.is_whole


async def test_the_rematch_of_a_match_is_found_though_it_was_played_far() -> None:
    service = Service()
    desk = service.desk()
    first = await desk.match(match_to(1))
    await desk.play_out(first)

    def settings(old: bytes, *_: object) -> bytes:
        return old

    rematch = Rematch(first.match_id, PLAYERS[0], "again", settings)
    second = await desk.rematch(rematch)
    assert isinstance(second, LiveMatch)
    for seat in (0, 1):
        assert isinstance(await desk.sit(second, PLAYERS[seat], seat), Seated)
    for _ in range(40):
        await desk.play_out(second, most_acts=1)
        await asyncio.sleep(0)
    cold, _ = await service.cold(second.match_id)
    found = await cold.rematch(replace(rematch, player=PLAYERS[1], request_id="mine"))
    assert isinstance(found, LiveMatch)
    assert (found.match_id, found.head) == (second.match_id, second.head)


async def test_an_imported_match_is_imported_again_as_before() -> None:
    played = Desk(seed=3)
    live = await played.match(match_to(1))
    await played.play_out(live)
    recorded = await played.store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    envelopes = [event.envelope for event in recorded.events]
    text = write_mat(sheet_of(envelopes), ("Ann", "Bob"), live.match_id)
    service = Service()
    first = await imported(text, service.desk())
    await asyncio.sleep(0)
    assert isinstance(first, Stored)
    assert len(first.events) > EVERY_EVENTS
    desk, _ = await service.cold(first.match_id)
    assert await imported(text, desk) == first
