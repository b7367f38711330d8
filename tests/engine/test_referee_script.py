"""What a script may say, and how its faults and refusals are answered."""

import json
from typing import Any

import pytest
from tests.engine.race import quick_games
from tests.engine.script_words import START
from tests.engine.scripts import Script, differences, shared_scripts, worked_scripts

from gammon_engine.referee.state import Crawford, Phase
from gammon_engine.referee_answer import answer_script
from gammon_engine.referee_script import Script as ReadScript
from gammon_engine.referee_script import read_script

__all__ = ["quick_games"]
SCRIPT: dict[str, Any] = {"game": "backgammon", "seats": 2, "match": {"points": 5}, "actions": []}


def answers(script: Script) -> list[dict[str, Any]]:
    """The answers as they are printed and read again."""
    return [json.loads(json.dumps(answer)) for answer in answer_script(script, 7)]


@pytest.mark.parametrize("script", [*shared_scripts(), *worked_scripts()], ids=lambda script: script["about"])
def test_every_expectation_of_a_script_is_met(script: Script) -> None:
    given = {str(answer["action"]): answer for answer in answers(script)}
    assert differences(script["expect"], given) == []


def test_answers_carry_their_numbers_and_a_refusal_ends_the_script() -> None:
    actions = [
        {"seat": None, "do": "open", "dice": [3, 1]},
        {"seat": 0, "do": "play", "text": "8/5 6/4"},
        {"seat": 0, "do": "play", "text": "8/5 6/5"},
    ]
    opened, refused = answers({**SCRIPT, "actions": actions})
    assert opened == {
        "script": 7,
        "action": 0,
        "ok": True,
        "facts": [
            {"fact": "opening_thrown", "seats": [0, 1], "dice": [3, 1]},
            {"fact": "game_opened", "game_number": 1, "game": "backgammon", "starter": 0, "position": START},
            {"fact": "rolled", "seat": 0, "dice": [3, 1]},
        ],
        "state": {
            "phase": "to_play",
            "playing": "backgammon",
            "turn": 0,
            "dice": [3, 1],
            "position": START,
            "cube": {"value": 1, "owner": None},
            "score": [0, 0],
            "game": 1,
            "crawford": False,
            "over": None,
        },
    }
    assert set(refused) == {"script", "action", "ok", "rule", "reason"}
    assert (refused["script"], refused["action"], refused["ok"], refused["rule"]) == (7, 1, False, "9.6")


@pytest.mark.usefixtures("quick_games")
def test_with_three_or_four_the_cube_names_the_last_doubler_and_shares_are_exact() -> None:
    track = {"game": "trackgammon", "seats": 4, "session": {"games": 1}, "position": "12 12 0 12", "turn": 0}
    words = ["double", "stay", "leave", "stay"]
    actions: list[dict[str, Any]] = [{"seat": seat, "do": word} for seat, word in enumerate(words)]
    for seat in (0, 1, 3):
        actions += [{"seat": seat, "do": "roll", "dice": [2, 1]}, {"seat": seat, "do": "play", "text": ""}]
    given = answers({**track, "actions": actions})
    assert given[0]["facts"] == [{"fact": "double_offered", "seat": 0, "cube": 2}]
    assert given[2]["facts"] == [{"fact": "seat_left", "seat": 2, "paid": 1}]
    assert given[3]["state"]["cube"] == {"value": 2, "last_doubler": 0}
    last = given[-1]
    score = ["1/3", "1/3", -1, "1/3"]
    assert [fact["fact"] for fact in last["facts"]] == ["play_made", "game_ended", "play_ended"]
    assert last["facts"][0]["play"] == "2@12-14 1@14-14"
    assert last["facts"][1]["points"] == score
    assert last["state"]["over"] == {"kind": "session", "winners": [], "points": score}
    doubled = {**track, "cube": {"value": 4, "last_doubler": 0}, "actions": [{"seat": 0, "do": "double"}]}
    assert answers(doubled)[0]["rule"] == "6.10"


def test_a_score_alone_stands_before_the_first_opening() -> None:
    read = read_script({**SCRIPT, "score": [4, 1]})
    assert isinstance(read, ReadScript)
    assert list(read.state.score) == [4, 1]
    assert (read.state.phase, read.state.crawford) == (Phase.OPENING, Crawford.NOW)
    opened, doubled = answers(
        {
            **SCRIPT,
            "score": [4, 1],
            "turn": 1,
            "actions": [{"seat": 1, "do": "roll", "dice": [2, 1]}, {"seat": 1, "do": "double"}],
        }
    )
    assert (opened["state"]["crawford"], opened["state"]["position"]) == (True, START)
    assert doubled["rule"] == "1.3"


def test_7_2_where_both_need_one_point_the_crawford_game_has_been() -> None:
    """One of them came there first, and the game after that was it; 6.1: a dead cube may still be turned."""
    double = {"seat": 0, "do": "double"}
    level = {**SCRIPT, "score": [4, 4]}
    (doubled,) = answers({**level, "turn": 0, "actions": [double]})
    assert (doubled["ok"], doubled["state"]["crawford"]) == (True, False)
    (opened,) = answers({**level, "actions": [{"seat": None, "do": "open", "dice": [3, 1]}]})
    assert not opened["state"]["crawford"]
    (refused,) = answers({**level, "turn": 0, "crawford_played": False, "actions": [double]})
    assert refused["rule"] == "7.2"


@pytest.mark.parametrize(
    "named",
    [
        {"match": {"points": 3, "crawford": False, "holland": False, "cube": "off"}},
        {"match": {"points": 3}, "options": {"cube": False}},
        {"session": {"games": 3, "cube": False}},
        {"session": {"cube": "off"}},
    ],
)
def test_6_4_the_cube_may_be_off_in_any_play(named: dict[str, Any]) -> None:
    double = {"seat": 0, "do": "double"}
    (refused,) = answers({"game": "nackgammon", "seats": 2, "turn": 0, "actions": [double], **named})
    assert refused["rule"] == "6.4"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"seats": 3}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"session": {}}, "match"),
        ({"match": [5]}, "match"),
        ({"match": {}}, "match.points"),
        ({"match": {"points": "5"}}, "match.points"),
        ({"match": {"points": True}}, "match.points"),
        ({"match": {"points": 0}}, "match.points"),
        ({"match": {"points": 5, "crawford": 1}}, "match.crawford"),
        ({"match": {"points": 5, "jacoby": True}}, "match.jacoby"),
        ({"match": {"points": 5, "holland": True, "crawford": False}}, "match.holland"),
        ({"match": {"points": 5, "cube": "maybe"}}, "match.cube"),
        ({"match": {"points": 5, "cube": 0}}, "match.cube"),
        ({"options": {"centres": "two"}}, "options.centres"),
        ({"options": {"set_up": "other"}}, "options.set_up"),
        ({"options": {"cube": "maybe"}}, "options"),
        ({"game": "longgammon", "options": {"set_up": "nackgammon"}}, "options.set_up"),
        ({"position": "24:3", "turn": 0}, "position"),
        ({"position": 7, "turn": 0}, "position"),
        ({"position": START}, "turn"),
        ({"turn": 2}, "turn"),
        ({"turn": True}, "turn"),
        ({"turn": 0, "score": [5, 0]}, "score"),
        ({"score": [5, 0]}, "score"),
        ({"score": ["a", 0]}, "score"),
        ({"score": ["1/0", 0]}, "score"),
        ({"score": ["1e999999999", 0]}, "score"),
        ({"score": ["0.5", 0]}, "score"),
        ({"score": 3}, "score"),
        ({"turn": 0, "cube": {"value": 3}}, "cube.value"),
        ({"turn": 0, "cube": {"value": 0}}, "cube.value"),
        ({"turn": 0, "cube": {"value": 2, "owner": "x"}}, "cube.owner"),
        ({"turn": 0, "cube": {"value": 2, "owner": 2}}, "cube"),
        ({"turn": 0, "cube": {"value": 2, "last_doubler": 0}}, "cube"),
        ({"turn": 0, "cube": {"height": 2}}, "cube"),
        ({"turn": 0, "cube": 2}, "cube"),
        ({"score": [4, 0], "turn": 0, "cube": {"value": 2, "owner": 0}}, "cube"),
        ({"crawford_played": 1}, "crawford_played"),
        ({"actions": None}, "actions"),
        ({"actions": {}}, "actions"),
    ],
    ids=str,
)
def test_a_faulty_script_is_refused_at_once_by_its_field(change: dict[str, Any], field: str) -> None:
    (answer,) = answers({**SCRIPT, "actions": [{"seat": None, "do": "open", "dice": [3, 1]}], **change})
    assert set(answer) == {"script", "action", "ok", "rule", "reason"}
    assert (answer["script"], answer["action"], answer["ok"]) == (7, 0, False)
    assert answer["reason"].startswith(f"{field}: ")


def test_without_match_and_session_one_game_is_played() -> None:
    game = {
        "game": "backgammon",
        "seats": 2,
        "position": "2:1,off:14 6:15",
        "turn": 0,
        "cube": {"value": 2, "owner": 1},
    }
    roll, play = {"seat": 0, "do": "roll", "dice": [6, 5]}, {"seat": 0, "do": "play", "text": "2/off"}
    rolled, won, refused = answers({**game, "actions": [roll, play, {"seat": None, "do": "open", "dice": [3, 1]}]})
    assert rolled["state"]["over"] is None
    assert won["state"]["over"] == {"kind": "game", "winners": [0], "points": [4, -4]}
    assert (won["state"]["phase"], refused["ok"]) == ("over", False)


@pytest.mark.usefixtures("quick_games")
def test_a_tie_in_one_game_has_two_winners_and_no_points() -> None:
    turns = [
        action
        for seat in (0, 1)
        for action in ({"seat": seat, "do": "roll", "dice": [2, 1]}, {"seat": seat, "do": "play", "text": ""})
    ]
    last = answers({"game": "trackgammon", "seats": 2, "position": "12 12", "turn": 0, "actions": turns})[-1]
    assert last["state"]["over"] == {"kind": "game", "winners": [0, 1], "points": [0, 0]}


@pytest.mark.parametrize(
    ("change", "field", "rule"),
    [
        ({"match": {"points": 5, "jacoby": True}}, "match.jacoby", "6.5"),
        ({"match": {"points": 5, "automatic_doubles": 1}}, "match.automatic_doubles", "6.8"),
        ({"options": {"beavers": True}}, "options.beavers", "6.6"),
        ({"holland": True}, "holland", "6.9"),
        ({"crawford": False}, "crawford", "7.2"),
        ({"centres": "two"}, "centres", "5.3"),
        ({"options": {"centres": "two"}}, "options.centres", "5.3"),
        ({"game": "catchgammon", "options": {"runner_release": "both"}}, "options.runner_release", "4.3"),
        ({"seats": 3, "game": "trackgammon"}, "match", "7.1"),
    ],
    ids=str,
)
def test_an_option_that_fits_neither_game_nor_play_is_refused_by_its_rule(
    change: dict[str, Any], field: str, rule: str
) -> None:
    (answer,) = answers({**SCRIPT, **change})
    assert (answer["ok"], answer["rule"]) == (False, rule)
    assert answer["reason"].startswith(f"{field}: ")


@pytest.mark.parametrize("name", ["crawford", "holland"])
def test_7_options_of_a_match_are_refused_in_a_session(name: str) -> None:
    (answer,) = answers({"game": "backgammon", "seats": 2, "session": {name: True}, "actions": []})
    assert (answer["ok"], answer["rule"]) == (False, {"crawford": "7.2", "holland": "6.9"}[name])


@pytest.mark.parametrize(
    ("action", "rule", "field"),
    [
        (7, "1", "action"),
        ({"seat": 0}, "1", "do"),
        ({"seat": 0, "do": "fly"}, "1", "do"),
        ({"seat": 0, "do": ["roll"]}, "1", "do"),
        ({"do": "double"}, "1.1", "seat"),
        ({"seat": "0", "do": "double"}, "1.1", "seat"),
        ({"seat": 0, "do": "roll"}, "1.1", "dice"),
        ({"seat": None, "do": "open", "dice": [3, "1"]}, "1.1", "dice"),
        ({"seat": 0, "do": "play"}, "1.10", "text"),
        ({"seat": 0, "do": "play", "steps": [[6, 24]]}, "1.10", "text"),
        ({"seat": 0, "do": "resign"}, "8.1", "level"),
        ({"seat": 0, "do": "settle", "to": 0}, "7.3", "points"),
        ({"seat": 0, "do": "settle", "points": 1}, "8.6", "to"),
        ({"seat": 0, "do": "forfeit", "level": "2"}, "8.3", "level"),
        ({"seat": 0, "do": "forfeit", "scope": "all"}, "8.3", "scope"),
        ({"seat": 0, "do": "choose", "game": "chess"}, "7.6", "game"),
        ({"do": "set_score"}, "7.3", "score"),
        ({"do": "set_score", "score": [0, 0], "crawford_played": "no"}, "7.2", "crawford_played"),
    ],
    ids=str,
)
def test_a_faulty_action_is_refused_by_its_field(action: object, rule: str, field: str) -> None:
    (answer,) = answers({**SCRIPT, "actions": [action, {"seat": 0, "do": "double"}]})
    assert (answer["action"], answer["ok"], answer["rule"]) == (0, False, rule)
    assert answer["reason"].startswith(f"{field}: ")
