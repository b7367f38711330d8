"""Acting once where the store's answers are lost, late or another's."""

from dataclasses import dataclass, field

import pytest
from tests.match.in_process import ROLL, Desk, match_to, state_of

from gammon.rules.v1 import action_pb2, state_pb2
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.act import ActForSeat
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import (
    AppendResult,
    Batch,
    DurabilityLevel,
    Head,
    NotConfirmed,
    NotWritten,
    OutcomeUnknown,
    Recorded,
    Unreadable,
)
from gammon_match.app.writing import Written
from gammon_match.core.refusals import (
    CorruptMatch,
    NotYourSeat,
    Overtaken,
    RequestIdReused,
    RulesAway,
    StoreAway,
    Unconfirmed,
    Unknown,
)

PLAY = action_pb2.Action(play=action_pb2.MakePlay(text="24/23"))


@dataclass
class FlakyStore:
    """A store whose next answers a test sets. `stored`: whether a lost append was stored all the same."""

    inner: MemoryEventStore = field(default_factory=MemoryEventStore)
    answers: list[tuple[AppendResult, bool]] = field(default_factory=list)
    readable: bool = True

    @property
    def offered(self) -> DurabilityLevel:
        return self.inner.offered

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        if not self.answers:
            return await self.inner.append(batch, level)
        answer, stored = self.answers.pop(0)
        if stored:
            await self.inner.append(batch, level)
        return answer

    async def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Recorded | Unreadable:
        return await self.inner.read(match_id, after, limit) if self.readable else Unreadable("told to be away")


async def length(store: FlakyStore, live: LiveMatch) -> int:
    return len((await store.inner.read(live.match_id)).events)


@pytest.mark.parametrize("stored", [True, False])
async def test_an_unknown_outcome_is_settled_by_the_same_request(stored: bool) -> None:
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match()
    seen, before = live.head, await length(store, live)
    store.answers = [(OutcomeUnknown("reply lost"), stored)]
    assert isinstance(await desk.do(live, 0, ROLL, "roll", seen), Unknown)
    settled = await desk.do(live, 0, ROLL, "roll", seen)
    assert isinstance(settled, Written)
    # Sending the prepared batch again settles it either way, with the dice of the first throw.
    assert settled.repeated
    again = await desk.do(live, 0, ROLL, "roll", seen)
    assert isinstance(again, Written)
    assert again.events == settled.events
    assert await length(store, live) == before + len(settled.events)


async def test_while_an_outcome_is_unknown_nobody_gets_past_it() -> None:
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match()
    store.answers = [(OutcomeUnknown("lost"), False), (OutcomeUnknown("lost"), False)]
    assert isinstance(await desk.do(live, 0, ROLL), Unknown)
    assert isinstance(await desk.do(live, 1, ROLL), Unknown)


async def test_what_was_not_written_is_said_and_can_be_asked_again() -> None:
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match()
    before = await length(store, live)
    store.answers = [(NotWritten("OOM"), False)]
    assert await desk.do(live, 0, ROLL, "roll") == StoreAway("OOM")
    assert await length(store, live) == before
    assert isinstance(await desk.do(live, 0, ROLL, "roll"), Written)


async def test_written_but_not_confirmed_is_said_and_then_confirmed() -> None:
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match()
    seen = live.head
    store.answers = [(NotConfirmed(DurabilityLevel.ACCEPTED), True)]
    assert isinstance(await desk.do(live, 0, ROLL, "roll", seen), Unconfirmed)
    confirmed = await desk.do(live, 0, ROLL, "roll", seen)
    assert isinstance(confirmed, Written)
    assert confirmed.repeated


async def test_another_process_wins_and_the_loser_learns_the_head() -> None:
    store = FlakyStore()
    ours, theirs = Desk(store), Desk(store, seed=2)
    live = await ours.match()
    other = await theirs.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    seen = live.head
    won = await theirs.do(other, 1, ROLL, "theirs", seen)
    assert isinstance(won, Written)
    assert await ours.do(live, 0, ROLL, "ours", seen) == Overtaken(other.head.sequence, other.head.hash)
    repeated = await ours.do(live, 1, ROLL, "theirs", seen)
    assert isinstance(repeated, Written)
    assert repeated.events == won.events
    assert repeated.repeated


async def test_a_client_that_looked_before_the_roll_does_not_play_it() -> None:
    desk = Desk()
    live = await desk.match()
    seen = live.head
    await desk.do(live, 0, ROLL)
    turn = state_of(live).turn
    assert isinstance(await desk.do(live, turn, PLAY, seen=seen), Overtaken)


async def test_an_act_decided_on_a_seat_taken_meanwhile_still_counts() -> None:
    desk = Desk()
    live = await desk.match()
    started = live.head
    done = await desk.do(live, 0, ROLL, seen=Head(started.sequence, b""))
    assert isinstance(done, Written)


async def test_tied_opening_throws_are_thrown_again_in_the_same_act() -> None:
    for seed in range(40):
        desk = Desk(seed=seed)
        live = await desk.match()
        done = await desk.do(live, 0, ROLL)
        assert isinstance(done, Written)
        assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
        if live.match.draws > 1:
            assert len(done.events) > 5
            return
    raise AssertionError("no tie in forty openings")


async def test_rules_away_stores_nothing_and_spends_no_draw() -> None:
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match()
    before = await length(store, live)
    desk.law.away = True
    assert isinstance(await desk.do(live, 0, ROLL), RulesAway)
    desk.law.away = False
    assert await length(store, live) == before
    assert live.match.draws == 0


async def test_the_clock_may_run_back_and_recorded_time_does_not() -> None:
    desk = Desk()
    live = await desk.match()
    desk.clock.ns -= 3_600 * 10**9
    before = live.match.last_ns
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    assert live.match.last_ns == before


async def test_an_event_deleted_behind_its_back_is_noticed_when_read_again() -> None:
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match(match_to(1))
    await desk.play_out(live)
    recorded = store.inner._matches[live.match_id]
    del recorded.events[5]
    fresh = Desk(store)
    found = await fresh.live.get(live.match_id)
    assert isinstance(found, CorruptMatch)
    assert found.sequence == 6


async def test_an_unreadable_store_is_away_not_empty() -> None:
    store = FlakyStore(readable=False)
    assert isinstance(await Desk(store).live.get("m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA"), StoreAway)


async def test_seat_and_request_id_are_checked_before_the_law() -> None:
    desk = Desk()
    live = await desk.match()
    assert isinstance(await desk.do(live, 0, ROLL, "one"), Written)
    assert await desk.do(live, 0, PLAY, "one") == RequestIdReused("one", live.head.sequence)
    roll = ROLL.SerializeToString()
    bob_on_seat_0 = ActForSeat(live.match_id, "bob", 0, "two", live.head, roll, True, b"", None)
    assert await desk.act(bob_on_seat_0) == NotYourSeat(0)


async def test_c18_one_resignation_delivered_three_times_loses_one_game_by_the_agreed_level() -> None:
    desk = Desk()
    live = await desk.match(match_to(7))
    seen = live.head
    resign = action_pb2.Action(resign=action_pb2.Resign(level=2))
    for number in range(3):
        done = await desk.do(live, 0, resign, "resign", seen)
        assert isinstance(done, Written)
        assert done.repeated == (number > 0)
    accepted = live.head
    for _ in range(3):
        done = await desk.do(live, 1, action_pb2.Action(accept=action_pb2.Accept()), "accept", accepted)
        assert isinstance(done, Written)
    assert [own.numerator for own in state_of(live).score] == [0, 2]
    assert state_of(live).game_number == 2
