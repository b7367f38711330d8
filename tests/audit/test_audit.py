"""The auditor passes what is right and names the first event of what is not."""

from dataclasses import replace
from random import Random

import pytest
from tests.audit.recorder import Recorder
from tests.audit.recordings import envelope, find, rechained, recording, with_envelope, without

from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, RawEvent, Receipt
from gammon_audit.report import Report, Verdict, exit_code
from gammon_engine.settings import GameId, MatchPlay, Settings

SEEDS = range(1, 9)


def failed(report: Report, check: str) -> int | None:
    """The sequence a check failed at."""
    (found,) = [c for c in report.checks if c.name == check]
    assert found.verdict is Verdict.FAIL, report
    return found.sequence


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_played_by_the_law_has_nothing_wrong(seed: int) -> None:
    report = audit(recording(seed))
    assert report.verdict == "INCOMPLETE"
    assert {c.name: c.verdict.value for c in report.checks} == {
        "chain": "PASS",
        "head": "PASS",
        "receipts": "NOT CHECKED",
        "envelopes": "PASS",
        "law": "PASS",
        "results": "PASS",
        "dice": "NOT CHECKED",
        "actors": "NOT CHECKED",
    }
    assert exit_code([report]) == 0


def test_the_recordings_hold_every_kind_of_act() -> None:
    kinds = (
        "play_made",
        "turn_passed",
        "double_offered",
        "double_taken",
        "double_dropped",
        "offer_made",
        "offer_closed",
    )
    for kind in kinds:
        assert any(_has(recording(seed), kind) for seed in SEEDS), kind


def _has(record: MatchRecord, kind: str) -> bool:
    try:
        return bool(find(record, kind))
    except LookupError:
        return False


def test_any_byte_of_any_event_changed_names_that_event() -> None:
    record = recording()
    random = Random(7)
    for _ in range(300):
        sequence = random.randint(1, len(record.events))
        body = bytearray(record.events[sequence - 1].envelope)
        place = random.randrange(len(body))
        body[place] ^= 1 << random.randrange(8)
        report = audit(with_envelope(record, sequence, bytes(body)))
        assert report.first_wrong is not None
        assert report.first_wrong.sequence == sequence
        assert exit_code([report]) == 1


def test_a_changed_hash_names_its_event() -> None:
    record = recording()
    events = list(record.events)
    events[9] = replace(events[9], hash=bytes(32))
    assert failed(audit(replace(record, events=tuple(events))), "chain") == 10


def test_event_and_hash_changed_together_break_at_the_next() -> None:
    record = recording()
    forged = envelope(record, 10)
    forged.record_time.nanos += 1
    half = rechained(with_envelope(record, 10, forged))
    events = (*record.events[:9], half.events[9], *record.events[10:])
    assert failed(audit(replace(record, events=events)), "chain") == 11


def test_missing_events_are_named() -> None:
    record = recording()
    last = len(record.events)
    assert failed(audit(without(record, [last])), "head") == last
    assert failed(audit(without(record, [5])), "chain") == 5
    assert failed(audit(without(record, range(1, last + 1))), "chain") == 1


def test_however_much_is_missing_at_the_end_the_first_missing_event_is_named() -> None:
    record = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(1)), 2).play()
    for last in range(1, len(record.events)):
        cut = replace(record, events=record.events[:last])
        report = audit(cut)
        assert report.first_wrong is not None
        assert report.first_wrong.sequence == last + 1


def test_events_twice_or_in_another_order_are_named() -> None:
    record = recording()
    events = list(record.events)
    events[4], events[5] = events[5], events[4]
    assert failed(audit(replace(record, events=tuple(events))), "chain") == 5
    twice = (*record.events[:3], record.events[2], *record.events[3:])
    assert failed(audit(replace(record, events=twice)), "chain") == 4


def test_events_after_the_head_are_named() -> None:
    record = recording()
    assert failed(audit(replace(record, head_sequence=5, head_hash=record.events[4].hash)), "head") == 6


def test_only_a_receipt_shows_a_match_that_was_rewritten_whole() -> None:
    record = recording()
    forged = envelope(record, 2)
    forged.seat_taken.player = forged.actor.player = "mallory"
    forgery = rechained(with_envelope(record, 2, forged))
    assert audit(forgery).first_wrong is None
    kept = Receipt(record.match_id, 30, record.events[29].hash)
    assert failed(audit(forgery, [kept]), "receipts") == 30
    (receipts,) = [c for c in audit(record, [kept]).checks if c.name == "receipts"]
    assert receipts.verdict is Verdict.PASS


def test_receipts_past_a_broken_link_are_not_confirmed() -> None:
    record = recording()
    kept = [Receipt(record.match_id, sequence, record.events[sequence - 1].hash) for sequence in (5, 30)]
    broken = with_envelope(record, 20, record.events[20].envelope)
    by_name = {c.name: c for c in audit(broken, kept).checks}
    assert by_name["receipts"].verdict is Verdict.NOT_CHECKED
    assert "from event 20 on" in by_name["receipts"].detail
    by_name = {c.name: c for c in audit(broken, kept[:1]).checks}
    assert by_name["receipts"].verdict is Verdict.PASS


def test_what_follows_a_gap_is_not_judged() -> None:
    report = audit(without(recording(), [40]))
    for check in report.checks:
        if check.name in ("envelopes", "law", "results"):
            assert check.verdict is Verdict.NOT_CHECKED
            assert "events 1 to 39" in check.detail
    assert report.first_wrong is not None
    assert report.first_wrong.name == "chain"


def test_a_batch_cut_short_is_missed_even_with_a_forged_head() -> None:
    record = recording()
    thrown = find(record, "opening_thrown")
    cut = rechained(replace(record, events=record.events[:thrown]))
    assert failed(audit(cut), "envelopes") == thrown + 1
    assert failed(audit(cut), "law") == thrown + 1


def test_a_loaded_die_is_against_the_law_of_what_follows() -> None:
    record = recording()
    rolled = find(record, "rolled")
    forged = envelope(record, rolled)
    forged.fact.rolled.dice[0] = 7 - forged.fact.rolled.dice[0]
    report = audit(rechained(with_envelope(record, rolled, forged)))
    assert failed(report, "law") == rolled


def test_a_play_that_was_not_made_is_against_the_law() -> None:
    record = recording()
    played = find(record, "play_made")
    forged = envelope(record, played)
    forged.fact.play_made.steps[0].target = 1
    assert failed(audit(rechained(with_envelope(record, played, forged))), "law") == played


def test_a_forged_claim_of_the_state_is_named_with_its_field() -> None:
    record = recording()
    played = find(record, "play_made")
    forged = envelope(record, played)
    forged.batch_end.state = envelope(record, played - 1).batch_end.state
    report = audit(rechained(with_envelope(record, played, forged)))
    assert failed(report, "law") == played
    assert report.first_wrong is not None
    assert "the claimed state is wrong" in report.first_wrong.detail


def test_forged_points_fail_law_and_results_alike() -> None:
    record = recording()
    ended = find(record, "game_ended")
    forged = envelope(record, ended)
    forged.fact.game_ended.points[forged.fact.game_ended.winners[0]].numerator += 1
    report = audit(rechained(with_envelope(record, ended, forged)))
    assert failed(report, "law") == ended
    assert failed(report, "results") == ended


def test_a_skipped_draw_is_named() -> None:
    record = recording()
    asked = next(s for s in range(5, 40) if envelope(record, s).HasField("draw_requested"))
    forged = envelope(record, asked)
    forged.draw_requested.draw += 1
    assert failed(audit(rechained(with_envelope(record, asked, forged))), "law") == asked


def test_time_that_runs_back_is_named() -> None:
    record = recording()
    forged = envelope(record, 8)
    forged.record_time.seconds -= 1
    assert failed(audit(rechained(with_envelope(record, 8, forged))), "envelopes") == 8


def test_an_event_after_the_close_is_named() -> None:
    record = recording()
    extra = RawEvent(len(record.events) + 1, record.events[-2].envelope, bytes(32))
    longer = rechained(replace(record, events=(*record.events, extra)))
    assert failed(audit(longer), "envelopes") == extra.sequence


def test_an_unknown_event_stops_unless_it_may_be_ignored() -> None:
    record = recording()
    unknown = envelope(record, 8)
    unknown.ClearField("event")
    assert failed(audit(rechained(with_envelope(record, 8, unknown))), "envelopes") == 8
    unknown.may_ignore = True
    unknown.ClearField("batch_end")
    ignorable = rechained(with_envelope(record, 8, unknown))
    (found,) = [c for c in audit(ignorable).checks if c.name == "envelopes"]
    assert found.sequence != 8


@pytest.mark.parametrize("body", [b"", b"\xff" * 40, b"\x0a\x05hello", bytes(100)])
def test_rubbish_fails_and_never_breaks_the_audit(body: bytes) -> None:
    record = recording()
    for sequence in (1, 2, 20, len(record.events)):
        report = audit(with_envelope(record, sequence, body))
        assert report.first_wrong is not None
        assert report.first_wrong.sequence == sequence


def test_nothing_at_all_fails() -> None:
    assert audit(MatchRecord("m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA", (), 0, b"")).verdict == "FAIL"
