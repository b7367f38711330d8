"""The files that the command reads and writes: endpoints, receipts, the records of the demo."""

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from gammon_audit.record import Receipt
from gammon_cli.demo import RECORDS
from gammon_cli.endpoints import Endpoints, NoEndpoints, read_endpoints
from gammon_cli.receipts import BadReceipts, read_receipts
from gammon_engine.referee import begin, rule
from gammon_engine.referee.facts import DoubleDropped, DoubleOffered, DoubleTaken, Fact, GameEnded
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase
from gammon_records.follow import read_mat
from gammon_records.record import Acted, Record

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
    with pytest.raises(BadReceipts, match="line 2") as refused:
        read_receipts(file)
    assert "Error" not in str(refused.value), "told in words"
    with pytest.raises(BadReceipts):
        read_receipts(tmp_path / "absent")


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_the_demo_is_a_whole_match_within_the_law(name: str) -> None:
    """The words of the file, counted without the reader, are what the law makes of its acts."""
    content = (files("gammon_cli") / "records" / name).read_bytes()
    record = read_mat(content)
    assert isinstance(record, Record)
    assert record.warnings == ()
    state, facts = begin(record.settings), list[Fact]()
    for acted in record.parts:
        if isinstance(acted, Acted):
            ruling = rule(record.settings, state, acted.action)
            assert isinstance(ruling, Ruling), (ruling, acted)
            state = ruling.state
            facts += ruling.facts
    assert state.phase is Phase.OVER
    words = Counter(re.findall(r"Game|Doubles|Takes|Drops|Wins \d", content.decode().partition("Game 1")[2]))
    kinds = Counter(map(type, facts))
    counted = (kinds[GameEnded], kinds[DoubleOffered], kinds[DoubleTaken], kinds[DoubleDropped])
    assert counted == (words["Game"] + 1, words["Doubles"], words["Takes"], words["Drops"])
    assert sum(state.score) == sum(int(word[-1]) * times for word, times in words.items() if word.startswith("Wins"))
