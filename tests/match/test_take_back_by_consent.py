"""Taking back by consent of all seats (rule 8.5): who may say what and when, and what comes of it."""

import pytest
from tests.match.at_the_table import ROLLS, envelopes, kinds, prefer, say
from tests.match.in_process import ROLL, Desk, match_to, state_of
from tests.match.test_direct import assert_lawful, law, money, points
from tests.match.test_more_players import session
from tests.match.test_take_back import acted, draws

from gammon.match.v1 import events_pb2
from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import action_pb2, settings_pb2, state_pb2
from gammon_engine.referee.actions import SetScore
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.direct import Close
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore, Head
from gammon_match.app.take_back import Answer, Propose
from gammon_match.app.writing import Written
from gammon_match.core.refusals import (
    MatchIsClosed,
    NoBatchEnd,
    NoTakeBack,
    NotStarted,
    NotYourSeat,
    Overtaken,
    RequestIdReused,
    Unlawful,
)
from gammon_match.core.table import Proposal
from gammon_match.service.answers import match_view

YES, NO = Answer(accept=True), Answer(accept=False)
TAKE_BACKS = terms_pb2.MatchSettings(take_backs=True)
RESIGN = action_pb2.Action(resign=action_pb2.Resign(level=1))


async def opened(desk: Desk, rules: settings_pb2.Settings | None = None) -> tuple[LiveMatch, int, int]:
    """Take-backs are agreed, the opening roll was played, the next seat has rolled; the ends before and after that."""
    live = await desk.match(rules, TAKE_BACKS)
    await desk.do(live, 0, ROLL)
    await acted(desk, live)
    before = live.head.sequence
    assert isinstance(await desk.do(live, state_of(live).turn, ROLL), Written)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    return live, before, live.head.sequence


async def test_proposed_by_one_and_consented_to_by_the_other_it_goes_back_in_one_batch(
    either_store: EventStore,
) -> None:
    desk = Desk(either_store)
    live, _, rolled = await opened(desk)
    then = live.match
    seat = state_of(live).turn
    await acted(desk, live)
    proposed = await say(desk, live, seat, Propose(rolled))
    (event,) = envelopes(proposed)
    assert event.actor.seat == seat
    assert event.take_back_proposed == events_pb2.TakeBackProposed(seat=seat, to_sequence=rolled)
    open_one = match_view(live).take_back
    assert (open_one.seat, open_one.to_sequence, list(open_one.consenting)) == (seat, rolled, [seat])
    back = await say(desk, live, 1 - seat, YES)
    consents, taken = envelopes(back)
    assert consents.take_back_answered == events_pb2.TakeBackAnswered(seat=1 - seat, accepted=True)
    assert taken.taken_back == events_pb2.TakenBack(to_sequence=rolled, by_consent=True)
    assert taken.actor.seat == 1 - seat
    # The throw stands: it is to be played again.
    assert (live.match.state, live.match.standing, live.match.draws) == (then.state, then.standing, then.draws)
    assert not match_view(live).HasField("take_back")
    await desk.play_out(live)
    await assert_lawful(desk, live)


async def test_to_before_a_throw_the_next_one_is_a_new_draw(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, before, _ = await opened(desk)
    seat, drawn = state_of(live).turn, live.match.draws
    await say(desk, live, 1 - seat, Propose(before))
    await say(desk, live, seat, YES)
    assert (state_of(live).phase, live.match.draws) == (state_pb2.PHASE_TO_ROLL, drawn)
    await desk.do(live, seat, ROLL)
    assert await draws(desk, live) == list(range(1, drawn + 2))
    await assert_lawful(desk, live)


async def test_of_three_all_must_consent(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, _, rolled = await opened(desk, session(3))
    seat = state_of(live).turn
    await acted(desk, live)
    second, third = (seat + 1) % 3, (seat + 2) % 3
    await say(desk, live, seat, Propose(rolled))
    seen = live.head
    assert kinds(envelopes(await say(desk, live, second, YES, seen=seen))) == ["take_back_answered"]
    assert await say(desk, live, second, YES) == NoTakeBack(f"seat {second} consents already")
    # The third has not seen that the second consents, and need not have.
    assert kinds(envelopes(await say(desk, live, third, YES, seen=seen))) == ["take_back_answered", "taken_back"]
    assert state_of(live).turn == seat
    await assert_lawful(desk, live)


@pytest.mark.parametrize("ender", ["proposer", "other"])
async def test_anybody_can_end_it_and_then_another_can_be_proposed(ender: str) -> None:
    desk = Desk()
    live, before, rolled = await opened(desk)
    seat, state = state_of(live).turn, live.match.state
    await say(desk, live, seat, Propose(before))
    # One at a time.
    assert isinstance(await say(desk, live, 1 - seat, Propose(before)), NoTakeBack)
    ends = seat if ender == "proposer" else 1 - seat
    (event,) = envelopes(await say(desk, live, ends, NO))
    assert event.take_back_answered == events_pb2.TakeBackAnswered(seat=ends, accepted=False)
    assert live.match.state == state
    assert await say(desk, live, 1 - seat, YES) == NoTakeBack("no take-back waits for an answer")
    # A counter-proposal, and play goes on where nobody answers it.
    assert isinstance(await say(desk, live, 1 - seat, Propose(before)), Written)
    await acted(desk, live)
    assert live.match.table.proposal is None
    assert isinstance(await say(desk, live, seat, YES), NoTakeBack)
    await assert_lawful(desk, live)
    assert rolled


async def test_one_who_has_consented_may_still_end_it_for_all_of_three() -> None:
    desk = Desk()
    live, before, _ = await opened(desk, session(3))
    await say(desk, live, 0, Propose(before))
    await say(desk, live, 1, YES)
    await say(desk, live, 1, NO)
    assert isinstance(await say(desk, live, 2, YES), NoTakeBack)
    await assert_lawful(desk, live)


async def test_play_and_rulings_end_it() -> None:
    desk = Desk()
    live, before, _ = await opened(desk)
    seat = state_of(live).turn
    await say(desk, live, seat, Propose(before))
    await acted(desk, live)
    assert live.match.table.proposal is None
    await say(desk, live, seat, Propose(before))
    await desk.rule(live, law(SetScore(points(1, 0))))
    assert live.match.table.proposal is None
    assert isinstance(await say(desk, live, 1 - seat, YES), NoTakeBack)
    await assert_lawful(desk, live)


async def test_only_where_it_was_agreed_and_only_by_who_holds_the_seat() -> None:
    desk = Desk()
    live = await desk.match()
    started = live.head.sequence
    await desk.do(live, 0, ROLL)
    assert await say(desk, live, 0, Propose(started)) == NoTakeBack("taking back by consent was not agreed")
    live, before, _ = await opened(desk)
    assert await say(desk, live, 0, Propose(before), player="mallory") == NotYourSeat(0)
    waiting = await desk.match_created(terms=TAKE_BACKS)
    assert await say(desk, waiting, 0, Propose(1)) == NotYourSeat(0)
    await desk.rule(live, Close())
    assert await say(desk, live, 0, Propose(before)) == MatchIsClosed(live.head.sequence)


async def test_only_to_a_batch_end_of_play_that_stands(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, before, rolled = await opened(desk)
    head = live.head
    assert await say(desk, live, 0, Propose(rolled - 1)) == NoBatchEnd(rolled - 1)
    assert await say(desk, live, 0, Propose(10_000)) == NoBatchEnd(10_000)
    for sequence, reason in ((rolled, "nothing has happened since"), (1, "the match had not started")):
        refused = await say(desk, live, 0, Propose(sequence))
        assert isinstance(refused, Unlawful)
        assert (refused.rule, refused.reason) == ("8.5", reason)
    assert live.head == head
    await say(desk, live, 0, Propose(before))
    await say(desk, live, 1, YES)
    refused = await say(desk, live, 0, Propose(rolled))
    assert isinstance(refused, Unlawful)
    assert refused.reason == "it was taken back itself"
    await assert_lawful(desk, live)


async def test_a_word_on_what_is_no_longer_so_is_overtaken() -> None:
    desk = Desk()
    live, before, _ = await opened(desk)
    seat, seen = state_of(live).turn, live.head
    await acted(desk, live)
    # Play went on: more would be taken back than was meant.
    assert await say(desk, live, 1 - seat, Propose(before), seen=seen) == Overtaken(live.head.sequence, live.head.hash)
    await say(desk, live, seat, Propose(seen.sequence))
    first = live.head
    await say(desk, live, seat, NO)
    await say(desk, live, seat, Propose(before))
    # Consent was to another proposal.
    assert await say(desk, live, 1 - seat, YES, seen=first) == Overtaken(live.head.sequence, live.head.hash)
    assert isinstance(await say(desk, live, 1 - seat, YES), Written)
    # An act that was decided on what was taken back.
    assert await desk.do(live, seat, RESIGN, seen=first) == Overtaken(live.head.sequence, live.head.hash)


async def test_once_by_its_request_id_also_in_another_process(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, before, _ = await opened(desk)
    seen = live.head
    first = await say(desk, live, 0, Propose(before), "back", seen)
    elsewhere = Desk(either_store)
    other = await elsewhere.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    again = await say(elsewhere, other, 0, Propose(before), "back", seen)
    assert isinstance(first, Written)
    assert isinstance(again, Written)
    assert (again.repeated, again.events) == (True, first.events)
    assert await say(desk, live, 0, NO, "back", seen) == RequestIdReused("back", live.head.sequence)
    # It knows the proposal, as any process that starts now.
    assert other.match.table.proposal == Proposal(0, before, (0,), live.head.sequence)
    done = await say(elsewhere, other, 1, YES, "yes")
    assert isinstance(done, Written)
    # This process has not heard of it.
    late = await say(desk, live, 1, YES, "yes", Head(done.events[-1].sequence, done.events[-1].hash))
    assert isinstance(late, Written)
    assert (late.repeated, late.events) == (True, done.events)


async def test_before_all_sit_there_is_nothing_to_go_back_to() -> None:
    desk = Desk()
    live = await desk.match_created(terms=TAKE_BACKS)
    await desk.sit(live, "alice", 0)
    assert await say(desk, live, 0, Propose(1)) == NotStarted(1)


async def test_the_feed_is_told_when_the_end_of_a_game_is_taken_back() -> None:
    memory = MemoryEventStore()
    desk = Desk(memory)
    live, _, rolled = await opened(desk, money(3))
    await desk.do(live, 0, RESIGN)
    await desk.do(live, 1, action_pb2.Action(accept=action_pb2.Accept()))
    assert [own.numerator for own in state_of(live).score] == [-1, 1]
    await say(desk, live, 0, Propose(rolled))
    await say(desk, live, 1, YES)
    assert [own.numerator for own in state_of(live).score] == [0, 0]
    (entries,) = memory.feeds.values()
    ended, corrected = map(events_pb2.FeedEntry.FromString, entries)
    assert list(corrected.kinds) == [events_pb2.FEED_KIND_CORRECTED]
    assert corrected.corrects_from == rolled + 1 <= ended.sequence < corrected.sequence
    await assert_lawful(desk, live)


async def test_the_service_does_not_play_over_a_proposal_and_goes_on_after_it() -> None:
    desk = Desk()
    no_cube = match_to(3)
    no_cube.cube = settings_pb2.CUBE_OFF
    live, _, rolled = await opened(desk, no_cube)
    seat = state_of(live).turn
    await acted(desk, live)
    await say(desk, live, seat, Propose(rolled))
    # Its roll could be thrown by the service, and would end the proposal.
    await prefer(desk, live, 1 - seat, ROLLS)
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, 1 - seat)
    await say(desk, live, 1 - seat, NO)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    await assert_lawful(desk, live)
