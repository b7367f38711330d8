"""A match as people read it."""

from tests.audit.recordings import envelope, recording, with_envelope

from gammon_audit.replay import Turn, Unreadable, replay
from gammon_engine.referee.facts import GameEnded


def test_every_batch_is_a_turn_and_the_last_names_the_winner() -> None:
    record = recording()
    turns = list(replay(record))
    ends = [s for s in range(1, len(record.events) + 1) if envelope(record, s).HasField("batch_end")]
    assert [turn.sequence for turn in turns] == ends
    last = turns[-1]
    assert isinstance(last, Turn)
    assert "wins the match" in last.what
    assert last.board().count("\n") > 10
    assert set(last.to_json()) == {"sequence", "seat", "what", "position", "cube", "score", "game", "playing"}


def test_plays_are_in_normal_form() -> None:
    said = " ".join(turn.what for turn in replay(recording()) if isinstance(turn, Turn))
    assert "rolls " in said
    assert "/off" in said
    assert GameEnded.__name__ not in said


def test_the_good_part_comes_first_then_the_first_error() -> None:
    turns = list(replay(with_envelope(recording(), 20, b"\xff")))
    assert all(isinstance(turn, Turn) for turn in turns[:-1])
    assert isinstance(turns[-1], Unreadable)
    assert turns[-1].sequence == 20
