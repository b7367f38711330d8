"""The files that the command reads and writes: endpoints, receipts, the record of the demo."""

import hashlib
import json
from importlib.resources import files
from pathlib import Path

import pytest

from gammon_audit.record import Receipt
from gammon_cli.endpoints import Endpoints, NoEndpoints, read_endpoints
from gammon_cli.receipts import BadReceipts, read_receipts
from gammon_cli.record_file import DEMO, demo_record, read_record
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule
from gammon_engine.referee.facts import DoubleDropped, DoubleTaken, Fact, GameEnded
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase
from gammon_wire.actions import action_from_proto
from gammon_wire.settings import settings_from_proto

MATCH = "m_000_" + "A" * 26
ENDPOINTS = Endpoints("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "/nowhere/token", "redis://127.0.0.1:4/0")


def test_endpoints_are_read_as_they_were_written(tmp_path: Path) -> None:
    ENDPOINTS.write(tmp_path / "endpoints.json")
    assert read_endpoints(tmp_path / "endpoints.json") == ENDPOINTS
    assert [ENDPOINTS.target(role) for role in ("rules", "match", "rating")] == [
        "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3",
    ]  # fmt: skip


def test_the_usual_place_is_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoEndpoints, match=r"gammon up --data \.data"):
        read_endpoints(None)
    (tmp_path / ".data").mkdir()
    ENDPOINTS.write(tmp_path / ".data" / "endpoints.json")
    assert read_endpoints(None) == ENDPOINTS


@pytest.mark.parametrize("content", ["", "[]", "{", '{"rules": 1}', '{"rules": "x"}'])
def test_other_files_are_no_endpoints(tmp_path: Path, content: str) -> None:
    (tmp_path / "file").write_text(content)
    with pytest.raises(NoEndpoints, match="file"):
        read_endpoints(tmp_path / "file")


def test_a_token_that_is_gone_is_said() -> None:
    with pytest.raises(NoEndpoints, match="token_file"):
        ENDPOINTS.token()


def test_receipts_are_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "receipts"
    file.write_text(json.dumps({"match": MATCH, "sequence": 7, "hash": "ab" * 32}) + "\n\n")
    assert read_receipts(file) == [Receipt(MATCH, 7, b"\xab" * 32)]


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        json.dumps({"match": MATCH, "sequence": 7}),
        json.dumps({"match": MATCH, "sequence": "7", "hash": "ab" * 32}),
        json.dumps({"match": MATCH, "sequence": 7, "hash": "ab"}),
        json.dumps({"match": MATCH, "sequence": 7, "hash": "zz" * 32}),
    ],
)
def test_a_faulty_receipt_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "receipts"
    file.write_text("\n" + line)
    with pytest.raises(BadReceipts, match="line 2"):
        read_receipts(file)
    with pytest.raises(BadReceipts):
        read_receipts(tmp_path / "absent")


def test_the_record_of_the_demo_is_a_whole_match_within_the_law() -> None:
    """What the public record states: seven games, five of them dropped, one double taken, 5 to 3."""
    record = demo_record()
    settings = settings_from_proto(record.header.settings.rules)
    assert not isinstance(settings, tuple)
    state, facts = begin(settings), list[Fact]()
    for recorded in record.acts:
        action = action_from_proto(recorded.action, state.phase)
        ruling = rule(settings, state, action)  # type: ignore[arg-type]
        assert isinstance(ruling, Ruling), (ruling, recorded)
        state = ruling.state
        facts += ruling.facts
    assert state.phase is Phase.OVER
    assert list(map(int, state.score)) == [5, 3]
    kinds = [type(fact) for fact in facts]
    assert (kinds.count(GameEnded), kinds.count(DoubleTaken), kinds.count(DoubleDropped)) == (7, 1, 5)


def test_the_record_is_known_by_its_file() -> None:
    content = (files("gammon_cli") / "records" / DEMO).read_bytes()
    assert demo_record().header.source_sha256 == hashlib.sha256(content).digest()
    assert "MIT" in demo_record().source


@pytest.mark.parametrize("text", ["", "0", "0 dance", "x roll 1-2", "0 roll", "0 roll a-b", "0 resign", "-1 take"])
def test_an_act_that_is_none_is_named_by_game_and_number(text: str) -> None:
    content = {"points": 1, "crawford": True, "source": "", "games": [["opening 2-1", text]]}
    with pytest.raises(ValueError, match="game 1, act 2"):
        read_record(json.dumps(content).encode())


def test_a_throw_keeps_its_order() -> None:
    content = {"points": 1, "crawford": True, "source": "", "games": [["opening 3-5", "1 roll 2-6"]]}
    opening, roll = read_record(json.dumps(content).encode()).acts
    assert (opening.action.seat, list(opening.action.roll.dice)) == (0, [3, 5])
    assert (roll.action.seat, list(roll.action.roll.dice)) == (1, [2, 6])
    assert isinstance(action_from_proto(opening.action, Phase.OPENING), act.Open)
