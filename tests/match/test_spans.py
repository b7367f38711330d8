"""Where the batches of requests stand: of a match from its start, and of one from a checkpoint on."""

from gammon_match.app.spans import EARLIER, MARK_BYTES, Span, Spans


def filled(*lasts: int) -> Spans:
    """The batches of requests r1, r2 … that end there."""
    spans = Spans()
    for number, last in enumerate(lasts, 1):
        spans.append(last, f"r{number}", b"digest", phase=number, draws=number)
    return spans


def test_all_are_known_of_a_match_from_its_start() -> None:
    spans = filled(1, 4, 9)
    assert [(span.first, span.last) for span in spans.known] == [(1, 1), (2, 4), (5, 9)]
    assert spans.last == Span(5, 9, "r3", b"digest", 3, 3)
    assert spans.is_whole
    ends = {sequence: span.last for sequence in range(12) if isinstance(span := spans.ending_by(sequence), Span)}
    assert ends == {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4, 9: 9, 10: 9, 11: 9}
    assert spans.ending_by(0) is None
    assert spans.of_request("r2") == Span(2, 4, "r2", b"digest", 2, 2)
    assert spans.of_request("r4") is None


def test_before_a_checkpoint_nothing_is_known_and_other_requests_are_ruled_out() -> None:
    whole = filled(1, 4, 9, 12)
    marks = whole.marks()
    assert len(marks) == 3 * MARK_BYTES
    spans = Spans(whole.last, marks)
    assert not spans.is_whole
    assert [spans.of_request(f"r{number}") for number in (1, 2, 3)] == [EARLIER] * 3
    assert spans.of_request("r4") == spans.ending_by(12) == whole.last
    assert spans.of_request("r5") is None
    assert {spans.ending_by(sequence) for sequence in range(12)} == {EARLIER}
    for each in (spans, whole):
        each.append(15, "r5", b"digest", phase=5, draws=5)
    assert spans.last == whole.last
    assert spans.marks() == whole.marks()
    assert len(spans.marks()) == 4 * MARK_BYTES


def test_a_copy_knows_as_much_and_grows_by_itself() -> None:
    whole = filled(1, 4, 9)
    spans = Spans(whole.last, whole.marks())
    copy = spans.copy()
    copy.append(11, "r4", b"digest", phase=4, draws=4)
    assert (spans.last.last, copy.last.last) == (9, 11)
    assert (spans.of_request("r4"), copy.of_request("r1")) == (None, EARLIER)
    assert copy.marks() == filled(1, 4, 9, 11).marks()
