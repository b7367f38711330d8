"""Legal plays that a counter outside this project has listed; and a few that stand alone."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from gammon_engine.plays_answer import answer_line
from gammon_engine.registry import GAMES
from gammon_engine.settings import GameId, SetUp

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures" / "legal_plays.jsonl"
PLAYED = {game.value for game in GAMES} | ({set_up.value for set_up in SetUp} if GameId.BACKGAMMON in GAMES else set())


def listed() -> list[dict[str, Any]]:
    if not FIXTURES.exists():
        return []
    lines = [json.loads(line) for line in FIXTURES.read_text().splitlines()]
    return [line for line in lines if line["game"] in PLAYED]


# Listed by `by_the_book` and looked through by hand.
ALONE: list[dict[str, Any]] = [
    {
        "game": "hypergammon",
        "seats": 2,
        "seat": 1,
        "position": "24:1,23:1,22:1 24:1,23:1,22:1",
        "roll": [6, 5],
        "plays": [
            "24:1,23:1,22:1 22:1,18:2",
            "24:1,23:1,22:1 22:1,19:1,17:1",
            "24:1,23:1,22:1 23:1,18:1,17:1",
            "24:1,23:1,22:1 23:1,19:1,16:1",
            "24:1,23:1,22:1 23:1,22:1,13:1",
            "24:1,23:1,22:1 24:1,17:2",
            "24:1,23:1,22:1 24:1,18:1,16:1",
            "24:1,23:1,22:1 24:1,22:1,12:1",
            "24:1,23:1,22:1 24:1,23:1,11:1",
        ],
    },
    {
        "game": "longgammon",
        "seats": 2,
        "seat": 0,
        "position": "24:15 24:15",
        "roll": [6, 6],
        "plays": ["24:11,18:4 24:15", "24:12,18:2,12:1 24:15", "24:13,12:2 24:15", "24:13,18:1,6:1 24:15"],
    },
    {
        "game": "backgammon",
        "seats": 2,
        "seat": 0,
        "position": "2:1,off:14 24:1,6:13,off:1",
        "roll": [2, 1],
        "plays": ["off:15 bar:1,6:13,off:1"],
        "outcomes": {"off:15 bar:1,6:13,off:1": {"kind": "win", "seat": 0, "level": 1}},
    },
]


@pytest.mark.parametrize("line", [*ALONE, *listed()], ids=lambda line: f"{line['game']}-{line['position']}")
def test_every_result_and_no_other(line: dict[str, Any]) -> None:
    answer = answer_line(line)
    assert answer.get("outcomes") == line.get("outcomes")
    assert answer.get("finished") == line.get("finished")
    if "plays" in line:
        assert answer["plays"] == line["plays"]
    count, digest = line.get("count"), line.get("sha256")
    assert answer["count"] == (len(line["plays"]) if count is None else count)
    assert answer["sha256"] == (digest or hashlib.sha256("\n".join(line["plays"]).encode()).hexdigest())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"game": None}, "game"),
        ({"game": "gammon"}, "game"),
        ({"seats": 3}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"seat": 2}, "seat"),
        ({"seat": True}, "seat"),
        ({"options": {"centres": "two"}}, "options.centres"),
        ({"options": {"runner_release": "some"}}, "options.runner_release"),
        ({"options": {"speed": "fast"}}, "options"),
        ({"options": ["centres"]}, "options"),
        ({"position": 7}, "position"),
        ({"position": "24:2"}, "position"),
        ({"position": "off:15 24:15"}, "position"),
        ({"roll": [6, 7]}, "roll"),
        ({"roll": [6]}, "roll"),
        ({"roll": "65"}, "roll"),
    ],
)
def test_a_faulty_line_names_its_field(change: dict[str, Any], field: str) -> None:
    line = {
        "game": "backgammon",
        "seats": 2,
        "seat": 0,
        "position": "24:15 24:15",
        "roll": [6, 5],
        "note": "x",
    }
    assert "error" not in answer_line(line)
    answer = answer_line({**line, **change})
    assert answer["error"]["field"] == field
    assert answer["error"]["reason"]


def test_a_reason_says_what_was_expected() -> None:
    line = {"game": "backgammon", "seats": 9, "seat": 0, "position": "24:15 24:15", "roll": [6, 5]}
    assert answer_line(line)["error"] == {
        "field": "seats",
        "reason": "expected a number from 2 to 4 (rule 1.1), got 9",
    }
