"""Games for three and four, mixed matches and rulings by an operator pass the audit, and forgeries of them do not."""

from collections import Counter

import pytest
from tests.audit.recorder import OPERATOR, Recorder, money
from tests.audit.recordings import envelope, find, rechained, with_envelope
from tests.audit.test_recorder import assert_lawful, checks
from tests.engine.race import quick_games

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import play_pb2
from gammon_audit.record import MatchRecord
from gammon_audit.replay import Turn, replay
from gammon_audit.report import Verdict
from gammon_engine.referee import actions as acts
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

__all__ = ["quick_games"]
pytestmark = pytest.mark.usefixtures("quick_games")

SEEDS = range(8)
THREE = Settings(GameId.TRACKGAMMON, SessionPlay(games=4), seats=3)
FOUR = Settings(GameId.TRACKGAMMON, SessionPlay(games=4), seats=4)
MIXED = Settings(GameId.GAMMON, MatchPlay(5))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", [THREE, FOUR, MIXED], ids=["three", "four", "mixed"])
def test_they_pass(rules: Settings, seed: int) -> None:
    assert_lawful(Recorder(rules, seed).play())


def test_they_hold_every_fact_of_more_than_two() -> None:
    """Else the test above would show less than it says."""
    kinds: Counter[str | None] = Counter()
    for rules in (THREE, FOUR, MIXED):
        for seed in SEEDS:
            recorder = Recorder(rules, seed)
            recorder.play()
            kinds.update(event.fact.WhichOneof("kind") for event in recorder.events if event.HasField("fact"))
    for kind in ("stayed", "seat_left", "game_chosen", "offer_made", "offer_closed"):
        assert kinds[kind], kind


@pytest.mark.parametrize("rules", [THREE, FOUR, MIXED, money()], ids=["three", "four", "mixed", "money"])
def test_rulings_by_an_operator_pass(rules: Settings) -> None:
    recorder = Recorder(rules, 3)
    recorder.play(9)
    score = recorder.now.score
    recorder.do(OPERATOR, acts.SetScore(tuple(own + 0 for own in score), crawford_played=False))
    recorder.do(OPERATOR, acts.VoidGame())
    recorder.throw(0)
    recorder.do(OPERATOR, acts.Forfeit(1, acts.Scope.GAME, 1))
    assert_lawful(recorder.play())


@pytest.mark.parametrize("ruling", [acts.VoidGame(), acts.SetScore((0, 0, 0))], ids=["void", "score"])  # type: ignore[arg-type]
def test_a_seat_makes_no_rulings(ruling: acts.Action) -> None:
    recorder = Recorder(THREE, 3)
    recorder.throw(0)
    recorder.do(events_pb2.Actor(seat=0), ruling)
    law = checks(recorder.record())["law"]
    assert (law.verdict, law.detail) == (Verdict.FAIL, "seat 0 made a ruling")


def forged(record: MatchRecord, sequence: int, changed: events_pb2.Envelope) -> dict[str, Verdict]:
    """The verdicts on a record in which one event says something else, chained anew."""
    found = checks(rechained(with_envelope(record, sequence, changed)))
    return {name: found[name].verdict for name in ("chain", "law", "results")}


def left_and_won() -> MatchRecord:
    """Seat 1 leaves on a double, seat 2 stays, and after two turns seat 2 leaves as well."""
    recorder = Recorder(Settings(GameId.TRACKGAMMON, SessionPlay(games=1), seats=3), faces=(6, 1, 2, 1, 2))
    recorder.throw(0)
    recorder.play(1)
    recorder.do(events_pb2.Actor(seat=1), acts.Double(1))
    recorder.do(events_pb2.Actor(seat=2), acts.Stay(2))
    recorder.do(events_pb2.Actor(seat=0), acts.Leave(0))
    recorder.do(events_pb2.Actor(seat=1), acts.Leave(1))
    return recorder.record()


def test_what_leavers_pay_and_winners_get_is_checked_twice() -> None:
    """Worked out by hand: seat 0 pays 1 on the double, seat 1 pays 2 after it, seat 2 wins 3."""
    record = left_and_won()
    assert_lawful(record)
    both = {"chain": Verdict.PASS, "law": Verdict.FAIL, "results": Verdict.FAIL}

    at = find(record, "game_ended")
    ended = envelope(record, at)
    assert [own.numerator for own in ended.fact.game_ended.points] == [-1, -2, 3]
    ended.fact.game_ended.points[2].numerator = 4
    assert forged(record, at, ended) == both
    ended = envelope(record, at)
    ended.fact.game_ended.winners[:] = [1]
    assert forged(record, at, ended) == both
    ended = envelope(record, at)
    ended.fact.game_ended.cube_log2 = 2
    assert forged(record, at, ended) == both

    at = find(record, "seat_left")
    left = envelope(record, at)
    left.fact.seat_left.paid.CopyFrom(play_pb2.Points(numerator=1, denominator=2))
    assert forged(record, at, left) == both

    at = find(record, "stayed")
    stayed = envelope(record, at)
    stayed.fact.stayed.cube_log2 = 2
    assert forged(record, at, stayed) == both


def test_a_replay_tells_of_leaving_in_words() -> None:
    told = [turn.what for turn in replay(left_and_won()) if isinstance(turn, Turn)]
    assert told[-4:] == [
        "doubles to 2",
        "stays at 2",
        "seat 0 leaves and pays 1",
        "seat 1 leaves and pays 2; seat 2 wins 3 points; the session ends -1 : -2 : 3; the match is closed",
    ]


def test_a_replay_tells_the_last_doubler_and_of_a_mixed_match_the_game_that_was_played() -> None:
    turns = [turn for turn in replay(left_and_won()) if isinstance(turn, Turn)]
    assert turns[-2].to_json()["cube"] == {"value": 2, "last_doubler": 1}
    assert turns[-2].cube_words() == "cube 2 by seat 1"
    for seed in SEEDS:
        recorder = Recorder(MIXED, seed)
        turns = [turn for turn in replay(recorder.play()) if isinstance(turn, Turn)]
        games = {turn.game_number: turn.playing for turn in turns if "wins" in turn.what and "match" not in turn.what}
        by_order = [games[number] for number in sorted(games)][:4]
        others = {"catchgammon", "rungammon"}
        assert by_order[:1] in ([], ["backgammon"])
        assert set(by_order[1:3]) <= others
        assert by_order[3:] in ([], ["backgammon"])
        assert all(turn.board() for turn in turns if turn.position)


def test_6_2_a_stake_beyond_what_can_be_recorded_fails_the_audit_and_nothing_breaks() -> None:
    """Seventy doubles are lawful, the points of such a game do not fit the contract's 64 bits."""
    rules = Settings(GameId.BACKGAMMON, SessionPlay(games=1))
    recorder = Recorder(rules, 5, faces=(6, 1))
    recorder.throw(0)
    recorder.play(1)
    for _ in range(70):
        seat = recorder.now.turn
        assert seat is not None
        recorder.do(events_pb2.Actor(seat=seat), acts.Double(seat))
        recorder.do(events_pb2.Actor(seat=1 - seat), acts.Take(1 - seat))
        recorder.throw(seat)
        if recorder.now.turn == seat:
            recorder.play(1)
    assert recorder.now.cube.exponent == 70
    assert_lawful(recorder.record())

    seat = recorder.now.turn
    assert seat is not None
    dropped = events_pb2.Envelope()
    dropped.fact.double_dropped.seat, dropped.fact.double_dropped.cube_log2 = 1 - seat, 70
    recorder.do(events_pb2.Actor(seat=seat), acts.Double(seat))
    recorder.batch(events_pb2.Actor(seat=1 - seat), [dropped])
    law = checks(recorder.record())["law"]
    assert (law.verdict, law.detail) == (Verdict.FAIL, "the stake is beyond what can be recorded")
