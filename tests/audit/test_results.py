"""Results counted without the referee, against cases worked out by hand from rules 6.2 to 6.8, 7.1 and 8.6."""

from collections.abc import Sequence

import pytest

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.rules.v1 import action_pb2, fact_pb2, play_pb2
from gammon_audit.envelopes import Agreed, Parsed, Reading
from gammon_audit.report import Verdict
from gammon_audit.results_check import check_results
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

MATCH = Settings(GameId.BACKGAMMON, MatchPlay(7))
MONEY = Settings(GameId.BACKGAMMON, SessionPlay(beavers=True, raccoons=True, automatic_doubles=3))
JACOBY = Settings(GameId.BACKGAMMON, SessionPlay(jacoby=True, automatic_doubles=1))

AUTOMATIC = fact_pb2.Fact(automatically_doubled=fact_pb2.AutomaticallyDoubled())
TAKEN = fact_pb2.Fact(double_taken=fact_pb2.DoubleTaken())
BEAVERED = fact_pb2.Fact(beavered=fact_pb2.Beavered())
RACCOONED = fact_pb2.Fact(raccooned=fact_pb2.Raccooned())
ACCEPTED = fact_pb2.Fact(raise_accepted=fact_pb2.RaiseAccepted())
PLAYED, DROPPED, SETTLED = (
    fact_pb2.GAME_END_PLAYED,
    fact_pb2.GAME_END_DROPPED,
    fact_pb2.GAME_END_SETTLED,
)


def points(*each: int) -> list[play_pb2.Points]:
    """One entry a seat."""
    return [play_pb2.Points(numerator=own) for own in each]


def game(
    end: fact_pb2.GameEnd.ValueType,
    winner: int,
    level: int,
    counted: int,
    cube_log2: int,
    won: Sequence[int],
    score: Sequence[int],
) -> fact_pb2.Fact:
    """A game's end."""
    return fact_pb2.Fact(
        game_ended=fact_pb2.GameEnded(
            end=end,
            winners=[winner],
            level=level,
            counted=counted,
            cube_log2=cube_log2,
            points=points(*won),
            score=points(*score),
        )
    )


def judged(rules: Settings, facts: Sequence[fact_pb2.Fact]) -> tuple[Verdict, int | None]:
    """Verdict and sequence; the facts are events 1, 2, …"""
    parsed = tuple(Parsed(n, events_pb2.Envelope(fact=fact), "fact") for n, fact in enumerate(facts, 1))
    agreed = Agreed("", b"", settings_pb2.MatchSettings(), rules)
    check = check_results(Reading(parsed, None, True, agreed))
    return check.verdict, check.sequence


# Rules, what raised the stake, how it ended, level, counted, cube, points won by seats 0 and 1.
CASES = [
    (MATCH, [], PLAYED, 2, 2, 0, (2, 0)),
    (MATCH, [TAKEN], PLAYED, 3, 3, 1, (6, 0)),
    (MATCH, [], DROPPED, 0, 1, 0, (1, 0)),
    (MATCH, [TAKEN, TAKEN], DROPPED, 0, 1, 2, (4, 0)),
    (MONEY, [AUTOMATIC, AUTOMATIC], PLAYED, 1, 1, 2, (4, -4)),
    (MONEY, [BEAVERED, ACCEPTED], PLAYED, 2, 2, 2, (8, -8)),
    # 6.6: dropping a beaver loses the stake as first doubled; 6.7: dropping a raccoon the stake as beavered.
    (MONEY, [BEAVERED], DROPPED, 0, 1, 1, (2, -2)),
    (MONEY, [BEAVERED, RACCOONED], DROPPED, 0, 1, 2, (4, -4)),
    (MONEY, [BEAVERED, RACCOONED, ACCEPTED], PLAYED, 1, 1, 3, (8, -8)),
    # 6.5: gammons count single unless a double was taken; automatic doubles do not count.
    (JACOBY, [], PLAYED, 3, 1, 0, (1, -1)),
    (JACOBY, [AUTOMATIC], PLAYED, 2, 1, 1, (2, -2)),
    (JACOBY, [AUTOMATIC, TAKEN], PLAYED, 2, 2, 2, (8, -8)),
    (MONEY, [TAKEN], SETTLED, 0, 0, 1, (5, -5)),
]


@pytest.mark.parametrize(("rules", "raises", "end", "level", "counted", "cube", "won"), CASES)
def test_stakes(
    rules: Settings,
    raises: list[fact_pb2.Fact],
    end: fact_pb2.GameEnd.ValueType,
    level: int,
    counted: int,
    cube: int,
    won: tuple[int, int],
) -> None:
    right = game(end, 0, level, counted, cube, won, won)
    assert judged(rules, [*raises, right]) == (Verdict.PASS, None)
    at = len(raises) + 1
    wrong = [
        game(end, 1, level, counted, cube, won, won),
        game(end, 0, level, counted, cube, won, (won[0] + 1, won[1])),
    ]
    if end != SETTLED:
        more = (won[0] + 1, won[1])
        wrong += [
            game(end, 0, level, counted + 1, cube, won, won),
            game(end, 0, level, counted, cube + 1, won, won),
            game(end, 0, level, counted, cube, more, more),
        ]
    for forged in wrong:
        assert judged(rules, [*raises, forged]) == (Verdict.FAIL, at)


def ended(winners: Sequence[int], score: Sequence[int], match: bool = True) -> fact_pb2.Fact:
    """The end of all."""
    return fact_pb2.Fact(play_ended=fact_pb2.PlayEnded(winners=winners, score=points(*score), match=match))


FIRST = game(PLAYED, 0, 3, 3, 1, (6, 0), (6, 0))
SECOND = game(PLAYED, 1, 2, 2, 0, (0, 2), (6, 2))
THIRD = game(PLAYED, 0, 1, 1, 0, (1, 0), (7, 2))


def test_a_match_ends_when_it_is_won() -> None:
    games = [TAKEN, FIRST, SECOND, THIRD]
    assert judged(MATCH, [*games, ended([0], (7, 2))]) == (Verdict.PASS, None)
    assert judged(MATCH, games) == (Verdict.FAIL, 5)
    assert judged(MATCH, [*games, TAKEN, ended([0], (7, 2))]) == (Verdict.FAIL, 5)
    for wrong in (ended([1], (7, 2)), ended([0], (7, 1)), ended([0], (7, 2), match=False), ended([], (7, 2))):
        assert judged(MATCH, [*games, wrong]) == (Verdict.FAIL, 5)
    assert judged(MATCH, [TAKEN, FIRST, ended([0], (6, 0))]) == (Verdict.FAIL, 3)
    assert judged(MATCH, [TAKEN, FIRST, SECOND, THIRD, ended([0], (7, 2)), TAKEN]) == (Verdict.FAIL, 6)


def test_nothing_is_played_after_the_last_point() -> None:
    passed = fact_pb2.Fact(turn_passed=fact_pb2.TurnPassed())
    assert judged(MATCH, [TAKEN, FIRST, SECOND, THIRD, passed]) == (Verdict.FAIL, 5)


def test_a_forfeited_match_is_won_by_the_other_seat() -> None:
    forfeited = fact_pb2.Fact()
    forfeited.forfeited.seat = 1
    forfeited.forfeited.forfeit.scope = action_pb2.FORFEIT_SCOPE_MATCH
    assert judged(MATCH, [forfeited, ended([0], (0, 0))]) == (Verdict.PASS, None)
    assert judged(MATCH, [forfeited, ended([1], (0, 0))]) == (Verdict.FAIL, 2)


def test_a_session_has_its_score_and_no_winner() -> None:
    first = game(PLAYED, 0, 1, 1, 0, (1, -1), (1, -1))
    assert judged(MONEY, [first, ended([], (1, -1), match=False)]) == (Verdict.PASS, None)
    assert judged(MONEY, [first, ended([0], (1, -1), match=False)]) == (Verdict.FAIL, 2)
    assert judged(MONEY, [first, ended([], (1, -1))]) == (Verdict.FAIL, 2)
