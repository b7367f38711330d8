"""Checkpoints that do not fit, logs that changed, and when checkpoints are saved."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from tests.match.cold_service import RULES, Service, turn
from tests.match.in_process import ROLL, Desk

from gammon.match.v1 import events_pb2
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.app.checkpoints import EVERY_EVENTS, Checkpoint, Checkpointing, checkpoint_of
from gammon_match.app.direct import TakeBackTo
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head
from gammon_match.app.spans import Span, Spans
from gammon_match.app.writing import Written
from gammon_match.core.match import Match
from gammon_match.core.refusals import CorruptMatch, Rewound
from gammon_match.core.sight import Viewer


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
