"""Matches of a second hand: sessions, set-ups, records played elsewhere, rulings and take-backs pass the audit."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.audit.recorder import OPERATOR, SYSTEM, Recorder, money, seat_actor
from tests.audit.recordings import envelope, rechained, with_envelope

from gammon.match.v1 import events_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord
from gammon_audit.report import Check, Verdict
from gammon_engine.referee import actions as acts
from gammon_engine.referee.state import Phase
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings, SetUp

JUDGED = ("chain", "head", "envelopes", "law", "results")
SEEDS = range(12)


def checks(record: MatchRecord) -> dict[str, Check]:
    """The checks by name."""
    return {check.name: check for check in audit(record).checks}


def assert_lawful(record: MatchRecord) -> None:
    """All that this version can judge is right."""
    found = checks(record)
    for name in JUDGED:
        assert found[name].verdict is Verdict.PASS, found[name]


def law_fault(record: MatchRecord) -> tuple[int | None, str]:
    """Where and why the law check failed."""
    law = checks(record)["law"]
    assert law.verdict is Verdict.FAIL
    return law.sequence, law.detail


@pytest.mark.parametrize("seed", SEEDS)
def test_sessions_with_every_option(seed: int) -> None:
    assert_lawful(Recorder(money(), seed, imported=seed % 3 == 0).play())


def test_the_sessions_hold_every_fact_of_two_players() -> None:
    kinds = Counter(
        event.fact.WhichOneof("kind")
        for seed in SEEDS
        for event in _played(Recorder(money(), seed, imported=seed % 3 == 0))
        if event.HasField("fact")
    )
    for kind in ("automatically_doubled", "beavered", "raccooned", "raise_accepted", "double_dropped", "turn_passed"):
        assert kinds[kind], kind


def _played(recorder: Recorder) -> list[events_pb2.Envelope]:
    recorder.play()
    return recorder.events


@pytest.mark.parametrize("set_up", SetUp)
def test_matches_from_every_set_up(set_up: SetUp) -> None:
    assert_lawful(Recorder(Settings(GameId.BACKGAMMON, MatchPlay(3), set_up=set_up)).play())


def test_a_recorded_match_that_breaks_off_with_a_claim() -> None:
    recorder = Recorder(money(), imported=True)
    recorder.play(20)
    recorder.claim(events_pb2.RecordClaimed(winners=[1]))
    assert_lawful(recorder.record_ends())


def test_a_claim_is_not_blamed_for_the_game_end_that_was_cut_off() -> None:
    recorder = Recorder(money(), imported=True)
    recorder.throw(0)
    claimed = recorder.claim(events_pb2.RecordClaimed(winners=[1]))
    recorder.do(OPERATOR, acts.Forfeit(0, acts.Scope.GAME, 1))
    record = recorder.record()
    for wrong in (replace(record, events=record.events[:claimed]), with_envelope(record, claimed + 1, b"\xff")):
        first = audit(wrong).first_wrong
        assert first is not None
        assert first.sequence == claimed + 1


def test_the_same_bytes_played_here_are_no_record() -> None:
    recorder = Recorder(money())
    recorder.play(20)
    wrong = recorder.claim(events_pb2.RecordClaimed(winners=[1]))
    found = checks(recorder.record())["envelopes"]
    assert (found.verdict, found.sequence) == (Verdict.FAIL, wrong)


def illegal_play(imported: bool) -> tuple[MatchRecord, int]:
    """Seat 0 plays 8/5 with an opening 3-1 and leaves the 1 unplayed, and somebody records it."""
    recorder = Recorder(money(), imported=imported, faces=(3, 1))
    recorder.throw(0)
    after = "24:2,13:5,8:2,6:5,5:1 24:2,13:5,8:3,6:5"
    end = recorder.do(OPERATOR, acts.RecordPlay(0, (), after))
    return recorder.record(), end


def test_an_illegal_play_stands_in_a_record_and_nowhere_else() -> None:
    record, _ = illegal_play(imported=True)
    assert_lawful(record)
    record, sequence = illegal_play(imported=False)
    assert law_fault(record) == (sequence, "an illegal play stands only in a record of a match played elsewhere")


# -- Rulings: rules 8.3, 8.4, 7.3

RULINGS = (
    (Settings(GameId.BACKGAMMON, MatchPlay(5)), acts.Forfeit(0, acts.Scope.MATCH)),
    (Settings(GameId.BACKGAMMON, MatchPlay(5)), acts.Forfeit(1, acts.Scope.GAME, 2)),
)


@pytest.mark.parametrize(("rules", "ruling"), RULINGS)
def test_an_operator_rules_and_a_seat_does_not(rules: Settings, ruling: acts.Forfeit) -> None:
    for actor, lawful in ((OPERATOR, True), (seat_actor(1 - ruling.seat), False), (seat_actor(ruling.seat), False)):
        recorder = Recorder(rules)
        recorder.throw(0)
        ruled = len(recorder.events) + 1
        recorder.do(actor, ruling)
        if lawful:
            assert_lawful(recorder.record())
        else:
            assert law_fault(recorder.record()) == (ruled, f"seat {actor.seat} made a ruling")


def test_nobody_lets_a_seat_lapse_without_its_clock_or_its_absence() -> None:
    for actor in (SYSTEM, OPERATOR, seat_actor(1)):
        recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(5)))
        lapsed = len(recorder.events) + 1
        recorder.batch(actor, recorder.ruled(acts.Lapse(0)))
        assert law_fault(recorder.record()) == (lapsed, "a seat lapses by its clock or its absence")


def test_the_service_acts_for_no_seat() -> None:
    recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(5)), faces=(3, 1))
    recorder.throw(0)
    sequence = recorder.do(SYSTEM, acts.MakePlay(0, "8/5 6/5"))
    assert law_fault(recorder.record()) == (sequence, "the service acts for a seat")


def test_a_session_is_ended_between_games() -> None:
    recorder = Recorder(Settings(GameId.BACKGAMMON, SessionPlay()))
    recorder.throw(0)
    while recorder.now.phase is not Phase.OPENING:
        recorder.play(1)
    recorder.do(OPERATOR, acts.EndSession())
    assert_lawful(recorder.record())


# -- Take-backs: rule 8.5


def taken_back() -> tuple[Recorder, int, int]:
    """A match that went back to an earlier batch end and on from there: that end, the take-back."""
    recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(3)), seed=4)
    recorder.play(12)
    ends = sorted(recorder.states)
    back = recorder.take_back(ends[6])
    return recorder, ends[6], back


def test_a_match_goes_on_from_a_take_back_with_new_draws() -> None:
    recorder, to, _ = taken_back()
    draws = recorder.draws
    assert recorder.now == recorder.states[to]
    record = recorder.play()
    assert recorder.draws > draws
    assert_lawful(record)


def test_a_take_back_past_the_end_of_a_game_takes_its_points_back() -> None:
    recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(9)))
    recorder.throw(0)
    before = len(recorder.events)
    recorder.do(OPERATOR, acts.Forfeit(0, acts.Scope.GAME, 3))
    assert sum(recorder.now.score) == 3
    recorder.take_back(before)
    assert sum(recorder.now.score) == 0
    assert_lawful(recorder.play())


def test_a_take_back_lands_on_a_batch_end_of_play() -> None:
    recorder, to, back = taken_back()
    record = recorder.play(5)
    # Event 1 ends a batch before the match started; the take-back cannot go to itself.
    for wrong in (1, to - 1, back, back + 1):
        forged = envelope(record, back)
        forged.taken_back.to_sequence = wrong
        sequence, _ = law_fault(rechained(with_envelope(record, back, forged)))
        assert sequence == back


def test_nothing_goes_back_to_what_was_taken_back() -> None:
    """Else a director could choose between a throw and the one that was withdrawn (rule 8.5)."""
    recorder, to, back = taken_back()
    withdrawn = min(end for end in recorder.states if to < end < back)
    assert_lawful(recorder.record())
    again = recorder.take_back(withdrawn)
    assert law_fault(recorder.record()) == (
        again,
        f"event {withdrawn} ends no batch of play that stands, to go back to",
    )
    recorder, to, back = taken_back()
    recorder.play(3)
    recorder.take_back(back)
    recorder.take_back(to)
    assert_lawful(recorder.play())


def test_a_directors_take_back_has_a_reason() -> None:
    recorder, _, back = taken_back()
    record = recorder.play(5)
    forged = envelope(record, back)
    forged.taken_back.reason = events_pb2.DIRECTOR_REASON_UNSPECIFIED
    assert law_fault(rechained(with_envelope(record, back, forged)))[0] == back


def test_a_take_back_needs_an_operator_or_consent_that_was_agreed() -> None:
    recorder, _, back = taken_back()
    record = recorder.play(5)
    forged = envelope(record, back)
    forged.actor.seat = 0
    assert law_fault(rechained(with_envelope(record, back, forged)))[0] == back
    forged.taken_back.by_consent = True
    assert law_fault(rechained(with_envelope(record, back, forged))) == (
        back,
        "consent is the seats', and no director's",
    )
    forged.taken_back.reason = events_pb2.DIRECTOR_REASON_UNSPECIFIED
    assert law_fault(rechained(with_envelope(record, back, forged))) == (back, "not all seats have consented")
