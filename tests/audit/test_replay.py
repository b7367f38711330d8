"""A match as people read it."""

import json

from tests.audit.recorder import Recorder, seat_actor
from tests.audit.recordings import envelope, rechained, recording, with_envelope, without

from gammon_audit.replay import Turn, Unreadable, replay
from gammon_engine.referee import actions as acts
from gammon_engine.referee.facts import GameEnded
from gammon_engine.settings import GameId, MatchPlay, Settings, SetUp


def test_every_batch_is_a_turn_and_the_last_names_the_winner() -> None:
    record = recording()
    turns = list(replay(record))
    ends = [s for s in range(1, len(record.events) + 1) if envelope(record, s).HasField("batch_end")]
    assert [turn.sequence for turn in turns] == ends
    last = turns[-1]
    assert isinstance(last, Turn)
    assert "wins the match" in last.what
    assert last.board().count("\n") > 10
    keys = {"sequence", "recorded_at", "seat", "what", "position", "cube", "score", "game", "playing", "clock"}
    assert set(last.to_json()) == keys


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


def test_a_game_reads_like_a_score_sheet() -> None:
    # Opening 3-1, White's golden point; Black's 6-6 and a double, taken, then a drop of the redouble.
    recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(5)), faces=(3, 1, 6, 6, 2, 1))
    recorder.throw(1)
    recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    recorder.throw(1)
    recorder.do(seat_actor(1), acts.MakePlay(1, "24/18(2) 13/7(2)"))
    recorder.do(seat_actor(0), acts.Double(0))
    recorder.do(seat_actor(1), acts.Take(1))
    recorder.throw(0)
    recorder.do(seat_actor(0), acts.MakePlay(0, "13/11 6/5"))
    recorder.do(seat_actor(1), acts.Double(1))
    recorder.do(seat_actor(0), acts.Drop(0))
    turns = [turn for turn in replay(recorder.record()) if isinstance(turn, Turn)]
    assert [(turn.seat, turn.what) for turn in turns] == [
        (None, "the match is created"),
        (None, "alice takes seat 0"),
        (None, "bob takes seat 1; the match starts"),
        (1, "opening throw seat 0: 3, seat 1: 1; game 1, seat 0 starts; rolls 31"),
        (0, "31: 8/5 6/5"),
        (1, "rolls 66"),
        (1, "66: 24/18(2) 13/7(2)"),
        (0, "doubles to 2"),
        (1, "takes"),
        (0, "rolls 21"),
        (0, "21: 13/11 6/5"),
        (1, "doubles to 4"),
        (0, "drops; seat 1 wins 2 points"),
    ]
    assert [turn.position for turn in turns[3:5]] == [
        "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5",
        "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5",
    ]
    last = turns[-1]
    # The end of the game that ended, not the start of the next.
    assert (last.game_number, last.cube, last.cube_owner, last.score) == (1, 2, 1, ("0", "2"))
    assert last.position == "24:2,13:4,11:1,8:2,6:3,5:3 18:2,13:3,8:3,7:2,6:5"
    assert json.loads(json.dumps(last.to_json()))["recorded_at"] == "2027-01-15T08:00:13.000000500Z"


def test_boards_of_other_set_ups_are_drawn() -> None:
    recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(1), set_up=SetUp.HYPERGAMMON))
    *_, last = replay(recorder.play())
    assert isinstance(last, Turn)
    assert last.board(0).count("\n") > 10
    assert last.board(1) != last.board(0)


def test_what_an_audit_calls_wrong_ends_the_replay() -> None:
    record = recording()
    last = len(record.events)
    forged = envelope(record, 30)
    forged.record_time.nanos += 1
    for wrong, sequence in (
        (with_envelope(record, 30, forged), 30),
        (without(record, [30]), 30),
        (without(record, [last]), last),
        (without(record, range(1, last + 1)), 1),
    ):
        *turns, error = replay(wrong)
        assert isinstance(error, Unreadable)
        assert error.sequence == sequence
        assert all(turn.sequence < sequence for turn in turns)


def test_what_the_law_does_not_give_ends_the_replay_with_the_rule() -> None:
    recorder = Recorder(Settings(GameId.BACKGAMMON, MatchPlay(5)), faces=(3, 1))
    recorder.throw(1)
    played = recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    record = recorder.record()
    forged = envelope(record, played)
    forged.fact.play_made.steps[0].target = 4
    *turns, error = replay(rechained(with_envelope(record, played, forged)))
    assert error == Unreadable(played, "rule 1.2: a 3 does not lead there")
    assert len(turns) == 4


def test_names_cannot_steer_a_terminal() -> None:
    record = recording()
    forged = envelope(record, 2)
    forged.seat_taken.player = forged.actor.player = "\x1b[2Jmallory"
    said = [turn.what for turn in replay(rechained(with_envelope(record, 2, forged))) if isinstance(turn, Turn)]
    assert said[1] == r"'\x1b[2Jmallory' takes seat 0"
