"""`gammon audit` and `gammon replay` on the matches of a running suite."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.command import Up, gammon, running_up
from tests.e2e.play import backgammon

import gammon_cli
from gammon_bots.player import play_match
from gammon_cli.endpoints import read_endpoints
from gammon_cli.import_files import Imported, Importer
from gammon_cli.local_names import LocalNames
from gammon_cli.suite import make_token
from gammon_client.calls import open_channel
from gammon_client.match_client import MatchClient, Receipt
from gammon_engine.referee import begin, rule
from gammon_engine.referee.facts import GameEnded
from gammon_engine.referee.ruling import Ruling
from gammon_engine.registry import game_of
from gammon_records.follow import read_mat
from gammon_records.record import Acted, Record
from gammon_shell.identity import SigningKey

# Two games, of which the first is dropped: 1 point and 2 points for seat 0.
RECORD = Path(gammon_cli.__file__).parent / "records" / "ben-cleo.mat"
NOBODYS = "m_000_" + "A" * 26


@dataclass(frozen=True)
class Filled:
    """A suite that runs, with a match that bots have played and one that was imported."""

    endpoints: str
    played: str
    imported: str
    receipt: Receipt


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    with running_up(tmp_path_factory.mktemp("up"), "--appendfsync", "everysec") as up:
        yield asyncio.run(_fill(up))


async def _fill(up: Up) -> Filled:
    endpoints = read_endpoints(up.endpoints)
    key = SigningKey((up.data / "signing-key.pem").read_bytes(), (up.data / "public-key.pem").read_bytes())
    async with open_channel(endpoints.match) as channel:
        seats = {seat: MatchClient(channel, make_token(key, f"bot:{seat}", ["player"])) for seat in (0, 1)}
        match = await seats[0].create_match(backgammon(points=1))
        match_id = match.match_id
        for seat, client in seats.items():
            await client.take_seat(match, seat)
        await play_match(seats, match_id)
        owner = MatchClient(channel, endpoints.token)
        imported = await Importer(owner, LocalNames(up.data / "names")).import_file(RECORD)
        assert isinstance(imported, Imported), imported
        receipt = max((client.receipts[match_id] for client in seats.values()), key=lambda kept: kept.sequence)
        return Filled(str(up.endpoints), match_id, imported.match_id, receipt)


def receipts(directory: Path, match_id: str, receipt: Receipt) -> str:
    file = directory / "receipts.jsonl"
    told = {"match": match_id, "sequence": receipt.sequence, "hash": receipt.hash.hex()}
    file.write_text(json.dumps(told) + "\n")
    return str(file)


def test_all_matches_are_audited_one_json_line_each(filled: Filled) -> None:
    done = gammon("audit", "--all", "--json", "--endpoints", filled.endpoints)

    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert {report["match"] for report in reports} == {filled.played, filled.imported}
    for report in reports:
        assert set(report) == {"match", "verdict", "checks", "first_wrong"}
        assert (report["verdict"], report["first_wrong"]) == ("INCOMPLETE", None)
        open_ends = {check["name"] for check in report["checks"] if check["verdict"] != "PASS"}
        assert open_ends == {"receipts", "dice", "actors"}


def test_tables_fit_80_columns_and_have_no_colours_when_piped(filled: Filled) -> None:
    one = gammon("audit", filled.played, "--endpoints", filled.endpoints)
    both = gammon("audit", filled.played, filled.imported, "--endpoints", filled.endpoints)
    for done in (one, both):
        assert done.returncode == 0
        assert max(map(len, done.stdout.splitlines())) <= 80
        assert "\x1b" not in done.stdout
    assert {"chain", "law", "results"} <= set(one.stdout.replace("│", " ").split())
    assert both.stdout.count("INCOMPLETE") == 2
    assert filled.played in both.stdout


def test_a_receipt_that_the_store_has_is_a_pass(filled: Filled, tmp_path: Path) -> None:
    file = receipts(tmp_path, filled.played, filled.receipt)
    done = gammon("audit", filled.played, "--receipts", file, "--json", "--endpoints", filled.endpoints)
    checks = {check["name"]: check["verdict"] for check in json.loads(done.stdout)["checks"]}
    assert (done.returncode, checks["receipts"]) == (0, "PASS")


def test_a_receipt_that_the_store_denies_is_a_fail_with_its_event(filled: Filled, tmp_path: Path) -> None:
    file = receipts(tmp_path, filled.played, Receipt(filled.receipt.sequence, b"\x01" * 32))
    arguments = ("audit", filled.played, "--receipts", file, "--endpoints", filled.endpoints)
    done = gammon(*arguments, "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["verdict"] == "FAIL"
    assert report["first_wrong"]["sequence"] == filled.receipt.sequence
    shown = gammon(*arguments)
    assert shown.returncode == 1
    assert "FAIL" in shown.stdout


@pytest.mark.parametrize("which", ["--all", NOBODYS])
def test_a_match_that_is_gone_fails_for_whoever_holds_a_receipt(filled: Filled, tmp_path: Path, which: str) -> None:
    file = receipts(tmp_path, NOBODYS, filled.receipt)
    done = gammon("audit", which, "--receipts", file, "--json", "--endpoints", filled.endpoints)
    assert done.returncode == 1
    failed = [report for line in done.stdout.splitlines() if (report := json.loads(line))["verdict"] == "FAIL"]
    assert [report["match"] for report in failed] == [NOBODYS]


def test_what_cannot_be_audited_is_said_with_exit_2(filled: Filled, tmp_path: Path) -> None:
    faulty = tmp_path / "faulty"
    faulty.write_text("{}\n")
    for arguments, said in (
        (("audit", NOBODYS), "MATCH_NOT_FOUND"),
        (("audit", "nonsense"), "match_id"),
        (("audit",), "--all"),
        (("audit", "--all", filled.played), "--all"),
        (("audit", "--all", "--receipts", str(faulty)), "line 1"),
        (("replay", NOBODYS), "MATCH_NOT_FOUND"),
    ):
        done = gammon(*arguments, GAMMON_ENDPOINTS=filled.endpoints)
        assert done.returncode == 2, arguments
        assert said in done.stderr, arguments
        assert "Traceback" not in done.stderr


def test_a_replay_has_every_act_of_the_record_and_its_boards(filled: Filled) -> None:
    done = gammon("replay", filled.imported, "--endpoints", filled.endpoints)
    assert done.returncode == 0
    assert done.stdout.count("BAR") == _positions(_record())
    assert "66: 8/2(2) 13/7(2)" in done.stdout
    assert "wins the match 3 : 0" in done.stdout


def _record() -> Record:
    record = read_mat(RECORD.read_bytes())
    assert isinstance(record, Record)
    return record


def _positions(record: Record) -> int:
    """How often the board changes, the set-up of the first game included; a game's end shows its last position."""
    settings = record.settings
    text = game_of(settings).text
    state, shown = begin(settings), [text(begin(settings).position)]
    for action in (part.action for part in record.parts if isinstance(part, Acted)):
        ruling = rule(settings, state, action)
        assert isinstance(ruling, Ruling)
        state = ruling.state
        ended = [fact.position for fact in ruling.facts if isinstance(fact, GameEnded)]
        shown.append(ended[0] if ended else text(state.position))
    return 1 + sum(before != after for before, after in pairwise(shown))


def test_a_replay_for_machines_has_a_line_for_each_batch(filled: Filled) -> None:
    done = gammon("replay", filled.imported, "--json", "--endpoints", filled.endpoints)
    turns = [json.loads(line) for line in done.stdout.splitlines()]
    # One batch starts the match; each act of the record is one, and each result that it states.
    assert len(turns) == 1 + len(_record().parts)
    assert [turn["sequence"] for turn in turns] == sorted({turn["sequence"] for turn in turns})
    assert turns[-1]["score"] == ["3", "0"]


def test_a_replay_is_seen_from_either_seat(filled: Filled) -> None:
    views = [
        gammon("replay", filled.played, "--seat", str(seat), "--endpoints", filled.endpoints).stdout for seat in (0, 1)
    ]
    assert views[0] != views[1]
    assert views[0].count("BAR") == views[1].count("BAR")


def test_a_replay_draws_each_new_position_into_a_directory(filled: Filled, tmp_path: Path) -> None:
    arguments = ("replay", filled.imported, "--json", "--seat", "1", "--endpoints", filled.endpoints)
    done = gammon(*arguments, "--svg", str(tmp_path / "new" / "pictures"))
    assert (done.returncode, done.stderr) == (0, "")
    turns = [json.loads(line) for line in done.stdout.splitlines()]
    moved = [turn for before, turn in pairwise([{"position": ""}, *turns]) if turn["position"] != before["position"]]
    drawn = {file.name: file.read_text() for file in (tmp_path / "new" / "pictures").iterdir()}
    assert sorted(drawn) == [f"{turn['sequence']:06}.svg" for turn in moved]
    assert all(f"<desc>{turn['position']}</desc>" in drawn[f"{turn['sequence']:06}.svg"] for turn in moved)
    (tmp_path / "file").touch()
    refused = gammon(*arguments, "--svg", str(tmp_path / "file"))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--svg" in refused.stderr


@pytest.mark.parametrize("command", ["replay", "watch"])
def test_a_seat_that_the_match_does_not_have_is_refused(filled: Filled, command: str) -> None:
    done = gammon(command, filled.imported, "--seat", "2", "--endpoints", filled.endpoints)
    assert (done.returncode, done.stdout) == (2, "")
    assert "seats of this match are 0 to 1" in done.stderr
