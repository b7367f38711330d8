"""Which agreements are refused, and under which rule; all faults at once."""

import pytest
from tests.engine.boards import BACKGAMMON

from gammon_engine.faults import faults
from gammon_engine.referee import begin, set_up
from gammon_engine.referee.state import Crawford, Cube, State
from gammon_engine.registry import GAMES
from gammon_engine.settings import (
    Centres,
    GameId,
    MatchPlay,
    RunnerRelease,
    SessionPlay,
    Settings,
    SetUp,
)
from gammon_engine.violation import Violation

BG = GameId.BACKGAMMON


@pytest.mark.parametrize(
    "settings",
    [
        Settings(BG, MatchPlay(1)),
        Settings(BG, MatchPlay(25, crawford=False)),
        Settings(BG, MatchPlay(5, holland=True), set_up=SetUp.HYPERGAMMON),
        Settings(BG, MatchPlay(5), cube=False),
        Settings(BG, SessionPlay()),
        Settings(BG, SessionPlay(3, jacoby=True, beavers=True, raccoons=True, automatic_doubles=2)),
        Settings(BG, SessionPlay(3, jacoby=True), cube=False),
    ],
)
def test_agreements_that_can_be_played(settings: Settings) -> None:
    assert faults(settings) == []
    state = begin(settings)
    assert state.crawford is (Crawford.PENDING if settings.play in (MatchPlay(5, holland=True), MatchPlay(5)) else None)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(GameId.TRACKGAMMON, SessionPlay(), seats=3), [("game", "5")]),
        (Settings(GameId.CATCHGAMMON, MatchPlay(5)), [("game", "3")]),
        (Settings(GameId.RUNGAMMON, MatchPlay(5), runner_release=RunnerRelease.BOTH), [("game", "4")]),
        (Settings(GameId.GAMMON, SessionPlay()), [("game", "7.6"), ("play", "7.6")]),
        (Settings(BG, MatchPlay(5), seats=3), [("seats", "2"), ("play", "7.1")]),
        (Settings(BG, MatchPlay(5), centres=Centres.TWO), [("centres", "5.3")]),
        (Settings(BG, MatchPlay(5), runner_release=RunnerRelease.OWN), [("runner_release", "4.3")]),
        (
            Settings(GameId.CATCHGAMMON, MatchPlay(5), set_up=SetUp.LONGGAMMON),
            [("game", "3"), ("set_up", "2.1")],
        ),
        (Settings(BG, MatchPlay(0)), [("play.points", "7.1")]),
        (Settings(BG, MatchPlay(5, crawford=False, holland=True)), [("play.holland", "6.9")]),
        (Settings(BG, MatchPlay(1, holland=True)), [("play.holland", "6.4")]),
        (Settings(BG, MatchPlay(5, holland=True), cube=False), [("play.holland", "6.4")]),
        (Settings(BG, SessionPlay(0)), [("play.games", "7.3")]),
        (Settings(BG, SessionPlay(automatic_doubles=-1)), [("play.automatic_doubles", "6.8")]),
        (Settings(BG, SessionPlay(raccoons=True)), [("play.raccoons", "6.7")]),
        (Settings(BG, SessionPlay(beavers=True), cube=False), [("play.beavers", "6.4")]),
        (
            Settings(GameId.TRACKGAMMON, SessionPlay(jacoby=True, automatic_doubles=1), seats=4),
            [("game", "5"), ("play.jacoby", "6.12"), ("play.automatic_doubles", "6.12")],
        ),
        (
            Settings(BG, MatchPlay(-1, crawford=False, holland=True), seats=9, centres=Centres.FOUR),
            [
                ("seats", "2"),
                ("centres", "5.3"),
                ("play", "7.1"),
                ("play.points", "7.1"),
                ("play.holland", "6.9"),
            ],
        ),
    ],
)
def test_every_fault_has_its_field_and_rule(
    settings: Settings, expected: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in set(GAMES) - {BG}:
        monkeypatch.delitem(GAMES, game)
    found = faults(settings)
    assert [(fault.field, fault.rule) for fault in found] == expected
    assert all(fault.value and fault.reason for fault in found)


START = BACKGAMMON.start()
MATCH = Settings(BG, MatchPlay(5))
SESSION = Settings(BG, SessionPlay(3))


@pytest.mark.parametrize(
    ("settings", "score", "cube", "crawford", "turn", "expected"),
    [
        (MATCH, (5, 0), Cube(), None, 0, ("7.1", "score")),
        (MATCH, (-1, 0), Cube(), None, 0, ("7.1", "score")),
        (MATCH, (1,), Cube(), None, 0, ("7.3", "score")),
        (SESSION, (1, 0), Cube(), None, 0, ("7.3", "score")),
        (MATCH, (4, 0), Cube(1, 0), None, 0, ("7.2", "cube")),
        (MATCH, (3, 0), Cube(), Crawford.PLAYED, 0, ("7.2", "crawford")),
        (SESSION, (0, 0), Cube(), Crawford.NOW, 0, ("7.2", "crawford")),
        (MATCH, (0, 0), Cube(-1), None, 0, ("6.2", "cube")),
        (MATCH, (0, 0), Cube(1, 2), None, 0, ("6.2", "cube")),
        (Settings(BG, MatchPlay(5), cube=False), (0, 0), Cube(1, 1), None, 0, ("6.4", "cube")),
        (MATCH, (0, 0), Cube(), None, 2, ("1.1", "turn")),
    ],
)
def test_a_set_up_that_cannot_be(
    settings: Settings,
    score: tuple[int, ...],
    cube: Cube,
    crawford: Crawford | None,
    turn: int,
    expected: tuple[str, str],
) -> None:
    refusal = set_up(settings, START, turn, score, cube, crawford)
    assert isinstance(refusal, Violation)
    assert (refusal.rule, refusal.field) == expected


def test_a_set_up_that_is_over() -> None:
    position = BACKGAMMON.parse("off:15 6:15")
    assert isinstance(position, int)
    refusal = set_up(MATCH, position, 1)
    assert isinstance(refusal, Violation)
    assert (refusal.rule, refusal.field) == ("1.8", "position")


def test_7_2_a_set_score_says_whether_the_crawford_game_is_played() -> None:
    unsaid = set_up(MATCH, START, 0, (4, 0))
    played = set_up(MATCH, START, 0, (4, 0), Cube(1, 1), Crawford.PLAYED)
    assert isinstance(unsaid, State)
    assert isinstance(played, State)
    assert (unsaid.crawford, played.crawford) == (Crawford.NOW, Crawford.PLAYED)
