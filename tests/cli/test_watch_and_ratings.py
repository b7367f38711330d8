"""`gammon watch` and `gammon ratings` on a suite that runs."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.command import gammon
from tests.e2e.play import backgammon, table
from tests.e2e.suite import Suite

from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.endpoints import Endpoints
from gammon_cli.watch import fitting
from gammon_client.match_client import MatchClient


@pytest.fixture
def endpoints(own_suite: Suite, tmp_path: Path) -> str:
    (tmp_path / "token").write_text(own_suite.token("owner", "auditor"))
    rules, match, rating = (own_suite.target(role) for role in ("rules", "match", "rating"))
    Endpoints(rules, match, rating, str(tmp_path / "token")).write(tmp_path / "endpoints.json")
    return str(tmp_path / "endpoints.json")


async def test_a_match_is_watched_to_its_end_and_rated(own_suite: Suite, endpoints: str) -> None:
    settings = backgammon(points=1)
    settings.rated = True
    async with table(own_suite, settings) as at:
        watching = asyncio.create_task(
            asyncio.to_thread(gammon, "watch", at.match_id, "--json", "--endpoints", endpoints)
        )
        match = await at.play()
        async with asyncio.timeout(30):
            watched = await watching
    turns = [json.loads(line) for line in watched.stdout.splitlines()]
    assert watched.returncode == 0, watched.stderr
    assert turns[-1]["sequence"] == match.head.sequence
    assert "wins the match" in turns[-1]["what"]
    sequences = [turn["sequence"] for turn in turns]
    assert sequences == sorted(set(sequences))
    async with asyncio.timeout(20):
        while len(leaders := await asyncio.to_thread(_leaders, endpoints)) < 2:
            await asyncio.sleep(0.1)
    assert [leader["place"] for leader in leaders] == [1, 2]
    shown = gammon("ratings", "--endpoints", endpoints)
    assert str(leaders[0]["player"]) in shown.stdout
    nobody = gammon("ratings", "nobody", "--endpoints", endpoints)
    assert nobody.returncode == 2
    assert "PLAYER_NOT_RATED" in nobody.stderr


async def test_who_comes_and_goes_is_said_beside_the_turns(own_suite: Suite, endpoints: str) -> None:
    async with table(own_suite, backgammon(points=1)) as at:
        watching = asyncio.create_task(asyncio.to_thread(gammon, "watch", at.match_id, "--endpoints", endpoints))
        told: list[pb.Presence] = []
        attending = asyncio.create_task(_attend(at.clients[1], at.match_id, told))
        async with asyncio.timeout(20):
            while not told or told[-1].spectators == 0:
                await asyncio.sleep(0.05)
        attending.cancel()
        await asyncio.wait([attending])
        await asyncio.sleep(1)
        await at.play()
        async with asyncio.timeout(30):
            watched = await watching
    assert watched.returncode == 0, watched.stderr
    assert [line.strip() for line in watched.stderr.splitlines()] == ["seat 1 is here", "seat 1 is gone"]
    assert "is here" not in watched.stdout


async def _attend(client: MatchClient, match_id: str, told: list[pb.Presence]) -> None:
    async for _ in client.watch_match(match_id, on_presence=told.append):
        pass


def _leaders(endpoints: str) -> list[dict[str, object]]:
    done = gammon("ratings", "--json", "--endpoints", endpoints)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_last_turn_is_seen_on_a_terminal_of_any_height() -> None:
    board, said = "\n".join(f"row {row}" for row in range(14)), [f"   {turn}  seat 0: rolls 21" for turn in range(8)]
    assert fitting(board, said, 80, 30) == [*board.splitlines(), *said]
    assert fitting(board, said, 80, 17) == [*board.splitlines(), *said[-3:]]
    assert fitting(board, said, 80, 10) == ["row 5", *[f"row {row}" for row in range(6, 14)], said[-1]]
    folded = fitting(board, [*said, "    9  seat 0: " + "rolls 21; " * 8], 80, 15)
    assert (len(folded), folded[0], folded[-1]) == (15, "row 1", "       21; rolls 21;")
    assert fitting("", [], 80, 22) == []
