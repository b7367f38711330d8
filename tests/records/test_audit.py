"""What the auditor finds in imported matches, and in forged ones."""

from tests.audit.forging import forgeries
from tests.audit.recordings import envelope, rechained, with_envelope
from tests.records.importing import Stored, stored
from tests.records.mats import game, mat, row

from gammon_audit.audit import audit
from gammon_audit.replay import Turn, replay
from gammon_audit.report import Report, Verdict

OPENED = row(1, "31: 8/5 6/5", "62: 24/18 13/11")
ILLEGAL = mat(
    7,
    game(1, OPENED, row(2, "65: 13/2 13/8", "42: 8/4 6/4"), row(3, "21: ????", "Wins 1 point")),
    game(2, row(1, "65: 24/13", "54: 24/15"), row(2, "11: 8/7 6/4"), "      Wins 4 points", right="Bob : 1"),
)
# The steps of an illegal play behind the one that breaks the law, and what a record says of itself.
NOT_RECOMPUTED = ("fact.illegal_play_recorded.steps", "source_line", "actor.operator")
ONLY_A_RECEIPT = ("record_time.seconds", "record_time.nanos", "request_id", "batch_end.request_digest")


def failed(report: Report) -> dict[str, int | None]:
    return {check.name: check.sequence for check in report.checks if check.verdict is Verdict.FAIL}


def sequences(match: Stored, kind: str) -> list[int]:
    """Where facts of a kind, or claims, stand."""
    return [
        sequence
        for sequence, event in enumerate(match.events, 1)
        if kind in (event.WhichOneof("event"), event.fact.WhichOneof("kind"))
    ]


def test_illegal_plays_are_named_by_game_row_and_line_and_the_law_goes_on() -> None:
    match = stored(ILLEGAL)
    report = match.audited()
    assert failed(report) == {"record": sequences(match, "illegal_play_recorded")[0]}
    assert match.check("record").detail.split("; ") == [
        "game 1, row 2, line 7: seat 0 plays 6-5 as 13/2 13/8, against rule 1.3: 6-5 gives no 11 here",
        "game 2, row 2, line 13: seat 0 plays 1-1 as 8/7 6/4, against rule 1.3: 1-1 gives no 2 here",
        "NOTE: game 2, line 14: the record says seat 0 wins 4, the law seat 0 wins 1",
        "NOTE: the record ends before the match does",
    ]
    assert match.check("law").verdict is Verdict.PASS
    assert report.verdict == "FAIL"


def test_the_replay_shows_the_board_the_record_goes_on_with() -> None:
    match = stored(ILLEGAL)
    turns = [turn for turn in replay(match.record) if isinstance(turn, Turn)]
    (first, _) = [turn for turn in turns if "13/2 13/8" in turn.what or "8/7 6/4" in turn.what]
    assert first.position == "24:2,13:3,8:3,6:4,5:2,2:1 24:1,18:1,13:4,11:1,8:3,6:5"


def test_a_forged_illegal_play_is_found() -> None:
    match = stored(ILLEGAL)
    for sequence in sequences(match, "illegal_play_recorded"):
        unseen = set()
        for path, forged in forgeries(envelope(match.record, sequence)):
            report = audit(rechained(with_envelope(match.record, sequence, forged)))
            if set(failed(report)) == {"record"}:
                unseen.add(path)
        assert {path for path in unseen if not path.startswith(NOT_RECOMPUTED)} <= set(ONLY_A_RECEIPT)


def test_a_legal_play_called_illegal_is_found() -> None:
    match = stored(mat(3, game(1, OPENED)))
    sequence = sequences(match, "play_made")[0]
    forged = envelope(match.record, sequence)
    forged.fact.illegal_play_recorded.position = "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5"
    report = audit(rechained(with_envelope(match.record, sequence, forged)))
    assert failed(report)["law"] == sequence


def test_a_claim_that_says_the_law_agrees_where_it_does_not_is_found() -> None:
    match = stored(ILLEGAL)
    (lawful, other) = sequences(match, "record_claimed")
    for sequence, says in ((lawful, False), (other, True)):
        forged = envelope(match.record, sequence)
        assert forged.record_claimed.lawful is not says
        forged.record_claimed.lawful = says
        report = audit(rechained(with_envelope(match.record, sequence, forged)))
        assert failed(report) == {"record": sequence}


def test_a_claim_of_other_points_is_told() -> None:
    match = stored(mat(1, game(1, OPENED, row(2, "64: ????", "Wins 1 point and the match"))))
    assert match.check("record").detail == "1 results agree with the law"
    (sequence,) = sequences(match, "record_claimed")
    forged = envelope(match.record, sequence)
    forged.record_claimed.points[1].numerator = 2
    assert failed(audit(rechained(with_envelope(match.record, sequence, forged)))) == {"record": sequence}


def test_every_event_of_an_import_has_its_line() -> None:
    match = stored(ILLEGAL)
    lines = ILLEGAL.split("\n")
    for event in match.events:
        assert 1 <= event.source_line <= len(lines)
        if event.HasField("record_claimed"):
            assert "Wins" in lines[event.source_line - 1]
        if event.HasField("dice_drawn"):
            faces = sorted(event.dice_drawn.faces, reverse=True)
            assert f"{faces[0]}{faces[1]}:" in lines[event.source_line - 1]
    assert match.events[0].source_line == lines.index("7 point match") + 1


def test_nothing_of_the_file_is_in_the_chain_but_its_hash() -> None:
    named = ILLEGAL.replace("Ann", "Anna Liesl").replace("Bob", "Bartholomew")
    match = stored(named)
    for event in match.record.events:
        for text in (b"Anna", b"Liesl", b"Barth", b"13/2 13/8 ", b"Wins", b"????"):
            assert text not in event.envelope
