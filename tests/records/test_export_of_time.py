"""MAT of matches in which more happened than play: clocks, pauses and acts of the service leave no trace in it, and a
lapse is what MAT can say of it."""

import pytest
from tests.audit.recorder import OPERATOR, SYSTEM, Recorder, money, seat_actor
from tests.audit.test_acting_for import to_play_forced
from tests.audit.test_time import DELAY, MATCH, fell, lapse, opened, pause, paused, resume, resumed, terms
from tests.records.importing import stored

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_engine.referee import actions as acts
from gammon_engine.settings import GameId, SessionPlay, Settings
from gammon_records.mat_writer import write_mat
from gammon_records.told_match import NotWritable, sheet_of

NAMES = ("Ann", "Bob")


def mat_of(recorder: Recorder) -> str:
    """Its MAT text."""
    return write_mat(sheet_of([event.envelope for event in recorder.record().events]), NAMES, "m")


def end_of(text: str) -> list[str]:
    """The rows of the last game and what stands below them."""
    return text.rstrip("\n").split("\n")[-3:]


def test_clocks_and_pauses_leave_no_trace() -> None:
    timed, plain = opened(agreed=terms(DELAY, away_s=60, pause_s=60)), opened(agreed=settings_pb2.MatchSettings())
    pause(timed, seat_actor(1), paused(1, left=(60, 60)))
    resume(timed, seat_actor(1), resumed(60, 45))
    pause(timed, OPERATOR, paused(left=(60, 45)))
    resume(timed, OPERATOR, resumed(60, 45, by_director=True))
    for recorder in (timed, plain):
        recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    assert mat_of(timed) == mat_of(plain)
    assert "31: 8/5 6/5" in mat_of(timed)


def test_what_the_service_does_for_a_seat_is_written_as_the_seats_own() -> None:
    recorder = to_play_forced()
    before = mat_of(recorder)
    recorder.by_itself()
    written = mat_of(recorder)
    assert len(written) > len(before)
    again = stored(written)
    assert again.mat() == written.replace('"m"', f'"{again.match_id}"')


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        # A match is lost whole (8.4), and MAT has a word for that; of a session the game, at three times the cube.
        (MATCH, ["  1) 31: 8/5 6/5                 42:", "  2)                              Forfeits"]),
        # Jacoby: with the cube in the middle it counts single (6.5).
        (money(3), ["  1) 31: 8/5 6/5                 42: ????", "      Wins 1 point"]),
        (
            Settings(GameId.BACKGAMMON, SessionPlay(3)),
            ["  1) 31: 8/5 6/5                 42: ????", "      Wins 3 points"],
        ),
    ],
)
def test_a_lapse_is_what_mat_can_say(rules: Settings, rows: list[str]) -> None:
    recorder = opened(rules, terms(DELAY))
    recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    recorder.next_faces = [4, 2]
    recorder.throw(1)
    recorder.reserves[1] = 0
    lapse(recorder, SYSTEM, fell(1), 1)
    text = mat_of(recorder)
    assert end_of(text)[-2:] == rows
    again = stored(text)
    assert again.audited().first_wrong is None
    assert again.mat() == text.replace('"m"', f'"{again.match_id}"')


def replaced(recorder: Recorder, seat: int, player: str) -> None:
    """A director gives a seat to another player."""
    told = events_pb2.PlayerReplaced(seat=seat, player=player, reason=events_pb2.DIRECTOR_REASON_ABSENCE)
    recorder.batch(OPERATOR, [events_pb2.Envelope(player_replaced=told)])


def test_who_was_replaced_before_play_began_has_no_column() -> None:
    recorder = Recorder(MATCH, faces=(3, 1))
    replaced(recorder, 1, "dave")
    replaced(recorder, 1, "erin")
    before = sheet_of([event.envelope for event in recorder.record().events])
    recorder.throw(0)
    recorder.do(seat_actor(0), acts.MakePlay(0, "8/5 6/5"))
    sheet = sheet_of([event.envelope for event in recorder.record().events])
    assert before.players[1] == sheet.players[1] == "erin"
    assert sheet.players[0] == sheet_of([event.envelope for event in opened().record().events]).players[0]


def test_one_column_has_one_player() -> None:
    recorder = opened()
    event = len(recorder.record().events) + 1
    replaced(recorder, 1, "erin")
    fault = f"event {event}: player_replaced gives seat 1 to erin in game 1; a column of MAT has one player throughout"
    with pytest.raises(NotWritable, match=f"^{fault}$"):
        mat_of(recorder)
