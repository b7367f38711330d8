"""What the service does for a seat, in the audit: by its word, where nothing was left to choose, no more."""

from collections.abc import Callable
from functools import partial

import pytest
from tests.audit.recorder import OPERATOR, Recorder, directed, money, seat_actor
from tests.audit.recordings import envelope, rechained, with_envelope
from tests.audit.table_recorder import SYSTEM, TableRecorder, acts_for
from tests.audit.test_recorder import assert_lawful, checks, law_fault

from gammon.match.v1 import events_pb2
from gammon_audit.acting_for import ActingFor
from gammon_audit.envelopes import Parsed
from gammon_audit.replay import Turn, replay
from gammon_audit.report import Verdict
from gammon_engine.referee import actions as act
from gammon_engine.referee import only_choice
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

NO_CUBE = Settings(GameId.BACKGAMMON, SessionPlay(games=2), cube=False)
MIXED = Settings(GameId.GAMMON, MatchPlay(3), cube=False)
NO_DOUBLE, FORCED = events_pb2.SYSTEM_REASON_NO_DOUBLE, events_pb2.SYSTEM_REASON_FORCED


def to_roll(rules: Settings = NO_CUBE, *, roll: bool = False, play: bool = False) -> TableRecorder:
    """Seat 0 has opened with 3-1 and played it; seat 1, who has said what the service may do, is to roll."""
    recorder = TableRecorder(rules, faces=(3, 1))
    if roll or play:
        recorder.prefer(1, roll=roll, play=play)
    recorder.throw(0)
    recorder.do(seat_actor(0), act.MakePlay(0, "8/5 6/5"))
    return recorder


def to_play_forced() -> TableRecorder:
    """A match in which seat 1, which lets the service play what is forced, has come to a roll with one play."""
    recorder = TableRecorder(NO_CUBE, seed=6)
    recorder.choice = partial(without_offers, recorder)
    recorder.prefer(1, play=True)
    for _ in range(200):
        recorder.play(1)
        now = recorder.now
        if now.phase is Phase.TO_PLAY and now.turn == 1 and only_choice(NO_CUBE, now) is not None:
            return recorder
    raise AssertionError("nothing was forced")


def without_offers(recorder: Recorder, state: State, seat: int) -> act.Action:
    """Rolls, and plays at random."""
    return recorder.at_random(state, seat) if state.phase is Phase.TO_PLAY else act.RollDice(seat, (1, 1))


@pytest.mark.parametrize("rules", [NO_CUBE, MIXED, money()], ids=["no cube", "mixed", "money"])
def test_matches_in_which_it_does_all_that_needs_no_choice_pass(rules: Settings) -> None:
    recorder = TableRecorder(rules, seed=5)
    for seat in (0, 1):
        recorder.prefer(seat, roll=True, play=True)
    recorder.play_on(150)
    done = [event.acted_by_system.reason for event in recorder.events if event.HasField("acted_by_system")]
    assert set(done) == {NO_DOUBLE, FORCED}
    assert_lawful(recorder.record())


def test_the_word_given_with_the_seat_counts() -> None:
    recorder = to_roll()
    end = recorder.by_itself()
    record = recorder.record()
    assert law_fault(record)[1] == "seat 1 does not let the service do that"
    taken = envelope(record, 3)
    assert taken.seat_taken.seat == 1
    taken.seat_taken.preferences.roll_without_choice = True
    assert_lawful(rechained(with_envelope(record, 3, taken)))
    assert end


def other_word(recorder: TableRecorder) -> None:
    recorder.prefer(1, play=True)


def word_taken_back(recorder: TableRecorder) -> None:
    recorder.prefer(1, roll=True)
    recorder.prefer(1)


def word_of_the_other(recorder: TableRecorder) -> None:
    recorder.prefer(0, roll=True, play=True)


@pytest.mark.parametrize("said", [other_word, word_taken_back, word_of_the_other])
def test_it_needs_the_word_of_that_seat_at_that_moment(said: Callable[[TableRecorder], None]) -> None:
    recorder = to_roll()
    said(recorder)
    first = len(recorder.events) + 1
    recorder.by_itself()
    assert law_fault(recorder.record()) == (first, "seat 1 does not let the service do that")


def test_a_new_player_has_not_said_anything_yet() -> None:
    recorder = to_roll(roll=True)
    folded = ActingFor()
    for sequence, event in enumerate(recorder.events, 1):
        folded.take_in(Parsed(sequence, event, event.WhichOneof("event") or ""))
    word = acts_for(1, NO_DOUBLE)
    word.actor.CopyFrom(SYSTEM)
    assert folded.begin(word, NO_CUBE, recorder.now) == ""
    replaced = events_pb2.Envelope(player_replaced=events_pb2.PlayerReplaced(seat=1, player="carol"))
    folded.take_in(Parsed(len(recorder.events) + 1, replaced, "player_replaced"))
    assert folded.begin(word, NO_CUBE, recorder.now) == "seat 1 does not let the service do that"


def test_it_does_not_roll_for_who_could_double() -> None:
    recorder = to_roll(Settings(GameId.BACKGAMMON, MatchPlay(5)), roll=True)
    first = len(recorder.events) + 1
    recorder.batch(SYSTEM, [acts_for(1, NO_DOUBLE), *recorder.thrown(1)])
    assert law_fault(recorder.record()) == (first, "seat 1 was not on turn, or could do more than roll")


def test_it_makes_no_play_where_there_are_others() -> None:
    recorder = to_roll(roll=True, play=True)
    recorder.next_faces = [6, 4]
    recorder.by_itself()
    first = len(recorder.events) + 1
    recorder.batch(SYSTEM, [acts_for(1, FORCED), *recorder.ruled(act.MakePlay(1, "24/14"))])
    assert law_fault(recorder.record()) == (first, "seat 1 was not on turn, or had more than one play")


def test_it_acts_only_for_the_seat_on_turn() -> None:
    recorder = to_roll(roll=True)
    recorder.prefer(0, roll=True)
    first = len(recorder.events) + 1
    recorder.batch(SYSTEM, [acts_for(0, NO_DOUBLE), *recorder.thrown(1)])
    assert law_fault(recorder.record()) == (first, "seat 0 was not on turn, or could do more than roll")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"seat": 0}, "seat 0 does not let the service do that"),
        ({"seat": 7}, "seat 7 does not let the service do that"),
        ({"reason": FORCED}, "seat 1 does not let the service do that"),
        ({"reason": 0}, "the service acts for the unknown reason 0"),
        ({"reason": 9}, "the service acts for the unknown reason 9"),
    ],
)
def test_a_forged_word_of_the_service_is_named(change: dict[str, int], fault: str) -> None:
    recorder = to_roll(roll=True)
    first = len(recorder.events) + 1
    recorder.by_itself()
    record = recorder.record()
    assert_lawful(record)
    forged = envelope(record, first)
    for name, value in change.items():
        setattr(forged.acted_by_system, name, value)
    assert law_fault(rechained(with_envelope(record, first, forged))) == (first, fault)


@pytest.mark.parametrize("actor", [seat_actor(1), seat_actor(0), OPERATOR])
def test_nobody_but_the_service_acts_for_a_seat(actor: events_pb2.Actor) -> None:
    recorder = to_roll(roll=True)
    first = len(recorder.events) + 1
    recorder.batch(actor, [acts_for(1, NO_DOUBLE), *recorder.thrown(1)])
    assert law_fault(recorder.record()) == (first, "only the service acts for a seat by its preference")


def test_never_silent() -> None:
    """Rolls and plays of the service without a word of it: each is named."""
    recorder = to_roll(roll=True, play=True)
    first = len(recorder.events) + 1
    recorder.batch(SYSTEM, recorder.thrown(1))
    assert law_fault(recorder.record()) == (first, "these dice cannot be asked for by the system")
    recorder = to_play_forced()
    choice = only_choice(NO_CUBE, recorder.now)
    assert choice is not None
    assert choice.play is not None
    first = len(recorder.events) + 1
    recorder.batch(SYSTEM, recorder.ruled(act.MakePlay(1, choice.play)))
    assert law_fault(recorder.record()) == (first, "the service acts for a seat")


def test_it_does_what_it_says_and_nothing_else() -> None:
    recorder = to_roll(roll=True, play=True)
    recorder.batch(SYSTEM, [acts_for(1, NO_DOUBLE), *recorder.ruled(act.Resign(1, 1))])
    assert law_fault(recorder.record())[1] == "the service does something else for a seat than it says"
    recorder = to_play_forced()
    recorder.batch(SYSTEM, [acts_for(1, FORCED), *recorder.ruled(act.Resign(1, 1))])
    assert law_fault(recorder.record())[1] == "the service does something else for a seat than it says"
    # One word is for one act.
    recorder = to_roll(roll=True)
    recorder.batch(SYSTEM, [acts_for(1, NO_DOUBLE), *recorder.thrown(1), *recorder.ruled(act.Resign(1, 1))])
    assert law_fault(recorder.record())[1] == "the service acts for a seat"


def test_who_says_that_it_acts_does_so_at_once() -> None:
    recorder = to_roll(roll=True)
    end = recorder.batch(SYSTEM, [acts_for(1, NO_DOUBLE)])
    assert law_fault(recorder.record()) == (end, "the batch ends, and the service acts for seat 1, and does nothing")
    recorder = to_roll(roll=True)
    recorder.batch(SYSTEM, [acts_for(1, NO_DOUBLE), acts_for(1, NO_DOUBLE), *recorder.thrown(1)])
    assert "in the middle of something else" in law_fault(recorder.record())[1]
    recorder = to_roll(roll=True)
    recorder.batch(OPERATOR, [directed(events_pb2.DIRECTOR_REASON_REQUEST), acts_for(1, NO_DOUBLE)])
    assert "in the middle of something else" in law_fault(recorder.record())[1]


@pytest.mark.parametrize("actor", [seat_actor(0), OPERATOR, SYSTEM])
def test_a_seats_word_is_its_own(actor: events_pb2.Actor) -> None:
    recorder = Recorder(NO_CUBE)
    said = events_pb2.Envelope()
    said.preferences_set.seat = 1
    said.preferences_set.preferences.play_forced = True
    wrong = recorder.batch(actor, [said])
    found = checks(recorder.record())["envelopes"]
    assert (found.verdict, found.sequence) == (Verdict.FAIL, wrong)
    assert found.detail == "the preferences of seat 1 are set by somebody else"


def test_none_of_it_may_be_ignored() -> None:
    recorder = to_roll(roll=True)
    first = len(recorder.events) + 1
    recorder.by_itself()
    record = recorder.record()
    said = next(
        event.sequence for event in record.events if envelope(record, event.sequence).HasField("preferences_set")
    )
    for sequence in (said, first):
        forged = envelope(record, sequence)
        forged.may_ignore = True
        found = checks(rechained(with_envelope(record, sequence, forged)))["envelopes"]
        assert (found.verdict, found.sequence) == (Verdict.FAIL, sequence)


def test_it_is_told_with_its_reason() -> None:
    recorder = to_roll(roll=True)
    recorder.next_faces = [6, 4]
    recorder.by_itself()
    turns = [turn for turn in replay(recorder.record()) if isinstance(turn, Turn)]
    assert turns[3].what == "lets the service roll where no double is possible"
    assert (turns[-1].seat, turns[-1].what) == (1, "by the service, as no double is possible; rolls 64")
    recorder = to_play_forced()
    recorder.by_itself()
    *_, last = replay(recorder.record())
    assert isinstance(last, Turn)
    assert last.what.startswith("by the service, as there is one play; ")
