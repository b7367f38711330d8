"""What happens beside play, in words: each event that can be stored is told, or is known to be told by another."""

import pytest
from google.protobuf.text_format import Parse
from tests.audit.recorder import SYSTEM, Recorder, seat_actor
from tests.audit.test_time import (
    CLAIMED,
    DELAY,
    S,
    asked,
    away,
    fell,
    lapse,
    opened,
    pause,
    paused,
    resume,
    resumed,
    terms,
)

from gammon.match.v1 import events_pb2
from gammon_audit.replay import Turn, replay
from gammon_audit.time_words import left_words
from gammon_audit.turn_words import event_words
from gammon_engine.referee import actions as acts
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, Settings

RULES = Settings(GameId.BACKGAMMON, MatchPlay(3))

# Beside them stands a fact or a word that says it: dice are told as a roll, a clock beside the board.
SAID_BY_OTHERS = {"draw_requested", "dice_drawn", "clock_stamped"}
# The dice of BGD1 are not served yet.
NOT_STORED_YET = {
    "dice_epoch_opened",
    "dice_committed",
    "dice_commit_closed",
    "dice_escrow_revealed",
    "dice_epoch_closed",
    "draw_contributed",
}
TOLD = [
    ("match_created {}", "the match is created"),
    ('seat_taken { seat: 1 player: "bob" }', "bob takes seat 1"),
    ("match_started {}", "the match starts"),
    ("fact { double_taken { seat: 1 } }", "takes"),
    ("match_closed {}", "the match is closed"),
    (
        "match_paused { seat: 1 budgets { seconds: 300 } budgets { seconds: 184 nanos: 1 } }",
        "pauses the match, with 3:05 left for that",
    ),
    ("match_paused { mutual: true }", "the match is paused, as all want it"),
    ("match_paused { reason: DIRECTOR_REASON_TECHNICAL }", "the director pauses the match after a technical fault"),
    ("actor { seat: 0 } match_resumed {}", "ends the pause"),
    ("actor { system {} } match_resumed {}", "the pause is used up; the match goes on"),
    (
        'actor { operator: "dan" } match_resumed { reason: DIRECTOR_REASON_REQUEST }',
        "the director ends the pause at a player's request",
    ),
    ("taken_back { to_sequence: 9 by_consent: true }", "the match goes back to event 9 by consent"),
    (
        "taken_back { to_sequence: 9 reason: DIRECTOR_REASON_CORRECTION }",
        "the match goes back to event 9 to put right what was wrong",
    ),
    (
        'player_replaced { seat: 1 player: "erin" reason: DIRECTOR_REASON_ABSENCE }',
        "erin takes over seat 1 because a player is absent",
    ),
    ("director_ruled { reason: DIRECTOR_REASON_PENALTY }", "the director rules as a penalty"),
    ("take_back_proposed { seat: 0 to_sequence: 9 }", "proposes to go back to event 9"),
    ("take_back_answered { seat: 1 accepted: true }", "consents to go back"),
    ("take_back_answered { seat: 1 }", "does not go back"),
    ("preferences_set { preferences { play_forced: true } }", "lets the service make forced plays"),
    ("preferences_set {}", "lets the service do nothing"),
    ("pause_asked { seat: 1 }", "asks for a pause"),
    ("pause_asked { seat: 1 withdrawn: true }", "no longer asks for a pause"),
    ("flag_fell { seat: 1 }", "seat 1 is out of time"),
    ("flag_fell { seat: 1 claimed_by: 0 }", "claims that seat 1 is out of time"),
    ("absence_timed { seat: 1 change: ABSENCE_CHANGE_STARTED }", "seat 1 is away, and play waits for it"),
    ("absence_timed { seat: 1 change: ABSENCE_CHANGE_STOPPED }", "the absence of seat 1 counts no more"),
    (
        "absence_timed { seat: 1 change: ABSENCE_CHANGE_CLAIMED claimed_by: 0 }",
        "claims that seat 1 has been away too long",
    ),
    ("acted_by_system { seat: 0 reason: SYSTEM_REASON_NO_DOUBLE }", "by the service, as no double is possible"),
    ("acted_by_system { seat: 0 reason: SYSTEM_REASON_FORCED }", "by the service, as there is one play"),
    ("record_claimed { winners: 1 points { } points { numerator: 2 } }", "the record says that seat 1 wins 0 : 2"),
    ("store_rewound { lost_sequence: 40 }", "the store had lost events up to 40"),
]


@pytest.mark.parametrize(("event", "words"), TOLD)
def test_an_event_in_words(event: str, words: str) -> None:
    envelope = Parse(event, events_pb2.Envelope())
    assert event_words(envelope, game_of(RULES), None) == words


def test_every_event_that_can_be_stored_is_told() -> None:
    told = {Parse(event, events_pb2.Envelope()).WhichOneof("event") for event, _ in TOLD}
    kinds = {field.name for field in events_pb2.Envelope.DESCRIPTOR.oneofs_by_name["event"].fields}
    assert told == kinds - SAID_BY_OTHERS - NOT_STORED_YET


@pytest.mark.parametrize(
    ("ns", "words"),
    [
        (0, "0:00"),
        (-S, "0:00"),
        (1, "0:01"),
        (59 * S, "0:59"),
        (59 * S + 1, "1:00"),
        (3599 * S, "59:59"),
        (3600 * S, "1:00:00"),
        (86_399 * S, "23:59:59"),
        (3 * 86_400 * S, "3d 00:00:00"),
        (86_400 * S + 3_723 * S, "1d 01:02:03"),
    ],
)
def test_what_is_left_is_zero_only_at_the_end(ns: int, words: str) -> None:
    assert left_words(ns) == words


def turns(recorder: Recorder) -> list[Turn]:
    """The turns of its record, all of them readable."""
    told = list(replay(recorder.record()))
    assert all(isinstance(turn, Turn) for turn in told), told[-1]
    return [turn for turn in told if isinstance(turn, Turn)]


def test_a_match_with_pauses_and_a_claim_is_told_to_its_end() -> None:
    recorder = opened(agreed=terms(DELAY, away_s=60, pause_s=60))
    pause(recorder, seat_actor(1), paused(1, left=(60, 60)))
    resume(recorder, SYSTEM, resumed(60, 0))
    recorder.batch(seat_actor(0), [asked(0)])
    pause(recorder, seat_actor(1), asked(1), paused(mutual=True, left=(60, 0)))
    resume(recorder, seat_actor(0), resumed(60, 0))
    recorder.batch(SYSTEM, [away(0, events_pb2.ABSENCE_CHANGE_STARTED)])
    lapse(recorder, seat_actor(1), away(0, CLAIMED, 1), 0)
    assert [(turn.seat, turn.what) for turn in turns(recorder)[4:]] == [
        (1, "pauses the match, with 1:00 left for that"),
        (None, "the pause is used up; the match goes on"),
        (0, "asks for a pause"),
        (1, "asks for a pause; the match is paused, as all want it"),
        (0, "ends the pause"),
        (None, "seat 0 is away, and play waits for it"),
        (
            1,
            "claims that seat 0 has been away too long; seat 0 lapses; seat 1 wins the match 0 : 0; "
            "the match is closed",
        ),
    ]


def test_a_flag_that_falls_is_nobodys_turn_and_the_clock_stands_beside_the_board() -> None:
    recorder = opened()
    recorder.spend(0, 12)
    recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    recorder.reserves[1] = 0
    lapse(recorder, SYSTEM, fell(1), 1)
    *_, played, last = turns(recorder)
    assert played.header() == "game 1   score 0 : 0   cube 1 in the middle   clock 0:48 : 1:00"
    assert played.to_json()["clock"] == {
        "reserves": ["48s", "60s"],
        "running": [1],
        "delays": ["5s"],
        "interrupted": [],
        "interrupted_delays": [],
    }
    assert (last.seat, last.what[:36]) == (None, "seat 1 is out of time; seat 1 lapses")
    without = Recorder(RULES)
    assert turns(without)[-1].to_json()["clock"] is None
