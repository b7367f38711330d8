"""The mixed match over the games of the gammon board: rule 7.6."""

import pytest
from tests.engine.script_words import ONE_EACH, ROLL_OFF, check, do, no, ok, script

from gammon_engine.faults import faults
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, legal_actions, summary
from gammon_engine.referee.rule import rule
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase
from gammon_engine.registry import GAMES
from gammon_engine.settings import GameId, MatchPlay, RunnerRelease, SessionPlay, Settings, SetUp

GAMMON = GameId.GAMMON
GIVE_UP = [do(1, "resign", level=1), do(0, "accept")]
OPEN = do(None, "open", dice=[6, 3])


def test_7_6_backgammon_the_choice_the_one_left_and_again() -> None:
    check(
        script(
            "7.6",
            [
                *ROLL_OFF,
                do(1, "choose", game="rungammon"),
                do(0, "choose", game="backgammon"),
                do(0, "choose", game="gammon"),
                OPEN,
                do(0, "double"),
                do(0, "choose", game="catchgammon"),
                do(0, "choose", game="rungammon"),
                OPEN,
                *GIVE_UP,
                OPEN,
                *GIVE_UP,
                OPEN,
                *GIVE_UP,
                do(0, "choose", game="rungammon"),
                OPEN,
                *GIVE_UP,
                OPEN,
            ],
            {
                "1": ok(phase="choosing", playing=None, game=2, score=[1, 0], over=None, turn=None, dice=None),
                "2": no("7.6"),
                "3": no("7.6"),
                "4": no("7.6"),
                "5": no("7.6"),
                "6": no("7.6"),
                "7": ok(phase="opening", playing="catchgammon", game=2),
                "8": no("1.7"),
                "9": ok(phase="to_play", playing="catchgammon"),
                "11": ok(phase="opening", playing="rungammon", game=3, score=[2, 0]),
                "14": ok(phase="opening", playing="backgammon", game=4, score=[3, 0]),
                "15": ok(phase="to_play", playing="backgammon"),
                "17": ok(phase="choosing", game=5, score=[4, 0]),
                "18": ok(phase="opening", playing="rungammon", game=5),
                "21": ok(phase="opening", playing="catchgammon", game=6),
                "22": ok(phase="to_play", playing="catchgammon"),
            },
            game="gammon",
            match={"points": 9},
            position=ONE_EACH,
        )
    )


def test_7_6_the_crawford_game_is_one_of_the_whole_match_and_its_end_leaves_nothing_to_choose() -> None:
    check(
        script(
            "7.6 7.2",
            [
                *ROLL_OFF,
                do(0, "choose", game="catchgammon"),
                OPEN,
                do(0, "double"),
                do(0, "resign", level=1),
                do(1, "accept"),
                OPEN,
                *GIVE_UP,
                do(0, "choose", game="catchgammon"),
            ],
            {
                "1": ok(phase="choosing", crawford=True, score=[1, 0]),
                "2": ok(crawford=True, playing="catchgammon"),
                "4": no("1.3"),
                "6": ok(crawford=False, playing="rungammon", score=[1, 1]),
                "9": ok(phase="over", over={"kind": "match", "winners": [0], "points": [2, 1]}, playing="rungammon"),
                "10": no("7.1"),
            },
            game="gammon",
            match={"points": 2},
            position=ONE_EACH,
        )
    )


def test_7_6_a_game_without_a_winner_is_followed_by_the_same_game() -> None:
    check(
        script(
            "7.6 1.11",
            [
                do(1, "no_result"),
                do(0, "accept"),
                OPEN,
                do(None, "void"),
                OPEN,
                *GIVE_UP,
                do(1, "resign", level=1),
                do(1, "lapse"),
            ],
            {
                "1": ok(phase="opening", playing="backgammon", game=2, score=[0, 0]),
                "3": ok(phase="opening", playing="backgammon", game=2),
                "6": ok(phase="choosing", game=3),
                "7": no("7.6"),
                "8": ok(phase="over", over={"kind": "match", "winners": [0], "points": [1, 0]}),
            },
            game="gammon",
            match={"points": 9},
        )
    )


def test_7_6_while_the_next_game_is_chosen_there_is_none_to_forfeit_or_void() -> None:
    check(
        script(
            "7.6",
            [*ROLL_OFF, do(0, "forfeit", level=1), do(None, "void"), do(0, "no_result"), do(0, "forfeit")],
            {"2": no("7.6"), "3": no("7.6"), "4": no("7.6"), "5": ok(over={"kind": "match", "winners": [1]})},
            game="gammon",
            match={"points": 9},
            position=ONE_EACH,
        )
    )


def test_7_6_the_chooser_is_told() -> None:
    agreed = Settings(GAMMON, MatchPlay(9))
    state = begin(agreed)
    assert state.playing is GameId.BACKGAMMON
    for action in (act.Open((1, 2)), act.Resign(0, 1), act.Accept(1)):
        ruling = rule(agreed, state, action)
        assert isinstance(ruling, Ruling)
        state = ruling.state
    assert (state.phase, summary(state).seats_to_act, summary(state).draw) == (Phase.CHOOSING, (1,), None)
    assert legal_actions(agreed, state, 1) == (act.Choose,)
    assert legal_actions(agreed, state, 0) == ()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(GAMMON, MatchPlay(9)), []),
        (Settings(GAMMON, MatchPlay(9), runner_release=RunnerRelease.BOTH), []),
        (Settings(GAMMON, MatchPlay(9), set_up=SetUp.NACKGAMMON), ["set_up"]),
        (Settings(GAMMON, MatchPlay(9), seats=3), ["seats", "play"]),
        (Settings(GAMMON, SessionPlay()), ["play"]),
    ],
)
def test_7_6_what_can_be_agreed(settings: Settings, expected: list[str]) -> None:
    assert [fault.field for fault in faults(settings)] == expected


def test_7_6_needs_all_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(GAMES, GameId.RUNGAMMON)
    (fault,) = faults(Settings(GAMMON, MatchPlay(9)))
    assert (fault.field, fault.rule) == ("game", "7.6")
