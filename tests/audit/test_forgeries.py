"""One field of one event forged, every hash computed anew: what the checks see, and what only a receipt shows."""

from fractions import Fraction
from random import Random

import pytest
from tests.audit.forging import forgeries
from tests.audit.recorder import OPERATOR, Recorder, money, seat_actor
from tests.audit.recordings import envelope, rechained, with_envelope
from tests.audit.table_recorder import TableRecorder, answers, proposes

from gammon.match.v1 import settings_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.replay import Turn, Unreadable, replay
from gammon_audit.report import Verdict
from gammon_engine.referee import actions as acts
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

# What nothing else in a match depends on.
ONLY_A_RECEIPT = {
    "record_time.seconds",
    "record_time.nanos",
    "request_id",
    "batch_end.request_digest",
    # What a player lets the service do is their own word.
    "seat_taken.preferences present",
}
# Beside these, of a match played elsewhere: nobody here knows the file, or who sat there.
ONLY_A_RECEIPT_OF_A_RECORD = ONLY_A_RECEIPT | {
    "actor.operator",
    "source_line",
    "seat_taken.player",
    "draw_requested.seat",
}
# Beside the first: which of the directors ruled, and for which of the reasons.
ONLY_A_RECEIPT_OF_A_RULING = ONLY_A_RECEIPT | {"actor.operator", "director_ruled.reason", "taken_back.reason"}
# Beside the first: what a player lets the service do and it never came to, and what was proposed or asked for and came
# to nothing.
ONLY_A_RECEIPT_OF_A_WORD = ONLY_A_RECEIPT | {
    "preferences_set.preferences.roll_without_choice",
    "preferences_set.preferences.play_forced",
    "preferences_set.preferences absent",
    "take_back_proposed.to_sequence",
    "pause_asked present",
}


def records() -> list[MatchRecord]:
    """A session, a match, a session played elsewhere, one with a director's rulings, one with seats that agree."""
    return [
        Recorder(money(2), 3).play(60),
        Recorder(Settings(GameId.BACKGAMMON, MatchPlay(3)), 2).play(),
        Recorder(money(2), 4, imported=True).play(),
        directed_session(),
        obliging_session(),
    ]


def directed_session() -> MatchRecord:
    """One ruling of each kind: the score is set, a game voided, one forfeited and taken back, the session closed."""
    recorder = Recorder(money(4), 3)
    recorder.throw(0)
    recorder.do(OPERATOR, acts.SetScore((Fraction(2), Fraction(-2))))
    recorder.do(OPERATOR, acts.VoidGame())
    recorder.throw(0)
    rolled = len(recorder.events)
    recorder.do(OPERATOR, acts.Forfeit(1, acts.Scope.GAME, 1))
    recorder.take_back(rolled)
    return recorder.close()


def obliging_session() -> MatchRecord:
    """Seat 1 lets the service act, a take-back is declined, another consented to, and play goes on."""
    recorder = TableRecorder(Settings(GameId.BACKGAMMON, SessionPlay(games=1), cube=False), 5)
    recorder.prefer(0)
    recorder.prefer(1, roll=True, play=True)
    recorder.play_on(40)
    to = sorted(recorder.states)[-8]
    recorder.batch(seat_actor(0), [proposes(0, to)])
    recorder.batch(seat_actor(1), [answers(1, accepted=False)])
    recorder.go_back(to)
    return recorder.play(20)


def one_of_each_kind(record: MatchRecord) -> list[int]:
    """The sequence of the first event of each kind, apart whether it ends a batch."""
    firsts: dict[tuple[str | None, str | None, bool], int] = {}
    for event in record.events:
        message = envelope(record, event.sequence)
        kind = (message.WhichOneof("event"), message.fact.WhichOneof("kind"), message.HasField("batch_end"))
        firsts.setdefault(kind, event.sequence)
    return list(firsts.values())


UNSEEN = (
    ONLY_A_RECEIPT,
    ONLY_A_RECEIPT,
    ONLY_A_RECEIPT_OF_A_RECORD,
    ONLY_A_RECEIPT_OF_A_RULING,
    ONLY_A_RECEIPT_OF_A_WORD,
)


@pytest.mark.parametrize("index", range(5))
def test_every_field_forged_is_found_or_known_to_need_a_receipt(index: int) -> None:
    record = records()[index]
    unseen = set()
    for sequence in one_of_each_kind(record):
        for path, forged in forgeries(envelope(record, sequence)):
            report = audit(rechained(with_envelope(record, sequence, forged)))
            if report.first_wrong is None:
                unseen.add(path)
            else:
                assert report.first_wrong.sequence is not None
                assert report.first_wrong.sequence >= sequence, path
    assert unseen <= UNSEEN[index]


def test_a_receipt_finds_the_rest() -> None:
    record = records()[2]
    last = record.events[-1]
    receipt = Receipt(record.match_id, last.sequence, last.hash)
    sequence = len(record.events) // 2
    found = set()
    for path, forged in forgeries(envelope(record, sequence)):
        report = audit(rechained(with_envelope(record, sequence, forged)), [receipt])
        assert report.first_wrong is not None
        found.add(path)
    assert found > ONLY_A_RECEIPT - {"batch_end.request_digest", "seat_taken.preferences present"}


def test_rubbish_of_any_kind_never_breaks_audit_or_replay() -> None:
    random = Random(11)
    sources = records()
    for _ in range(400):
        record = random.choice(sources)
        sequence = random.randint(1, len(record.events))
        body = bytearray(record.events[sequence - 1].envelope)
        for _ in range(random.randint(1, 4)):
            body[random.randrange(len(body))] = random.randrange(256)
        if random.random() < 0.3:
            del body[random.randrange(len(body)) :]
        wrong = with_envelope(record, sequence, bytes(body))
        if bytes(body) == record.events[sequence - 1].envelope:
            continue
        report = audit(wrong)
        assert report.first_wrong is not None
        assert report.first_wrong.sequence == sequence
        *turns, error = replay(wrong)
        assert isinstance(error, Unreadable)
        assert error.sequence == sequence
        assert all(isinstance(turn, Turn) for turn in turns)


def test_numbers_beyond_all_bounds_are_refused_and_not_computed() -> None:
    record = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(3)), 2).play()
    for sequence in one_of_each_kind(record):
        message = envelope(record, sequence)
        fact = message.fact.WhichOneof("kind")
        if fact is None:
            continue
        inner = getattr(message.fact, fact)
        for name in ("cube_log2", "seat", "level", "counted", "game_number"):
            if name in inner.DESCRIPTOR.fields_by_name:
                before = getattr(inner, name)
                setattr(inner, name, 2**32 - 1)
                report = audit(rechained(with_envelope(record, sequence, message)))
                assert report.first_wrong is not None
                assert report.first_wrong.sequence == sequence
                setattr(inner, name, before)


def test_more_seats_than_any_game_has_are_refused_and_not_counted() -> None:
    record = records()[0]
    forged = envelope(record, 1)
    settings = settings_pb2.MatchSettings.FromString(forged.match_created.settings)
    settings.rules.seats = 2**32 - 1
    forged.match_created.settings = settings.SerializeToString()
    by_name = {check.name: check for check in audit(rechained(with_envelope(record, 1, forged))).checks}
    for name in ("envelopes", "law", "results"):
        assert (by_name[name].verdict, by_name[name].sequence) == (Verdict.FAIL, 1)
