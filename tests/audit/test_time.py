"""Time in the audit: clocks, flags, absences and pauses as they may be told, and each way to forge them."""

from collections.abc import Callable

import pytest
from tests.audit.recorder import OPERATOR, SYSTEM, Recorder, money, seat_actor
from tests.audit.test_recorder import assert_lawful, checks, law_fault

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_audit.report import Verdict
from gammon_engine.referee import actions as acts
from gammon_engine.settings import GameId, MatchPlay, Settings

S = 1_000_000_000
Envelope = events_pb2.Envelope
DELAY, FISCHER = settings_pb2.CLOCK_KIND_DELAY, settings_pb2.CLOCK_KIND_FISCHER
DAYS = settings_pb2.CLOCK_KIND_DAYS
MATCH = Settings(GameId.BACKGAMMON, MatchPlay(5))


def terms(
    kind: settings_pb2.ClockKind.ValueType, *, claimed: bool = False, away_s: int = 0, pause_s: int = 0
) -> settings_pb2.MatchSettings:
    """A clock of 60 s, and 5 s a move; absence and pauses where they are said."""
    agreed = settings_pb2.MatchSettings()
    agreed.clock.kind, agreed.clock.claimed = kind, claimed
    agreed.clock.reserve.seconds, agreed.clock.per_move.seconds = 60, 5
    if away_s:
        agreed.absence.abandonment.seconds = away_s
    if pause_s:
        agreed.absence.pause_budget.seconds = pause_s
    return agreed


def opened(rules: Settings = MATCH, agreed: settings_pb2.MatchSettings | None = None) -> Recorder:
    """Seat 0 has thrown 3-1 and is to play it."""
    recorder = Recorder(rules, faces=(3, 1), terms=agreed or terms(DELAY))
    recorder.throw(0)
    assert recorder.now.turn == 0
    return recorder


def paused(seat: int | None = None, *, mutual: bool = False, left: tuple[int, ...] = ()) -> Envelope:
    """A pause; by a director where no seat does it and not all."""
    told = Envelope()
    told.match_paused.mutual = mutual
    if seat is not None:
        told.match_paused.seat = seat
    elif not mutual:
        told.match_paused.reason = events_pb2.DIRECTOR_REASON_TECHNICAL
    for seconds in left:
        told.match_paused.budgets.add(seconds=seconds)
    told.match_paused.SetInParent()
    return told


def resumed(*left: int, by_director: bool = False) -> Envelope:
    """The end of a pause."""
    told = Envelope()
    told.match_resumed.SetInParent()
    if by_director:
        told.match_resumed.reason = events_pb2.DIRECTOR_REASON_REQUEST
    for seconds in left:
        told.match_resumed.budgets.add(seconds=seconds)
    return told


def asked(seat: int, *, withdrawn: bool = False) -> Envelope:
    """A seat asks for a pause of all."""
    return Envelope(pause_asked=events_pb2.PauseAsked(seat=seat, withdrawn=withdrawn))


def away(seat: int, change: events_pb2.AbsenceChange.ValueType, by: int | None = None) -> Envelope:
    """An absence timer changes."""
    return Envelope(absence_timed=events_pb2.AbsenceTimed(seat=seat, change=change, claimed_by=by))


def fell(seat: int, by: int | None = None) -> Envelope:
    """A flag falls."""
    return Envelope(flag_fell=events_pb2.FlagFell(seat=seat, claimed_by=by))


STARTED, STOPPED = events_pb2.ABSENCE_CHANGE_STARTED, events_pb2.ABSENCE_CHANGE_STOPPED
CLAIMED = events_pb2.ABSENCE_CHANGE_CLAIMED


def pause(recorder: Recorder, actor: events_pb2.Actor, *events: Envelope) -> int:
    """A batch after which play waits."""
    recorder.status = events_pb2.MATCH_STATUS_PAUSED
    return recorder.batch(actor, events)


def resume(recorder: Recorder, actor: events_pb2.Actor, *events: Envelope) -> int:
    """A batch after which it goes on."""
    recorder.status = events_pb2.MATCH_STATUS_PLAYING
    return recorder.batch(actor, events)


def lapse(recorder: Recorder, actor: events_pb2.Actor, cause: Envelope, seat: int) -> None:
    """A lapse after its cause."""
    closing = recorder.ruled(acts.Lapse(seat))
    recorder.batch(actor, [cause, *closing, *recorder.closing()])


@pytest.mark.parametrize("kind", [DELAY, FISCHER, DAYS])
def test_a_match_by_the_clock_passes(kind: settings_pb2.ClockKind.ValueType) -> None:
    recorder = Recorder(money(3), 5, terms=terms(kind))
    assert_lawful(recorder.play())


def test_a_mixed_match_by_the_clock_passes() -> None:
    assert_lawful(Recorder(Settings(GameId.GAMMON, MatchPlay(3)), 5, terms=terms(FISCHER)).play())


def test_a_flag_that_falls_and_one_that_is_claimed_pass() -> None:
    recorder = opened()
    recorder.reserves[0] = 0
    lapse(recorder, SYSTEM, fell(0), 0)
    assert_lawful(recorder.record())
    recorder = opened(agreed=terms(DELAY, claimed=True))
    recorder.reserves[0] = 0
    lapse(recorder, seat_actor(1), fell(0, 1), 0)
    assert_lawful(recorder.record())


def test_an_absence_that_is_claimed_passes_and_one_that_ends() -> None:
    recorder = opened(agreed=terms(DELAY, away_s=60))
    recorder.batch(SYSTEM, [away(0, STARTED)])
    recorder.batch(SYSTEM, [away(0, STOPPED)])
    recorder.batch(SYSTEM, [away(0, STARTED)])
    lapse(recorder, seat_actor(1), away(0, CLAIMED, 1), 0)
    assert_lawful(recorder.record())


def test_pauses_of_each_kind_pass() -> None:
    recorder = opened(agreed=terms(DELAY, pause_s=60))
    pause(recorder, seat_actor(1), paused(1, left=(60, 60)))
    resume(recorder, seat_actor(1), resumed(60, 45))
    pause(recorder, seat_actor(1), paused(1, left=(60, 45)))
    resume(recorder, SYSTEM, resumed(60, 0))
    recorder.batch(seat_actor(0), [asked(0)])
    recorder.batch(seat_actor(0), [asked(0, withdrawn=True)])
    recorder.batch(seat_actor(0), [asked(0)])
    pause(recorder, seat_actor(1), asked(1), paused(mutual=True, left=(60, 0)))
    resume(recorder, seat_actor(0), resumed(60, 0))
    pause(recorder, OPERATOR, paused(left=(60, 0)))
    recorder.do(OPERATOR, acts.VoidGame())
    resume(recorder, OPERATOR, resumed(60, 0, by_director=True))
    assert_lawful(recorder.play())


def test_a_replaced_player_passes_and_only_an_operator_replaces() -> None:
    told = Envelope(
        player_replaced=events_pb2.PlayerReplaced(seat=1, player="erin", reason=events_pb2.DIRECTOR_REASON_ABSENCE)
    )
    for actor, verdict in ((OPERATOR, Verdict.PASS), (SYSTEM, Verdict.FAIL), (seat_actor(1), Verdict.FAIL)):
        recorder = opened()
        event = Envelope.FromString(told.SerializeToString())
        recorder.batch(actor, [event])
        assert checks(recorder.record())["envelopes"].verdict is verdict


def stamped(change: Callable[[Recorder, events_pb2.ClockStamped], None]) -> Callable[[Recorder], None]:
    """Seat 0 plays, and the clock is told otherwise."""

    def forge(recorder: Recorder) -> None:
        play = recorder.ruled(acts.MakePlay(0, "8/5 6/5"))
        told = recorder.stamp()
        change(recorder, told.clock_stamped)
        recorder.batch(seat_actor(0), [*play, told])

    return forge


def reserve(seat: int, seconds: int) -> Callable[[Recorder], None]:
    """A reserve is told otherwise."""
    return stamped(lambda _, told: told.reserves[seat].FromSeconds(seconds))


def grown_delay(recorder: Recorder) -> None:
    stamped(lambda _, told: told.delays[0].FromSeconds(6))(recorder)


def nobody_runs(recorder: Recorder) -> None:
    def change(_: Recorder, told: events_pb2.ClockStamped) -> None:
        del told.running[:]
        del told.delays[:]

    stamped(change)(recorder)


def told(recorder: Recorder, stamp: Envelope, *, delay: int = 0, reserve: int = 60) -> int:
    """A batch that only tells of the clock of seat 0."""
    stamp.clock_stamped.reserves[0].FromSeconds(reserve)
    for left in stamp.clock_stamped.delays:
        left.FromSeconds(delay)
    return recorder.batch(SYSTEM, [stamp])


def voided_with_an_increment(recorder: Recorder) -> None:
    """Seat 0 plays; a director voids the game, and seat 1, whose clock ran, gets an increment."""
    recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    recorder.reserves[1] += 5 * S
    recorder.do(OPERATOR, acts.VoidGame())


def offering(
    change: Callable[[events_pb2.ClockStamped], object], *, answered: bool = False
) -> Callable[[Recorder], None]:
    """Seat 0, with 5 s left for its move, offers to resign, or that is declined, and the clock is told otherwise."""

    def forge(recorder: Recorder) -> None:
        if answered:
            recorder.do(seat_actor(0), acts.Resign(0, 1))
        seat, action = (1, acts.Decline(1)) if answered else (0, acts.Resign(0, 1))
        ruled = recorder.ruled(action)
        told = recorder.stamp()
        change(told.clock_stamped)
        recorder.batch(seat_actor(seat), [*ruled, told])

    return forge


def forgotten(told: events_pb2.ClockStamped) -> None:
    del told.interrupted[:]
    del told.interrupted_delays[:]


def interrupted_too(seat: int) -> Callable[[events_pb2.ClockStamped], None]:
    def change(told: events_pb2.ClockStamped) -> None:
        told.interrupted.append(seat)
        told.interrupted_delays.add(seconds=5)

    return change


def left_of_interrupted(seconds: int, reserve: int = 60) -> Callable[[events_pb2.ClockStamped], None]:
    def change(told: events_pb2.ClockStamped) -> None:
        told.interrupted_delays[0].FromSeconds(seconds)
        told.reserves[0].FromSeconds(reserve)

    return change


def interrupted_and_grown(recorder: Recorder) -> None:
    """With 3 s left seat 0 offers; while that waits, a director pauses, and they are 5 s."""
    offering(left_of_interrupted(3))(recorder)
    pause(recorder, OPERATOR, paused())


FORGED: list[tuple[str, settings_pb2.MatchSettings, Callable[[Recorder], object], str]] = [
    ("reserve grows", terms(DELAY), reserve(0, 61), "the reserve of seat 0 grew beyond what was agreed"),
    ("increment too large", terms(FISCHER), reserve(0, 66), "the reserve of seat 0 grew beyond what was agreed"),
    ("other's reserve", terms(DELAY), reserve(1, 59), "the reserve of seat 1 changed, and its clock did not run"),
    ("delay grows", terms(DELAY), grown_delay, "seat 1 has more time for its move than was agreed"),
    (
        "delay anew and nothing played",
        terms(DELAY),
        lambda r: (told(r, r.stamp(), delay=2), told(r, r.stamp(), delay=3)),
        "seat 0 has more time for its move than before, and nothing was played",
    ),
    (
        "increment and nothing played",
        terms(FISCHER),
        lambda r: told(r, r.stamp(), reserve=63),
        "the reserve of seat 0 grew beyond what was agreed",
    ),
    (
        "increment without a move",
        terms(FISCHER),
        voided_with_an_increment,
        "the reserve of seat 1 grew beyond what was agreed",
    ),
    (
        "an offer's rest forgotten",
        terms(DELAY),
        offering(forgotten),
        "the moves of seats [0] are interrupted, and told is what is left of those of []",
    ),
    (
        "an offer's rest where none waits",
        terms(DELAY),
        offering(interrupted_too(1), answered=True),
        "the moves of seats [] are interrupted, and told is what is left of those of [1]",
    ),
    (
        "an offer's rest without a delay",
        terms(FISCHER),
        offering(interrupted_too(0)),
        "the moves of seats [] are interrupted, and told is what is left of those of [0]",
    ),
    (
        "an offer's rest without its seat",
        terms(DELAY),
        offering(lambda told: told.interrupted_delays.add(seconds=5)),
        "the clock does not tell of each seat",
    ),
    (
        "an offer gives time",
        terms(DELAY),
        offering(left_of_interrupted(6)),
        "seat 0 has more time for its interrupted move than it had",
    ),
    (
        "an offer spends the reserve first",
        terms(DELAY),
        offering(left_of_interrupted(2, reserve=59)),
        "the reserve of seat 0 was spent before its free time",
    ),
    (
        "an offer's rest changes while it waits",
        terms(DELAY),
        interrupted_and_grown,
        "seat 0 has 5000000000 ns left of its interrupted move, and had 3000000000",
    ),
    (
        "an offer's rest is not what the move goes on with",
        terms(DELAY),
        lambda r: (offering(left_of_interrupted(3))(r), r.do(seat_actor(1), acts.Decline(1))),
        "seat 0 goes on with its move, and has 5000000000 ns of it instead of 3000000000",
    ),
    (
        "an offer's rest by the store's time",
        terms(DAYS),
        offering(left_of_interrupted(4)),
        "seat 0 has 4000000000 ns left of its interrupted move, by the store's time 5000000000",
    ),
    ("nobody runs", terms(DELAY), nobody_runs, "the clocks of seats [] run, and the moves are those of [1]"),
    ("no stamp", terms(DELAY), lambda r: r.unstamped(), "the batch does not tell of the clock"),
    ("days too many", terms(DAYS), reserve(0, 59), "seat 0 has 59000000000 ns left, by the store's time 60000000000"),
    ("flag of the other", terms(DELAY), lambda r: lapse(r, SYSTEM, fell(1), 1), "the clock of seat 1 did not run"),
    (
        "flag with time left",
        terms(DELAY),
        lambda r: lapse(r, SYSTEM, fell(0), 0) if r.spend(0, 30) else None,
        "the flag of seat 0 fell, and its reserve is not spent",
    ),
    (
        "flag of a claimed clock",
        terms(DELAY, claimed=True),
        lambda r: lapse(r, SYSTEM, fell(0), 0),
        "a flag has to be claimed in this match",
    ),
    (
        "flag told by a seat",
        terms(DELAY),
        lambda r: lapse(r, seat_actor(1), fell(0), 0),
        "a flag that falls by itself is told by the service",
    ),
    (
        "flag claimed by itself",
        terms(DELAY),
        lambda r: lapse(r, seat_actor(0), fell(0, 0), 0),
        "a flag is claimed by another seat, which says so itself",
    ),
    ("flag and no lapse", terms(DELAY), lambda r: r.batch(SYSTEM, [fell(0)]), "seat 0 has to lapse first"),
    (
        "flag of one, lapse of another",
        terms(DELAY),
        lambda r: lapse(r, SYSTEM, fell(0), 1),
        "seat 0 has to lapse, not seat 1",
    ),
    (
        "absence that was not agreed",
        terms(DELAY),
        lambda r: r.batch(SYSTEM, [away(0, STARTED)]),
        "nothing was agreed about absence",
    ),
    (
        "absence of who need not decide",
        terms(DELAY, away_s=60),
        lambda r: r.batch(SYSTEM, [away(1, STARTED)]),
        "the absence of seat 1 is timed by the service, once, when play waits for it",
    ),
    (
        "claim without a timer",
        terms(DELAY, away_s=60),
        lambda r: lapse(r, seat_actor(1), away(0, CLAIMED, 1), 0),
        "the absence of seat 0 was not timed",
    ),
    (
        "pause without a budget",
        terms(DELAY),
        lambda r: pause(r, seat_actor(0), paused(0)),
        "seat 0 has nothing left to pause",
    ),
    (
        "budget grows",
        terms(DELAY, pause_s=60),
        lambda r: pause(r, seat_actor(0), paused(0, left=(61, 60))),
        "what seat 0 may pause changed, and no pause of it explains that",
    ),
    (
        "pause of all that one wants",
        terms(DELAY),
        lambda r: pause(r, seat_actor(0), asked(0), paused(mutual=True)),
        "not all seats want this pause",
    ),
    (
        "play in a pause",
        terms(DELAY),
        lambda r: (pause(r, OPERATOR, paused()), r.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))),
        "the match is paused",
    ),
    (
        "a seat ends a director's pause",
        terms(DELAY),
        lambda r: (pause(r, OPERATOR, paused()), resume(r, seat_actor(0), resumed())),
        "only an operator ends an operator's pause",
    ),
    (
        "the service ends a pause early",
        terms(DELAY, pause_s=60),
        lambda r: (
            pause(r, seat_actor(0), paused(0, left=(60, 60))),
            resume(r, SYSTEM, resumed(1, 60)),
        ),
        "the service ends a pause when nothing is left of it",
    ),
    (
        "withdrawn and never asked",
        terms(DELAY),
        lambda r: r.batch(seat_actor(0), [asked(0, withdrawn=True)]),
        "seat 0 did not ask for a pause",
    ),
]


@pytest.mark.parametrize(("agreed", "forge", "fault"), [row[1:] for row in FORGED], ids=[row[0] for row in FORGED])
def test_what_time_cannot_have_done_fails(
    agreed: settings_pb2.MatchSettings, forge: Callable[[Recorder], object], fault: str
) -> None:
    recorder = opened(agreed=agreed)
    assert_lawful(recorder.record())
    before = len(recorder.events)
    forge(recorder)
    sequence, found = law_fault(recorder.record())
    assert found == fault
    assert sequence is not None
    assert sequence > before


@pytest.mark.parametrize("kind", [DELAY, DAYS])
def test_a_move_that_an_offer_interrupts_goes_on_with_its_rest(kind: settings_pb2.ClockKind.ValueType) -> None:
    """2 of 5 seconds are used, then the answer takes its own 3; a game that ends in between leaves nothing."""
    for answer in (acts.Decline(1), acts.Withdraw(0), acts.Accept(1)):
        recorder = opened(agreed=terms(kind))
        recorder.store_ns += 2 * S
        offering(left_of_interrupted(3))(recorder)
        recorder.store_ns += 3 * S
        actor, ruled = seat_actor(answer.seat), recorder.ruled(answer)
        told = recorder.stamp()
        if told.clock_stamped.running:
            told.clock_stamped.delays[0].FromSeconds(3)
        recorder.batch(actor, [*ruled, told])
        assert_lawful(recorder.record())


def test_a_take_back_in_the_middle_of_an_offer_begins_the_move_anew() -> None:
    recorder = opened(agreed=terms(DELAY))
    before = len(recorder.events)
    offering(left_of_interrupted(3))(recorder)
    recorder.take_back(before)
    assert_lawful(recorder.record())


def test_days_are_recomputed_by_the_time_of_the_store() -> None:
    recorder = opened(agreed=terms(DAYS))
    recorder.store_ns += 12 * S
    recorder.reserves[0] = 53 * S
    recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    assert_lawful(recorder.record())
    recorder.store_ns -= 1
    recorder.throw(1)
    assert law_fault(recorder.record())[1] == "the store's time ran back"
