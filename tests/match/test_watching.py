"""Watching in this process: what each may see as it happens, who is too slow, and who is told to be there."""

import asyncio
from dataclasses import replace as changed

import pytest
from tests.match import memory_tail
from tests.match.in_process import Desk
from tests.match.spectators import (
    LIVE,
    OFF,
    Stand,
    close,
    delayed,
    playing,
    replace,
    roll,
    rule_on,
    seating,
    settled,
    sit_down,
)

from gammon.match.v1 import settings_pb2
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app import watched_match, watching
from gammon_match.app.ports import Recorded, StoredEvent
from gammon_match.app.watched_match import Attendance
from gammon_match.core.refusals import CorruptMatch, MatchNotFound, NotToBeSeen, Rewound, TooSlow


async def test_every_event_once_and_in_order_until_the_match_is_closed() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    people = [stand.person(live, f"p{after}", after) for after in range(live.head.sequence + 1)]
    await roll(desk, live)
    await rule_on(desk, live, 50)
    late = stand.person(live, "late")
    await close(desk, live)
    for person in (*people, late):
        assert await person.ended() is None
        assert person.last == live.head.sequence
    assert stand.watchers == 0


async def test_events_that_another_process_stores_arrive_in_their_order() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    carol = stand.person(live, "carol")
    await carol.sees(live.head.sequence)
    elsewhere = Desk(desk.store)
    theirs = await elsewhere.live.get(live.match_id)
    assert type(theirs) is type(live)
    await rule_on(elsewhere, theirs, 3)
    # Stored by this process, right behind what it has not yet read of the other.
    async with live.lock:
        assert await desk.live.refresh(live) is None
    await rule_on(desk, live, 1)
    await carol.sees(live.head.sequence)
    await carol.go()


async def test_what_cannot_be_watched() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    assert await stand.person(live, "carol", 99).ended() == Rewound(99, b"")
    live.match_id = "m_000_" + "A" * 26
    assert await stand.person(live, "carol").ended() == MatchNotFound(live.match_id)
    assert stand.watchers == 0


async def test_an_event_that_does_not_follow_from_what_was_seen_ends_the_watch() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    carol = stand.person(live, "carol")
    head = live.head.sequence
    await carol.sees(head)
    # As if the store had lost its end and gone on differently.
    stand.watching.stored(live.match_id, [StoredEvent(head + 1, b"", bytes(32))])
    assert isinstance(await carol.ended(), CorruptMatch)
    assert carol.last == head


async def test_delayed_spectators_see_what_happened_some_events_ago_and_the_rest_when_it_is_closed() -> None:
    desk = Desk()
    live = await playing(desk, delayed(7))
    stand = Stand(desk)
    carol, alice = stand.person(live, "carol"), stand.person(live, "alice")
    auditor = stand.person(live, "auditor", official=True)
    await roll(desk, live)
    for _ in range(12):
        await rule_on(desk, live, 1)
        await alice.sees(live.head.sequence)
        await auditor.sees(live.head.sequence)
        await settled()
        assert carol.last == max(live.head.sequence - 7, 1)
    await close(desk, live)
    assert await carol.ended() is None
    assert carol.last == alice.last == live.head.sequence


async def test_a_match_without_spectators_is_seen_by_seats_and_officials_only() -> None:
    desk = Desk()
    live = await playing(desk, OFF)
    stand = Stand(desk)
    assert await stand.person(live, "carol").ended() == NotToBeSeen()
    bob, operator = stand.person(live, "bob"), stand.person(live, "operator", official=True)
    await close(desk, live)
    assert await bob.ended() is None
    assert await operator.ended() is None
    assert bob.last == operator.last == live.head.sequence
    assert await stand.person(live, "carol").ended() == NotToBeSeen()
    assert stand.watchers == 0


async def test_while_seats_are_open_everybody_sees_and_at_the_start_only_the_seats_go_on() -> None:
    desk = Desk()
    live = await seating(desk, OFF)
    stand = Stand(desk)
    carol, bob = stand.person(live, "carol"), stand.person(live, "bob")
    await sit_down(desk, live, 0)
    await carol.sees(2)
    await sit_down(desk, live, 1)
    await bob.sees(live.head.sequence)
    assert await carol.ended() == NotToBeSeen()
    # The batch that took the last seat and began the play was not carol's to see.
    assert carol.last == 2
    await bob.go()


async def test_a_replaced_player_loses_the_sight_of_the_seat_and_the_new_one_has_it() -> None:
    desk = Desk()
    live = await playing(desk, OFF)
    stand = Stand(desk)
    alice = stand.person(live, "alice")
    await alice.sees(live.head.sequence)
    seen = live.head.sequence
    await replace(desk, live, 0, "dave")
    assert await alice.ended() == NotToBeSeen()
    assert alice.last == seen
    dave = stand.person(live, "dave")
    await dave.sees(live.head.sequence)
    await dave.go()


async def test_under_a_delay_a_replaced_player_goes_on_as_a_spectator_and_the_new_one_catches_up() -> None:
    desk = Desk()
    live = await playing(desk, delayed(5))
    await rule_on(desk, live, 20)
    stand = Stand(desk)
    alice, dave = stand.person(live, "alice"), stand.person(live, "dave")
    before = live.head.sequence
    await alice.sees(before)
    await dave.sees(before - 5)
    await replace(desk, live, 0, "dave")
    await dave.sees(live.head.sequence)
    await settled()
    assert alice.last == before
    await rule_on(desk, live, 4)
    await settled()
    assert alice.last == live.head.sequence - 5 == before + 1
    await alice.go()
    await dave.go()


class Gate:
    """A transport that takes nothing until it is opened."""

    def __init__(self) -> None:
        self._open = asyncio.Event()

    async def __call__(self) -> None:
        await self._open.wait()

    def open(self) -> None:
        self._open.set()


async def test_a_watcher_that_falls_behind_is_cut_off_where_it_stands_and_holds_nobody_up() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk, most_behind=20)
    slow, fast = stand.person(live, "slow"), stand.person(live, "fast")
    await slow.sees(live.head.sequence)
    await fast.sees(live.head.sequence)
    await settled()
    slow.slowly = Gate()
    first = live.head.sequence + 1
    for _ in range(20):
        await rule_on(desk, live, 1)
        await fast.sees(live.head.sequence)
    assert slow.watches
    assert slow.last == first
    assert stand.kept == 20
    await rule_on(desk, live, 2)
    assert await slow.ended() == TooSlow(first)
    assert slow.last == first
    await fast.sees(live.head.sequence)
    await settled()
    await rule_on(desk, live, 1)
    await fast.sees(live.head.sequence)
    await settled()
    assert stand.kept == 0
    # It goes on from where it was cut off.
    again = stand.person(live, "slow", first)
    await again.sees(live.head.sequence)
    await again.go()
    await fast.go()


async def test_catching_up_with_a_long_history_is_not_slowness() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    await rule_on(desk, live, 100)
    stand = Stand(desk, most_behind=20)
    late = stand.person(live, "late")
    gate = Gate()
    late.slowly = gate
    await settled()
    await rule_on(desk, live, 100)
    assert late.last == 1
    assert stand.kept == 20
    gate.open()
    await late.sees(live.head.sequence)
    await late.go()


async def test_many_events_at_once_are_not_slowness() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk, most_behind=5)
    fast = stand.person(live, "fast")
    await fast.sees(live.head.sequence)
    await settled()
    elsewhere = Desk(desk.store)
    theirs = await elsewhere.live.get(live.match_id)
    assert type(theirs) is type(live)
    fast.slowly = settled
    await rule_on(elsewhere, theirs, 60)
    while not stand.kept:
        await asyncio.sleep(0.005)
    async with live.lock:
        assert await desk.live.refresh(live) is None
    await rule_on(desk, live, 2)
    fast.slowly = None
    await fast.sees(live.head.sequence)
    await fast.go()


async def test_what_is_shown_late_all_at_once_is_not_slowness() -> None:
    desk = Desk()
    live = await playing(desk, delayed(30))
    await rule_on(desk, live, 40)
    stand = Stand(desk, most_behind=5)
    carol, dave = stand.person(live, "carol"), stand.person(live, "dave")
    for person in (carol, dave):
        await person.sees(live.head.sequence - 30)
        person.slowly = settled
    await settled()
    await replace(desk, live, 0, "dave")
    await rule_on(desk, live, 1)
    dave.slowly = None
    await dave.sees(live.head.sequence)
    await close(desk, live)
    carol.slowly = None
    assert await carol.ended() is None
    assert carol.last == live.head.sequence
    assert await dave.ended() is None


async def test_a_seat_that_is_lost_in_the_middle_of_a_write_shows_nothing_more() -> None:
    desk = Desk()
    live = await playing(desk, OFF)
    stand = Stand(desk)
    alice = stand.person(live, "alice")
    gate = Gate()
    alice.slowly = gate
    await settled()
    assert alice.last == 1
    await replace(desk, live, 0, "dave")
    gate.open()
    assert await alice.ended() == NotToBeSeen()
    assert alice.last == 1


async def test_a_write_that_does_not_end_is_slowness_also_where_nothing_happens() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk, stalled_s=0.1)
    stuck = stand.person(live, "stuck")
    stuck.slowly = Gate()
    assert await stuck.ended() == TooSlow(1)
    assert stand.watchers == 0


@pytest.mark.parametrize("policy", [LIVE, delayed(3)])
async def test_nothing_is_left_of_watches_that_end_anyhow(policy: settings_pb2.MatchSettings) -> None:
    desk = Desk()
    live = await playing(desk, policy)
    before = len(asyncio.all_tasks())
    stand = Stand(desk, most_behind=5)
    people = [stand.person(live, f"p{number}") for number in range(50)]
    for person in people[:10]:
        person.slowly = Gate()
    await settled()
    await rule_on(desk, live, 20)
    for person in people[10:40]:
        await person.go()
    await close(desk, live)
    for person in people[40:]:
        assert await person.ended() is None
    for person in people[:10]:
        await person.go()
    assert stand.watchers == 0
    assert stand.presence.present(live.match_id) == frozenset()
    async with asyncio.timeout(5):
        while len(asyncio.all_tasks()) > before:
            await asyncio.sleep(0.05)


async def test_one_reader_reads_for_all_watchers_of_a_partition() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    people = [stand.person(live, f"p{number}") for number in range(20)]
    await settled()
    assert stand.tail.reads == 1
    for person in people:
        await person.go()


async def test_watchers_who_need_the_same_history_share_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_tail, "LOOK_EVERY_S", 5.0)
    store = CountingStore()
    desk = Desk(store)
    live = await playing(desk, LIVE)
    await rule_on(desk, live, 300)
    stand = Stand(desk)
    store.reads = 0
    people = [stand.person(live, f"p{number}") for number in range(50)]
    for person in people:
        await person.sees(live.head.sequence)
    pages = -(-live.head.sequence // watching.PAGE)
    assert store.reads == 1 + pages, "to open the match, and each page once"
    for person in people:
        await person.go()


class CountingStore(MemoryEventStore):
    """Counts its readings, each of which takes a moment."""

    reads = 0

    async def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Recorded:
        self.reads += 1
        await asyncio.sleep(0.001)
        return await super().read(match_id, after, limit)


async def presence_settles() -> None:
    await asyncio.sleep(watched_match.SETTLED_S + 0.1)


async def test_presence_is_told_at_the_start_and_on_each_change() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    alice = stand.person(live, "alice")
    await settled()
    assert alice.attendances == [Attendance(frozenset({0}), 0)]
    bob, carol = stand.person(live, "bob"), stand.person(live, "carol")
    await presence_settles()
    assert alice.attendances[1:] == [Attendance(frozenset({0, 1}), 1)]
    assert carol.attendances[0].seats >= {0}
    assert carol.attendances[-1] == Attendance(frozenset({0, 1}), 1)
    await bob.go()
    await presence_settles()
    assert alice.attendances[2:] == [Attendance(frozenset({0}), 1)]
    assert not any(isinstance(update, Attendance) for update in alice.events)
    await alice.go()
    await carol.go()


async def test_who_comes_back_at_once_was_never_away_and_a_storm_is_told_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    alice, bob = stand.person(live, "alice"), stand.person(live, "bob")
    await presence_settles()
    told = len(alice.attendances)
    await bob.go()
    bob = stand.person(live, "bob")
    await presence_settles()
    assert len(alice.attendances) == told
    # As of a crowd that takes more than a second to tell.
    monkeypatch.setattr(watched_match, "PER_WATCHER_S", 0.6)
    for _ in range(5):
        carol = stand.person(live, "carol")
        await presence_settles()
        await carol.go()
        await presence_settles()
    assert 1 <= len(alice.attendances) - told <= 4
    await alice.go()
    await bob.go()


async def test_those_who_may_not_see_all_are_told_of_the_seats_only() -> None:
    desk = Desk()
    live = await playing(desk, delayed(3))
    stand = Stand(desk)
    alice, carol = stand.person(live, "alice"), stand.person(live, "carol")
    await presence_settles()
    assert alice.attendances[-1] == Attendance(frozenset({0}), 1)
    told = len(carol.attendances)
    assert carol.attendances[-1] == Attendance(frozenset({0}), None)
    dave = stand.person(live, "dave")
    await presence_settles()
    assert alice.attendances[-1] == changed(alice.attendances[-1], spectators=2)
    assert len(carol.attendances) == told
    for person in (alice, carol, dave):
        await person.go()


async def test_the_seats_that_are_there_follow_who_holds_them() -> None:
    desk = Desk()
    live = await playing(desk, LIVE)
    stand = Stand(desk)
    heard: list[frozenset[int]] = []
    stand.presence.changed = lambda match_id: heard.append(stand.presence.present(match_id))
    alice, dave = stand.person(live, "alice"), stand.person(live, "dave")
    await settled()
    assert heard == [{0}]
    await replace(desk, live, 0, "erin")
    assert heard[1:] == [frozenset()]
    await replace(desk, live, 1, "dave")
    assert heard[2:] == [{1}]
    await dave.go()
    assert heard[3:] == [frozenset()]
    await alice.go()
