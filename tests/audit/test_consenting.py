"""Take-backs by consent in the audit: agreed, proposed, consented to by all, of what stands, and forgeries of each."""

import pytest
from tests.audit.recorder import OPERATOR, Recorder, seat_actor
from tests.audit.recordings import envelope, rechained, with_envelope
from tests.audit.table_recorder import SYSTEM, TableRecorder, answers, goes_back, proposes
from tests.audit.test_recorder import assert_lawful, checks, law_fault

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_audit.replay import Turn, replay
from gammon_audit.report import Verdict
from gammon_engine.referee import actions as act
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

TWO = Settings(GameId.BACKGAMMON, MatchPlay(5))
THREE = Settings(GameId.TRACKGAMMON, SessionPlay(games=2), seats=3)


def played(rules: Settings = TWO) -> tuple[TableRecorder, int]:
    """Some batches of a match, and the end that is proposed to go back to."""
    recorder = TableRecorder(rules, seed=4)
    recorder.play(12)
    return recorder, sorted(recorder.states)[6]


@pytest.mark.parametrize("rules", [TWO, THREE], ids=["two", "three"])
def test_what_all_seats_consent_to_passes(rules: Settings) -> None:
    recorder, to = played(rules)
    recorder.go_back(to)
    assert recorder.now == recorder.states[to]
    recorder.play(6)
    recorder.go_back(to)
    assert_lawful(recorder.play())


def test_what_is_declined_withdrawn_or_played_over_is_no_more_and_another_can_follow() -> None:
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.batch(seat_actor(1), [answers(1, accepted=False)])
    recorder.batch(seat_actor(1), [proposes(1, to)])
    recorder.batch(seat_actor(1), [answers(1, accepted=False)])
    recorder.batch(seat_actor(1), [proposes(1, to)])
    recorder.play(1)
    recorder.go_back(to)
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.take_back(to)
    recorder.batch(seat_actor(0), [proposes(0, to)])
    assert_lawful(recorder.record())


def test_it_has_to_be_agreed() -> None:
    recorder, to = played()
    first = len(recorder.events) + 1
    recorder.go_back(to)
    record = recorder.record()
    created = envelope(record, 1)
    settings = settings_pb2.MatchSettings.FromString(created.match_created.settings)
    settings.take_backs = False
    created.match_created.settings = settings.SerializeToString(deterministic=True)
    forged = rechained(with_envelope(record, 1, created))
    assert law_fault(forged) == (first, "taking back by consent was not agreed")


def test_without_a_proposal_or_all_consents_nothing_goes_back() -> None:
    recorder, to = played()
    end = recorder.batch(seat_actor(0), [goes_back(to)])
    assert law_fault(recorder.record()) == (end, "not all seats have consented")
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    end = recorder.batch(seat_actor(0), [goes_back(to)])
    assert law_fault(recorder.record()) == (end, "not all seats have consented")
    recorder, to = played(THREE)
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.batch(seat_actor(1), [answers(1, accepted=True), goes_back(to)])
    assert law_fault(recorder.record())[1] == "not all seats have consented"


def test_a_consent_counts_once_and_for_one_proposal() -> None:
    recorder, to = played(THREE)
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.batch(seat_actor(1), [answers(1, accepted=True)])
    end = recorder.batch(seat_actor(1), [answers(1, accepted=True)])
    assert law_fault(recorder.record()) == (end, "seat 1 consents twice")
    recorder, to = played(THREE)
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.batch(seat_actor(1), [answers(1, accepted=True)])
    recorder.batch(seat_actor(0), [answers(0, accepted=False)])
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.batch(seat_actor(2), [answers(2, accepted=True), goes_back(to)])
    assert law_fault(recorder.record())[1] == "not all seats have consented"


def test_after_play_there_is_nothing_to_consent_to() -> None:
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.play(1)
    end = recorder.batch(seat_actor(1), [answers(1, accepted=True), goes_back(to)]) - 1
    assert law_fault(recorder.record()) == (end, "no take-back waits for an answer")


def test_one_waits_at_a_time() -> None:
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    end = recorder.batch(seat_actor(1), [proposes(1, to)])
    assert law_fault(recorder.record()) == (end, "another take-back waits for answers")


def test_it_goes_where_it_was_proposed_to() -> None:
    recorder, to = played()
    back = recorder.go_back(to)
    record = recorder.record()
    forged = envelope(record, back)
    forged.taken_back.to_sequence = sorted(recorder.states)[5]
    assert law_fault(rechained(with_envelope(record, back, forged))) == (
        back,
        f"it was proposed to go back to event {to}",
    )
    forged = envelope(record, back)
    forged.taken_back.reason = events_pb2.DIRECTOR_REASON_REQUEST
    assert law_fault(rechained(with_envelope(record, back, forged)))[0] == back
    forged = envelope(record, back)
    forged.taken_back.by_consent = False
    assert law_fault(rechained(with_envelope(record, back, forged)))[0] == back


def test_only_batch_ends_of_play_that_stand_are_proposed() -> None:
    for wrong, why in ((1, "ends no batch"), (2, "ends no batch"), (10_000, "ends no batch")):
        recorder, _ = played()
        end = recorder.batch(seat_actor(0), [proposes(0, wrong)])
        sequence, fault = law_fault(recorder.record())
        assert (sequence, why in fault) == (end, True)
    recorder, to = played()
    last = len(recorder.events)
    end = recorder.batch(seat_actor(0), [proposes(0, last)])
    assert law_fault(recorder.record()) == (end, f"nothing has happened since event {last}")
    recorder, to = played()
    withdrawn = sorted(recorder.states)[8]
    recorder.go_back(to)
    end = recorder.batch(seat_actor(0), [proposes(0, withdrawn)])
    assert law_fault(recorder.record()) == (
        end,
        f"event {withdrawn} ends no batch of play that stands, to go back to",
    )


@pytest.mark.parametrize("actor", [seat_actor(1), OPERATOR, SYSTEM, events_pb2.Actor(player="alice")])
def test_nobody_speaks_for_another_seat(actor: events_pb2.Actor) -> None:
    recorder, to = played()
    end = recorder.batch(actor, [proposes(0, to)])
    assert law_fault(recorder.record()) == (end, "seat 0 did not say that itself")
    recorder, to = played()
    recorder.batch(seat_actor(1), [proposes(1, to)])
    end = recorder.batch(actor, [answers(0, accepted=True), goes_back(to)]) - 1
    assert law_fault(recorder.record()) == (end, "seat 0 did not say that itself")


def test_a_seat_that_is_not_there_says_nothing() -> None:
    recorder, to = played()
    end = recorder.batch(seat_actor(2), [proposes(2, to)])
    assert law_fault(recorder.record()) == (end, "seat 2 did not say that itself")


def test_the_last_consent_takes_back_at_once() -> None:
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    end = recorder.batch(seat_actor(1), [answers(1, accepted=True)])
    why = "the batch ends, and all seats consent to a take-back, and nothing is taken back"
    assert law_fault(recorder.record()) == (end, why)
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    consents = answers(1, accepted=True)
    recorder.batch(seat_actor(1), [consents, proposes(1, to)])
    assert "in the middle of something else" in law_fault(recorder.record())[1]
    recorder, to = played()
    recorder.batch(seat_actor(0), [proposes(0, to)])
    offer = recorder.ruled(act.Resign(1, 1))
    end = recorder.batch(seat_actor(1), [answers(1, accepted=True), *offer])
    assert law_fault(recorder.record()) == (end, "nothing can happen here")


def test_a_match_played_elsewhere_has_none() -> None:
    recorder = Recorder(TWO, seed=4, imported=True)
    recorder.play(6)
    recorder.batch(OPERATOR, [proposes(0, sorted(recorder.states)[2])])
    assert law_fault(recorder.record())[1] == "seat 0 did not say that itself"


def test_none_of_it_may_be_ignored() -> None:
    recorder, to = played()
    recorder.go_back(to)
    record = recorder.record()
    for sequence in range(len(record.events) - 2, len(record.events) + 1):
        forged = envelope(record, sequence)
        forged.may_ignore = True
        found = checks(rechained(with_envelope(record, sequence, forged)))["envelopes"]
        assert (found.verdict, found.sequence) == (Verdict.FAIL, sequence)


def test_it_is_told() -> None:
    recorder, to = played()
    recorder.batch(seat_actor(1), [proposes(1, to)])
    recorder.batch(seat_actor(0), [answers(0, accepted=False)])
    recorder.go_back(to)
    told = [turn.what for turn in replay(recorder.record()) if isinstance(turn, Turn)]
    assert told[-4:] == [
        f"proposes to go back to event {to}",
        "does not go back",
        f"proposes to go back to event {to}",
        f"consents to go back; the match goes back to event {to} by consent",
    ]
