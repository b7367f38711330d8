"""A director's rulings on the memory store and the real one: each once, with its reason, on what the director saw."""

from fractions import Fraction

import pytest
from tests.match.in_process import ROLL, Desk, match_to, state_of
from tests.match.test_more_players import record_of, session

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2, fact_pb2, settings_pb2, state_pb2
from gammon_audit.audit import audit
from gammon_audit.report import Verdict
from gammon_engine.referee.actions import Action, EndSession, Forfeit, Scope, SetScore, VoidGame
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.direct import Close, LawRuling
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore, Head
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import (
    MatchIsClosed,
    NotStarted,
    Overtaken,
    RequestIdReused,
    Rewound,
    Unlawful,
)
from gammon_match.core.table_events import DirectorReason
from gammon_wire.actions import action_to_proto


def money(games: int = 0) -> settings_pb2.Settings:
    """A session, of so many games or open."""
    play = settings_pb2.SessionPlay(games=games)
    return settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2, session=play)


def law(action: Action) -> LawRuling:
    """What the law judges, as the service reads it from a request."""
    message = action_to_proto(action)
    seat = message.seat if message.HasField("seat") else None
    return LawRuling(message.SerializeToString(deterministic=True), seat)


def told(written: Written) -> list[str]:
    """The kinds of the events of a batch."""
    events = [events_pb2.Envelope.FromString(event.envelope) for event in written.events]
    assert {event.actor.operator for event in events} == {"director"}
    return [event.fact.WhichOneof("kind") or event.WhichOneof("event") or "" for event in events]


async def assert_lawful(desk: Desk, live: LiveMatch) -> None:
    """Nothing that the auditor can check is wrong."""
    for check in audit(await record_of(desk, live)).checks:
        assert check.verdict is not Verdict.FAIL, check


def points(*score: int) -> tuple[Fraction, ...]:
    """A score."""
    return tuple(map(Fraction, score))


# Rules, whether the game has begun, the ruling, the facts that follow, phase, game, and score after it.
OPENING, OVER = state_pb2.PHASE_OPENING, state_pb2.PHASE_OVER
CASES = [
    (match_to(3), True, VoidGame(), ["game_ended"], OPENING, 1, (0, 0)),
    (match_to(3), False, VoidGame(), ["game_ended"], OPENING, 1, (0, 0)),
    (match_to(3), True, SetScore(points(2, 1)), ["score_set"], state_pb2.PHASE_TO_PLAY, 1, (2, 1)),
    (match_to(3), True, Forfeit(1, Scope.GAME, 2), ["forfeited", "game_ended"], OPENING, 2, (2, 0)),
    (
        match_to(3),
        True,
        Forfeit(1, Scope.GAME, 3),
        ["forfeited", "game_ended", "play_ended", "match_closed"],
        OVER,
        1,
        (3, 0),
    ),
    (match_to(3), True, Forfeit(0, Scope.MATCH), ["forfeited", "play_ended", "match_closed"], OVER, 1, (0, 0)),
    (money(), False, EndSession(), ["play_ended", "match_closed"], OVER, 1, (0, 0)),
    (session(3), True, Forfeit(1, Scope.GAME), ["forfeited", "seat_left"], state_pb2.PHASE_TO_PLAY, 1, (0, 0, 0)),
]


@pytest.mark.parametrize(("rules", "begun", "ruling", "facts", "phase", "game", "score"), CASES)
async def test_a_ruling_by_the_law(
    either_store: EventStore,
    rules: settings_pb2.Settings,
    begun: bool,
    ruling: Action,
    facts: list[str],
    phase: int,
    game: int,
    score: tuple[int, ...],
) -> None:
    # With this seed seat 1 of three does not start: its turn is not what it leaves.
    desk = Desk(either_store, seed=2)
    live = await desk.match(rules)
    if begun:
        assert isinstance(await desk.do(live, 0, ROLL), Written)
    done = await desk.rule(live, law(ruling))
    assert isinstance(done, Written), done
    assert told(done) == ["director_ruled", *facts]
    after = state_of(live)
    assert (after.phase, after.game_number) == (phase, game)
    assert tuple(own.numerator for own in after.score) == score
    assert (live.match.status is Status.CLOSED) == (phase == OVER)
    await assert_lawful(desk, live)
    await desk.play_out(live)
    await assert_lawful(desk, live)


@pytest.mark.parametrize(
    ("rules", "ruling", "rule"),
    [
        (match_to(3), SetScore(points(3, 0)), "7.1"),
        (match_to(3), SetScore(points(1, 0, 0)), "7.3"),
        (match_to(3), EndSession(), "7.3"),
        (match_to(3), Forfeit(0, Scope.GAME, None), "8.3"),
        (money(), Forfeit(0, Scope.MATCH), "8.3"),
        (money(), Forfeit(2, Scope.GAME, 1), "1.1"),
    ],
)
async def test_what_the_law_refuses_leaves_no_event(rules: settings_pb2.Settings, ruling: Action, rule: str) -> None:
    desk = Desk()
    live = await desk.match(rules)
    head = live.head
    refused = await desk.rule(live, law(ruling))
    assert isinstance(refused, Unlawful)
    assert refused.rule == rule
    assert (await record_of(desk, live)).head_sequence == head.sequence


async def test_a_match_is_closed_as_it_stands(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await desk.match()
    await desk.do(live, 0, ROLL)
    before = live.match
    done = await desk.rule(live, Close(), reason=DirectorReason.ABSENCE)
    assert isinstance(done, Written)
    assert told(done) == ["director_ruled", "match_closed"]
    first = events_pb2.Envelope.FromString(done.events[0].envelope)
    assert first.director_ruled.reason == events_pb2.DIRECTOR_REASON_ABSENCE
    assert (live.match.state, live.match.draws) == (before.state, before.draws)
    assert await desk.do(live, 0, ROLL) == MatchIsClosed(live.head.sequence)
    assert await desk.rule(live, law(VoidGame())) == MatchIsClosed(live.head.sequence)
    await assert_lawful(desk, live)


async def test_a_match_whose_seats_are_open_can_be_closed_and_not_ruled_on(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await desk.match_created()
    assert await desk.rule(live, law(VoidGame())) == NotStarted(2)
    assert isinstance(await desk.rule(live, Close()), Written)
    taken = await desk.sit(live, "alice", 0)
    assert taken == MatchIsClosed(live.head.sequence)
    await assert_lawful(desk, live)


async def test_the_same_ruling_again_is_the_same_events_and_another_is_refused(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await desk.match()
    await desk.do(live, 0, ROLL)
    seen = live.head
    first = await desk.rule(live, law(VoidGame()), "void", seen)
    again = await desk.rule(live, law(VoidGame()), "void", seen)
    # Another process knows only what is stored.
    elsewhere = Desk(either_store)
    other = await elsewhere.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    there = await elsewhere.rule(other, law(VoidGame()), "void", seen)
    assert isinstance(first, Written)
    assert isinstance(again, Written)
    assert isinstance(there, Written)
    assert (first.repeated, again.repeated, there.repeated) == (False, True, True)
    assert first.events == again.events == there.events
    assert await desk.rule(live, Close(), "void", seen) == RequestIdReused("void", first.events[-1].sequence)
    wrong = await desk.rule(live, law(VoidGame()), "void", seen, DirectorReason.PENALTY)
    assert isinstance(wrong, RequestIdReused)


async def test_a_ruling_on_what_is_no_longer_so_is_overtaken(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await desk.match()
    seen = live.head
    elsewhere = Desk(either_store)
    other = await elsewhere.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    assert isinstance(await elsewhere.do(other, 0, ROLL), Written)
    # This process has not heard of the roll when the ruling comes.
    assert await desk.rule(live, Close(), seen=seen) == Overtaken(other.head.sequence, other.head.hash)
    assert await desk.rule(live, Close(), seen=Head(99, b"")) == Rewound(99, b"")
    assert await desk.rule(live, Close(), seen=Head(live.head.sequence, bytes(32))) == Rewound(
        live.head.sequence, bytes(32)
    )


async def test_an_act_decided_before_a_ruling_is_overtaken_though_the_phase_is_the_same() -> None:
    desk = Desk()
    live = await desk.match()
    await desk.do(live, 0, ROLL)
    seat, seen = state_of(live).turn, live.head
    ruled = await desk.rule(live, law(SetScore(points(1, 2))))
    assert isinstance(ruled, Written)
    resign = action_pb2.Action(resign=action_pb2.Resign(level=1))
    halfway = Head(ruled.events[0].sequence, ruled.events[0].hash)
    for stale in (seen, halfway):
        assert await desk.do(live, seat, resign, seen=stale) == Overtaken(live.head.sequence, live.head.hash)
    assert isinstance(await desk.do(live, seat, resign), Written)


async def test_a_voided_game_ends_in_the_feed_without_a_winner() -> None:
    store = MemoryEventStore()
    desk = Desk(store)
    live = await desk.match(money(3))
    await desk.do(live, 0, ROLL)
    await desk.rule(live, law(VoidGame()))
    (entries,) = store.feeds.values()
    entry = events_pb2.FeedEntry.FromString(entries[0])
    assert list(entry.kinds) == [events_pb2.FEED_KIND_GAME_ENDED]
    assert (entry.game.end, list(entry.game.winners)) == (fact_pb2.GAME_END_VOIDED, [])
