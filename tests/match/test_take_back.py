"""Rule 8.5 in the match service: where a match goes back to, which throws stand, and what the feed is told."""

from random import Random

import pytest
from tests.match.in_process import ROLL, Desk, match_to, some_action, state_of
from tests.match.test_direct import assert_lawful, law, money
from tests.match.test_more_players import GAMMON, session

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2, settings_pb2, state_pb2
from gammon_engine.referee.actions import Forfeit, Scope
from gammon_engine.settings import Settings
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.direct import Close, TakeBackTo
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore, Recorded
from gammon_match.app.writing import Written
from gammon_match.core.refusals import MatchIsClosed, NoBatchEnd, Overtaken, Unlawful
from gammon_match.core.table_events import DirectorReason
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes


async def acted(desk: Desk, live: LiveMatch, most: int = 1) -> list[int]:
    """Lets whoever is to act do something at random, so many times; the sequences of the batch ends."""
    random, ends = Random(desk.seed), list[int]()
    settings = settings_from_proto(settings_pb2.Settings.FromString(live.terms().rules))
    assert isinstance(settings, Settings)
    while len(ends) < most and live.match.standing is not None and not live.match.standing.over:
        state = state_from_bytes(settings, live.match.state)
        seat = live.match.standing.seats_to_act[0]
        done = await desk.do(live, seat, some_action(random, settings, state, seat))  # type: ignore[arg-type]
        if not isinstance(done, Written):
            done = await desk.do(live, seat, ROLL)
        assert isinstance(done, Written), done
        ends.append(live.head.sequence)
    return ends


async def draws(desk: Desk, live: LiveMatch) -> list[int]:
    """The numbers of all draws on record."""
    recorded = await desk.store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    events = [events_pb2.Envelope.FromString(event.envelope) for event in recorded.events]
    return [event.dice_drawn.draw for event in events if event.HasField("dice_drawn")]


async def opened(desk: Desk, rules: settings_pb2.Settings | None = None) -> tuple[LiveMatch, int, int]:
    """A match in which the opening roll was played and the other seat has rolled; the ends before and after that."""
    live = await desk.match(rules)
    await desk.do(live, 0, ROLL)
    await acted(desk, live)
    before = live.head.sequence
    assert isinstance(await desk.do(live, state_of(live).turn, ROLL), Written)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    return live, before, live.head.sequence


async def test_8_5_to_between_a_throw_and_its_play_that_throw_stands(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, _, rolled = await opened(desk)
    then, seat = live.match, state_of(live).turn
    await acted(desk, live)
    back = await desk.rule(live, TakeBackTo(rolled))
    assert isinstance(back, Written)
    (event,) = (events_pb2.Envelope.FromString(event.envelope) for event in back.events)
    assert event.taken_back == events_pb2.TakenBack(to_sequence=rolled, reason=events_pb2.DIRECTOR_REASON_TECHNICAL)
    assert (live.match.state, live.match.standing, live.match.draws) == (then.state, then.standing, then.draws)
    assert (state_of(live).turn, live.match.status) == (seat, then.status)
    await acted(desk, live, 4)
    assert await draws(desk, live) == list(range(1, live.match.draws + 1))
    await assert_lawful(desk, live)


async def test_8_5_to_before_a_throw_the_next_one_is_a_new_draw_and_the_withdrawn_one_stays(
    either_store: EventStore,
) -> None:
    desk = Desk(either_store)
    live, before, _ = await opened(desk)
    seat, drawn = state_of(live).turn, live.match.draws
    assert isinstance(await desk.rule(live, TakeBackTo(before)), Written)
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, seat)
    assert (list(state_of(live).dice), live.match.draws) == ([], drawn)
    again = await desk.do(live, seat, ROLL)
    assert isinstance(again, Written)
    assert events_pb2.Envelope.FromString(again.events[0].envelope).draw_requested.draw == drawn + 1
    assert await draws(desk, live) == list(range(1, drawn + 2))
    await assert_lawful(desk, live)
    await desk.play_out(live)
    await assert_lawful(desk, live)


async def test_only_to_a_batch_end_of_play_that_stands(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, before, rolled = await opened(desk)
    started = next(span.last for span in live.spans.known if span.phase)
    for sequence in (rolled - 1, rolled + 1, 10_000):
        assert await desk.rule(live, TakeBackTo(sequence)) == NoBatchEnd(sequence)
    for sequence, reason in ((rolled, "nothing has happened since"), (1, "the match had not started")):
        refused = await desk.rule(live, TakeBackTo(sequence))
        assert isinstance(refused, Unlawful)
        assert (refused.rule, refused.reason, refused.value) == ("8.5", reason, str(sequence))
    back = await desk.rule(live, TakeBackTo(before))
    assert isinstance(back, Written)
    refused = await desk.rule(live, TakeBackTo(rolled))
    assert isinstance(refused, Unlawful)
    assert refused.reason == "it was taken back itself"
    # The take-back itself may be gone back to, and so may all that stood before it.
    await acted(desk, live, 2)
    assert isinstance(await desk.rule(live, TakeBackTo(back.events[-1].sequence)), Written)
    assert isinstance(await desk.rule(live, TakeBackTo(before)), Written)
    assert isinstance(await desk.rule(live, TakeBackTo(started)), Written)
    assert state_of(live).phase == state_pb2.PHASE_OPENING
    await assert_lawful(desk, live)


async def test_a_closed_match_is_not_taken_back() -> None:
    desk = Desk()
    live, before, _ = await opened(desk)
    await desk.rule(live, Close())
    assert await desk.rule(live, TakeBackTo(before)) == MatchIsClosed(live.head.sequence)


async def test_an_act_that_was_decided_before_is_overtaken_and_a_stored_one_is_still_its_answer() -> None:
    desk = Desk()
    live, before, _ = await opened(desk)
    seat, seen = state_of(live).turn, live.head
    resign = action_pb2.Action(resign=action_pb2.Resign(level=1))
    done = await desk.do(live, seat, resign, "resign", seen)
    assert isinstance(done, Written)
    assert isinstance(await desk.rule(live, TakeBackTo(before)), Written)
    assert await desk.do(live, seat, resign, "other", seen) == Overtaken(live.head.sequence, live.head.hash)
    again = await desk.do(live, seat, resign, "resign", seen)
    assert isinstance(again, Written)
    assert (again.repeated, again.events) == (True, done.events)


async def test_once_by_its_request_id_also_in_another_process(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live, before, rolled = await opened(desk)
    seen = live.head
    first = await desk.rule(live, TakeBackTo(before), "back", seen)
    elsewhere = Desk(either_store)
    other = await elsewhere.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    again = await elsewhere.rule(other, TakeBackTo(before), "back", seen)
    assert isinstance(first, Written)
    assert isinstance(again, Written)
    assert (again.repeated, again.events) == (True, first.events)
    # It knows as well what was withdrawn.
    assert isinstance(await elsewhere.rule(other, TakeBackTo(rolled)), Unlawful)
    assert await elsewhere.rule(other, TakeBackTo(before), seen=seen) == Overtaken(live.head.sequence, live.head.hash)


async def test_the_feed_is_told_when_an_end_no_longer_holds_and_only_then() -> None:
    memory = MemoryEventStore()
    desk = Desk(memory)
    live, before, rolled = await opened(desk, money(3))
    await desk.rule(live, TakeBackTo(before))
    assert memory.feeds == {}
    await desk.rule(live, law(Forfeit(0, Scope.GAME, 1)))
    assert [own.numerator for own in state_of(live).score] == [-1, 1]
    back = await desk.rule(live, TakeBackTo(before), reason=DirectorReason.CORRECTION)
    assert isinstance(back, Written)
    assert [own.numerator for own in state_of(live).score] == [0, 0]
    (entries,) = memory.feeds.values()
    ended, corrected = map(events_pb2.FeedEntry.FromString, entries)
    assert list(ended.kinds) == [events_pb2.FEED_KIND_GAME_ENDED]
    assert list(corrected.kinds) == [events_pb2.FEED_KIND_CORRECTED]
    assert corrected.corrects_from == before + 1 <= ended.sequence < corrected.sequence
    assert (corrected.sequence, corrected.hash) == (live.head.sequence, live.head.hash)
    assert (list(corrected.players), corrected.rules.session.games) == (["alice", "bob"], 3)
    assert not corrected.HasField("game")
    assert rolled


@pytest.mark.parametrize("rules", [match_to(3), money(3), session(3), session(4), GAMMON])
@pytest.mark.parametrize("seed", range(2))
async def test_matches_with_take_backs_anywhere_are_played_out_and_audited(
    rules: settings_pb2.Settings, seed: int
) -> None:
    desk = Desk(seed=seed)
    live = await desk.match(rules)
    random, took = Random(seed), 0
    for _ in range(25):
        await acted(desk, live, random.randint(1, 9))
        if live.match.standing is None or live.match.standing.over:
            break
        to = random.choice([span.last for span in live.spans.known[-12:-1]])
        done = await desk.rule(live, TakeBackTo(to))
        # Not to before the start, and to nothing that was withdrawn.
        took += isinstance(done, Written)
        assert isinstance(done, Written | Unlawful)
    assert took
    await desk.play_out(live)
    assert state_of(live).phase == state_pb2.PHASE_OVER
    await assert_lawful(desk, live)
