"""What the service does for seats, over the end of a process, beside another one, and with a store that fails."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from tests.match.at_the_table import BOTH, ROLLS, kinds, prefer
from tests.match.in_process import ROLL, Desk, match_to, state_of
from tests.match.loaded_dice import NO_CUBE, act, by_the_service, events_of, loaded, play
from tests.match.test_act import FlakyStore
from tests.match.test_direct import assert_lawful

from gammon.rules.v1 import state_pb2
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app import automatic
from gammon_match.app.law import Away, Broken, Faulty, OnlyChoice, Question, Ruled
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import (
    AppendResult,
    Batch,
    DurabilityLevel,
    EventStore,
    NotWritten,
    OutcomeUnknown,
    Recorded,
)
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import Operator, Status
from gammon_match.core.refusals import MatchIsClosed
from gammon_match.core.table_events import DirectorReason, MatchPaused, MatchResumed


async def at_the_end_of_a_process(store: EventStore) -> tuple[Desk, LiveMatch]:
    """Seat 1 wants its rolls made; its process dies between seat 0's play and that roll."""
    desk, live = await loaded([3, 1], store=store)
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    run, desk.automatic.run = desk.automatic.run, _not_any_more  # type: ignore[method-assign]
    await desk.do(live, 0, play("8/5 6/5"), "play")
    desk.automatic.run = run  # type: ignore[method-assign]
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, 1)
    return desk, live


async def _not_any_more(live: LiveMatch) -> None:
    """What a process that has died does."""


async def test_what_was_pending_when_a_process_ended_goes_on_in_the_next(either_store: EventStore) -> None:
    _, live = await at_the_end_of_a_process(either_store)
    fresh = Desk(either_store, seed=2)
    found = await fresh.live.get(live.match_id)
    assert isinstance(found, LiveMatch)
    await fresh.automatic.run(found)
    assert state_of(found).phase == state_pb2.PHASE_TO_PLAY
    # Again it finds nothing to do.
    head = found.head
    await fresh.automatic.run(found)
    assert found.head == head
    await assert_lawful(fresh, found)


async def test_it_goes_on_when_a_client_comes_back_for_its_seat_or_for_its_answer() -> None:
    desk, live = await at_the_end_of_a_process(MemoryEventStore())
    await desk.sit(live, "bob", 1)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    desk, live = await at_the_end_of_a_process(MemoryEventStore())
    again = await desk.do(live, 0, play("8/5 6/5"), "play")
    assert isinstance(again, Written)
    assert again.repeated
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY


async def test_two_processes_do_it_once(either_store: EventStore) -> None:
    desk, live = await at_the_end_of_a_process(either_store)
    other = Desk(either_store, seed=9)
    there = await other.live.get(live.match_id)
    assert isinstance(there, LiveMatch)
    await desk.automatic.run(live)
    # This one has not heard of it, and loses.
    await other.automatic.run(there)
    rolls = [event for event in await by_the_service(desk, live) if event.HasField("acted_by_system")]
    assert len(rolls) == 1
    await assert_lawful(desk, live)


async def failing(answer: AppendResult) -> tuple[Desk, LiveMatch]:
    """A play was stored, and the store gave this answer to the roll that follows by itself."""
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match(NO_CUBE)
    await prefer(desk, live, 0, ROLLS)
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    inner, calls = store.inner.append, 0

    async def second_fails(batch: Batch, level: DurabilityLevel) -> AppendResult:
        nonlocal calls
        calls += 1
        return answer if calls == 2 else await inner(batch, level)

    store.inner.append = second_fails  # type: ignore[method-assign]
    await act(desk, live, Random(1))
    assert state_of(live).phase == state_pb2.PHASE_TO_ROLL
    return desk, live


async def test_a_store_that_is_away_stops_it_and_the_act_before_stands() -> None:
    desk, live = await failing(NotWritten("OOM"))
    await desk.automatic.run(live)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    await assert_lawful(desk, live)


async def test_a_batch_whose_outcome_is_not_known_is_settled_with_its_dice() -> None:
    desk, live = await failing(OutcomeUnknown("lost"))
    pending = live.pending
    assert pending is not None
    await desk.automatic.run(live)
    recorded = await desk.store.read(live.match_id, pending.expected.sequence)
    assert isinstance(recorded, Recorded)
    assert tuple(recorded.events) == pending.events
    await assert_lawful(desk, live)


async def test_a_paused_match_waits_until_play_goes_on() -> None:
    desk, live = await at_the_end_of_a_process(MemoryEventStore())
    director = Operator("director")
    paused = replace(live.match.unchanged(bytes(16)), status=Status.PAUSED)
    pause = Writing(director, "pause", (MatchPaused(DirectorReason.REQUEST, None, mutual=False),), paused)
    assert isinstance(await desk.recorder.write(live, pause, DurabilityLevel.ACCEPTED), Written)
    head = live.head
    await desk.automatic.run(live)
    assert live.head == head
    goes_on = replace(live.match.unchanged(bytes(16)), status=Status.PLAYING)
    resume = Writing(director, "resume", (MatchResumed((), DirectorReason.REQUEST),), goes_on)
    assert isinstance(await desk.recorder.write(live, resume, DurabilityLevel.ACCEPTED), Written)
    await desk.automatic.run(live)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY


async def test_c26_after_the_win_nothing_is_rolled_also_where_the_match_is_read_anew() -> None:
    """The snapshot one event before the win, and the win: the service sees that it is over before it throws."""
    desk = Desk(seed=3)
    live = await desk.match(match_to(1))
    for seat in (0, 1):
        await prefer(desk, live, seat, BOTH)
    await desk.play_out(live)
    fresh = Desk(desk.store)
    found = await fresh.live.get(live.match_id)
    assert isinstance(found, LiveMatch)
    for process, match in ((desk, live), (fresh, found)):
        await process.automatic.run(match)
        assert match.head == live.head
        assert await process.do(match, 0, ROLL) == MatchIsClosed(live.head.sequence)
    assert kinds(await events_of(desk, live))[-1] == "match_closed"


def _quickly(monkeypatch: pytest.MonkeyPatch, for_s: float = 30.0) -> None:
    monkeypatch.setattr(automatic, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(automatic, "LONGEST_PAUSE_S", 0.004)
    monkeypatch.setattr(automatic, "AGAIN_FOR_S", for_s)


async def _rules_go_away() -> tuple[Desk, LiveMatch]:
    """Seat 1 wants its rolls made; the rules service goes away once it has ruled on seat 0's play."""
    desk, live = await loaded([3, 1])
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    rule = desk.law.rule

    async def rule_and_go(question: Question) -> Ruled | Broken | Faulty | Away:
        ruled = await rule(question)
        desk.law.away = True
        return ruled

    desk.law.rule = rule_and_go  # type: ignore[method-assign]
    assert isinstance(await desk.do(live, 0, play("8/5 6/5")), Written)
    desk.law.rule = rule  # type: ignore[method-assign]
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, 1)
    return desk, live


async def _ends(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.001)


def _alone() -> bool:
    """Whether this test is the only thing under way."""
    return asyncio.all_tasks() == {asyncio.current_task()}


async def test_rules_that_were_away_for_a_while_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch)
    desk, live = await _rules_go_away()
    head = live.head
    await asyncio.sleep(0.05)
    assert live.head == head
    desk.law.away = False
    await _ends(_alone)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    rolls = [event for event in await by_the_service(desk, live) if event.HasField("acted_by_system")]
    assert len(rolls) == 1
    await assert_lawful(desk, live)


async def test_rules_that_go_away_between_choice_and_ruling_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch)
    desk, live = await loaded([3, 1])
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    choose, chosen = desk.law.only_choice, 0

    async def choose_and_go(rules_version: str, settings: bytes, state: bytes) -> OnlyChoice | Faulty | Away | None:
        nonlocal chosen
        choice, chosen = await choose(rules_version, settings, state), chosen + 1
        desk.law.away = chosen == 1
        return choice

    desk.law.only_choice = choose_and_go  # type: ignore[method-assign]
    assert isinstance(await desk.do(live, 0, play("8/5 6/5")), Written)
    assert state_of(live).phase == state_pb2.PHASE_TO_ROLL
    desk.law.away = False
    await _ends(_alone)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY


async def test_a_store_that_was_away_is_asked_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch)
    _, live = await failing(NotWritten("OOM"))
    await _ends(_alone)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY


async def test_many_requests_while_rules_are_away_ask_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch)
    desk, live = await _rules_go_away()
    for _ in range(20):
        await desk.automatic.run(live)
    assert len(asyncio.all_tasks()) == 2
    await desk.automatic.close()


async def test_it_is_tried_for_a_while_and_then_waits_for_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch, for_s=0.05)
    desk, live = await _rules_go_away()
    assert not _alone()
    await _ends(_alone)
    desk.law.away = False
    await asyncio.sleep(0.05)
    assert state_of(live).phase == state_pb2.PHASE_TO_ROLL
    await desk.automatic.run(live)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY


async def test_a_caller_who_gives_up_while_rules_hang_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch)
    desk, live = await at_the_end_of_a_process(MemoryEventStore())
    choose, hanging = desk.law.only_choice, asyncio.Event()

    async def hang(rules_version: str, settings: bytes, state: bytes) -> OnlyChoice | Faulty | Away | None:
        if not hanging.is_set():
            hanging.set()
            await asyncio.Event().wait()
        return await choose(rules_version, settings, state)

    desk.law.only_choice = hang  # type: ignore[method-assign]
    caller = asyncio.create_task(desk.automatic.run(live))
    await hanging.wait()
    caller.cancel()
    await asyncio.wait([caller])
    assert caller.cancelled()
    await _ends(_alone)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY


async def test_a_process_that_ends_leaves_nothing_that_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _quickly(monkeypatch)
    desk, live = await _rules_go_away()
    assert not _alone()
    await desk.automatic.close()
    assert _alone()
    # What is still being answered begins nothing new.
    await desk.automatic.run(live)
    assert _alone()
