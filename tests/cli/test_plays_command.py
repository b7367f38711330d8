"""`gammon plays`: a line for a line, faulty ones included."""

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.cli.command import gammon
from tests.engine.by_the_book import results

from gammon_engine.registry import GAMES
from gammon_engine.settings import SetUp

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures" / "legal_plays.jsonl"
SERVED = {game.value for game in GAMES} | {set_up.value for set_up in SetUp}
START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
QUESTION = {"game": "backgammon", "seats": 2, "seat": 0, "position": START, "roll": [3, 1]}


def answers(*lines: bytes) -> list[dict[str, Any]]:
    """The answers to lines; nothing else is printed, and the exit code is 0."""
    done = gammon("plays", stdin=b"".join(line + b"\n" for line in lines))
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def line(**changes: Any) -> bytes:
    return json.dumps({**QUESTION, **changes}).encode()


def test_a_line_is_answered_with_all_plays() -> None:
    (answer,) = answers(line(unknown="ignored"))

    expected = results(START, 0, (3, 1))
    assert answer == {
        "count": len(expected),
        "sha256": hashlib.sha256("\n".join(expected).encode()).hexdigest(),
        "plays": expected,
    }


def test_plays_come_in_full_and_outcomes_only_when_there_are_any() -> None:
    many, last = answers(
        line(position="24:4,13:4,8:4,6:3 24:2,13:5,8:3,6:5", roll=[1, 1]),
        line(position="1:1,off:14 23:1,6:14", roll=[2, 1]),
    )
    assert many["count"] == len(many["plays"]) > 40
    assert "outcomes" not in many
    # Rule 2.4: a checker in the winner's home board, none off.
    assert last["outcomes"] == {"off:15 23:1,6:14": {"kind": "win", "seat": 0, "level": 3}}


def test_faulty_lines_get_their_fault_and_the_rest_goes_on() -> None:
    faulty = {
        b"{not json": "line",
        b"": "line",
        b"[1, 2]": "line",
        b"\xff\xfe{}": "line",
        b"[" * 100_000: "line",
        b'"\\ud800"': "line",
        b"{}": "game",
        line(game="chess"): "game",
        line(game="gammon"): "game",
        line(seat=2): "seat",
        line(position="25:1"): "position",
        line(roll=[0, 7]): "roll",
        line(roll=["\ud800", 1]): "roll",
    }
    given = [text for fault in faulty for text in (fault, line())]

    told = answers(*given)

    assert [answer["error"]["field"] for answer in told[::2]] == list(faulty.values())
    assert all(answer["error"]["reason"] for answer in told[::2])
    assert [answer["count"] for answer in told[1::2]] == [16] * len(faulty)


def test_no_line_is_no_answer() -> None:
    assert answers() == []


def test_every_listed_position_is_answered_as_it_is_listed() -> None:
    listed = [json.loads(text) for text in FIXTURES.read_bytes().splitlines()] if FIXTURES.exists() else []
    told = answers(*(json.dumps(case).encode() for case in listed))
    assert len(told) == len(listed)
    for case, answer in zip(listed, told, strict=True):
        if case["game"] in SERVED:
            assert (answer["count"], answer["sha256"]) == (case["count"], case["sha256"]), case
            assert answer["plays"] == case.get("plays", answer["plays"]), case
            assert answer.get("outcomes", {}) == case.get("outcomes", {}), case
        else:
            assert answer["error"]["field"] == "game", case
