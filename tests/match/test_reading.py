"""Reading and listing a match as somebody who may not see all of it."""

from tests.match.in_process import Desk
from tests.match.spectators import LIVE, OFF, close, delayed, playing, replace, roll, rule_on, seating

from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, Recorded, StoredEvent
from gammon_match.core.events import Status
from gammon_match.core.refusals import CorruptMatch, NoBatchEnd, NotToBeSeen, Refusal
from gammon_match.core.sight import Viewer

ALICE, CAROL, DAVE = Viewer("alice"), Viewer("carol"), Viewer("dave")
AUDITOR = Viewer("auditor", official=True)


def is_at(read: LiveMatch | Refusal, sequence: int) -> bool:
    assert isinstance(read, LiveMatch), read
    return read.head.sequence == sequence


async def listed(desk: Desk, live: LiveMatch, viewer: Viewer, after: int = 0) -> Recorded:
    events = await desk.reader.events(live.match_id, viewer, after, 1000)
    assert isinstance(events, Recorded), events
    return events


async def test_a_delayed_match_is_read_at_the_last_batch_end_that_may_be_seen() -> None:
    desk = Desk()
    live = await playing(desk, delayed(5))
    started = live.head.sequence
    await roll(desk, live)
    rolled = live.head.sequence
    assert rolled - started > 1, "the roll is a batch of several events"
    await rule_on(desk, live, 4)
    # The delay ends within the batch of the roll.
    assert started < live.head.sequence - 5 < rolled
    assert is_at(await desk.reader.match(live.match_id, CAROL), started)
    await rule_on(desk, live, 5)
    head = live.head.sequence
    assert is_at(await desk.reader.match(live.match_id, CAROL), head - 5)
    assert is_at(await desk.reader.match(live.match_id, CAROL, rolled), rolled)
    assert await desk.reader.match(live.match_id, CAROL, rolled - 1) == NoBatchEnd(rolled - 1)
    for beyond in (head - 4, head, head + 1):
        assert await desk.reader.match(live.match_id, CAROL, beyond) == NotToBeSeen(beyond)
    for viewer in (ALICE, AUDITOR):
        assert is_at(await desk.reader.match(live.match_id, viewer), head)
        assert is_at(await desk.reader.match(live.match_id, viewer, head), head)
    await close(desk, live)
    assert is_at(await desk.reader.match(live.match_id, CAROL), live.head.sequence)


async def test_a_delayed_match_is_listed_with_the_head_that_may_be_seen() -> None:
    desk = Desk()
    live = await playing(desk, delayed(5))
    await rule_on(desk, live, 20)
    whole = await listed(desk, live, ALICE)
    seen = live.head.sequence - 5
    assert whole.head == live.head
    got = await listed(desk, live, CAROL)
    assert got.events == whole.events[:seen]
    assert got.head == Head(seen, whole.events[seen - 1].hash)
    beyond = await listed(desk, live, CAROL, after=seen + 2)
    assert beyond.events == ()
    assert beyond.head == got.head
    await close(desk, live)
    assert (await listed(desk, live, CAROL)).head == live.head


async def test_a_match_without_spectators_is_not_read_nor_listed_by_others() -> None:
    desk = Desk()
    live = await playing(desk, OFF)
    for at in (0, 1, live.head.sequence):
        assert await desk.reader.match(live.match_id, CAROL, at) == NotToBeSeen()
    assert await desk.reader.events(live.match_id, CAROL, 0, 10) == NotToBeSeen()
    for viewer in (ALICE, AUDITOR):
        assert is_at(await desk.reader.match(live.match_id, viewer), live.head.sequence)
        assert (await listed(desk, live, viewer)).head == live.head
    await replace(desk, live, 0, "dave")
    assert await desk.reader.match(live.match_id, ALICE) == NotToBeSeen()
    assert is_at(await desk.reader.match(live.match_id, DAVE), live.head.sequence)


async def test_while_seats_are_open_everybody_reads_what_they_are_to_accept() -> None:
    desk = Desk()
    for policy in (OFF, delayed(50)):
        live = await seating(desk, policy)
        read = await desk.reader.match(live.match_id, CAROL)
        assert isinstance(read, LiveMatch)
        assert read.match.status is Status.SEATING
        assert read.match.settings == live.match.settings
        assert len((await listed(desk, live, CAROL)).events) == live.head.sequence


async def test_what_does_not_fit_together_is_evidence_for_all_who_might_have_watched_it() -> None:
    for policy, is_listed in ((LIVE, True), (OFF, False), (delayed(3), False)):
        store = MemoryEventStore()
        desk = Desk(store)
        live = await playing(desk, policy)
        events = store._matches[live.match_id].events
        events[2] = StoredEvent(3, events[2].envelope, bytes(32))
        # Another process reads it whole.
        other = Desk(store)
        assert isinstance(await other.reader.match(live.match_id, CAROL), CorruptMatch)
        for viewer, may in ((CAROL, is_listed), (ALICE, is_listed), (AUDITOR, True)):
            answer = await other.reader.events(live.match_id, viewer, 0, 1000)
            if may:
                assert isinstance(answer, Recorded)
                assert answer.events == tuple(events)
            else:
                assert isinstance(answer, CorruptMatch)
