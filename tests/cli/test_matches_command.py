"""`gammon matches`, `gammon lobby` and `gammon index` on a suite that runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from tests.cli.command import GAMMON, environment, gammon
from tests.e2e.play import backgammon, clients, table
from tests.e2e.suite import Suite

from gammon.match.v1 import settings_pb2
from gammon_cli.endpoints import Endpoints
from gammon_match.adapters.partitions import keys_of


@pytest.fixture
def endpoints(own_suite: Suite, tmp_path: Path) -> str:
    (tmp_path / "token").write_text(own_suite.token("owner", "auditor"))
    rules, match, rating = (own_suite.target(role) for role in ("rules", "match", "rating"))
    found = Endpoints(rules, match, rating, str(tmp_path / "token"), own_suite.redis_url)
    found.write(tmp_path / "endpoints.json")
    return str(tmp_path / "endpoints.json")


async def test_matches_are_listed_by_what_is_asked_for(own_suite: Suite, endpoints: str) -> None:
    settings = backgammon(points=7)
    settings.tags.append("cup")
    settings.seats.extend(settings_pb2.SeatSettings(player=player) for player in ("alice", "b" * 64))
    async with table(own_suite) as at, clients(own_suite, "alice") as (alice,):
        reserved = await alice.create_match(settings)

    def listed(*options: str) -> list[dict[str, object]]:
        done = gammon("matches", *options, "--json", "--endpoints", endpoints)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    assert {str(line["match"]) for line in listed()} == {at.match_id, reserved.match_id}
    [cup] = listed("--tag", "cup", "--status", "seating", "--game", "backgammon", "--since", "2020-01-01")
    assert (cup["match"], cup["length"], cup["players"], cup["creator"]) == (
        reserved.match_id,
        7,
        ["alice", "b" * 64],
        "alice",
    )
    assert [line["match"] for line in listed("--player", "bob")] == [at.match_id]
    assert listed("--until", "2020-01-01T12:00") == []
    shown = gammon("matches", "--endpoints", endpoints)
    assert all(len(line) <= 80 for line in shown.stdout.splitlines()), shown.stdout
    assert {at.match_id, reserved.match_id} <= set(shown.stdout.split())
    assert "Backgammon 7" in shown.stdout
    assert "no such matches" in gammon("matches", "--tag", "none", "--endpoints", endpoints).stdout
    assert gammon("matches", "--status", "lost", "--endpoints", endpoints).returncode == 2


async def test_a_lobby_is_watched(own_suite: Suite, endpoints: str) -> None:
    async with table(own_suite, backgammon(points=1)) as at:
        with subprocess.Popen(
            [*GAMMON, "lobby", "--json", "--endpoints", endpoints], env=environment(), stdout=subprocess.PIPE
        ) as watching:
            assert watching.stdout is not None
            first = json.loads(watching.stdout.readline())
            assert (first["match"], first["status"]) == (at.match_id, "playing")
            assert first["listing"]["players"] == ["alice", "bob"]
            assert json.loads(watching.stdout.readline()) == {"all_told": True}
            await at.play()
            assert json.loads(watching.stdout.readline())["status"] == "closed"
            watching.terminate()


async def test_the_index_is_checked_and_rebuilt(own_suite: Suite, endpoints: str) -> None:
    def index(action: str, *options: str) -> tuple[int, list[dict[str, object]]]:
        done = gammon("index", action, "--json", "--endpoints", endpoints, *options)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    async with table(own_suite) as at:
        assert index("check") == (0, [{"matches": 1, "faults": 0, "rebuilt": False}])
        keys = keys_of(at.match_id)
        assert keys is not None
        with redis.Redis.from_url(own_suite.redis_url) as store:
            store.hdel(keys.partition.rows, at.match_id)
            store.zrem(keys.partition.facet("open"), at.match_id)
        wrong = [
            {"match": at.match_id, "fault": "it has no row"},
            {"match": at.match_id, "fault": "it is not under open"},
        ]
        assert index("check") == (1, [*wrong, {"matches": 1, "faults": 2, "rebuilt": False}])
        assert index("rebuild") == (0, [*wrong, {"matches": 1, "faults": 2, "rebuilt": True}])
        shown = gammon("index", "check", "--endpoints", endpoints)
        assert (shown.returncode, shown.stdout) == (0, "Matches looked at: 1. Faults: none found.\n")


def test_the_index_of_no_store_is_refused(tmp_path: Path) -> None:
    done = gammon("index", "check", GAMMON_REDIS_URL="redis://127.0.0.1:1/0")
    assert done.returncode == 2
    assert done.stderr.startswith("refused: unreachable")
    alone = subprocess.run(
        [sys.executable, "-m", "gammon_match.index", "check"], env=environment(), capture_output=True, check=False
    )
    assert alone.returncode == 2
    assert b"GAMMON_REDIS_URL is not set" in alone.stderr
    assert gammon("index", "check", "--endpoints", str(tmp_path / "none")).returncode == 2
