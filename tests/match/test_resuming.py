"""A cold service that begins at a checkpoint: what it answers, when it reads the whole log, and what is saved when."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count

import pytest
from tests.match.at_the_table import say
from tests.match.in_process import PLAYERS, ROLL, Desk, match_to
from tests.match.random_table import session_of
from tests.match.spectators import delayed
from tests.records.importing import Stored, imported

from gammon.match.v1 import events_pb2
from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import action_pb2, settings_pb2
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.act import ActForSeat
from gammon_match.app.checkpoints import EVERY_EVENTS, Checkpoint, Checkpointing, checkpoint_of
from gammon_match.app.create_match import Created
from gammon_match.app.direct import TakeBackTo
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, Recorded, StoredEvent
from gammon_match.app.rematch import Rematch
from gammon_match.app.spans import Span, Spans
from gammon_match.app.take_back import Propose
from gammon_match.app.take_seat import Seated, TakeSeat
from gammon_match.app.writing import Written
from gammon_match.core.match import Match
from gammon_match.core.refusals import CorruptMatch, NoBatchEnd, Overtaken, RequestIdReused, Rewound, SeatUnavailable
from gammon_match.core.sight import Viewer
from gammon_records.mat_writer import write_mat
from gammon_records.told_match import sheet_of

RULES = session_of(settings_pb2.GAME_BACKGAMMON)


@dataclass
class Service:
    """A store, the checkpoints beside it, and services over them, each as cold as the first."""

    store: MemoryEventStore = field(default_factory=MemoryEventStore)
    checkpoints: MemoryCheckpoints = field(default_factory=MemoryCheckpoints)
    desks: int = 0

    def desk(self) -> Desk:
        """Another process, with request ids of its own."""
        self.desks += 1
        desk = Desk(self.store, checkpointing=Checkpointing(self.checkpoints))
        desk._numbers = count(1_000_000 * self.desks)
        return desk

    async def cold(self, match_id: str, *, whole: bool = False) -> tuple[Desk, LiveMatch]:
        """Another process, which has just read the match, `whole` or from a checkpoint on."""
        desk = self.desk()
        live = await desk.live.get(match_id)
        assert isinstance(live, LiveMatch), live
        assert live.spans.is_whole is whole
        return desk, live

    async def played(self, acts: int, terms: terms_pb2.MatchSettings | None = None) -> tuple[Desk, LiveMatch]:
        """The process that has played a match, far enough to have left a checkpoint."""
        desk = self.desk()
        live = await desk.match(RULES, terms)
        for _ in range(acts):
            await desk.play_out(live, most_acts=1)
            await asyncio.sleep(0)
        assert live.match_id in self.checkpoints.kept
        return desk, live

    def events(self, match_id: str) -> list[StoredEvent]:
        """The log, to be tampered with."""
        return self.store._matches[match_id].events


def turn(live: LiveMatch) -> int:
    """The seat to act."""
    assert live.match.standing is not None
    return live.match.standing.seats_to_act[0]


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


def _another_event(service: Service, match_id: str, at: int) -> None:
    events = service.events(match_id)
    envelope = events_pb2.Envelope.FromString(events[at - 1].envelope)
    envelope.record_time.nanos ^= 1
    events[at - 1] = replace(events[at - 1], envelope=envelope.SerializeToString())


Spoil = Callable[[Checkpoint], Checkpoint]
SPOILED: dict[str, Spoil] = {
    "another hash": lambda kept: replace(kept, head=Head(kept.head.sequence, bytes(32))),
    "another hash before": lambda kept: replace(kept, previous_hash=bytes(32)),
    "an earlier event": lambda kept: replace(kept, head=Head(kept.head.sequence - 1, kept.head.hash)),
    "beyond the head": lambda kept: replace(kept, head=Head(10_000, kept.head.hash)),
    "at no event": lambda kept: replace(kept, head=Head(0, kept.head.hash)),
    "settings that cannot be read": lambda kept: replace(kept, settings=b"\xff"),
}


@pytest.mark.parametrize("how", SPOILED)
async def test_a_checkpoint_that_does_not_fit_is_not_used(how: str) -> None:
    service = Service()
    _, live = await service.played(40)
    kept = await service.checkpoints.load(live.match_id)
    assert kept is not None
    await service.checkpoints.save(live.match_id, SPOILED[how](kept))
    _, again = await service.cold(live.match_id, whole=True)
    assert (again.match, again.head) == (live.match, live.head)


@pytest.mark.parametrize("bytes_kept", [b"", b"rubbish", bytes(500)])
async def test_what_is_no_checkpoint_is_not_used(bytes_kept: bytes) -> None:
    service = Service()
    _, live = await service.played(40)
    service.checkpoints.kept[live.match_id] = bytes_kept
    _, again = await service.cold(live.match_id, whole=True)
    assert again.match == live.match


async def test_the_checkpoint_of_another_match_is_not_used() -> None:
    service = Service()
    _, one = await service.played(40)
    _, other = await service.played(40)
    service.checkpoints.kept[one.match_id] = service.checkpoints.kept[other.match_id]
    _, again = await service.cold(one.match_id, whole=True)
    assert again.match == one.match


async def test_an_older_checkpoint_over_a_newer_one_only_makes_the_end_longer() -> None:
    service = Service()
    desk, live = await service.played(25)
    older = service.checkpoints.kept[live.match_id]
    for _ in range(40):
        await desk.play_out(live, most_acts=1)
        await asyncio.sleep(0)
    assert service.checkpoints.kept[live.match_id] != older
    service.checkpoints.kept[live.match_id] = older
    _, again = await service.cold(live.match_id)
    assert (again.match, again.head) == (live.match, live.head)
    # Whoever has read that much saves another, so that the next one need not.
    await asyncio.sleep(0)
    assert await service.checkpoints.load(live.match_id) == checkpoint_of(live)


async def test_without_its_checkpoints_a_store_is_as_good_and_gets_others() -> None:
    service = Service()
    _, live = await service.played(60)
    service.checkpoints.kept.clear()
    desk, again = await service.cold(live.match_id, whole=True)
    assert (again.match, again.head) == (live.match, live.head)
    await asyncio.sleep(0)
    assert (await service.checkpoints.load(live.match_id)) == checkpoint_of(again)
    await service.cold(live.match_id)
    assert isinstance(await desk.rule(again, TakeBackTo(again.spans.known[-4].last)), Written)


@pytest.mark.parametrize("behind", [1, 30, 70])
async def test_a_store_put_back_to_before_the_checkpoint_is_read_whole(behind: int) -> None:
    service = Service()
    _, live = await service.played(60)
    kept = await service.checkpoints.load(live.match_id)
    assert kept is not None
    end = max(span.last for span in live.spans.known if span.last <= kept.head.sequence - behind)
    del service.events(live.match_id)[end:]
    desk, again = await service.cold(live.match_id, whole=True)
    assert again.head.sequence == end
    assert await desk.do(again, turn(again), ROLL, seen=live.head) == Rewound(live.head.sequence, live.head.hash)
    # And what is played then on the same numbers is another match than the checkpoint's.
    while again.head.sequence < kept.head.sequence + 1:
        await desk.play_out(again, most_acts=1)
    await service.checkpoints.save(live.match_id, kept)
    _, later = await service.cold(live.match_id, whole=True)
    assert (later.match, later.head) == (again.match, again.head)


async def test_events_that_are_gone_below_the_checkpoint_are_told_at_once() -> None:
    service = Service()
    _, live = await service.played(60)
    del service.events(live.match_id)[4]
    assert await service.desk().live.get(live.match_id) == CorruptMatch(5, "event 5 is missing; the next stored is 6")


async def test_events_that_are_others_are_seen_from_the_checkpoint_on_and_below_by_who_reads_them() -> None:
    service = Service()
    _, live = await service.played(62)
    kept = await service.checkpoints.load(live.match_id)
    assert kept is not None
    at = kept.head.sequence
    assert at < live.head.sequence
    events = service.events(live.match_id)
    for sequence in (at, live.head.sequence):
        sound = list(events)
        _another_event(service, live.match_id, sequence)
        fault = CorruptMatch(sequence, "the stored hash does not follow from the event")
        assert await service.desk().live.get(live.match_id) == fault
        events[:] = sound
    _another_event(service, live.match_id, 5)
    desk, again = await service.cold(live.match_id)
    fault = CorruptMatch(5, "the stored hash does not follow from the event")
    assert await desk.rule(again, TakeBackTo(again.spans.known[0].first - 1)) == fault
    # As the table stands, what happened to an event is nobody's answer.
    desk, again = await service.cold(live.match_id)
    assert (again.match, again.head) == (live.match, live.head)
    assert not isinstance(await desk.reader.match(live.match_id, Viewer("d", official=True), at), LiveMatch)


async def test_a_log_that_changed_since_the_match_was_read_is_told_when_its_past_is_asked_for() -> None:
    service = Service()
    _, live = await service.played(60)
    sound = list(service.events(live.match_id))
    early, head = live.spans.known[6].last, live.head
    put_back = sound[: live.spans.known[30].last]
    service.events(live.match_id)[:] = put_back
    otherwise = Desk(service.store, seed=9)
    otherwise._numbers = count(9_000_000)
    other = await otherwise.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    while other.head.sequence <= head.sequence:
        await otherwise.play_out(other, most_acts=1)
    played_otherwise = list(service.events(live.match_id))
    service.events(live.match_id)[:] = sound
    rewound = Rewound(head.sequence, head.hash)
    missing = CorruptMatch(5, "event 5 is missing; the next stored is 6")
    for events, fault in ((put_back, rewound), (played_otherwise, rewound), (sound[:4] + sound[5:], missing)):
        desk, again = await service.cold(live.match_id)
        service.events(live.match_id)[:] = events
        assert await desk.rule(again, TakeBackTo(early), seen=Head(head.sequence, b"")) == fault
        assert not again.spans.is_whole
        service.events(live.match_id)[:] = sound
        # It is read anew, and not kept as it was.
        assert await desk.live.get(live.match_id) is not again


class StuckCheckpoints(MemoryCheckpoints):
    """Saves that never end, or that are lost."""

    def __init__(self, *, lost: bool) -> None:
        super().__init__()
        self.lost, self.asked = lost, [0]

    async def save(self, match_id: str, checkpoint: Checkpoint) -> None:
        self.asked.append(checkpoint.head.sequence)
        if not self.lost:
            await asyncio.Event().wait()


async def test_a_long_match_gets_one_every_hundredth_of_its_length() -> None:
    checkpoints = StuckCheckpoints(lost=True)
    checkpointing = Checkpointing(checkpoints)
    live = LiveMatch("m_000_A", checkpointed=20_000)
    for at in range(20_001, 20_500):
        live.match, live.head = Match(sequence=at, batch_sequence=at), Head(at, b"")
        live.spans = Spans(Span(at, at, f"r{at}", b"", 1, 1))
        checkpointing.went_on(live)
        await asyncio.sleep(0)
    assert checkpoints.asked == [0, 20_203, 20_408]


@pytest.mark.parametrize("lost", [True, False])
async def test_nobody_waits_for_a_checkpoint_and_none_is_left_under_way(lost: bool) -> None:
    before = asyncio.all_tasks()
    checkpoints = StuckCheckpoints(lost=lost)
    desk = Desk(checkpointing=Checkpointing(checkpoints))
    live = await desk.match(RULES)
    ends = []
    for _ in range(120):
        await desk.play_out(live, most_acts=1)
        ends.append(live.head.sequence)
        await asyncio.sleep(0)
    # One at the first batch end that is more than so many events after the last.
    assert len(checkpoints.asked) > 4
    for last, asked in zip(checkpoints.asked, checkpoints.asked[1:], strict=False):
        assert asked == min(end for end in ends if end > last + EVERY_EVENTS)
    assert lost or asyncio.all_tasks() != before
    await desk.checkpointing.close()
    assert asyncio.all_tasks() == before
